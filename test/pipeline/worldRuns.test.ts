import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { StreamPosition } from '../../src/domain/checkpoint.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import type { Partition } from '../../src/domain/partitions.js';
import { MICROS_PER_MINUTE, MICROS_PER_SECOND } from '../../src/domain/time/micros.js';
import { DRAIN, type RunOptions, runPipeline } from '../../src/pipeline/run.js';
import { STREAM_START } from '../../src/pipeline/schedule/deal.js';
import { withActivities } from '../../src/plugins/activities.js';
import { worldInput } from '../../src/plugins/inputs/world/worldInput.js';
import type { EventProducer } from '../../src/plugins/kit.js';
import { memoryOutput, partsOf, plainFormatter } from '../support/pipelines/pipelineParts.js';
import { activityAt, attack, WORLD_START, worldWith } from '../support/worlds.js';

/** One every 7 s for 20 minutes, then nothing for a day, then one more. Every fifth is an attack. */
const COUNT = 170;
const world = worldWith([
  ...Array.from({ length: COUNT }, (_, id) =>
    activityAt(id * 7 * MICROS_PER_SECOND, id, { truth: id % 5 === 4 ? attack('spray') : null }),
  ),
  activityAt(24 * 60 * MICROS_PER_MINUTE, COUNT),
]);

const inputOf = () =>
  worldInput({
    world,
    selection: {
      kinds: ['logon'],
      os: null,
      roles: null,
      sites: null,
      seen: 0.8,
      delay_seconds: 9,
      clock_error_seconds: 1,
    },
    anomaly: 'none',
    from: WORLD_START,
    end: WORLD_START + 25 * 60 * MICROS_PER_MINUTE,
  });

/** Prints the number of the activity with its time. */
const producerOf = (): EventProducer => ({
  produce: ({ micros, from, to, activityOf }) => ({
    consumed: to - from,
    events: textBatch(
      Array.from({ length: to - from }, (_, index) => {
        const at = micros[from + index] as number;
        return `${(at - WORLD_START) / MICROS_PER_SECOND} ${activityOf?.(from + index)?.id ?? 'none'}`;
      }),
    ),
    failed: 0,
    dropped: 0,
    exhausted: false,
  }),
  close: async () => {},
});

interface RunGiven {
  readonly partition?: Partition;
  readonly from?: StreamPosition | null;
  readonly stopAfter?: number;
}

const run = async ({ partition, from = null, stopAfter = Number.POSITIVE_INFINITY }: RunGiven = {}) => {
  const saved: { readonly position: StreamPosition; readonly arrived: number }[] = [];
  const draining = new AbortController();
  const output = memoryOutput(async () => {
    if (output.events.length >= stopAfter) draining.abort(DRAIN);
  });
  const { parts, clock } = partsOf({
    inputs: [inputOf()],
    outputs: [output],
    more: { draining, batch: { size: 3, delay: 1 } },
  });
  const options: RunOptions = {
    ...parts,
    builders: {
      inputs: [async () => E.right(inputOf())],
      producer: async () => E.right(withActivities(producerOf(), { get: () => null })),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now: WORLD_START, skipPast: false }),
    partition:
      partition === undefined
        ? null
        : { ...partition, position: from?.deal ?? STREAM_START, skipBefore: null },
    checkpoint: {
      restored: from,
      disowned: new AbortController().signal,
      surroundings: () => ({ random: [], globals: null, fingerprint: { input: '', event: '' } }),
      save: async (position) => {
        saved.push({
          position: JSON.parse(JSON.stringify(position)) as StreamPosition,
          arrived: output.events.length,
        });
        return E.right(undefined);
      },
    },
    onRunning: () => {},
  };
  const ended = runPipeline(options);
  const over = new AbortController();
  void ended.then(() => over.abort());
  for (let turn = 0; turn < 2_000 && !over.signal.aborted; turn++) await clock.advanceMs(250);
  return { ended: await ended, events: output.events, saved };
};

describe('a run over a world', () => {
  test('pairs every timestamp with its activity, and leaves attacks out', async () => {
    const { ended, events } = await run();
    expect(ended).toEqual(E.right('completed'));
    const ids = events.map((event) => Number(event.split(' ')[1]));
    expect(ids.length).toBeGreaterThan(COUNT * 0.5);
    expect(ids.every((id) => id % 5 !== 4)).toBe(true);
    expect(ids.at(-1)).toBe(COUNT);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('goes on in the middle from a checkpoint', async () => {
    const all = (await run()).events;
    const first = await run({ stopAfter: 20 });
    expect(first.saved.length).toBeGreaterThan(1);
    for (const { position, arrived } of first.saved) {
      const { events } = await run({ from: position });
      expect([...first.events.slice(0, arrived), ...events]).toEqual(all);
    }
  });

  test('in partitions makes all events once', async () => {
    const all = (await run()).events;
    const parts = await Promise.all([0, 1, 2].map((index) => run({ partition: { index, count: 3 } })));
    const joined = parts.flatMap(({ events }) => events);
    expect(parts.every(({ events }) => events.length > 0)).toBe(true);
    expect([...joined].sort()).toEqual([...all].sort());
  });

  test('in a partition goes on from its checkpoint', async () => {
    const partition = { index: 1, count: 3 };
    const all = (await run({ partition })).events;
    const first = await run({ partition, stopAfter: 10 });
    const last = first.saved.at(-1);
    const { events } = await run({ partition, from: last?.position ?? null });
    expect([...first.events.slice(0, last?.arrived), ...events]).toEqual(all);
  });
});
