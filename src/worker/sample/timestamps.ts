import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import type { Result } from '../../domain/errors.js';
import { makeTimestampBatch, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import type { Micros } from '../../domain/time/micros.js';
import type { Zone } from '../../domain/time/zone.js';
import { makeTurn } from '../../pipeline/produce.js';
import { type Merged, UNKNOWN } from '../../pipeline/schedule/merge.js';
import {
  LOOK_AHEAD,
  load,
  MAX_SEARCH_MS,
  mergedInputs,
  partsOf,
  type SampleOptions,
  SILENT,
} from './parts.js';

export interface SampleTimestampsOptions extends SampleOptions {
  readonly from: Micros;
  /** Exclusive. */
  readonly to: Micros;
  /** Where the clock stands. Undefined when it stands at `from`. */
  readonly now?: Micros;
  /** Maximum number of timestamps. Undefined when only `to` ends them. */
  readonly max?: number;
}

export interface SampledTimestamps {
  readonly definition: GeneratorDefinition;
  readonly zone: Zone;
  /** Each batch is valid until the next one is taken. Throws nothing; an input that fails ends. */
  readonly batches: AsyncIterable<TimestampBatch>;
  /** Reasons of inputs that failed so far. */
  readonly failures: readonly string[];
}

async function* timestampsOf(
  merged: Merged,
  { from, to, max = Number.POSITIVE_INFINITY }: SampleTimestampsOptions,
  ending: AbortController,
): AsyncGenerator<TimestampBatch> {
  const batch = makeTimestampBatch(LOOK_AHEAD);
  const turn = makeTurn(systemClock);
  let foundAtMs = systemClock.monotonicMs();
  try {
    for (let left = max; left > 0; ) {
      batch.length = 0;
      // Inputs with absolute times may begin earlier.
      const first = merged.peek();
      if (first !== UNKNOWN) {
        merged.take(batch, Math.min(LOOK_AHEAD, left), first < from ? from : to);
        if (batch.length === 0) return;
        foundAtMs = systemClock.monotonicMs();
      } else if ((merged.searchedTo() ?? to) >= to || systemClock.monotonicMs() - foundAtMs > MAX_SEARCH_MS)
        return;
      if (batch.length > 0 && (batch.micros[0] as Micros) >= from) {
        left -= batch.length;
        yield batch;
      }
      if (turn.isOver()) {
        await systemClock.yieldTurn();
        turn.begin();
      }
    }
  } finally {
    ending.abort();
  }
}

/** Timestamps of the inputs alone, from `from` until before `to`. No event is rendered. */
export const sampleTimestamps = async (
  options: SampleTimestampsOptions,
): Promise<Result<SampledTimestamps>> => {
  const loaded = await load(options);
  if (E.isLeft(loaded)) return loaded;
  const { known, definition, zone } = loaded.right;
  const now = options.now ?? options.from;
  const ending = new AbortController();
  const parts = await partsOf(loaded.right, {
    ...options,
    globals: {},
    now,
    allow_subprocess: false,
    log: SILENT,
    signal: ending.signal,
  });
  if (E.isLeft(parts)) return E.left(known.hideError(parts.left));
  const failures: string[] = [];
  const merged = await mergedInputs(parts.right, { ...options, now }, (reason) =>
    failures.push(known.hideText(reason)),
  );
  if (E.isLeft(merged)) {
    ending.abort();
    return E.left(known.hideError(merged.left));
  }
  return E.right({ definition, zone, failures, batches: timestampsOf(merged.right.merged, options, ending) });
};
