import * as E from 'fp-ts/lib/Either.js';
import type { StreamPosition } from '../../../src/domain/checkpoint.js';
import type { Partition } from '../../../src/domain/partitions.js';
import type { Micros } from '../../../src/domain/time/micros.js';
import { DRAIN, type RunOptions, runPipeline } from '../../../src/pipeline/run.js';
import { STREAM_START } from '../../../src/pipeline/schedule/deal.js';
import type { EventProducer, Input } from '../../../src/plugins/kit.js';
import { memoryOutput, partsOf, plainFormatter } from './pipelineParts.js';

export interface SavedRunGiven {
  /** Makes the input anew each time. */
  readonly input: () => Promise<Input>;
  readonly producer: () => Promise<EventProducer>;
  readonly now: Micros;
  /** Most quarters of a second that pass. */
  readonly turns: number;
  readonly partition?: Partition | undefined;
  readonly from?: StreamPosition | null | undefined;
  /** Drains after so many events. */
  readonly stopAfter?: number | undefined;
  readonly skipBefore?: number | null | undefined;
}

export interface Saved {
  readonly position: StreamPosition;
  readonly arrived: number;
}

/** One run of an input and its events in a pipeline, up to its end or stopped after some events, with all checkpoints. */
export const savedRun = async ({
  input,
  producer,
  now,
  turns,
  partition,
  from = null,
  stopAfter = Number.POSITIVE_INFINITY,
  skipBefore = null,
}: SavedRunGiven) => {
  const saved: Saved[] = [];
  const draining = new AbortController();
  const output = memoryOutput(async () => {
    if (output.events.length >= stopAfter) draining.abort(DRAIN);
  });
  const { parts, clock } = partsOf({
    inputs: [await input()],
    outputs: [output],
    more: { draining, batch: { size: 3, delay: 1 } },
  });
  const options: RunOptions = {
    ...parts,
    builders: {
      inputs: [async () => E.right(await input())],
      producer: async () => E.right(await producer()),
      formatters: [async () => E.right(plainFormatter)],
      outputs: [async () => E.right(output)],
    },
    outputLog: () => parts.log,
    deadLetters: () => null,
    start: () => ({ now, skipPast: false }),
    partition:
      partition === undefined ? null : { ...partition, position: from?.deal ?? STREAM_START, skipBefore },
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
  for (let turn = 0; turn < turns && !over.signal.aborted; turn++) await clock.advanceMs(250);
  return { ended: await ended, events: output.events, saved };
};
