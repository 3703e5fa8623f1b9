import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf, type SpateError } from '../domain/errors.js';
import type { EventHead } from '../domain/events/eventHead.js';
import type { TailLimits } from '../domain/events/tail.js';
import type { GeneratorDefinition, GeneratorParams } from '../domain/generator.js';
import { pacer } from '../domain/pacer.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import { type CellDirectory, type CellLink, type CellText, linkAfter } from './cells/cells.js';
import { groupOf, isPool, isProcess, placeOf } from './placement.js';
import type { PipelineEvent, PipelineHost, PipelineOrder, PipelinePatch } from './port.js';
import type { FromWorker, RunJob } from './protocol.js';
import { notIsolated, refuse } from './refusedRun.js';
import { spawnThread, type Thread, type ThreadDeath } from './thread.js';
import { displaced, lostThread, STALL_DEADLINE_MS, STALLED } from './threadLoss.js';
import type { Threads } from './threads.js';

/** How often threads are looked at. */
const LOOK_EVERY_MS = 500;
/** How long an empty thread may take to give its cells back. */
const RELEASE_DEADLINE_MS = 2_000;

export interface WorkerHostOptions {
  readonly threads: Threads;
  readonly clock: Clock;
  readonly log: Log;
  readonly cells: CellDirectory;
  readonly poolSize: number;
  readonly maxGroupThreads: number;
  /** Whether a generator may keep its thread busy without end. */
  readonly runsApart: (definition: GeneratorDefinition) => boolean;
  /** Folder of dead letters and checkpoints of all generators; `null`: nothing is kept. */
  readonly state: string | null;
  /** Ends the monitor and all threads. */
  readonly signal: AbortSignal;
}

interface Run {
  readonly id: string;
  readonly listener: (event: PipelineEvent) => void;
  readonly subscriptions: readonly string[];
  /** Patches that wait for their answer, by request number. */
  readonly patching: Map<number, (error: SpateError | null) => void>;
  /** Who looks on at its events. */
  tail: {
    readonly limits: TailLimits | null;
    readonly onHeads: (heads: readonly EventHead[]) => void;
  } | null;
  /** Whether the thread knows of it. */
  isSent: boolean;
}

interface Place {
  readonly key: string;
  readonly thread: Thread;
  readonly groups: Set<string>;
  readonly runs: Map<number, Run>;
  /** Scenarios whose cell is on this thread, or on its way: the promise settles when it is there. */
  readonly hosted: Map<string, Promise<SpateError | null>>;
  /** Read-only copies of other cells; `arrival` settles when the copy is there. */
  readonly copies: Map<string, { readonly link: CellLink; readonly arrival: Promise<void> }>;
  silent_ms: number;
  /** Set while the thread gives its cells back before it ends. */
  released: Map<string, () => void>;
}

/** Runs pipelines on worker threads: placement, heartbeat, and cells of scenarios. */
export const workerHost = (options: WorkerHostOptions): PipelineHost => {
  const { cells, clock, log } = options;
  /** Where the run of a generator keeps what must outlive it. */
  const placesOf = ({ id, checkpoint }: GeneratorParams): Pick<RunJob, 'dead_letters' | 'checkpoint'> => {
    const { state } = options;
    if (state === null) return { dead_letters: null, checkpoint: null };
    return {
      dead_letters: `${state}/dead-letters/${id}`,
      checkpoint: checkpoint ? `${state}/checkpoints/${id}.json` : null,
    };
  };
  const places = new Map<string, Place>();
  const groups = new Map<string, string>();
  /** Scenarios whose cell is on its way back from a thread that ends. */
  const returning = new Map<string, Promise<void>>();
  let runs = 0;
  const paced = pacer(clock);

  const open = (key: string): Place => {
    const place: Place = {
      key,
      thread: spawnThread({
        ...options.threads(isProcess(key) ? 'process' : 'thread', { hasUserCode: !isPool(key) }),
        name: key,
        onMessage: (message) => onMessage(place, message),
        onDeath: (death) => onDeath(place, death),
      }),
      groups: new Set(),
      runs: new Map(),
      hosted: new Map(),
      copies: new Map(),
      silent_ms: 0,
      released: new Map(),
    };
    places.set(key, place);
    return place;
  };

  const end = (place: Place, run: number, event: PipelineEvent): void => {
    const found = place.runs.get(run);
    if (found === undefined) return;
    place.runs.delete(run);
    dropReplicas(place, found);
    refusePatches(found);
    const back = place.runs.size === 0 ? retire(place) : null;
    // The last one of a thread has not ended before the globals that it wrote are safe.
    if (back === null) found.listener(event);
    else void back.then(() => found.listener(event));
  };

  const refusePatches = ({ id, patching }: Run): void => {
    const ended = failure('wrong_state', `generator "${id}" ended before the patch was in force`);
    for (const answer of patching.values()) answer(ended);
  };

  /** Ends the copies that no other run of the thread reads; a later run asks for them anew. */
  const dropReplicas = (place: Place, { subscriptions }: Run): void => {
    for (const scenario of subscriptions) {
      const copy = place.copies.get(scenario);
      if (copy === undefined || isRead(place, scenario)) continue;
      place.copies.delete(scenario);
      cells.unsubscribe(scenario, copy.link);
    }
  };

  const isRead = (place: Place, scenario: string): boolean =>
    [...place.runs.values()].some(({ subscriptions }) => subscriptions.includes(scenario));

  /** Forgets a thread, so that the next start opens a new one. */
  const forget = (place: Place): void => {
    if (places.get(place.key) === place) places.delete(place.key);
    for (const group of place.groups) if (groups.get(group) === place.key) groups.delete(group);
  };

  /**
   * Ends an empty group thread once its cells are back; pool threads stay. Resolves when they are back or lost;
   * `null` where there are none.
   */
  const retire = (place: Place): Promise<void> | null => {
    if (isPool(place.key)) return null;
    forget(place);
    const hasCells = place.hosted.size > 0;
    const back = Promise.all(
      [...place.hosted].map(([scenario, arrival]) => {
        const released = new Promise<void>((resolve) => place.released.set(scenario, resolve));
        returning.set(scenario, released);
        // A cell that is still on its way must have arrived before it can be given back.
        void arrival.then(() => place.thread.post({ type: 'cell.release', scenario }));
        return released;
      }),
    );
    const answered = new AbortController();
    void back.then(() => answered.abort());
    const gone = clock.sleepMs(RELEASE_DEADLINE_MS, answered.signal).then(() => {
      place.thread.terminate();
      return loseCells(place);
    });
    return hasCells ? gone : null;
  };

  /** The cells that a gone thread did not give back fall to their last saved state. */
  const loseCells = async (place: Place): Promise<void> => {
    const lost = [...place.hosted.keys()];
    place.hosted.clear();
    await Promise.all(lost.map((scenario) => takeBack(place, scenario, null)));
  };

  const takeBack = async (place: Place, scenario: string, last: CellText | null): Promise<void> => {
    await cells.giveBack(scenario, last);
    returning.delete(scenario);
    place.released.get(scenario)?.();
  };

  const onMessage = (place: Place, message: FromWorker): void => {
    switch (message.type) {
      case 'running':
        place.runs.get(message.run)?.listener({ type: 'running' });
        return;
      case 'ended':
        return end(place, message.run, { type: message.end });
      case 'failed':
        return end(place, message.run, { type: 'failed', error: message.error, isDisplaced: false });
      case 'patched':
        return place.runs.get(message.run)?.patching.get(message.request)?.(message.error);
      case 'tailed':
        return place.runs.get(message.run)?.tail?.onHeads(message.heads);
      case 'log':
        return log.write(message.level, message.message, message.context);
      case 'cell.changed':
        if (place.hosted.has(message.scenario)) cells.noteChange(message.scenario, message);
        return;
      case 'cell.released':
        if (place.hosted.delete(message.scenario)) void takeBack(place, message.scenario, message);
        return;
      case 'ready':
      case 'crashing':
      case 'globals.answer':
      case 'preview.done':
      case 'preview.failed':
        return;
    }
  };

  /** A thread is gone: its culprit failed, its mates are displaced, its cells go back to their last save. */
  const onDeath = (place: Place, death: ThreadDeath): void => {
    forget(place);
    const hosted = [...place.hosted.keys()];
    const lost = loseCells(place);
    for (const scenario of hosted) returning.set(scenario, lost);
    const culprit = culpritOf(place, death);
    const culpritId = culprit === null ? null : (place.runs.get(culprit)?.id ?? null);
    for (const run of [...place.runs.keys()]) {
      const isCulprit = run === culprit;
      const error = isCulprit ? lostThread(death) : displaced(death, culpritId);
      // A thread may have had thousands of runs.
      void paced(() => end(place, run, { type: 'failed', error, isDisplaced: !isCulprit }));
    }
  };

  /** Who is charged; `null`: nobody can tell, and mates are never charged. */
  const culpritOf = ({ runs }: Place, { culprit }: ThreadDeath): number | null => {
    if (culprit !== null && runs.has(culprit)) return culprit;
    return runs.size === 1 ? ([...runs.keys()][0] ?? null) : null;
  };

  /** Brings a cell to the thread; whoever needs the same cell meanwhile waits for the same arrival. */
  const host = (place: Place, scenario: string): Promise<SpateError | null> => {
    const arrive = async (): Promise<SpateError | null> => {
      await returning.get(scenario);
      const link = linkAfter(async () => place.hosted.get(scenario), place.thread.linkTo(scenario));
      const lent = await cells.lend(scenario, link);
      if (E.isLeft(lent)) {
        place.hosted.delete(scenario);
        return lent.left;
      }
      place.thread.post({ type: 'cell.host', state: lent.right });
      return null;
    };
    const arrival = arrive();
    place.hosted.set(scenario, arrival);
    return arrival;
  };

  const subscribe = (place: Place, scenario: string) => {
    const link = place.thread.linkTo(scenario);
    const copy = { link, arrival: cells.subscribe(scenario, link) };
    place.copies.set(scenario, copy);
    return copy;
  };

  /** Brings the cell of the home scenario and replicas of the others to the thread. */
  const bringCells = async (place: Place, scenarios: readonly string[]): Promise<SpateError | null> => {
    const [home, ...others] = scenarios;
    if (home === undefined) return null;
    const hosting = place.hosted.get(home) ?? host(place, home);
    const problem = await hosting;
    if (problem !== null) return problem;
    for (const scenario of others) {
      const copy = place.copies.get(scenario) ?? subscribe(place, scenario);
      await copy.arrival;
    }
    return null;
  };

  let patches = 0;
  const sendPatch = (place: Place, run: number, patch: PipelinePatch): Promise<SpateError | null> =>
    new Promise((resolve) => {
      const found = place.runs.get(run);
      if (found === undefined) return resolve(failure('wrong_state', 'the generator has ended'));
      if (isPool(place.key) && options.runsApart(patch.definition)) return resolve(NEEDS_OWN_THREAD);
      const request = ++patches;
      found.patching.set(request, (error) => {
        found.patching.delete(request);
        resolve(error);
      });
      const { definition, stats } = patch;
      place.thread.post({ type: 'patch', run, request, definition, stats: stats.buffer });
    });

  const sendTail = (place: Place, run: number): void => {
    const found = place.runs.get(run);
    if (found === undefined || found.tail === null || !found.isSent) return;
    place.thread.post({ type: 'tail', run, limits: found.tail.limits });
  };

  const start: PipelineHost['start'] = (order: PipelineOrder, listener) => {
    const run = ++runs;
    const { definition } = order;
    const runsApart = options.runsApart(definition);
    const group = groupOf(definition, runsApart);
    const placed = [...places.values()].map((place) => ({ key: place.key, runCount: place.runs.size }));
    const { isolation } = definition.params;
    const key = placeOf(group, groups, placed, options, isolation);
    if (isolation === 'process' && !isProcess(key)) return refuse(notIsolated(definition), listener);
    const place = places.get(key) ?? open(key);
    if (group !== null) {
      groups.set(group, key);
      place.groups.add(group);
    }
    place.runs.set(run, {
      id: definition.params.id,
      listener,
      subscriptions: definition.scenarios.slice(1),
      patching: new Map(),
      tail: null,
      isSent: false,
    });
    let isDrained = false;
    const send = async (): Promise<void> => {
      const problem = await bringCells(place, definition.scenarios);
      if (!place.runs.has(run)) return;
      if (problem !== null) return end(place, run, { type: 'failed', error: problem, isDisplaced: false });
      if (isDrained) return end(place, run, { type: 'drained' });
      place.thread.post({
        type: 'start',
        job: {
          run,
          definition,
          stats: order.stats.buffer,
          tweaks: order.tweaks,
          runs_user_code: runsApart,
          ...placesOf(definition.params),
        },
      });
      const sent = place.runs.get(run);
      if (sent !== undefined) sent.isSent = true;
      sendTail(place, run);
    };
    send().catch((thrown: unknown) =>
      end(place, run, {
        type: 'failed',
        error: failure('bug', `starting on a thread threw: ${reasonOf(thrown)}`),
        isDisplaced: false,
      }),
    );
    return {
      patch: (patch: PipelinePatch) => sendPatch(place, run, patch),
      tail: (limits: TailLimits | null, onHeads: (heads: readonly EventHead[]) => void) => {
        const found = place.runs.get(run);
        if (found !== undefined) found.tail = { limits, onHeads };
        sendTail(place, run);
      },
      drain: () => {
        isDrained = true;
        place.thread.post({ type: 'drain', run });
      },
      giveUp: () => place.thread.post({ type: 'give_up', run }),
      abort: () => {
        const found = place.runs.get(run);
        if (found === undefined) return;
        place.runs.delete(run);
        dropReplicas(place, found);
        refusePatches(found);
        place.thread.post({ type: 'abort', run });
        if (place.runs.size === 0) void retire(place);
      },
    };
  };

  /**
   * Looks at every thread; one that was silent for the deadline is ended. Only time that this loop saw
   * pass counts, so a pause of the machine or of the main thread is nobody's fault.
   */
  const monitor = async (): Promise<void> => {
    while (!options.signal.aborted) {
      await clock.sleepMs(LOOK_EVERY_MS, options.signal);
      for (const place of places.values()) {
        place.silent_ms = place.thread.beats() > 0 ? 0 : place.silent_ms + LOOK_EVERY_MS;
        if (place.silent_ms < STALL_DEADLINE_MS) continue;
        place.thread.terminate({ reason: STALLED, culprit: place.thread.current() });
      }
    }
    for (const place of places.values()) place.thread.terminate();
  };
  void monitor();
  return { start };
};

const NEEDS_OWN_THREAD = failure(
  'wrong_state',
  'the new event plugin needs a thread of its own and the generator shares one: change its config and restart it',
);
