import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure } from '../../../src/domain/errors.js';
import { emptyBatch, textBatch } from '../../../src/domain/events/eventBatch.js';
import { WAITING } from '../../../src/domain/events/timestampBatch.js';
import type { EventProducer, Formatter, Input, Output, Produced } from '../../../src/plugins/kit.js';
import { BUILD_LIMIT_MS, guardedPlugin } from '../../../src/plugins/thirdParty/guard.js';
import type { ThirdPartyPlugin } from '../../../src/plugins/thirdParty/publicKit.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { right } from '../../support/either.js';
import { contextOf, giving, pluginOf } from './support.js';

const never = new AbortController().signal;
const BATCH = textBatch(['a', 'b', 'c']);

/** The guarded part of a plugin, built or opened. */
const made = async (
  plugin: ThirdPartyPlugin,
  clock = fakeClock(),
  signal = never,
): Promise<E.Either<unknown, unknown>> => {
  const safe = guardedPlugin(plugin, './theirs.mjs') as unknown as Record<
    string,
    (...given: readonly unknown[]) => never
  >;
  return (safe['open'] ?? safe['build'])?.({}, contextOf(clock, signal)) as never;
};

const output = async (methods: Partial<Record<keyof Output, unknown>>): Promise<Output> => {
  const quiet = { flush: async () => E.right(undefined), close: async () => E.right(undefined) };
  return right((await made(giving('output', { ...quiet, ...methods }))) as E.Either<never, Output>);
};

const NAMED = (kind: string, what: string): string =>
  `${kind} theirs (./theirs.mjs): ${what}. Report it to the author of the plugin.`;

describe('opening a plugin of others', () => {
  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'open threw: boom',
    ],
    ['rejects', async () => Promise.reject(new Error('boom')), 'open threw: boom'],
    ['returns garbage', async () => 42, 'open returned 42, not a result'],
    ['returns no output', async () => E.right(null), 'open gave no function `write`'],
    ['returns half an output', async () => E.right({ write: () => {} }), 'open gave no function `flush`'],
    [
      'returns an error without a message',
      async () => E.left({ code: 'output_failed' }),
      'open returned an error without a message',
    ],
    [
      'returns an error of no code',
      async () => E.left({ code: 'oops', message: 'x' }),
      'open returned an error with the unknown code oops',
    ],
  ])('%s: the start fails with its name', async (_, open, what) => {
    expect(await made(pluginOf('output', open))).toEqual(
      E.left(failure('plugin_failed', NAMED('output', what))),
    );
  });

  test('an error of its own keeps code and message, behind its name', async () => {
    const refused = async () => E.left(failure('output_failed', 'localhost refuses. Start the server.'));
    expect(await made(pluginOf('output', refused))).toEqual(
      E.left(failure('output_failed', 'output theirs (./theirs.mjs): localhost refuses. Start the server.')),
    );
  });

  test('that hangs fails after the limit, and what opens later is closed', async () => {
    const clock = fakeClock();
    let open: (value: unknown) => void = () => {};
    let closes = 0;
    const late = {
      write: 1,
      flush: 1,
      close: async () => {
        closes += 1;
      },
    };
    const opening = made(
      pluginOf(
        'output',
        () =>
          new Promise((resolve) => {
            open = resolve;
          }),
      ),
      clock,
    );
    await clock.advanceMs(BUILD_LIMIT_MS);
    expect(await opening).toMatchObject({
      left: { code: 'timed_out', message: expect.stringContaining('open took longer than 30 s') },
    });
    open(E.right(late));
    await clock.advanceMs(1);
    expect(closes).toBe(1);
  });

  test('that hangs ends with its generator', async () => {
    const ending = new AbortController();
    const opening = made(
      pluginOf('output', () => new Promise(() => {})),
      fakeClock(),
      ending.signal,
    );
    ending.abort();
    expect(await opening).toMatchObject({ left: { code: 'timed_out' } });
  });
});

describe('an output of others', () => {
  test.each([
    ['nothing', undefined, 'write returned undefined, not a result'],
    [
      'too few items',
      E.right({ written: 1, failed: 1, bytes: 3 }),
      'write returned written 1, failed 1 and missed 0 for 3 items',
    ],
    [
      'too many items',
      E.right({ written: 4, failed: 0, bytes: 3 }),
      'write returned written 4, failed 0 and missed 0 for 3 items',
    ],
    [
      'negative counts',
      E.right({ written: 4, failed: -1, bytes: 3 }),
      'write returned written, failed or bytes that is not a count',
    ],
    [
      'no bytes',
      E.right({ written: 3, failed: 0 }),
      'write returned written, failed or bytes that is not a count',
    ],
    [
      'a missed item that is none',
      E.right({
        written: 2,
        failed: 0,
        bytes: 2,
        missed: [{ items: [3], reason: failure('rejected', 'x') }],
      }),
      'write returned missed items that are no positions of 3 items',
    ],
    [
      'a missed item without a reason',
      E.right({ written: 2, failed: 0, bytes: 2, missed: [{ items: [1] }] }),
      'write returned an error without a message',
    ],
    [
      'missed that is no list',
      E.right({ written: 3, failed: 0, bytes: 2, missed: 1 }),
      'write returned missed that is not a list',
    ],
  ])('that returns %s fails the write for good', async (_, value, what) => {
    const { write } = await output({ write: async () => value });
    expect(await write(BATCH, never)).toEqual(E.left(failure('plugin_failed', NAMED('output', what))));
  });

  test('that counts each item once passes', async () => {
    const value = E.right({
      written: 1,
      failed: 1,
      bytes: 1,
      missed: [{ items: [2], reason: failure('rejected', 'x') }],
    });
    const { write } = await output({ write: async () => value });
    expect(await write(BATCH, never)).toBe(value);
  });

  test('that throws is tried again: its destination may be down', async () => {
    const { write } = await output({
      write: () => {
        throw new Error('ECONNREFUSED');
      },
    });
    expect(await write(BATCH, never)).toEqual(
      E.left(failure('output_failed', NAMED('output', 'write threw: ECONNREFUSED'), { isSuspect: true })),
    );
  });

  test('that throws after an abort has timed out', async () => {
    const aborted = AbortSignal.abort();
    const { write } = await output({
      write: () => {
        throw new Error('aborted');
      },
    });
    expect(await write(BATCH, aborted)).toMatchObject({ left: { code: 'timed_out' } });
  });

  test.each([
    [true, 1],
    [false, 3],
  ])('with isOrdered: %s runs up to %i writes at once', async (isOrdered, most) => {
    let running = 0;
    let seen = 0;
    const { write } = await output({
      isOrdered,
      write: async () => {
        seen = Math.max(seen, ++running);
        await new Promise(setImmediate);
        running -= 1;
        return E.right({ written: 3, failed: 0, bytes: 3 });
      },
    });
    await Promise.all([1, 2, 3].map(() => write(BATCH, never)));
    expect(seen).toBe(most);
  });

  test('is not called after close', async () => {
    const calls: string[] = [];
    const called = (name: string) => async () => {
      calls.push(name);
      return E.right(undefined);
    };
    const { write, flush, close } = await output({
      write: called('write'),
      flush: called('flush'),
      close: called('close'),
    });
    await close();
    await close();
    await flush();
    expect(await write(BATCH, never)).toMatchObject({
      left: { code: 'unwritable', message: expect.stringContaining('closed') },
    });
    expect(calls).toEqual(['close']);
  });

  test('that throws in close gives an error', async () => {
    const { close } = await output({
      close: () => {
        throw new Error('boom');
      },
      write: async () => {},
    });
    expect(await close()).toEqual(E.left(failure('plugin_failed', NAMED('output', 'close threw: boom'))));
  });
});

describe('an input of others', () => {
  const fillOf = async (fill: (out: Float64Array) => unknown): Promise<Input['fill']> => {
    const quiet = { snapshot: () => null, restore: () => {} };
    return right((await made(giving('input', { ...quiet, fill }))) as E.Either<never, Input>).fill;
  };
  const setting =
    (...values: readonly number[]) =>
    (out: Float64Array) => {
      out.set(values);
      return values.length;
    };

  test.each([
    ['more than fits', () => 5, 'fill returned 5, not a number of timestamps from 0 to 4'],
    ['no number', () => 'x', 'fill returned x, not a number of timestamps from 0 to 4'],
    ['parts of microseconds', setting(1.5), 'fill gave the timestamp 1.5, which is not whole microseconds'],
    ['a step back', setting(7, 6), 'fill gave the timestamp 6 after 7: they must ascend'],
    [
      'a throw',
      () => {
        throw new Error('boom');
      },
      'fill threw: boom',
    ],
  ])('that gives %s fails', async (_, fill, what) => {
    const guardedFill = await fillOf(fill);
    expect(() => guardedFill(new Float64Array(4))).toThrow(
      new Failed(failure('plugin_failed', NAMED('input', what))),
    );
  });

  test('ascends from call to call, and may wait', async () => {
    const answers = [setting(5, 5), () => WAITING, setting(6), setting(2)];
    const fill = await fillOf((out) => (answers.shift() as (given: Float64Array) => number)(out));
    const out = new Float64Array(4);
    expect([fill(out), fill(out), fill(out)]).toEqual([2, WAITING, 1]);
    expect(() => fill(out)).toThrow('gave the timestamp 2 after 6');
  });
});

describe('an event plugin of others', () => {
  const GOOD = { consumed: 2, events: textBatch(['a']), failed: 1, dropped: 0, exhausted: false };
  const request = { micros: new Float64Array(2), from: 0, to: 2, tagsOf: () => [], isSpent: () => false };
  const producing = async (produce: () => unknown): Promise<EventProducer> =>
    right(
      (await made(giving('event', { produce, close: async () => {} }))) as E.Either<never, EventProducer>,
    );

  test.each([
    ['nothing', undefined, 'produce returned undefined, not an object'],
    ['more than it got', { ...GOOD, consumed: 3 }, 'produce returned consumed 3, not a number from 0 to 2'],
    ['no progress', { ...GOOD, consumed: 0 }, 'produce consumed no timestamp'],
    [
      'a list of events',
      { ...GOOD, events: ['a'] },
      'produce returned events that are not a batch. Make one with `textBatch`',
    ],
    ['no counts', { ...GOOD, failed: undefined }, 'produce returned failed or dropped that is not a count'],
  ])('that returns %s fails, at once and later', async (_, value, what) => {
    const error = new Failed(failure('plugin_failed', NAMED('event', what)));
    const now = await producing(() => value);
    expect(() => now.produce(request)).toThrow(error);
    const later = await producing(async () => value);
    await expect(later.produce(request)).rejects.toThrow(error);
  });

  test('that throws fails, at once and later', async () => {
    const error = new Failed(failure('plugin_failed', NAMED('event', 'produce threw: boom')));
    const now = await producing(() => {
      throw new Error('boom');
    });
    expect(() => now.produce(request)).toThrow(error);
    const later = await producing(async () => Promise.reject(new Error('boom')));
    await expect(later.produce(request)).rejects.toThrow(error);
  });

  test('passes good results unchanged, also of a class', async () => {
    class Theirs {
      #made = 0;
      produce(): Produced {
        this.#made += 1;
        return GOOD;
      }
      snapshot(): number {
        return this.#made;
      }
      async close(): Promise<void> {}
    }
    const producer = right((await made(giving('event', new Theirs()))) as E.Either<never, EventProducer>);
    expect(producer.produce(request)).toBe(GOOD);
    expect(producer.snapshot?.()).toBe(1);
    expect(producer.restore).toBeUndefined();
  });
});

describe('a formatter of others', () => {
  const formatting = async (format: () => unknown): Promise<Formatter> =>
    right((await made(giving('formatter', { joins: false, format }))) as E.Either<never, Formatter>);

  test.each([
    [
      'throws',
      () => {
        throw new Error('boom');
      },
      'format threw: boom',
    ],
    ['returns texts', () => ['a'], 'format returned a batch that is none. Make one with `textBatch`'],
    [
      'loses events',
      () => ({ batch: textBatch(['a']), eventsPerItem: 1, failures: [] }),
      'format returned 1 items of 1 events and 0 failures for 3 events',
    ],
    [
      'counts failures twice',
      () => ({ batch: BATCH, eventsPerItem: 1, failures: [{ event: 'a', reason: 'x' }] }),
      'format returned 3 items of 1 events and 1 failures for 3 events',
    ],
    [
      'returns a failure without a reason',
      () => ({ batch: emptyBatch, eventsPerItem: 1, failures: [1, 2, 3] }),
      'format returned a failure without event and reason',
    ],
  ])('that %s fails every event of the batch', async (_, format, what) => {
    const { format: safe } = await formatting(format);
    const { batch, failures, failedTogether } = safe(BATCH);
    expect({ count: batch.count, failedTogether }).toEqual({ count: 0, failedTogether: true });
    expect(failures).toEqual(['a', 'b', 'c'].map((event) => ({ event, reason: NAMED('formatter', what) })));
  });
});
