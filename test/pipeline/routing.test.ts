import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { failure } from '../../src/domain/errors.js';
import { type EventBatch, textBatch } from '../../src/domain/events/eventBatch.js';
import { seededRandom } from '../../src/domain/random.js';
import { closedStats, FATES, makeStats, readOutputStat, readStat } from '../../src/domain/stats/stats.js';
import { deliver } from '../../src/pipeline/delivery/deliver.js';
import type { Destination } from '../../src/pipeline/delivery/writer.js';
import { type PipelineParts, pipeline } from '../../src/pipeline/pipeline.js';
import type { Output, OutputRoute } from '../../src/plugins/kit.js';
import { routeOf } from '../../src/plugins/outputs/shared/route.js';
import { listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const run = (parts: PipelineParts): Promise<number> =>
  lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);
const tagged = (tag: string): OutputRoute => routeOf({ tag }, null, seededRandom('r'));
const withRoutes = (
  destinations: readonly Destination[],
  routes: readonly (OutputRoute | null)[],
): readonly Destination[] =>
  destinations.map((destination, index) => ({ ...destination, route: routes[index] ?? null }));

describe('outputs with a condition', () => {
  test('get their events, in order; the others are counted as filtered', async () => {
    const outputs = [memoryOutput(), memoryOutput(), memoryOutput()];
    const { parts } = partsOf({
      inputs: [listInput(numbers(25))],
      outputs,
      more: { batch: { size: 4, delay: null } },
    });
    const isSmall = { pointer: '', in: numbers(6) };
    const routes = [
      routeOf(isSmall, null, seededRandom('r')),
      routeOf({ not: isSmall }, null, seededRandom('r')),
      null,
    ];
    await run({ ...parts, destinations: withRoutes(parts.destinations, routes) });
    const all = numbers(25).map(String);
    expect(outputs.map(({ events }) => events)).toEqual([all.slice(0, 6), all.slice(6), all]);
    expect([0, 1, 2].map((index) => readOutputStat(parts.stats, index, 'filtered'))).toEqual([19, 6, 0]);
    expect([0, 1, 2].map((index) => readOutputStat(parts.stats, index, 'written'))).toEqual([6, 19, 25]);
    expect(readStat(parts.stats, 'low_water')).toBe(readStat(parts.stats, 'sequence'));
  });

  test('on tags get the events of the inputs with the tag; others get all of them in order', async () => {
    const outputs = [memoryOutput(), memoryOutput(), memoryOutput()];
    const { parts } = partsOf({
      inputs: [listInput([1, 2, 5, 8]), listInput([3, 4, 6, 9]), listInput([7, 10])],
      outputs,
      more: { tags: [['eu'], ['us'], ['eu']] },
    });
    await run({ ...parts, destinations: withRoutes(parts.destinations, [tagged('eu'), tagged('us'), null]) });
    expect(outputs.map(({ events }) => events)).toEqual([
      ['1 eu', '2 eu', '5 eu', '7 eu', '8 eu', '10 eu'],
      ['3 us', '4 us', '6 us', '9 us'],
      ['1 eu', '2 eu', '3 us', '4 us', '5 eu', '6 us', '7 eu', '8 eu', '9 us', '10 eu'],
    ]);
    // One batch for each run of equal tags, also of several inputs.
    expect(outputs[2]?.batches.map(({ count }) => count)).toEqual([2, 2, 1, 1, 2, 1, 1]);
  });

  test('that name no tag leave the batches whole', async () => {
    const outputs = [memoryOutput(), memoryOutput()];
    const { parts } = partsOf({
      inputs: [listInput([1, 3]), listInput([2, 4])],
      outputs,
      more: { tags: [['eu'], ['us']] },
    });
    const route = routeOf({ pointer: '', exists: true }, 0.5, seededRandom('r'));
    await run({ ...parts, destinations: withRoutes(parts.destinations, [route, null]) });
    expect(outputs[1]?.batches.map(({ count }) => count)).toEqual([4]);
  });

  test('a bulk output that no event is for holds nothing back', async () => {
    const output = { ...memoryOutput(), isBulk: true };
    const { parts } = partsOf({
      inputs: [listInput(numbers(200))],
      outputs: [output],
      more: { batch: { size: 10, delay: 60 }, queue: { max_timestamp_batches: 1, max_event_batches: 1 } },
    });
    const lowWater: number[] = [];
    const checkpointer = {
      ...parts.checkpointer,
      onLowWater: (mark: number) => {
        lowWater.push(mark);
      },
    };
    await run({
      ...parts,
      checkpointer,
      destinations: withRoutes(parts.destinations, [tagged('none')]),
    });
    expect(output.batches).toEqual([]);
    expect(lowWater).toEqual(numbers(20));
    expect(readOutputStat(parts.stats, 0, 'filtered')).toBe(200);
  });

  test('free the memory of a batch after the last of them, also of one that gets nothing of it', async () => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const outputs = [memoryOutput(), memoryOutput(() => held)];
    const { parts, clock } = partsOf({ inputs: [], outputs });
    const half: OutputRoute = { needsTags: false, choose: () => [1] };
    const destinations = withRoutes(parts.destinations, [tagged('none'), half]);
    const delivery = deliver({ ...parts, destinations, max_event_batches: 1, onLowWater: () => {} });
    let released = 0;
    const events: EventBatch = { ...textBatch(['a', 'b']), release: () => released++ };
    const accepted = delivery.accept({ sequence: 1, events, firstEvent: 0, tags: ['eu'], producedAtMs: 0 });
    await clock.settle();
    expect(released).toBe(0);
    letGo();
    await accepted;
    expect([released, outputs[1]?.events]).toEqual([1, ['b']]);
  });

  test('that replace others on the fly choose from the next batch on', async () => {
    const outputs = [memoryOutput(), memoryOutput()];
    const { parts } = partsOf({ inputs: [], outputs });
    const [first, second] = parts.destinations as readonly [Destination, Destination];
    const delivery = deliver({ ...parts, destinations: [first], max_event_batches: 1, onLowWater: () => {} });
    const send = (sequence: number) =>
      delivery.accept({
        sequence,
        events: textBatch([`${sequence}`]),
        firstEvent: 0,
        tags: ['us'],
        producedAtMs: 0,
      });
    expect(delivery.needsTags()).toBe(false);
    await send(1);
    delivery.exchange([first, { ...second, route: tagged('eu') }], () => {});
    expect(delivery.needsTags()).toBe(true);
    await send(2);
    delivery.exchange([{ ...second, route: tagged('us') }], () => {});
    await send(3);
    await delivery.finish();
    expect(outputs.map(({ events }) => events)).toEqual([['1', '2'], ['3']]);
    expect(readOutputStat(parts.stats, 1, 'filtered')).toBe(1);
  });
});

test('any conditions, samples, policies and failures: every event of every output is counted once', async () => {
  const destination = fc.record({
    sample: fc.constantFrom(null, 0, 0.3, 0.9),
    when: fc.constantFrom(null, { tag: 'eu' }, { not: { tag: 'eu' } }, { pointer: '', matches: '[135]$' }),
    isBestEffort: fc.boolean(),
    attempts: fc.integer({ min: 1, max: 3 }),
    isBulk: fc.boolean(),
    outcomes: fc.array(fc.constantFrom('ok', 'ok', 'fails', 'rejects', 'misses', 'waits'), { maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(destination, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (given, isLive) => {
        const outputs = given.map(({ isBulk, outcomes }): Output => {
          let call = 0;
          return {
            ...memoryOutput(),
            isBulk,
            write: async (batch, signal) => {
              const outcome = outcomes[call++] ?? 'ok';
              if (outcome === 'waits')
                await new Promise((resolve) => signal.addEventListener('abort', resolve));
              if (outcome === 'waits' || outcome === 'fails') return E.left(failure('output_failed', 'no'));
              if (outcome === 'rejects') return E.left(failure('rejected', 'no'));
              const missed = outcome === 'misses' ? 1 : 0;
              const reason = failure('output_failed', 'busy');
              return E.right({
                written: batch.count - missed,
                failed: 0,
                bytes: 0,
                missed: missed === 0 ? [] : [{ items: [batch.count - 1], reason }],
              });
            },
          };
        });
        const made = partsOf({
          inputs: [],
          outputs,
          more: {
            tags: [['eu'], ['us']],
            isLive,
            batch: { size: 3, delay: 1 },
            queue: { max_timestamp_batches: 2, max_event_batches: 2 },
          },
        });
        const start = made.clock.now();
        const inputs = [0, 5].map((offset) => listInput(numbers(20).map((n) => start + n * 10_000 + offset)));
        const destinations = made.parts.destinations.map((one, index): Destination => {
          const { when, sample, isBestEffort, attempts } = given[index] as (typeof given)[number];
          return {
            ...one,
            route: when === null && sample === null ? null : routeOf(when, sample, seededRandom(index)),
            choices: { isBestEffort, retry: { attempts }, write_timeout_ms: 500 },
          };
        });
        const stats = makeStats(2, outputs.length);
        const running = run({ ...made.parts, inputs, destinations, stats });
        await made.clock.advanceMs(120_000);
        await running;
        const produced = readStat(stats, 'produced');
        expect(produced).toBe(40);
        for (const counted of [stats, closedStats(stats)]) {
          const sums = outputs.map((_, index) =>
            FATES.reduce((sum, fate) => sum + readOutputStat(counted, index, fate), 0),
          );
          expect(sums).toEqual(outputs.map(() => produced));
        }
        expect(readStat(stats, 'low_water')).toBe(readStat(stats, 'sequence'));
      },
    ),
    { numRuns: 60 },
  );
});
