import type { Result, SpateError } from '../domain/errors.js';
import type { TailLimits, TailSample } from '../domain/events/tail.js';
import type { GeneratorDefinition, RunTweaks } from '../domain/generator.js';
import type { Stats } from '../domain/stats/stats.js';

/** Where a pipeline runs, as the generator actor sees it. */
export interface PipelineHost {
  /** Starts a run; the listener hears exactly one end. Never throws. */
  readonly start: (order: PipelineOrder, listener: (event: PipelineEvent) => void) => PipelineHandle;
}

export interface PipelineOrder {
  readonly definition: GeneratorDefinition;
  readonly stats: Stats;
  readonly tweaks: RunTweaks;
}

/** A new definition for a running pipeline, with its counters. */
export type PipelinePatch = Pick<PipelineOrder, 'definition' | 'stats'>;

export interface PipelineHandle {
  /** Exchanges changed parts while events flow; one at a time. After an error nothing has changed. Never rejects. */
  readonly patch: (patch: PipelinePatch) => Promise<Result<void>>;
  /** Copies events within the limits, of each search. The last call counts; may be called at any time. */
  readonly tail: (viewers: readonly TailLimits[], onSample: (sample: TailSample) => void) => void;
  /** No new events; produced events are delivered, outputs flushed and closed. Ends as `drained`. */
  readonly drain: () => void;
  /** After `drain`: ends writes in flight; their events go to the dead letters or are abandoned. Ends as `drained`. */
  readonly giveUp: () => void;
  /** Ends at once; the listener hears nothing more. */
  readonly abort: () => void;
}

export type PipelineEvent =
  | { readonly type: 'running' }
  | { readonly type: 'completed' }
  | { readonly type: 'drained' }
  /** `isDisplaced`: another generator on the thread was at fault, so no restart is charged. */
  | { readonly type: 'failed'; readonly error: SpateError; readonly isDisplaced: boolean };
