import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import type { EventHead } from '../../domain/events/eventHead.js';
import type { TailLimits } from '../../domain/events/tail.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import type { CellLink } from '../cells/cells.js';
import type { PipelineEvent, PipelinePatch } from '../port.js';
import type { Thread } from '../thread.js';

/** One run of a generator on a thread. */
export interface Run {
  readonly id: string;
  readonly listener: (event: PipelineEvent) => void;
  /** Scenarios that it reads besides its home scenario. */
  readonly subscriptions: readonly string[];
  /** Patches without an answer yet, by request number. */
  readonly patching: Map<number, (patched: Result<void>) => void>;
  patches: number;
  /** Viewers of its events. */
  tail: {
    readonly limits: TailLimits | null;
    readonly onHeads: (heads: readonly EventHead[]) => void;
  } | null;
  /** Whether the thread knows the run. */
  isSent: boolean;
}

/** A thread with its runs and the cells of their scenarios. */
export interface Slot {
  readonly key: string;
  readonly thread: Thread;
  readonly groups: Set<string>;
  readonly runs: Map<number, Run>;
  /** Scenarios with their cell on this thread or on its way: settles when the cell is there. */
  readonly hosted: Map<string, Promise<Result<void>>>;
  /** Read-only copies of other cells; `arrival` settles when the copy is there. */
  readonly copies: Map<string, { readonly link: CellLink; readonly arrival: Promise<void> }>;
  /** Called for each cell that has been given back before the thread ends. */
  readonly onReturned: Map<string, () => void>;
  silent_ms: number;
}

export const makeRun = (
  { params, scenarios }: GeneratorDefinition,
  listener: (event: PipelineEvent) => void,
): Run => ({
  id: params.id,
  listener,
  subscriptions: scenarios.slice(1),
  patching: new Map(),
  patches: 0,
  tail: null,
  isSent: false,
});

/** Sends a patch to the thread. Returns its answer, or an error when the run ends before. */
export const sendPatch = (slot: Slot, number: number, patch: PipelinePatch): Promise<Result<void>> =>
  new Promise((resolve) => {
    const run = slot.runs.get(number);
    if (run === undefined) return resolve(E.left(failure('wrong_state', 'the generator has ended')));
    const request = ++run.patches;
    run.patching.set(request, (patched) => {
      run.patching.delete(request);
      resolve(patched);
    });
    const { definition, stats } = patch;
    slot.thread.post({ type: 'patch', run: number, request, definition, stats: stats.buffer });
  });

export const refusePatches = ({ id, patching }: Run): void => {
  const ended = failure('wrong_state', `generator "${id}" ended before the patch was in force`);
  for (const answer of patching.values()) answer(E.left(ended));
};

/** Sends the limits of the viewers once the thread knows the run. */
export const sendTail = (slot: Slot, number: number): void => {
  const run = slot.runs.get(number);
  if (run === undefined || run.tail === null || !run.isSent) return;
  slot.thread.post({ type: 'tail', run: number, limits: run.tail.limits });
};
