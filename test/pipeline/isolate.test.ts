import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { FATES, readOutputStat } from '../../src/domain/stats/stats.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import type { DeliveryChoices, Formatter, Output, Written } from '../../src/plugins/kit.js';
import { listInput, memoryOutput, partsOf, plainFormatter } from '../support/pipelines/pipelineParts.js';

const RETRY = { attempts: 5, base_ms: 200, cap_ms: 5_000 };
const CLOSED = failure('output_failed', 'the connection was closed', { isSuspect: true });
const REFUSED = failure('output_failed', 'the connection was refused');
const REJECTED = failure('rejected', 'the row is wrong');

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const isBadNumber =
  (...bad: readonly number[]) =>
  (event: string): boolean =>
    bad.includes(Number(event));

/** A destination that fails each write with a bad event, and takes the others whole. */
const poisoned = (isBad: (event: string) => boolean, fail: () => Result<Written> = () => E.left(CLOSED)) => {
  const arrived: string[] = [];
  let writes = 0;
  const output: Output = {
    ...memoryOutput(),
    isBulk: true,
    isOrdered: false,
    write: async (batch) => {
      writes++;
      const events = batch.texts().flatMap((text) => text.split(','));
      if (events.some(isBad)) return fail();
      arrived.push(...events);
      return E.right({ written: batch.count, failed: 0, bytes: 0 });
    },
  };
  return { output, arrived, writes: () => writes };
};

interface Setting {
  readonly formatter?: Formatter;
  readonly choices?: DeliveryChoices;
  readonly more?: Partial<PipelineParts>;
  readonly advance_ms?: number;
}

const deliver = async (output: Output, events: number, setting: Setting = {}) => {
  const puts: { readonly events: readonly string[]; readonly reason: SpateError }[] = [];
  const made = partsOf({
    inputs: [listInput(numbers(events))],
    outputs: [output],
    more: { retry: RETRY, ...setting.more },
  });
  const destinations = made.parts.destinations.map((destination) => ({
    ...destination,
    formatter: setting.formatter ?? plainFormatter,
    ...(setting.choices === undefined ? {} : { choices: setting.choices }),
    deadLetters: {
      put: async (given: readonly string[], reason: SpateError) => {
        puts.push({ events: [...given], reason });
        return E.right(undefined);
      },
    },
  }));
  const running = lastValueFrom(pipeline({ ...made.parts, destinations }).flow, { defaultValue: 0 });
  await made.clock.advanceMs(setting.advance_ms ?? 300_000);
  await running;
  const { stats } = made.parts;
  const count = (name: (typeof FATES)[number] | 'retries') => readOutputStat(stats, 0, name);
  expect(FATES.map(count).reduce((sum, one) => sum + one, 0)).toBe(events);
  return { puts, dead: puts.flatMap((put) => put.events), lines: made.lines, count };
};

/** As `json-batch`: all events of a batch in one item. */
const joining: Formatter = {
  joins: true,
  format: (events) => ({
    batch: textBatch([events.texts().join(',')]),
    eventsPerItem: events.count,
    failures: [],
  }),
};

describe('a batch on which the destination closes the connection', () => {
  test.each([
    ['first', 1],
    ['in the middle', 500],
    ['last', 1_000],
  ])('loses only the event at fault, %s: the others are written, once and in order', async (_, bad) => {
    const { output, arrived, writes } = poisoned(isBadNumber(bad));
    const { puts, count, lines } = await deliver(output, 1_000);
    expect(arrived).toEqual(
      numbers(1_000)
        .filter((n) => n !== bad)
        .map(String),
    );
    expect(puts).toMatchObject([
      {
        events: [String(bad)],
        reason: { code: 'rejected', message: expect.stringContaining(CLOSED.message) },
      },
    ]);
    expect([count('written'), count('dead_lettered')]).toEqual([999, 1]);
    expect(writes()).toBeLessThan(40);
    expect(lines.filter(({ message }) => message.includes('in halves'))).toHaveLength(1);
  });

  test('for another reason, too, while it searches: events that met an outage are written when it is over', async () => {
    const alone = new Set<string>();
    const base = poisoned(isBadNumber(499));
    const output: Output = {
      ...base.output,
      write: async (batch, signal) => {
        const [first = ''] = batch.texts();
        // A server that restarts once the search is at single events.
        if (batch.count > 1 || first === '499' || alone.has(first)) return base.output.write(batch, signal);
        alone.add(first);
        return E.left(CLOSED);
      },
    };
    const { dead, count } = await deliver(output, 1_000);
    expect(alone.size).toBeGreaterThan(0);
    expect([dead, count('written')]).toEqual([['499'], 999]);
  });

  test('of a formatter that joins events is formatted again in parts', async () => {
    const { output, arrived } = poisoned(isBadNumber(7, 8, 90));
    const { dead, count } = await deliver(output, 100, { formatter: joining });
    expect(arrived).toEqual(
      numbers(100)
        .filter((n) => ![7, 8, 90].includes(n))
        .map(String),
    );
    expect([dead, count('written'), count('dead_lettered')]).toEqual([['7', '8', '90'], 97, 3]);
  });

  test('whatever the events at fault are, all others arrive in order and once', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 120 }), { maxLength: 12 }),
        fc.constantFrom(plainFormatter, joining),
        async (bad, formatter) => {
          const { output, arrived } = poisoned(isBadNumber(...bad));
          const { dead } = await deliver(output, 120, { formatter });
          expect(arrived).toEqual(
            numbers(120)
              .filter((n) => !bad.includes(n))
              .map(String),
          );
          expect(dead).toEqual(bad.sort((a, b) => a - b).map(String));
        },
      ),
      { numRuns: 40 },
    ));

  test('of one event alone costs that event only: the output is not left alone', async () => {
    const { output, arrived } = poisoned(isBadNumber(3, 6));
    const { dead } = await deliver(output, 10, {
      more: { batch: { size: 1, delay: null }, keep_order: true },
    });
    expect(arrived).toEqual(['1', '2', '4', '5', '7', '8', '9', '10']);
    expect(dead).toEqual(['3', '6']);
  });

  test('does not cost the batches beside it, whose connection breaks with it', async () => {
    // One connection for all writes: it breaks under each that is under way.
    const underWay = new Set<AbortController>();
    const arrived: string[] = [];
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const output: Output = {
      ...memoryOutput(),
      isOrdered: false,
      write: async (batch) => {
        const mine = new AbortController();
        underWay.add(mine);
        await turn();
        if (batch.texts().includes('5')) for (const one of underWay) one.abort();
        await turn();
        underWay.delete(mine);
        if (mine.signal.aborted) return E.left(CLOSED);
        arrived.push(...batch.texts());
        return E.right({ written: batch.count, failed: 0, bytes: 0 });
      },
    };
    const { dead } = await deliver(output, 40, { more: { batch: { size: 4, delay: null } } });
    expect(dead).toEqual(['5']);
    expect(arrived.map(Number).sort((a, b) => a - b)).toEqual(numbers(40).filter((n) => n !== 5));
  });
});

describe('a real outage', () => {
  test('that refuses connections is retried as a whole, never in parts', async () => {
    const { output, writes } = poisoned(
      () => true,
      () => E.left(REFUSED),
    );
    const { puts } = await deliver(output, 1_000);
    expect([writes(), puts]).toMatchObject([5, [{ reason: REFUSED }]]);
    expect(puts[0]?.events).toHaveLength(1_000);
  });

  test('that closes every connection costs a bounded number of writes, then the output is left alone', async () => {
    const { output, writes } = poisoned(() => true);
    const { puts, count } = await deliver(output, 20_000, { more: { batch: { size: 10_000, delay: null } } });
    expect(writes()).toBeLessThan(2 * 40);
    expect(count('dead_lettered')).toBe(20_000);
    expect(new Set(puts.map(({ reason }) => reason.code))).toEqual(new Set(['output_failed']));
  });

  test.each([
    ['a large batch', 1_000, 1_000],
    ['several batches', 120, 10],
    ['single events', 6, 1],
  ])('that closes every connection loses nothing of %s while attempts are left', async (_, events, size) => {
    let writes = 0;
    const { output: inner, arrived } = poisoned(() => false);
    const output: Output = {
      ...inner,
      write: (batch, signal) =>
        ++writes <= 400 ? Promise.resolve(E.left(CLOSED)) : inner.write(batch, signal),
    };
    const { dead, count } = await deliver(output, events, {
      more: { retry: { ...RETRY, attempts: 1_000 }, batch: { size, delay: null } },
      advance_ms: 3_000_000,
    });
    expect([dead, count('written')]).toEqual([[], events]);
    expect(arrived.map(Number).sort((one, other) => one - other)).toEqual(numbers(events));
  });

  test('that begins during the search ends it: the rest is kept with the reason', async () => {
    let writes = 0;
    const { output: inner } = poisoned(isBadNumber(1));
    const output: Output = {
      ...inner,
      write: (batch, signal) =>
        ++writes > 6 ? Promise.resolve(E.left(REFUSED)) : inner.write(batch, signal),
    };
    const { count, puts } = await deliver(output, 64);
    expect(count('written') + count('dead_lettered')).toBe(64);
    expect(puts.at(-1)?.reason).toEqual(REFUSED);
    expect(writes).toBeLessThan(20);
  });

  test('of single events in a row opens the breaker after three', async () => {
    const { output, writes } = poisoned(() => true);
    const { dead } = await deliver(output, 12, {
      more: { batch: { size: 1, delay: null }, keep_order: true },
    });
    expect(dead).toHaveLength(12);
    // At most five attempts and one search for each of three.
    expect(writes()).toBeLessThanOrEqual(3 * 6);
  });

  test('a stop ends the search, and every event is accounted for', async () => {
    const stopping = new AbortController();
    let writes = 0;
    const { output: inner } = poisoned(isBadNumber(1));
    const output: Output = {
      ...inner,
      write: (batch, signal) => {
        if (++writes === 6) stopping.abort();
        return inner.write(batch, signal);
      },
    };
    const { dead } = await deliver(output, 64, { more: { signal: stopping.signal } });
    expect(writes).toBeLessThan(8);
    expect(dead.length).toBeGreaterThan(0);
  });
});

describe('an output that throws', () => {
  const fail = (): never => {
    throw new TypeError('chunk must be a string');
  };

  test('on one event of ten thousand costs that event', async () => {
    const { output, arrived } = poisoned(isBadNumber(4_711), fail);
    const { puts, count } = await deliver(output, 10_000);
    expect(arrived).toHaveLength(9_999);
    expect(puts).toMatchObject([
      { events: ['4711'], reason: { code: 'bug', message: 'the output threw: chunk must be a string' } },
    ]);
    expect(count('written')).toBe(9_999);
  });

  test('on everything is not asked for each event', async () => {
    const { output, writes } = poisoned(() => true, fail);
    const { count } = await deliver(output, 10_000);
    expect(writes()).toBeLessThan(40);
    expect(count('dead_lettered')).toBe(10_000);
  });
});

describe('a batch that is rejected as a whole', () => {
  test('loses only the events at fault, with the reason of the destination', async () => {
    const { output, arrived } = poisoned(isBadNumber(17, 400), () => E.left(REJECTED));
    const { puts } = await deliver(output, 1_000);
    expect(arrived).toHaveLength(998);
    expect(puts).toEqual([{ events: ['17', '400'], reason: REJECTED }]);
  });

  test('is searched once while every event is rejected, as with a wrong password', async () => {
    const { output, writes } = poisoned(
      () => true,
      () => E.left(REJECTED),
    );
    const { dead } = await deliver(output, 1_000, {
      more: { batch: { size: 100, delay: null }, keep_order: true },
    });
    expect(dead).toEqual(numbers(1_000).map(String));
    expect(writes()).toBeLessThan(10 + 40);
  });
});

test('a best-effort output gets one attempt, whatever the events do', async () => {
  const { output, writes } = poisoned(isBadNumber(3));
  const choices: DeliveryChoices = { retry: {}, write_timeout_ms: null, isBestEffort: true };
  const { count } = await deliver(output, 10, { choices });
  expect([writes(), count('write_failed')]).toEqual([1, 10]);
});
