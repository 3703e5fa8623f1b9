import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../../src/domain/json.js';
import type { EventProducer } from '../../../../src/plugins/kit.js';
import { drain, fileWith, start } from './support.js';

const PARAMS: readonly Record<string, unknown>[] = [
  {},
  { repeat: true },
  { chunk_size: 1, repeat: true },
  { chunk_size: 0, repeat: true },
  { timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: '<%s>', repeat: true },
  { timestamp_pattern: String.raw`(?P<timestamp>\d+)`, timestamp_format: 'T%n' },
  { encoding: 'utf_16', repeat: true },
  { encoding: 'latin-1' },
];

const line = fc.constantFrom(
  'a',
  '',
  'é1',
  '12',
  'x'.repeat(300),
  'crlf\r',
  '{"a":1}',
  '漢 7',
  'y'.repeat(5_000),
);
const contents = fc
  .tuple(fc.array(line, { minLength: 20, maxLength: 80 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join('\n') + (isEnded ? '\n' : ''));

const TIMESTAMPS = 90;

/** Timestamp `k` is `k` seconds after the epoch. */
const microsOf = (index: number, count: number): Float64Array =>
  Float64Array.from(
    { length: Math.ceil((TIMESTAMPS - index) / count) },
    (_, i) => (index + i * count) * 1_000_000,
  );

interface Run {
  readonly producer: EventProducer;
  readonly micros: Float64Array;
}

/** Events by the ordinal of their timestamp; calls of `sizes` timestamps, each followed by a resume if `resumes`. */
const eventsOf = async (
  params: Record<string, unknown>,
  partition: { readonly index: number; readonly count: number },
  sizes: readonly number[],
  resumes: boolean,
): Promise<ReadonlyMap<number, string>> => {
  const events = new Map<number, string>();
  let run: Run = {
    producer: (await start(params, { partition })).producer,
    micros: microsOf(partition.index, partition.count),
  };
  let at = 0;
  for (let call = 0; at < run.micros.length; call++) {
    const to = Math.min(run.micros.length, at + (sizes[call % sizes.length] ?? 1));
    const produced = await run.producer.produce({
      micros: run.micros,
      from: at,
      to,
      tagsOf: () => [],
      isSpent: () => false,
    });
    expect(produced.events.count + produced.failed).toBe(produced.consumed);
    for (const [i, text] of produced.events.texts().entries()) {
      events.set(partition.index + (at + i) * partition.count, text);
    }
    produced.events.release?.();
    at += produced.consumed;
    if (produced.exhausted) break;
    if (!resumes) continue;
    const state = JSON.parse(JSON.stringify(run.producer.snapshot?.())) as Json;
    await run.producer.close();
    const { producer } = await start(params, { partition });
    await producer.restore?.(state);
    run = { ...run, producer };
  }
  await run.producer.close();
  return events;
};

describe('replay in partitions', () => {
  test.each(PARAMS)('gives ordinal k record k, also across resumes: %j', async (params) => {
    const encoding = params['encoding'] === 'utf_16' ? 'utf16le' : 'utf8';
    await fc.assert(
      fc.asyncProperty(
        contents,
        fc.integer({ min: 2, max: 5 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        async (content, count, sizes, resumes) => {
          const path = await fileWith(Buffer.from(content, encoding));
          const given = { ...params, path };
          const whole = await eventsOf(given, { index: 0, count: 1 }, [TIMESTAMPS], false);
          const dealt = new Map<number, string>();
          for (let index = 0; index < count; index++) {
            for (const [k, event] of await eventsOf(given, { index, count }, sizes, resumes)) {
              expect(dealt.has(k)).toBe(false);
              dealt.set(k, event);
            }
          }
          expect([...dealt].sort(([a], [b]) => a - b)).toEqual([...whole]);
        },
      ),
      { numRuns: 10 },
    );
  });

  test('counts a line that is too long or not valid for its own partition only, with its number', async () => {
    const lines = [...'abcdef'].map((letter, i) => (i === 1 ? Buffer.from([0xff]) : Buffer.from(letter)));
    const tooLong = Buffer.alloc(16 * 1024 * 1024 + 10, 'z');
    const content = Buffer.concat(
      [...lines, tooLong, Buffer.from('g')].flatMap((each) => [each, Buffer.from('\n')]),
    );
    const path = await fileWith(content);
    const results = [];
    for (const index of [0, 1]) {
      const { producer, lines: log } = await start({ path }, { partition: { index, count: 2 } });
      const { events, failed } = await drain(producer);
      await producer.close();
      results.push({ events, failed, places: log.map(({ context }) => context['line']) });
    }
    expect(results).toEqual([
      { events: ['a', 'c', 'e'], failed: 1, places: [7] },
      { events: ['d', 'f', 'g'], failed: 1, places: [2] },
    ]);
  });
});
