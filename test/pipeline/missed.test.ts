import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure, type SpateError } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { closedStats, FATES, readOutputStat, readStat, type Stats } from '../../src/domain/stats/stats.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import type { Formatter, Missed, Output } from '../../src/plugins/kit.js';
import type { DeadLetters } from '../../src/ports/deadLetters.js';
import { listInput, memoryOutput, partsOf, plainFormatter } from '../support/pipelines/pipelineParts.js';

const RETRY = { attempts: 3, base_ms: 200, cap_ms: 5_000 };
const BUSY = failure('output_failed', '429 slow down');
const FULL = failure('too_many_requests', 'queue full');
const WRONG = failure('rejected', 'mapper_parsing_exception');
const OTHER = failure('rejected', 'no such index');

const run = (parts: PipelineParts): Promise<number> =>
  lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const fatesOf = (stats: Stats): number =>
  FATES.map((name) => readOutputStat(stats, 0, name)).reduce((sum, count) => sum + count, 0);

/** Puts of dead letters: their events and the reason. */
const memoryLetters = () => {
  const puts: { readonly events: readonly string[]; readonly reason: SpateError }[] = [];
  const letters: DeadLetters = {
    put: async (events, reason) => {
      puts.push({ events: [...events], reason });
      return E.right(undefined);
    },
  };
  return { letters, puts };
};

/** Each answer is for one write; further writes succeed. Writes are kept with what each was given. */
const answering = (answers: readonly (readonly Missed[])[]) => {
  const writes: (readonly string[])[] = [];
  const output: Output = {
    ...memoryOutput(),
    write: async (batch) => {
      const missed = answers[writes.length] ?? [];
      writes.push([...batch.texts()]);
      const count = missed.reduce((sum, { items }) => sum + items.length, 0);
      return E.right({ written: batch.count - count, failed: 0, bytes: batch.count, missed });
    },
  };
  return { output, writes };
};

const deliver = async (
  output: Output,
  events: number,
  more: Partial<PipelineParts> = {},
  formatter: Formatter = plainFormatter,
) => {
  const { letters, puts } = memoryLetters();
  const made = partsOf({
    inputs: [listInput(numbers(events))],
    outputs: [output],
    more: { retry: RETRY, ...more },
  });
  const destinations = made.parts.destinations.map((destination) => ({
    ...destination,
    formatter,
    deadLetters: letters,
  }));
  const running = run({ ...made.parts, destinations });
  await made.clock.advanceMs(120_000);
  await running;
  const { stats } = made.parts;
  return {
    stats,
    puts,
    lines: made.lines,
    count: (name: (typeof FATES)[number] | 'retries' | 'bytes') => readOutputStat(stats, 0, name),
  };
};

describe('a partly accepted write', () => {
  test('retries the items with a retryable reason alone, in order, and gives up the others', async () => {
    const { output, writes } = answering([
      [
        { items: [3, 5], reason: BUSY },
        { items: [0], reason: WRONG },
        { items: [1], reason: FULL },
        { items: [2], reason: WRONG },
      ],
      [{ items: [1], reason: BUSY }],
    ]);
    const { puts, count, stats } = await deliver(output, 6);
    expect(writes).toEqual([['1', '2', '3', '4', '5', '6'], ['2', '4', '6'], ['4']]);
    expect(puts).toEqual([{ events: ['1', '3'], reason: WRONG }]);
    expect([count('written'), count('dead_lettered'), count('retries'), count('bytes')]).toEqual([
      4, 2, 2, 10,
    ]);
    expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
  });

  test('gives up items after the last attempt, one put of dead letters per reason', async () => {
    const missed = [
      { items: [0], reason: BUSY },
      { items: [1], reason: FULL },
      { items: [2], reason: BUSY },
    ];
    const { output, writes } = answering([missed, missed, missed]);
    const { puts, count } = await deliver(output, 4);
    expect(writes).toHaveLength(3);
    expect(puts).toEqual([
      { events: ['1', '3'], reason: BUSY },
      { events: ['2'], reason: FULL },
    ]);
    expect([count('written'), count('dead_lettered'), count('retries')]).toEqual([1, 3, 2]);
  });

  test('does not open the circuit breaker: the next batch is written', async () => {
    const two = [{ items: [0, 1], reason: BUSY }];
    const { output, writes } = answering([two, two, [{ items: [0], reason: BUSY }]]);
    const { puts, count } = await deliver(output, 6, { batch: { size: 3, delay: null } });
    expect(writes).toEqual([
      ['1', '2', '3'],
      ['1', '2'],
      ['1', '2'],
      ['4', '5', '6'],
    ]);
    expect(puts).toEqual([{ events: ['1'], reason: BUSY }]);
    expect(count('written')).toBe(5);
  });

  test('that takes nothing in any attempt opens the breaker like a failed one', async () => {
    const all = [{ items: [0, 1], reason: BUSY }];
    const { output, writes } = answering([all, all, all]);
    const { puts, count } = await deliver(output, 4, { batch: { size: 2, delay: null } });
    expect(writes).toHaveLength(3);
    expect(puts.map(({ events }) => events)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(count('dead_lettered')).toBe(4);
  });

  test('of rejected items only says nothing about the output', async () => {
    const all = [{ items: [0, 1], reason: OTHER }];
    const { output, writes } = answering([all, all]);
    const { count } = await deliver(output, 6, { batch: { size: 2, delay: null } });
    expect(writes).toHaveLength(3);
    expect([count('dead_lettered'), count('written')]).toEqual([4, 2]);
  });

  test('an item of a joining formatter stands for all its events', async () => {
    const pairs: Formatter = {
      joins: true,
      format: (batch) => {
        const texts = batch.texts();
        const items = texts.flatMap((text, index) =>
          index % 2 === 0 ? [`${text}+${texts[index + 1]}`] : [],
        );
        return { batch: textBatch(items), eventsPerItem: 2, failures: [] };
      },
    };
    const { output, writes } = answering([
      [
        { items: [1], reason: BUSY },
        { items: [2], reason: WRONG },
      ],
    ]);
    const { puts, count } = await deliver(output, 6, {}, pairs);
    expect(writes).toEqual([['1+2', '3+4', '5+6'], ['3+4']]);
    expect(puts).toEqual([{ events: ['5', '6'], reason: WRONG }]);
    expect([count('written'), count('dead_lettered')]).toEqual([4, 2]);
  });
});

/** Fate of one item of a write. */
type Fate = 'ok' | 'failed' | 'busy' | 'full' | 'wrong' | 'other';
type Outcome = readonly Fate[] | 'left' | 'rejected' | 'throws';
const REASONS = { busy: BUSY, full: FULL, wrong: WRONG, other: OTHER } as const;

const fate = fc.constantFrom<Fate>('ok', 'ok', 'ok', 'failed', 'busy', 'full', 'wrong', 'other');
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  { weight: 4, arbitrary: fc.array(fate, { minLength: 1, maxLength: 9 }) },
  { weight: 1, arbitrary: fc.constantFrom<Outcome>('left', 'rejected', 'throws') },
);

test('random outcomes: every event is in exactly one place, and the counters add up', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        outcomes: fc.array(outcome, { maxLength: 25 }),
        size: fc.integer({ min: 1, max: 9 }),
        attempts: fc.integer({ min: 1, max: 4 }),
        isBulk: fc.boolean(),
        joins: fc.boolean(),
        hasLetters: fc.boolean(),
      }),
      async ({ outcomes, size, attempts, isBulk, joins, hasLetters }) => {
        const arrived: string[] = [];
        const lost: string[] = [];
        let call = 0;
        const output: Output = {
          ...memoryOutput(),
          isBulk,
          write: async (batch) => {
            const now = outcomes[call++] ?? ['ok' as const];
            if (now === 'throws') throw new Error('it broke');
            if (now === 'left' || now === 'rejected') return E.left(now === 'left' ? BUSY : WRONG);
            const texts = batch.texts();
            const fates = texts.map((_, index) => now[index % now.length] as Fate);
            const eventsOf = (wanted: Fate): readonly string[] =>
              texts.filter((_, index) => fates[index] === wanted).flatMap((text) => text.split('+'));
            arrived.push(...eventsOf('ok'));
            lost.push(...eventsOf('failed'));
            const missed = Object.entries(REASONS).map(([name, reason]) => ({
              items: [...fates.keys()].filter((index) => fates[index] === name),
              reason,
            }));
            const of = (wanted: Fate): number => fates.filter((one) => one === wanted).length;
            return E.right({ written: of('ok'), failed: of('failed'), bytes: 0, missed });
          },
        };
        const joining: Formatter = {
          joins: true,
          format: (batch) => ({
            batch: textBatch([batch.texts().join('+')]),
            eventsPerItem: batch.count,
            failures: [],
          }),
        };
        const { letters, puts } = memoryLetters();
        const made = partsOf({
          inputs: [listInput(numbers(40))],
          outputs: [output],
          more: { batch: { size, delay: 1 }, retry: { ...RETRY, attempts } },
        });
        const destinations = made.parts.destinations.map((destination) => ({
          ...destination,
          formatter: joins ? joining : plainFormatter,
          deadLetters: hasLetters ? letters : null,
        }));
        const running = run({ ...made.parts, destinations });
        await made.clock.advanceMs(300_000);
        await running;
        const { stats } = made.parts;
        const count = (name: (typeof FATES)[number]): number => readOutputStat(stats, 0, name);
        const dead = puts.flatMap(({ events }) => events);
        expect(fatesOf(stats)).toBe(40);
        expect(fatesOf(closedStats(stats))).toBe(40);
        expect(count('written')).toBe(arrived.length);
        expect(count('dead_lettered')).toBe(dead.length);
        expect(count('write_failed')).toBe(40 - arrived.length - dead.length);
        const everywhere = [...arrived, ...lost, ...dead];
        expect(new Set(everywhere).size).toBe(everywhere.length);
        if (hasLetters) expect(everywhere).toHaveLength(40);
        expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
      },
    ),
    { numRuns: 150 },
  );
});
