import { makeGeneratorsHere } from './generatorsHere.js';
import { type LeaseNote, type LeaseWriter, makeLeaseWrites } from './leaseWrites.js';
import type { Conduct } from './life.js';
import type { LeaseOrder, Order, WriteResult } from './orders.js';
import type { Placement } from './placement.js';
import { NO_TASKS, type Task, type TaskTable } from './tasks.js';

/** What a node may do in a step. */
interface Situation extends Pick<Conduct, 'taking' | 'givingBack'> {
  readonly nowMs: number;
  readonly placement: Placement;
  /** Generators may run by the leases of the session. */
  readonly isLive: boolean;
  readonly canWrite: boolean;
  /** Generators drain, because the deadline is near. */
  readonly isClosing: boolean;
}

interface Options extends LeaseWriter {
  /** Tasks that are given back at the same time. */
  readonly moves: number;
  readonly isRefused: (task: string) => boolean;
}

/** Tasks of one node: takes, runs, stops and gives back. */
export const makeTaskWork = (options: Options) => {
  const { node, moves, isRefused } = options;
  const writes = makeLeaseWrites(options);
  const generators = makeGeneratorsHere(writes.isUsable, (key) => writes.leaseOf(key).epoch);
  let table = NO_TASKS;
  /** Tasks to look at, because something changed or is unfinished. */
  let pending = new Set<number>();
  /** Tasks whose keys wait for other writes. */
  const wanting = new Set<number>();
  /** Tasks that stop or are given back; each goes through to its end. */
  const leaving = new Set<number>();
  /** Tasks that wait until fewer are leaving. */
  const queued = new Set<number>();
  /** Keys of no task that are held or run. */
  const orphans = new Set<string>();
  let moved = 0;

  const mark = (key: string): void => {
    const task = table.taskOfKey.get(key);
    if (task === undefined) orphans.add(key);
    else pending.add(task);
  };

  const release = (keys: readonly string[], { canWrite, nowMs }: Situation, orders: Order[]): void => {
    if (canWrite) for (const key of keys) if (!generators.isUsed(key)) writes.release(key, nowMs, orders);
  };

  const isRefusedHere = (task: number): boolean => isRefused(table.tasks[task]?.name ?? '');

  const shouldLeave = (task: number, { placement, givingBack }: Situation): 'at once' | 'in turn' | 'no' => {
    if (givingBack === 'all' || isRefusedHere(task)) return 'at once';
    if (givingBack === 'some') return 'in turn';
    if (givingBack === 'none') return 'no';
    const owner = placement.ownerOf(task);
    return owner !== null && owner !== node ? 'in turn' : 'no';
  };

  /** Lets a task leave when it should and may. */
  const startLeaving = (task: number, situation: Situation): void => {
    if (leaving.has(task)) return;
    const when = shouldLeave(task, situation);
    if (when === 'in turn' && leaving.size >= moves) queued.add(task);
    else if (when !== 'no') leaving.add(task);
  };

  /** Orders missing keys of a task. Returns whether to look again in the next step. */
  const acquire = (task: number, keys: readonly string[], situation: Situation, orders: Order[]): boolean => {
    if (situation.taking === 'none') return true;
    for (const key of keys) if (writes.acquire(key, situation.nowMs, orders)) wanting.add(task);
    return !wanting.has(task);
  };

  /** Returns whether to look again in the next step. */
  const look = (task: number, situation: Situation, orders: Order[]): boolean => {
    const { keys, generators: members } = table.tasks[task] as Task;
    const mine = keys.filter(writes.isMine);
    if (mine.length > 0) startLeaving(task, situation);
    const isLeaving = leaving.has(task);
    let areSettled = true;
    for (const generator of members)
      if (!generators.settle(generator, isLeaving || situation.isClosing, situation.isLive, orders))
        areSettled = false;
    if (!isLeaving) {
      const givenUp = mine.filter((key) => !writes.isUsable(key));
      release(givenUp, situation, orders);
      const isWanted =
        situation.taking === 'former'
          ? keys.some(writes.isFormer) && !isRefusedHere(task)
          : situation.placement.ownerOf(task) === node;
      if (mine.length < keys.length && isWanted) return acquire(task, keys, situation, orders);
      return !areSettled || givenUp.length > 0;
    }
    if (areSettled) release(mine, situation, orders);
    if (areSettled && mine.length === 0) {
      leaving.delete(task);
      moved += 1;
    }
    // Once it has left, the next step finds out whether it is wanted again.
    return true;
  };

  /** Stops and releases a key of no task; returns whether there is more to do. */
  const lookAtOrphan = (key: string, situation: Situation, orders: Order[]): boolean => {
    const isAtRest = generators.stopOrphan(key, situation.isLive, orders);
    const isHeld = writes.isMine(key);
    if (isAtRest && isHeld) release([key], situation, orders);
    return !isAtRest || isHeld;
  };

  /** Looks at tasks in turn while there is room. */
  const takeTurns = (
    tasks: Set<number>,
    hasRoom: () => boolean,
    situation: Situation,
    orders: Order[],
  ): void => {
    for (const task of tasks) {
      if (!hasRoom()) return;
      tasks.delete(task);
      if (look(task, situation, orders)) pending.add(task);
    }
  };

  const markHeld = (): void => {
    for (const key of writes.held().keys()) mark(key);
    for (const key of generators.keys()) mark(key);
    for (const key of table.taskOfKey.keys()) if (writes.isFormer(key)) mark(key);
  };

  return {
    setTable: (next: TaskTable): void => {
      table = next;
      for (const set of [pending, wanting, leaving, queued, orphans]) set.clear();
      writes.forgetRetries();
      markHeld();
    },
    /** The leases of the former session are no longer this node's. */
    setSession: (next: string): void => {
      writes.setSession(next);
      for (const set of [leaving, queued, wanting]) set.clear();
      for (const key of generators.keys()) mark(key);
    },
    /** Looks at these tasks in the next step, as far as they are owned or held here. */
    mark: (tasks: readonly number[], placement: Placement): void => {
      for (const task of tasks)
        if (placement.ownerOf(task) === node || (table.tasks[task] as Task).keys.some(writes.isMine))
          pending.add(task);
    },
    /** Looks at all tasks that are held here, or were in a former session. */
    markHeld,
    noteLease: (key: string, lease: LeaseNote, nowMs: number): void => {
      const wasMine = writes.isMine(key);
      writes.noteLease(key, lease, nowMs);
      if (wasMine || writes.isMine(key) || generators.isUsed(key)) mark(key);
    },
    leaseOf: writes.leaseOf,
    /** This node may run by the lease of the key. */
    holds: writes.isUsable,
    noteRead: (key: string, read: number, lease: LeaseNote | null, nowMs: number): void => {
      writes.noteRead(key, read, lease, nowMs);
      mark(key);
    },
    noteWrite: (order: LeaseOrder, result: WriteResult, nowMs: number): void => {
      writes.noteResult(order, result, nowMs);
      mark(order.key);
    },
    noteRest: (key: string): void => {
      for (const one of generators.noteRest(key)) mark(one);
    },
    step: (situation: Situation, orders: Order[]): void => {
      const marked = pending;
      pending = new Set();
      for (const task of marked) if (look(task, situation, orders)) pending.add(task);
      for (const key of orphans) if (!lookAtOrphan(key, situation, orders)) orphans.delete(key);
      takeTurns(queued, () => leaving.size < moves, situation, orders);
      takeTurns(wanting, () => !writes.isFull(), situation, orders);
      if (situation.isLive) writes.orderReads(situation.nowMs, orders);
    },
    /** Nodes in a row that were lost while they held the task of a key. */
    deathsOf: (key: string): number => {
      const task = table.tasks[table.taskOfKey.get(key) ?? -1];
      return Math.max(0, ...(task?.keys ?? []).map((one) => writes.leaseOf(one).deaths));
    },
    /** Nothing runs or stops. */
    isAtRest: (): boolean => generators.size() === 0,
    /** At rest, and no key is held. */
    isEmpty: (): boolean => generators.size() === 0 && writes.held().size === 0 && writes.isIdle(),
    counts: () => ({
      /** Lease keys of this session. */
      held: writes.held().size,
      /** Generators and partitions that may run. */
      running: generators.running(),
      /** Tasks that wait for keys, for rest or for their turn. */
      pending: pending.size + wanting.size + queued.size + orphans.size,
      /** Tasks given back. */
      moves: moved,
      ...writes.takeovers(),
    }),
  };
};
