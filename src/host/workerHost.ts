import * as E from 'fp-ts/lib/Either.js';
import { checkpointPath } from '../domain/checkpoint.js';
import { failure, type Result, type SpateError, shortageIn, thrownError } from '../domain/errors.js';
import type { GeneratorParams } from '../domain/generator.js';
import { pacer } from '../domain/waiting.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { GlobalsOwners } from './globalsOwner.js';
import type { PipelineEvent, PipelineHandle, PipelineHost, PipelineOrder } from './port.js';
import type { CheckpointPlace, FromWorker, RunJob } from './protocol.js';
import { slotGlobals } from './slotGlobals.js';
import {
  isPool,
  makeRun,
  makeSlots,
  refusePatches,
  type Slot,
  type SlotsOptions,
  sendPatch,
  sendTail,
} from './slots.js';
import type { ThreadDeath } from './thread.js';

export interface WorkerHostOptions extends SlotsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly owners: GlobalsOwners;
  /** Folder of dead letters and checkpoints of all generators. Null when neither is stored. */
  readonly state: string | null;
  /** Stores the checkpoints instead of files in `state`. Null for files. */
  readonly checkpoints: CheckpointStore | null;
  /** Until when outputs may write. Null when they may always write. */
  readonly permit: WritePermit | null;
  /** Ends the watch over the threads, and all threads. */
  readonly signal: AbortSignal;
}

/** Checkpoints by the id of their generator. */
export interface CheckpointStore {
  /** Returns a checkpoint, or null when there is none. Called once per run, before any write. */
  readonly read: (id: string) => Promise<Result<string | null>>;
  readonly write: (id: string, text: string) => Promise<Result<null>>;
}

/** Until when outputs may write: milliseconds of the machine's monotonic clock, which all processes share. */
export interface WritePermit {
  readonly until_ms: () => number;
  readonly onExtended: (listener: (until_ms: number) => void) => void;
}

export const workerHost = (options: WorkerHostOptions): PipelineHost => {
  const { clock, log, runsApart } = options;
  const globals = slotGlobals(options.owners, clock);
  const paced = pacer(clock);
  let lastRun = 0;

  const end = (slot: Slot, number: number, event: PipelineEvent): void => {
    const run = slot.runs.get(number);
    if (run === undefined) return;
    const gone = remove(slot, number);
    // The last run of a thread ends once the globals that it wrote are safe.
    if (gone === null) run.listener(event);
    else void gone.then(() => run.listener(event));
  };

  const fail = (slot: Slot, number: number, error: SpateError): void =>
    end(slot, number, { type: 'failed', error, isDisplaced: false });

  /**
   * Removes a run, and its thread with the last one. Resolves when the globals of that thread are back, or returns null
   * when none have to come back.
   */
  const remove = (slot: Slot, number: number): Promise<void> | null => {
    const run = slot.runs.get(number);
    if (run === undefined) return null;
    slot.runs.delete(number);
    globals.dropUnread(slot, run);
    refusePatches(run);
    return slot.runs.size === 0 && !isPool(slot.key) ? retire(slot) : null;
  };

  const retire = (slot: Slot): Promise<void> | null => {
    slots.forget(slot, false);
    const hasGlobals = slot.hosted.size > 0;
    const gone = globals.release(slot).then(() => {
      slot.thread.terminate();
      return globals.lose(slot);
    });
    return hasGlobals ? gone : null;
  };

  const onMessage = (slot: Slot, message: FromWorker): void => {
    switch (message.type) {
      case 'running':
        return slot.runs.get(message.run)?.listener({ type: 'running' });
      case 'ended':
        return end(slot, message.run, { type: message.end });
      case 'failed':
        return fail(slot, message.run, message.error);
      case 'patched': {
        const answer = slot.runs.get(message.run)?.patching.get(message.request);
        return answer?.(message.error === null ? E.right(undefined) : E.left(message.error));
      }
      case 'checkpoint':
        return void keepCheckpoint(slot, message);
      case 'tailed':
        return slot.runs.get(message.run)?.tail?.onSample(message.sample);
      case 'log':
        return log.write(message.level, message.message, message.context);
      case 'owner.changed':
        return globals.onChanged(slot, message.scenario, message);
      case 'owner.released':
        return globals.onReleased(slot, message.scenario, message);
      case 'ready':
      case 'crashing':
      case 'globals.answer':
      case 'preview.done':
      case 'preview.failed':
        return;
    }
  };

  const keepCheckpoint = async (
    slot: Slot,
    { run, request, text }: Extract<FromWorker, { type: 'checkpoint' }>,
  ): Promise<void> => {
    const id = slot.runs.get(run)?.id;
    const store = options.checkpoints;
    // A run that was aborted may still save: another one may own the checkpoint by now.
    const answer: Result<string | null> =
      id === undefined || store === null
        ? E.left(failure('wrong_state', 'the run was ended: its checkpoint belongs to the next one'))
        : await (text === null ? store.read(id) : store.write(id, text));
    slot.thread.post({ type: 'checkpoint.answer', run, request, answer });
  };

  /** A thread is gone: the run at fault fails, the others are displaced. */
  const onDeath = (slot: Slot, death: ThreadDeath): void => {
    slots.forget(slot, true);
    void globals.lose(slot);
    const culprit = culpritOf(slot, death);
    const culpritId = culprit === null ? null : (slot.runs.get(culprit)?.id ?? null);
    for (const number of slot.runs.keys()) {
      const isCulprit = number === culprit;
      const error = isCulprit ? lostThread(death) : displaced(death, culpritId);
      // Paced: a thread may have had thousands of runs.
      void paced(() => end(slot, number, { type: 'failed', error, isDisplaced: !isCulprit }));
    }
  };

  const slots = makeSlots(options, { onMessage, onDeath });

  /** Brings the globals of its scenarios to the thread, then sends the run. */
  const send = async (slot: Slot, order: PipelineOrder, job: RunJob, isDrained: () => boolean) => {
    const brought = await globals.bring(slot, order.definition.scenarios);
    const run = slot.runs.get(job.run);
    if (run === undefined) return;
    if (E.isLeft(brought)) return fail(slot, job.run, brought.left);
    if (isDrained()) return end(slot, job.run, { type: 'drained' });
    slot.thread.post({ type: 'start', job });
    run.isSent = true;
    sendTail(slot, job.run);
  };

  const start: PipelineHost['start'] = (order, listener) => {
    const { definition, tweaks } = order;
    const assigned = E.flatten(
      E.tryCatch(
        () => slots.assign(definition),
        (thrown) => thrownError('a thread could not be started', thrown),
      ),
    );
    if (E.isLeft(assigned)) return refusedRun(assigned.left, listener);
    const slot = assigned.right;
    const number = ++lastRun;
    slot.runs.set(number, makeRun(definition, listener));
    let isDrained = false;
    const job: RunJob = {
      run: number,
      definition,
      stats: order.stats.buffer,
      tweaks,
      runs_user_code: runsApart(definition),
      ...storedAt(options, definition.params),
      permit_ms: options.permit?.until_ms() ?? null,
    };
    send(slot, order, job, () => isDrained).catch((thrown: unknown) =>
      fail(slot, number, thrownError('starting on a thread threw', thrown)),
    );
    return {
      patch: async (patch) =>
        slot.runs.has(number) && isPool(slot.key) && runsApart(patch.definition)
          ? E.left(NEEDS_OWN_THREAD)
          : sendPatch(slot, number, patch),
      tail: (viewers, onSample) => {
        const run = slot.runs.get(number);
        if (run !== undefined) run.tail = { viewers, onSample };
        sendTail(slot, number);
      },
      drain: () => {
        isDrained = true;
        slot.thread.post({ type: 'drain', run: number });
      },
      giveUp: () => slot.thread.post({ type: 'give_up', run: number }),
      abort: () => {
        if (!slot.runs.has(number)) return;
        slot.thread.post({ type: 'abort', run: number });
        void remove(slot, number);
      },
    };
  };

  options.permit?.onExtended((until_ms) => {
    for (const slot of slots.all()) slot.thread.post({ type: 'permit', until_ms });
  });
  void watchBeats(slots.all, clock, options.signal).then(() => {
    for (const slot of slots.all()) slot.thread.terminate();
  });
  return { start };
};

/** Where a generator stores what outlives its run. */
const storedAt = (
  { state, checkpoints }: Pick<WorkerHostOptions, 'state' | 'checkpoints'>,
  { id, checkpoint }: GeneratorParams,
): Pick<RunJob, 'dead_letters' | 'checkpoint'> => {
  if (state === null) return { dead_letters: null, checkpoint: null };
  const place: CheckpointPlace =
    checkpoints === null ? { kind: 'file', path: checkpointPath(state, id) } : { kind: 'main_thread' };
  return { dead_letters: `${state}/dead-letters/${id}`, checkpoint: checkpoint ? place : null };
};

const NEEDS_OWN_THREAD = failure(
  'wrong_state',
  'the new plugins need a thread of their own and the generator shares one: change its config and restart it',
);

/** A run that fails before it begins. */
const refusedRun = (error: SpateError, listener: (event: PipelineEvent) => void): PipelineHandle => {
  let isAborted = false;
  void Promise.resolve().then(() => {
    if (!isAborted) listener({ type: 'failed', error, isDisplaced: false });
  });
  return {
    patch: async () => E.left(error),
    tail: () => {},
    drain: () => {},
    giveUp: () => {},
    abort: () => {
      isAborted = true;
    },
  };
};

/** How often threads are checked. */
const CHECK_EVERY_MS = 500;
/** A thread that is silent for this long is terminated. */
const STALL_DEADLINE_MS = 10_000;

const STALLED = `it kept its thread busy for ${STALL_DEADLINE_MS / 1000} s without a pause (an endless loop, or work that must be split)`;

/** Terminates threads that stop beating. Only time that this loop sees counts, not pauses of the machine. */
const watchBeats = async (
  slots: () => Iterable<Slot>,
  clock: Pick<Clock, 'sleepMs'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    await clock.sleepMs(CHECK_EVERY_MS, signal);
    for (const slot of slots()) {
      slot.silent_ms = slot.thread.beats() > 0 ? 0 : slot.silent_ms + CHECK_EVERY_MS;
      if (slot.silent_ms < STALL_DEADLINE_MS) continue;
      slot.thread.terminate({ reason: STALLED, culprit: slot.thread.current() });
    }
  }
};

/** Returns the run at fault, or null when it is unknown; then none is charged. */
const culpritOf = ({ runs }: Slot, { culprit }: ThreadDeath): number | null => {
  if (culprit !== null && runs.has(culprit)) return culprit;
  return runs.size === 1 ? ([...runs.keys()][0] ?? null) : null;
};

/** Error of the generator that brought its thread down. */
const lostThread = (death: ThreadDeath): SpateError => ({
  ...failure(
    death.reason === STALLED ? 'host_stalled' : 'host_crashed',
    `the generator's thread was lost: ${death.reason}`,
  ),
  ...(shortageIn(death.reason) === null ? {} : { code: 'exhausted' }),
});

/** Error of the other generators on the thread; `culprit`: id of the generator at fault, if known. */
const displaced = ({ reason }: ThreadDeath, culprit: string | null): SpateError =>
  failure(
    'displaced',
    culprit === null
      ? `the thread that it shared was lost: ${reason}; which of its generators did it is not known`
      : `generator "${culprit}" brought down the thread it shared: ${reason}`,
  );
