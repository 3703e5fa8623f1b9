import type { SpateError } from '../domain/errors.js';
import type { EventHead } from '../domain/events/eventHead.js';
import type { TailLimits } from '../domain/events/tail.js';
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

/** Another definition for a pipeline that runs, with counters for it. */
export type PipelinePatch = Pick<PipelineOrder, 'definition' | 'stats'>;

export interface PipelineHandle {
  /**
   * Exchanges the parts that differ while events flow; those that do not go on. Resolves with the reason when
   * nothing has changed, `null` when the new definition is in force. Never rejects; one at a time.
   */
  readonly patch: (patch: PipelinePatch) => Promise<SpateError | null>;
  /**
   * Copies events while it runs, at most as many as the limits allow; `null` ends that. The last call counts; fine at any
   * time, before the first event and after the end.
   */
  readonly tail: (limits: TailLimits | null, onHeads: (heads: readonly EventHead[]) => void) => void;
  /** No new events; what was produced is delivered, outputs are flushed and closed; ends as `drained`. */
  readonly drain: () => void;
  /**
   * After `drain`: ends every write in flight. What is not delivered goes to the dead letters or is abandoned; then
   * the run ends as `drained`, unless something in it hangs.
   */
  readonly giveUp: () => void;
  /** Ends at once, whatever is in flight; no further event is heard. */
  readonly abort: () => void;
}

export type PipelineEvent =
  | { readonly type: 'running' }
  | { readonly type: 'completed' }
  | { readonly type: 'drained' }
  /** `isDisplaced`: a thread mate was at fault, so no restart is charged. */
  | { readonly type: 'failed'; readonly error: SpateError; readonly isDisplaced: boolean };
