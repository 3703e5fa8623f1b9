import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import iconv from 'iconv-lite';
import { bytesBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import { type Encoder, makeEncoder } from '../../../../src/plugins/outputs/shared/encoder.js';
import { memoryLog } from '../../../support/logs.js';

const encoderFor = (encoding: string, separator = '\n') => {
  const { log, lines } = memoryLog();
  const made = makeEncoder(encoding, separator, log);
  if (E.isLeft(made)) throw new Error(made.left.message);
  return { encoder: made.right, lines };
};

const encode = (encoder: Encoder, texts: readonly string[]) => encoder.encode(textBatch(texts));

describe('events as bytes', () => {
  test('UTF-8 bytes of a batch are handed on without a copy', () => {
    const bytes = Buffer.from('one\ntwo\n');
    const encoded = encoderFor('UTF-8').encoder.encode(bytesBatch(bytes, 2));
    expect(encoded.bytes.buffer).toBe(bytes.buffer);
    expect(encoded.bytes.toString()).toBe('one\ntwo\n');
    expect(encoded.ends()).toEqual([4, 8]);
  });

  test.each(['cp1252', 'latin_1', 'utf_16_be', 'shift_jis', 'cp037', 'utf_7'])(
    '%s is read back as it was',
    (name) => {
      const texts = ['plain', 'two  words', '#1: 50%'];
      const { bytes, count, failed } = encode(encoderFor(name).encoder, texts);
      const decoded =
        name === 'cp037'
          ? null
          : iconv.decode(bytes, name.replace('_le', 'le').replace('_be', 'be').replace('utf_', 'utf-'));
      if (decoded !== null) expect(decoded).toBe('plain\ntwo  words\n#1: 50%\n');
      expect({ count, failed }).toEqual({ count: 3, failed: 0 });
    },
  );

  test('EBCDIC has its own bytes for letters', () => {
    expect([...encode(encoderFor('cp037', '').encoder, ['A1']).bytes]).toEqual([0xc1, 0xf1]);
  });

  test('an event without a spelling is left out, logged and counted; the others stay', () => {
    const { encoder, lines } = encoderFor('ascii');
    const encoded = encode(encoder, ['one', 'zwölf', 'three']);
    expect(encoded.bytes.toString('latin1')).toBe('one\nthree\n');
    expect({ count: encoded.count, failed: encoded.failed }).toEqual({ count: 2, failed: 1 });
    expect(encoded.ends()).toEqual([4, 10]);
    expect(lines).toEqual([
      {
        level: 'error',
        message: expect.stringContaining('ascii cannot encode'),
        context: { original_event: 'zwölf' },
      },
    ]);
  });

  test('when no event can be spelled nothing is written', () => {
    const encoded = encode(encoderFor('cp1252').encoder, ['日', '本']);
    expect(encoded.bytes).toHaveLength(0);
    expect({ count: encoded.count, failed: encoded.failed }).toEqual({ count: 0, failed: 2 });
  });

  test('a thousand bad events do not flood the log', () => {
    const { encoder, lines } = encoderFor('ascii');
    encode(
      encoder,
      Array.from({ length: 1000 }, () => 'ä'),
    );
    expect(lines).toHaveLength(3);
  });

  test('the byte order mark stands once, before everything', () => {
    const { encoder } = encoderFor('utf_16');
    expect([...encoder.preamble]).toEqual([0xff, 0xfe]);
    expect([...encode(encoder, ['a']).bytes]).toEqual([0x61, 0, 0x0a, 0]);
    expect([...encoderFor('utf_8_sig').encoder.preamble]).toEqual([0xef, 0xbb, 0xbf]);
    expect(encoderFor('utf_16_le').encoder.preamble).toHaveLength(0);
  });

  test('half of a surrogate pair has no spelling in UTF-16', () => {
    expect(encode(encoderFor('utf_16_le').encoder, ['a', '\ud800']).failed).toBe(1);
  });

  test('what cannot work is said when the output opens', () => {
    const { log } = memoryLog();
    expect(makeEncoder('iso2022_jp', '\n', log)).toMatchObject({
      left: { code: 'plugin_failed', message: expect.stringContaining('not supported') },
    });
    expect(makeEncoder('ascii', '→', log)).toMatchObject({
      left: { code: 'plugin_failed', message: expect.stringContaining('separator') },
    });
  });
});
