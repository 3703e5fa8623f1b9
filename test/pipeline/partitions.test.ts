import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import {
  type Checkpoint,
  checkpointText,
  parseCheckpoint,
  type StreamPosition,
} from '../../src/domain/checkpoint.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { makeTimestampBatch } from '../../src/domain/events/timestampBatch.js';
import { type Partition, shareOf } from '../../src/domain/partitions.js';
import { readStat } from '../../src/domain/stats/stats.js';
import { DRAIN, type RunOptions, runPipeline } from '../../src/pipeline/run.js';
import { makeDeal, STREAM_START } from '../../src/pipeline/schedule/deal.js';
import { batcher, merge } from '../../src/pipeline/schedule/merge.js';
import type { EventProducer, Input } from '../../src/plugins/kit.js';
import {
  endlessInput,
  listInput,
  memoryOutput,
  partsOf,
  plainFormatter,
} from '../support/pipelines/pipelineParts.js';

const START = 1_700_000_000_000_000;

/** Ascending timestamps with many ties. */
const times = (max: number) =>
  fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: max }).map((steps) => {
    let at = START;
    return steps.map((step) => {
      at += step;
      return at;
    });
  });
const schedules = fc.array(times(60), { minLength: 1, maxLength: 4 });

/** The schedule as `micros/input`, in order. */
const scheduleOf = (inputs: readonly (readonly number[])[]): readonly string[] => {
  const merged = merge(
    inputs.map((micros) => listInput(micros)),
    () => {},
  );
  const batch = makeTimestampBatch(1_000);
  merged.take(batch, 1_000, Number.POSITIVE_INFINITY);
  return Array.from({ length: batch.length }, (_, i) => `${batch.micros[i]}/${batch.inputs[i]}`);
};

const shareIn = (schedule: readonly string[], { index, count }: Partition): readonly string[] =>
  schedule.filter((_, k) => k % count === index);

/** Says of which timestamp and input each event is made; at most `most` timestamps a call. */
const naming = (most: number): EventProducer => ({
  produce: ({ micros, from, to, tagsOf }) => {
    const end = Math.min(to, from + most);
    const texts = Array.from({ length: end - from }, (_, i) => `${micros[from + i]}/${tagsOf(from + i)[0]}`);
    return { consumed: end - from, events: textBatch(texts), failed: 0, dropped: 0, exhausted: false };
  },
  close: async () => {},
});

interface Saved {
  readonly position: StreamPosition;
  readonly arrived: number;
}

interface RunGiven {
  readonly inputs: readonly Input[];
  readonly partition: Partition;
  readonly from?: StreamPosition | null;
  readonly stopAfter?: number;
  readonly skipBefore?: number | null;
  readonly most?: number;
  readonly isLive?: boolean;
}

/** One run of a partition up to its end, or stopped after some events. */
const run = async (given: RunGiven) => {
  const { inputs, partition, from = null, stopAfter = Number.POSITIVE_INFINITY, skipBefore = null } = given;
  const saved: Saved[] = [];
  const draining = new AbortController();
  const output = memoryOutput(async () => {
    if (output.events.length >= stopAfter) draining.abort(DRAIN);
  });
  const { parts, clock } = partsOf({
    inputs,
    outputs: [output],
    more: { isLive: given.isLive === true, draining, batch: { size: 3, delay: 1 } },
  });
  const options: RunOptions = {
    ...parts,
    tags: inputs.map((_, index) => [String(index)]),
    builders: {
      inputs: inputs.map((input) => async () => E.right(input)),
      producer: async () => E.right(naming(given.most ?? 2)),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now: START, skipPast: false }),
    partition: { ...partition, position: from?.deal ?? STREAM_START, skipBefore },
    checkpoint: {
      restored: from,
      disowned: new AbortController().signal,
      surroundings: () => ({ random: [], globals: null, fingerprint: { input: '', event: '' } }),
      save: async (position) => {
        saved.push({ position, arrived: output.events.length });
        return E.right(undefined);
      },
    },
    onRunning: () => {},
  };
  const ended = runPipeline(options);
  const over = new AbortController();
  void ended.then(() => over.abort());
  for (let turn = 0; turn < 200 && !over.signal.aborted; turn++) await clock.advanceMs(250);
  return { ended: await ended, events: output.events, saved, expected: readStat(parts.stats, 'expected') };
};

describe('dealing timestamps to partitions', () => {
  test('gives each ordinal of the merged stream to one partition, for batches of any size', () => {
    fc.assert(
      fc.property(
        schedules,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (inputs, count, size, isLive) => {
          const schedule = scheduleOf(inputs);
          for (let index = 0; index < count; index++) {
            const deal = makeDeal({ index, count }, 0, inputs.length);
            const merged = merge(
              inputs.map((micros) => listInput(micros, 5)),
              () => {},
              deal,
            );
            const batches = batcher(
              merged,
              { size, delay: isLive ? 0.000_05 : null },
              isLive ? { now: () => 0 } : null,
            );
            const got: string[] = [];
            for (let batch = batches.next(); batch !== null; batch = batches.next()) {
              for (let i = 0; i < batch.length; i++) got.push(`${batch.micros[i]}/${batch.inputs[i]}`);
              batches.give(batch);
            }
            expect(got).toEqual(shareIn(schedule, { index, count }));
            expect(deal.passed().ordinal).toBe([...deal.passed().byInput].reduce((a, b) => a + b, 0));
          }
        },
      ),
    );
  });

  test('continues after a checkpoint and a stop at any point: no ordinal is missing, none comes twice', async () => {
    await fc.assert(
      fc.asyncProperty(
        schedules,
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 }),
        fc.integer({ min: 1, max: 9 }),
        async (inputs, count, stops, step) => {
          const schedule = scheduleOf(inputs);
          for (let index = 0; index < count; index++) {
            const got: string[] = [];
            let from: StreamPosition | null = null;
            for (const stopAfter of [...stops, Number.POSITIVE_INFINITY]) {
              const { events, saved, ended } = await run({
                inputs: inputs.map((micros) => listInput(micros, step)),
                partition: { index, count },
                from,
                stopAfter,
                most: step,
              });
              expect(E.isRight(ended)).toBe(true);
              // A stop delivers what was produced, then saves; a run that resumes at the end saves nothing new.
              const last: Saved | undefined = saved.at(-1);
              got.push(...events.slice(0, last?.arrived ?? 0));
              from = last?.position ?? from;
            }
            expect(got).toEqual(shareIn(schedule, { index, count }));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('each run knows how many timestamps its inputs still give, unless one is endless', async () => {
    const partition = { index: 0, count: 1 };
    const lists = () => [listInput([START, START + 1, START + 2]), listInput([START + 1])];
    const first = await run({ inputs: lists(), partition });
    expect(first.expected).toBe(4);
    const [begun] = first.saved;
    const position = {
      ...(begun as Saved).position,
      inputs: [
        { state: 1, skip: 0 },
        { state: 0, skip: 0 },
      ],
    };
    expect((await run({ inputs: lists(), partition, from: position })).expected).toBe(3);
    const endless = [...lists(), endlessInput(START, 1_000_000)];
    expect((await run({ inputs: endless, partition, stopAfter: 5 })).expected).toBe(0);
  });

  test('continues from any save of a killed run with the event after that save', async () => {
    const inputs = [
      Array.from({ length: 90 }, (_, i) => START + 20_000 + i * 100_000),
      Array.from({ length: 45 }, (_, i) => START + 20_000 + i * 200_000),
    ];
    const partition = { index: 1, count: 3 };
    const share = shareIn(scheduleOf(inputs), partition);
    const first = await run({
      inputs: inputs.map((micros) => listInput(micros, 4)),
      partition,
      isLive: true,
    });
    expect(first.events).toEqual(share);
    expect(first.saved.length).toBeGreaterThan(4);
    for (const { position, arrived } of first.saved) {
      const second = await run({
        inputs: inputs.map((micros) => listInput(micros, 4)),
        partition,
        from: position,
        isLive: true,
      });
      expect([...first.events.slice(0, arrived), ...second.events]).toEqual(share);
    }
  });

  test('skips missed timestamps by ordinal: a partition that rejoins gets the same ones as before', async () => {
    await fc.assert(
      fc.asyncProperty(
        schedules,
        fc.integer({ min: 1, max: 4 }),
        fc.nat(1_500),
        async (inputs, count, late) => {
          const before = START + late;
          const schedule = scheduleOf(inputs);
          for (let index = 0; index < count; index++) {
            const { events, saved } = await run({
              inputs: inputs.map((micros) => listInput(micros, 7)),
              partition: { index, count },
              skipBefore: before,
            });
            const wanted = shareIn(schedule, { index, count }).filter(
              (text) => Number.parseInt(text, 10) >= before,
            );
            expect(events).toEqual(wanted);
            const again = await run({
              inputs: inputs.map((micros) => listInput(micros, 7)),
              partition: { index, count },
              from: saved.at(-1)?.position ?? null,
            });
            expect(again.events).toEqual([]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('the text of a checkpoint', () => {
  const checkpoint: Checkpoint = {
    inputs: [{ state: 5, skip: 1 }],
    event: null,
    random: [],
    globals: null,
    last: null,
    fingerprint: { input: 'a', event: 'b' },
    seed: 's',
    now: START,
    is_finished: false,
  };

  test('holds the position of a partition; files without one stay valid', () => {
    const dealt = { ...checkpoint, deal: { ordinal: 12, skip: 3 } };
    expect(parseCheckpoint(checkpointText(checkpoint))).toEqual(E.right(checkpoint));
    expect(parseCheckpoint(checkpointText(dealt))).toEqual(E.right(dealt));
    expect(parseCheckpoint(checkpointText({ ...checkpoint, deal: { ordinal: 12, skip: -1 } }))).toEqual(
      E.left('"deal" is missing or wrong'),
    );
  });
});

describe('inputs that cannot be dealt', () => {
  const refused = async (more: Partial<Input>) => {
    const input = { ...endlessInput(START, 1), ...more };
    const { ended } = await run({ inputs: [listInput([]), input], partition: { index: 0, count: 2 } });
    return E.isLeft(ended) ? [ended.left.code, ended.left.message] : null;
  };

  test('are refused with the place and the reason: one that waits for requests, one with a rate in bytes', async () => {
    const requests = {
      open: async () => E.right(undefined),
      next: async () => null,
      stop: () => {},
      close: async () => {},
    };
    expect(await refused({ requests })).toEqual([
      'invalid',
      'input[1]: the input waits for requests, and cannot be dealt to partitions. Remove `partitions` or change the input',
    ]);
    const sizes = {
      attach: () => {},
      add: () => {},
      isBlockGiven: () => false,
      endBlock: () => {},
      snapshot: () => null,
      restore: () => {},
    };
    expect(await refused({ sizes })).toEqual([
      'invalid',
      'input[1]: the input has a rate in bytes, and cannot be dealt to partitions. Remove `partitions` or change the input',
    ]);
  });
});

describe('the shares of a limit', () => {
  test('add up to the limit and differ by one at most', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 64 }), (limit, count) => {
        const shares = Array.from({ length: count }, (_, index) => Number(shareOf(limit, { index, count })));
        expect(shares.reduce((a, b) => a + b, 0)).toBe(limit);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
