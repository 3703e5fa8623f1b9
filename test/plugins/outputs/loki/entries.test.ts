import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { utc } from '../../../../src/domain/time/zone.js';
import {
  type EntryOptions,
  entryMaker,
  type LokiEntry,
  pushBody,
} from '../../../../src/plugins/outputs/loki/entries.js';
import { isolate } from '../../../../src/plugins/outputs/loki/isolate.js';
import { retryableError } from '../../../../src/plugins/outputs/shared/errors.js';
import { codePoint } from '../../../support/codePoint.js';

const NONE: EntryOptions = {
  labels: { job: 'lab' },
  structured_metadata: {},
  time: null,
  max_streams: 100,
  zone: utc,
  generator: 'web',
};

/** Braces of a constant text. */
const doubled = (text: string): string => text.replace(/[{}]/g, '$&$&');

interface Push {
  readonly streams: readonly { readonly stream: object; readonly values: readonly (readonly unknown[])[] }[];
}

const pushOf = (events: readonly string[], options: Partial<EntryOptions> = {}, from = 1_000n) => {
  const made = entryMaker({ ...NONE, ...options }).entriesOf(events, from);
  return { ...made, push: JSON.parse(String(pushBody(made.entries))) as Push };
};

describe('a push', () => {
  test('has an entry per event, a nanosecond after the other', () => {
    expect(pushOf(['a', 'b "c"']).push).toEqual({
      streams: [
        {
          stream: { job: 'lab' },
          values: [
            ['1000', 'a'],
            ['1001', 'b "c"'],
          ],
        },
      ],
    });
  });

  test('groups entries by labels, sorts them by time, and has metadata as texts', () => {
    const events = [
      { l: 'info', t: 2, id: 7 },
      { l: 'warn', t: 3 },
      { l: 'info', t: 1, id: null },
      { t: 4, id: { a: 1 } },
    ].map((event) => JSON.stringify(event));
    const { push } = pushOf(events, {
      labels: { job: 'lab', level: '{/l}' },
      structured_metadata: { id: '{/id}' },
      time: '{/t}',
    });
    expect(push.streams).toEqual([
      {
        stream: { job: 'lab', level: 'info' },
        values: [
          ['1000000000', events[2]],
          ['2000000000', events[0], { id: '7' }],
        ],
      },
      { stream: { job: 'lab', level: 'warn' }, values: [['3000000000', events[1]]] },
      { stream: { job: 'lab' }, values: [['4000000000', events[3], { id: '{"a":1}' }]] },
    ]);
  });

  test('joins values in a text; a label that lacks one of them is left out', () => {
    const labels = { job: '{generator}', at: '{/a}-{/b}' };
    const { push } = pushOf(['{"a":1,"b":"x"}', '{"a":1}'], { labels });
    expect(push.streams.map(({ stream }) => stream)).toEqual([{ job: 'web', at: '1-x' }, { job: 'web' }]);
  });

  test('leaves out events without labels, and those of streams beyond the limit', () => {
    const labels = { level: '{/l}' };
    const events = ['{"l":1}', '{"l":2}', 'x', '{"l":3}', '{"l":1}'];
    const { entries, crowded, bare } = pushOf(events, { labels, max_streams: 2 });
    expect([entries.map(({ position }) => position), crowded, bare]).toEqual([[0, 1, 4], [3], [2]]);
  });

  test('is the same from the bytes of a batch whose entries have equal labels', () => {
    const event = fc.string({ unit: codePoint });
    const from = fc.bigInt({ min: 0n, max: 2_000_000_000_000_000_000n });
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1 }),
        from,
        fc.constantFrom({}, { id: 'a "b"' }),
        (events, at, more) => {
          const maker = entryMaker({ ...NONE, structured_metadata: more });
          const { entries } = maker.entriesOf(events, at);
          expect(String(maker.uniformBody?.(textBatch(events), at))).toBe(String(pushBody(entries)));
        },
      ),
    );
    const events = Array.from({ length: 200 }, String);
    const maker = entryMaker(NONE);
    const { entries } = maker.entriesOf(events, 990n);
    expect(String(maker.uniformBody?.(textBatch(events), 990n))).toBe(String(pushBody(entries)));
  });

  test('is made of entries where these can differ in more than time and line', () => {
    const options = [
      { labels: { level: '{/l}' } },
      { time: '{/t}' },
      { structured_metadata: { id: '{/id}' } },
      { labels: {} },
    ];
    expect(options.map((one) => entryMaker({ ...NONE, ...one }).uniformBody)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('of any texts and labels is JSON that holds them', () => {
    const text = fc.string({ unit: codePoint });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), text, text, (events, label, id) => {
        const { push } = pushOf(events, {
          labels: { a: doubled(label) },
          structured_metadata: { id: doubled(id) },
        });
        expect(push.streams).toEqual([
          { stream: { a: label }, values: events.map((event, n) => [String(1_000 + n), event, { id }]) },
        ]);
      }),
    );
  });
});

describe('entries at fault', () => {
  const partial = { ...retryableError('too old', ''), isRetryable: false, isPartial: true };
  const broken = { ...retryableError('gone', ''), isPartial: false };
  const entries = (count: number): readonly LokiEntry[] =>
    Array.from({ length: count }, (_, position) => ({ position, stream: '{}', nanos: 0n, value: '' }));

  /** Pushes all of them, then looks for those at fault. */
  const pushAll = async (given: readonly LokiEntry[], push: Parameters<typeof isolate>[2]) => {
    const whole = await push(given);
    return E.isRight(whole) ? { written: given.length, missed: [] } : isolate(given, whole.left, push);
  };

  /** Rejects what has a bad position, and counts its requests. */
  const server = (bad: ReadonlySet<number>) => {
    const pushed: number[] = [];
    return {
      pushed,
      push: async (given: readonly LokiEntry[]) => {
        pushed.push(given.length);
        return given.some(({ position }) => bad.has(position)) ? E.left(partial) : E.right(10);
      },
    };
  };

  test('are found by halves, each alone; the rest is written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.uniqueArray(fc.nat(199), { maxLength: 3 }),
        async (count, given) => {
          const bad = new Set(given.filter((position) => position < count));
          const { written, missed } = await pushAll(entries(count), server(bad).push);
          expect(written).toBe(count - bad.size);
          const alone = missed.map((one) => one.entries.map(({ position }) => position));
          expect(alone.flat().sort((a, b) => a - b)).toEqual([...bad].sort((a, b) => a - b));
          expect(alone.every(({ length }) => length === 1)).toBe(true);
        },
      ),
    );
  });

  test('cost at most 64 requests; what is left is missed together', async () => {
    const { pushed, push } = server(new Set(entries(10_000).map(({ position }) => position)));
    const { written, missed } = await pushAll(entries(10_000), push);
    expect(pushed.length).toBeLessThanOrEqual(64);
    expect(written).toBe(0);
    expect(missed.reduce((sum, one) => sum + one.entries.length, 0)).toBe(10_000);
  });

  test('are not looked for when the server fails', async () => {
    const { written, missed } = await pushAll(entries(4), async () => E.left(broken));
    expect([written, missed]).toEqual([0, [{ entries: entries(4), error: broken }]]);
  });
});
