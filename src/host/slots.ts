import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../domain/errors.js';
import type { TailLimits, TailSample } from '../domain/events/tail.js';
import type { GeneratorDefinition, Isolation } from '../domain/generator.js';
import type { OwnerLink } from './globalsOwner.js';
import type { PipelineEvent, PipelinePatch } from './port.js';
import type { FromWorker } from './protocol.js';
import { spawnThread, type Thread, type ThreadDeath, type Threads } from './thread.js';

/** A group that lost so many shared processes gets one alone, beyond the maximum: so the one at fault is found. */
export const MAX_SHARED_LOSSES = 2;

export interface SlotsOptions {
  readonly threads: Threads;
  readonly poolSize: number;
  readonly maxGroupThreads: number;
  /** Whether a generator can keep its thread busy without end. */
  readonly runsApart: (definition: GeneratorDefinition) => boolean;
}

export interface SlotListener {
  readonly onMessage: (slot: Slot, message: FromWorker) => void;
  readonly onDeath: (slot: Slot, death: ThreadDeath) => void;
}

export interface Slots {
  readonly all: () => Iterable<Slot>;
  /** The slot for a new run; opens a thread where needed. */
  readonly assign: (definition: GeneratorDefinition) => Result<Slot>;
  /** Removes a slot: the next run of its groups gets a new thread. `isLost`: it died. */
  readonly forget: (slot: Slot, isLost: boolean) => void;
}

export const makeSlots = (options: SlotsOptions, listener: SlotListener): Slots => {
  const slots = new Map<string, Slot>();
  const groups = new Map<string, string>();
  /** Lost processes by group. */
  const losses = new Map<string, number>();
  const isAlone = (group: string): boolean => (losses.get(group) ?? 0) >= MAX_SHARED_LOSSES;

  const open = (key: string): Slot => {
    const slot: Slot = {
      key,
      thread: spawnThread({
        ...options.threads(isProcess(key) ? 'process' : 'thread', { hasUserCode: !isPool(key) }),
        name: key,
        onMessage: (message) => listener.onMessage(slot, message),
        onDeath: (death) => listener.onDeath(slot, death),
      }),
      groups: new Set(),
      runs: new Map(),
      hosted: new Map(),
      copies: new Map(),
      onReturned: new Map(),
      silent_ms: 0,
    };
    slots.set(key, slot);
    return slot;
  };

  return {
    all: () => slots.values(),
    assign: (definition) => {
      const group = groupOf(definition, options.runsApart(definition));
      const shared = [...slots.values()].filter((slot) => ![...slot.groups].some(isAlone));
      const loads = shared.map(({ key, runs }) => ({ key, runCount: runs.size }));
      const { isolation } = definition.params;
      const isLimited = isolation === 'thread' || group === null || !isAlone(group);
      const limits = isLimited ? options : { ...options, maxGroupThreads: Number.POSITIVE_INFINITY };
      const key = slotKeyOf(group, groups, loads, limits, isolation);
      if (isolation === 'process' && !isProcess(key)) return E.left(notIsolated(definition));
      const slot = slots.get(key) ?? open(key);
      if (group !== null) {
        groups.set(group, key);
        slot.groups.add(group);
      }
      return E.right(slot);
    },
    forget: (slot, isLost) => {
      if (slots.get(slot.key) === slot) slots.delete(slot.key);
      for (const group of slot.groups) if (groups.get(group) === slot.key) groups.delete(group);
      if (!isLost || !isProcess(slot.key)) return;
      for (const group of slot.groups) losses.set(group, (losses.get(group) ?? 0) + 1);
    },
  };
};

/** Members of a scenario share the slot of the member that started first. */
const notIsolated = ({ scenarios: [home = ''] }: GeneratorDefinition): SpateError =>
  failure(
    'wrong_state',
    `\`isolation: process\` is not possible while other members of scenario "${home}" run on a thread of the daemon. Give all members of the scenario the same isolation, and stop them all before the next start`,
  );

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
    readonly viewers: readonly TailLimits[];
    readonly onSample: (sample: TailSample) => void;
  } | null;
  /** Whether the thread knows the run. */
  isSent: boolean;
}

/** A thread with its runs and the globals of their scenarios. */
export interface Slot {
  readonly key: string;
  readonly thread: Thread;
  readonly groups: Set<string>;
  readonly runs: Map<number, Run>;
  /** Scenarios with their globals on this thread or on their way: settles when they are there. */
  readonly hosted: Map<string, Promise<Result<void>>>;
  /** Read-only copies of other globals; `arrival` settles when the copy is there. */
  readonly copies: Map<string, { readonly link: OwnerLink; readonly arrival: Promise<void> }>;
  /** Called for each scenario whose globals have been given back before the thread ends. */
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
  slot.thread.post({ type: 'tail', run: number, viewers: run.tail.viewers });
};

export interface ThreadLoad {
  readonly key: string;
  readonly runCount: number;
}

const isProcess = (key: string): boolean => key.startsWith(PROCESS);

export const isPool = (key: string): boolean => key.startsWith('pool:');

const PROCESS = 'process:';
const SCENARIO = 'scenario:';

/**
 * Returns the group of a generator, or null for the pool. Members of a scenario share a group, so their globals are one
 * object on one thread. Code that can keep a thread busy without end, and `isolation: process`, get a group of their
 * own.
 */
export const groupOf = ({ scenarios, params }: GeneratorDefinition, runsApart: boolean): string | null => {
  const [home] = scenarios;
  if (home !== undefined) return `${SCENARIO}${home}`;
  return runsApart || params.isolation === 'process' ? `generator:${params.id}` : null;
};

/**
 * Key of the thread for a generator: that of its group; a new one below `maxGroupThreads`, else the least loaded; for
 * the pool the least loaded of `poolSize`. Isolated processes are counted and shared separately.
 */
export const slotKeyOf = (
  group: string | null,
  groups: ReadonlyMap<string, string>,
  threads: readonly ThreadLoad[],
  limits: { readonly poolSize: number; readonly maxGroupThreads: number },
  isolation: Isolation = 'thread',
): string => {
  if (group === null) {
    const pool = Array.from({ length: limits.poolSize }, (_, index) => `pool:${index}`);
    return leastLoaded(pool, threads);
  }
  const isIsolated = isolation === 'process';
  const present = groups.get(group);
  // The isolation of a single generator may change at each start; that of a scenario stays, its globals are there.
  if (present !== undefined && (isProcess(present) === isIsolated || group.startsWith(SCENARIO)))
    return present;
  const alike = threads.map(({ key }) => key).filter((key) => !isPool(key) && isProcess(key) === isIsolated);
  if (alike.length >= limits.maxGroupThreads) return leastLoaded(alike, threads);
  return isIsolated ? `${PROCESS}${group}` : group;
};

const leastLoaded = (keys: readonly string[], threads: readonly ThreadLoad[]): string => {
  const load = new Map(threads.map(({ key, runCount }) => [key, runCount]));
  return keys.reduce(
    (best, key) => ((load.get(key) ?? 0) < (load.get(best) ?? 0) ? key : best),
    keys[0] as string,
  );
};
