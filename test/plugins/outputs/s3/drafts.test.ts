import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../../src/domain/errors.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { type DraftOptions, makeDrafts } from '../../../../src/plugins/outputs/s3/drafts.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { never } from '../support.js';

interface Upload {
  readonly key: string;
  readonly text: string;
  readonly signal: AbortSignal;
  readonly end: (result?: Result<void>) => void;
}

const LOST = E.left(failure('output_failed', 'the reply is lost'));

/** Uploads end when the test says so. */
const setUp = (more: Partial<DraftOptions> = {}) => {
  const clock = fakeClock();
  const uploads: Upload[] = [];
  let keys = 0;
  const drafts = makeDrafts({
    store: (key, pieces, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(E.left(failure('output_failed', 'aborted'))));
        const end = (result: Result<void> = E.right(undefined)): void => resolve(result);
        uploads.push({ key, text: String(Buffer.concat(pieces)), signal, end });
      }),
    newKey: () => `key ${++keys}`,
    separator: '\n',
    isCompressed: false,
    roll_bytes: 100,
    roll_ms: 60_000,
    clock,
    stopped: () => failure('output_failed', 'stopped'),
    ...more,
  });
  /** Results in the order in which the writes ended. */
  const ended: unknown[] = [];
  const write = (text: string, signal = never) => {
    const batch = textBatch([text]);
    const again = async (): Promise<void> => {
      const result = await drafts.write(batch, signal);
      ended.push(E.isLeft(result) ? [text, result.left.message] : [text, result.right.bytes]);
    };
    void again();
    return again;
  };
  return { clock, uploads, drafts, write, ended };
};

const texts = (uploads: readonly Upload[]): readonly string[] => uploads.map(({ text }) => text);

describe('writes are joined into one object', () => {
  test('until it has its size; all of them end when it is stored, with their share of its bytes', async () => {
    const { clock, drafts, uploads, write, ended } = setUp({ roll_bytes: 10 });
    drafts.onBackPressure(false);
    for (const text of ['one', 'two', 'a', 'four']) write(text);
    await clock.settle();
    expect(texts(uploads)).toEqual(['one\ntwo\na\n']);
    expect(ended).toEqual([]);
    uploads[0]?.end();
    await clock.settle();
    expect(ended).toEqual([
      ['one', 4],
      ['two', 4],
      ['a', 2],
    ]);
  });

  test('and not beyond it: a write that does not fit begins the next', async () => {
    const { clock, drafts, uploads, write } = setUp({ roll_bytes: 10 });
    drafts.onBackPressure(false);
    for (const text of ['12345', '6789', 'larger than an object']) write(text);
    await clock.settle();
    expect(texts(uploads)).toEqual(['12345\n', '6789\n', 'larger than an object\n']);
  });

  test('for roll_interval since the first', async () => {
    const { clock, drafts, uploads, write } = setUp();
    drafts.onBackPressure(false);
    write('a');
    await clock.advanceMs(59_000);
    write('b');
    await clock.settle();
    expect(uploads).toEqual([]);
    await clock.advanceMs(1_000);
    expect(texts(uploads)).toEqual(['a\nb\n']);
  });

  test('until the generator is held back', async () => {
    const { clock, drafts, uploads, write } = setUp();
    drafts.onBackPressure(false);
    write('a');
    write('b');
    await clock.settle();
    drafts.onBackPressure(true);
    await clock.settle();
    expect(texts(uploads)).toEqual(['a\nb\n']);
    write('c');
    write('d');
    await clock.settle();
    // The upload under way frees the generator.
    expect(uploads).toHaveLength(1);
    uploads[0]?.end();
    await clock.settle();
    expect(texts(uploads)).toEqual(['a\nb\n', 'c\nd\n']);
  });

  test('not at all for an owner that says nothing of back-pressure, or with roll_interval 0', async () => {
    const alone = setUp();
    alone.write('a');
    await alone.clock.settle();
    expect(texts(alone.uploads)).toEqual(['a\n']);
    const short = setUp({ roll_ms: 0 });
    short.drafts.onBackPressure(false);
    short.write('a');
    short.write('b');
    await short.clock.settle();
    expect(texts(short.uploads)).toEqual(['a\n', 'b\n']);
  });
});

describe('an object that could not be stored', () => {
  test('is tried again whole, with its key, once for all of its writes', async () => {
    const { clock, drafts, uploads, write, ended } = setUp();
    drafts.onBackPressure(false);
    const a = write('a');
    const b = write('b');
    drafts.onBackPressure(true);
    await clock.settle();
    uploads[0]?.end(LOST);
    await clock.settle();
    expect(ended).toEqual([
      ['a', 'the reply is lost'],
      ['b', 'the reply is lost'],
    ]);
    void b();
    await clock.settle();
    void a();
    await clock.settle();
    expect(uploads.map(({ key, text }) => [key, text])).toEqual([
      ['key 1', 'a\nb\n'],
      ['key 1', 'a\nb\n'],
    ]);
    uploads[1]?.end();
    await clock.settle();
    expect(ended.slice(2)).toEqual([
      ['b', 2],
      ['a', 2],
    ]);
  });

  test('a write that comes back late takes part in the attempt that it missed, not in one of its own', async () => {
    const { clock, drafts, uploads, write, ended } = setUp();
    drafts.onBackPressure(false);
    const a = write('a');
    const b = write('b');
    drafts.onBackPressure(true);
    await clock.settle();
    uploads[0]?.end(LOST);
    await clock.settle();
    void a();
    await clock.settle();
    uploads[1]?.end(LOST);
    await clock.settle();
    void b();
    await clock.settle();
    expect(uploads).toHaveLength(2);
    expect(ended).toHaveLength(4);
    void a();
    await clock.settle();
    uploads[2]?.end();
    await clock.settle();
    void b();
    await clock.settle();
    expect(uploads).toHaveLength(3);
    expect(ended.slice(4)).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
  });

  test('does not hold up those of other writes', async () => {
    const { clock, uploads, write, ended } = setUp({ roll_ms: 0 });
    write('a');
    write('b');
    await clock.settle();
    uploads[0]?.end(LOST);
    uploads[1]?.end();
    await clock.settle();
    expect(ended).toEqual([
      ['a', 'the reply is lost'],
      ['b', 2],
    ]);
  });
});

describe('a write that is aborted', () => {
  test('leaves the object that collects, and the others are stored', async () => {
    const { clock, drafts, uploads, write, ended } = setUp();
    const ending = new AbortController();
    drafts.onBackPressure(false);
    write('a', ending.signal);
    write('b');
    await clock.settle();
    ending.abort();
    await clock.settle();
    expect(ended).toEqual([['a', 'stopped']]);
    drafts.onBackPressure(true);
    await clock.settle();
    expect(texts(uploads)).toEqual(['b\n']);
  });

  test('ends the upload when it is the last that waits for it', async () => {
    const { clock, drafts, uploads, write, ended } = setUp();
    const [first, second] = [new AbortController(), new AbortController()];
    drafts.onBackPressure(false);
    write('a', first.signal);
    write('b', second.signal);
    drafts.onBackPressure(true);
    await clock.settle();
    first.abort();
    await clock.settle();
    expect([ended.length, uploads[0]?.signal.aborted]).toEqual([1, false]);
    second.abort();
    await clock.settle();
    expect([ended.length, uploads[0]?.signal.aborted]).toEqual([2, true]);
  });

  test('alone in the object that collects leaves nothing to store', async () => {
    const { clock, drafts, uploads, write } = setUp();
    const ending = new AbortController();
    drafts.onBackPressure(false);
    write('a', ending.signal);
    await clock.settle();
    ending.abort();
    await clock.advanceMs(120_000);
    expect(uploads).toEqual([]);
    write('b');
    await clock.advanceMs(60_000);
    expect(texts(uploads)).toEqual(['b\n']);
  });
});

test('flushing stores what is collected and waits for it', async () => {
  const { clock, drafts, uploads, write } = setUp();
  drafts.onBackPressure(false);
  write('a');
  await clock.settle();
  let isFlushed = false;
  void drafts.flush().then(() => {
    isFlushed = true;
  });
  await clock.settle();
  expect([texts(uploads), isFlushed]).toEqual([['a\n'], false]);
  uploads[0]?.end();
  await clock.settle();
  expect(isFlushed).toBe(true);
});
