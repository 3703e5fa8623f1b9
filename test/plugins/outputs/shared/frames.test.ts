import { describe, expect, test } from '@jest/globals';
import { bytesBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { makeEncoder } from '../../../../src/plugins/outputs/shared/encoder.js';
import {
  type FrameOptions,
  type Frames,
  type Items,
  itemMaker,
  makeFrames,
} from '../../../../src/plugins/outputs/shared/socket/frames.js';
import { right } from '../../../support/either.js';
import { memoryLog } from '../../../support/logs.js';

const NO_HEADER = Buffer.alloc(0);
const PLAIN: FrameOptions = {
  framing: 'octet_counting',
  header: NO_HEADER,
  hasMark: false,
  max_bytes: Number.POSITIVE_INFINITY,
};

const makerOf = (encoding: string, separator: string) =>
  itemMaker(right(makeEncoder(encoding, separator, memoryLog().log)), encoding);

const itemsOf = (texts: readonly string[]): Items => makerOf('utf_8', '\n')(textBatch(texts));

const framed = (texts: readonly string[], more: Partial<FrameOptions> = {}): Frames =>
  makeFrames(itemsOf(texts), { ...PLAIN, ...more });

/** Reads octet-counted frames as RFC 6587 describes them. */
const counted = (bytes: Buffer): readonly string[] => {
  const messages: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const digits = bytes.toString('latin1', at, space);
    if (!/^[1-9]\d*$/.test(digits)) throw new Error(`bad length: ${digits}`);
    at = space + 1 + Number(digits);
    messages.push(bytes.toString('utf8', space + 1, at));
  }
  return messages;
};

const ALPHABET = ['a', ' ', '1', '\n', 'é', '€', '😀', '\u0000', '#', '\t'];

const randomTexts = (seed: number): readonly string[] => {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  return Array.from({ length: 1 + below(20) }, () =>
    Array.from({ length: 1 + below(30) }, () => ALPHABET[below(ALPHABET.length)]).join(''),
  );
};

describe('frames', () => {
  test('octet counting gives the length in bytes, and takes any character', () => {
    expect(framed(['a', 'é\n€', 'x'.repeat(10)]).bytes.toString('utf8')).toBe('1 a6 é\n€10 xxxxxxxxxx');
  });

  test('an empty message has no octet-counted frame', () => {
    expect(framed(['a', '', 'b'])).toMatchObject({ count: 2, unfit: [1] });
  });

  test('a reader of RFC 6587 gets what went in (200 random batches)', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const texts = randomTexts(seed);
      const { bytes, ends, count } = framed(texts, { header: Buffer.from('<14>1 - ') });
      expect(counted(bytes)).toEqual(texts.map((text) => `<14>1 - ${text}`));
      expect([count, ends[count - 1]]).toEqual([texts.length, bytes.length]);
    }
  });

  test('a reader of lines gets what went in, line ends escaped (200 random batches)', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const texts = randomTexts(seed);
      const { bytes } = framed(texts, { framing: 'newline', header: Buffer.from('<14>') });
      expect(bytes.toString('utf8').split('\n')).toEqual([
        ...texts.map((text) => `<14>${text.replaceAll('\n', '#012')}`),
        '',
      ]);
    }
  });

  test('datagrams are the messages alone', () => {
    const { bytes, ends } = framed(['ab', '', 'c\nd'], { framing: 'none', header: Buffer.from('H') });
    expect(bytes.toString('utf8')).toBe('HabHHc\nd');
    expect([...(ends as Float64Array)]).toEqual([3, 4, 8]);
  });

  test('the mark comes before the event, only where it is not ASCII', () => {
    const { bytes } = framed(['a', 'é'], { framing: 'newline', header: Buffer.from('H '), hasMark: true });
    expect(bytes.toString('utf8')).toBe('H a\nH \ufeffé\n');
  });

  test('longer messages than allowed are left out by position', () => {
    const limited = { header: Buffer.from('HH'), max_bytes: 5 };
    expect(framed(['123', '1234', 'é1', 'éé'], limited)).toMatchObject({ count: 2, unfit: [1, 3] });
  });
});

describe('items of a batch', () => {
  test.each<[string, string]>([
    ['utf_8', '\n'],
    ['utf_8', '\r\n'],
    ['utf_8', ''],
    ['latin_1', '\n'],
    ['utf_16_le', '\n'],
  ])('in %s with %j after each', (encoding, separator) => {
    for (const batch of [textBatch(['ab', 'é', 'c']), bytesBatch(Buffer.from('ab\né\nc\n'), 3)]) {
      const { bytes, ends, trailer_bytes, failed } = makerOf(encoding, separator)(batch);
      const decoder = new TextDecoder(
        encoding.replace('_', '-').replace('utf-16_le', 'utf-16le').replace('latin-1', 'latin1'),
      );
      const parts = Array.from(ends, (end, index) =>
        decoder.decode(bytes.subarray(index === 0 ? 0 : ends[index - 1], end - trailer_bytes)),
      );
      expect({ parts, failed }).toEqual({ parts: ['ab', 'é', 'c'], failed: 0 });
    }
  });

  test('an event that cannot be encoded is left out', () => {
    const { ends, failed } = makerOf('ascii', '\n')(textBatch(['a', 'é', 'b']));
    expect([ends.length, failed]).toEqual([2, 1]);
  });
});
