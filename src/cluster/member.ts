import type { Labels } from './documents.js';
import { makePresence } from './heartbeat.js';
import { holderOf, type LeaseWriter } from './leaseWrites.js';
import { type LifeState, makeLife } from './life.js';
import type { Order, WriteOrder, WriteResult } from './orders.js';
import { makePlacement } from './placement.js';
import { makeRefusals } from './refusals.js';
import { NO_TASKS, type TaskTable } from './tasks.js';
import { makeTaskWork } from './taskWork.js';
import { candidatesOf, makeWatchedNodes, type NodeNote, orderForgetting } from './watchedNodes.js';

export type { LeaseOrder, Order, WriteOrder } from './orders.js';

/** State of the node (life.ts) as others and people see it. */
type MemberPhase = Exclude<LifeState, 'returning' | 'withdrawing'>;

export interface MemberOptions extends Pick<LeaseWriter, 'node' | 'lease_ms' | 'firstEpoch'> {
  /** Tasks that are given back at the same time. */
  readonly moves: number;
  readonly capacity: number;
  readonly labels: Labels;
  readonly on_isolation: 'stop' | 'continue';
  /** Sessions of this node whose process is dead. */
  readonly former: readonly string[];
  /** After this long a lost node is removed. */
  readonly forget_ms: number;
  /** Random text. */
  readonly newSession: () => string;
}

/** After this many leases a refused task is reconsidered. */
const RECONSIDER_LEASES = 2;

const makeParts = (options: MemberOptions) => {
  const watched = makeWatchedNodes(options.lease_ms);
  const refusals = makeRefusals();
  const former: ReadonlySet<string> = new Set(options.former);
  const parts = { ...options, former, watched };
  const presence = makePresence(parts);
  const work = makeTaskWork({ ...parts, isRefused: refusals.has });
  work.setSession(presence.session());
  return {
    ...{ options, watched, refusals, presence, work },
    life: makeLife(options.on_isolation === 'continue'),
    table: NO_TASKS,
    placement: makePlacement(NO_TASKS),
    isCurrent: false,
    /** What the last step took, and whether the deadline was near. */
    before: '',
    reconsiderMs: 0,
    forgetMs: 0,
  };
};

type Parts = ReturnType<typeof makeParts>;

/** Everything stops, and the node joins anew once it is at rest. */
const endSession = ({ presence, work }: Parts): void => {
  presence.renew();
  work.setSession(presence.session());
};

const checkDeadline = (parts: Parts, nowMs: number): void => {
  const { life, presence } = parts;
  const deadlineMs = presence.deadlineMs();
  if (deadlineMs === null) return;
  if (nowMs < deadlineMs) return life.send({ type: 'heard', isFollowing: presence.isFollowing() });
  life.send({ type: 'deadline' });
  if (life.state() !== 'isolated') endSession(parts);
};

const beat = ({ life, presence, refusals, work }: Parts, nowMs: number, orders: Order[]): void => {
  const told = { draining: life.isGivingBack(), refused: refusals.grouped() };
  presence.beat(nowMs, told, work.isAtRest() && life.state() !== 'leaving', orders);
  const isSteady = presence.isSteady();
  if (isSteady !== (life.state() === 'member')) life.send({ type: isSteady ? 'steady' : 'unsteady' });
};

const placeTasks = ({ options, life, presence, refusals, watched, placement, work }: Parts): void => {
  const { node, capacity, labels } = options;
  const isCandidate = presence.isSteady() && !life.isGivingBack();
  const own = isCandidate ? { capacity, labels, refused: [...refusals.all().keys()] } : null;
  work.mark(placement.setNodes(candidatesOf(watched, node, own)), placement);
};

/** When what runs drains. What goes on without a cluster never does. */
const closingMs = ({ options, presence }: Parts): number =>
  options.on_isolation === 'stop' ? presence.closingMs() : Number.POSITIVE_INFINITY;

const doWork = (parts: Parts, nowMs: number, orders: Order[]): void => {
  const { life, presence, placement, work } = parts;
  const { taking, givingBack, mayWrite } = life.conduct();
  const isLive = presence.isLive();
  const isClosing = nowMs >= closingMs(parts);
  if (parts.before !== `${taking} ${isClosing}`) work.markHeld();
  parts.before = `${taking} ${isClosing}`;
  const canWrite = isLive && mayWrite;
  work.step({ nowMs, placement, isLive, canWrite, isClosing, taking, givingBack }, orders);
};

/** What is done once in a while. */
const tidyUp = (parts: Parts, nowMs: number, orders: Order[]): void => {
  const { options, life, refusals, watched } = parts;
  if (nowMs >= parts.reconsiderMs) {
    parts.reconsiderMs = nowMs + options.lease_ms * RECONSIDER_LEASES;
    for (const task of refusals.tasks()) orders.push({ type: 'reconsider', task });
  }
  if (nowMs >= parts.forgetMs && life.state() === 'member') {
    parts.forgetMs = nowMs + options.lease_ms;
    orderForgetting(watched, options.node, options.forget_ms, orders);
  }
};

const withdraw = ({ life, presence, work }: Parts, orders: Order[]): void => {
  if (life.state() !== 'leaving' || !work.isEmpty()) return;
  const replaces = presence.revision();
  life.send({ type: replaces === 0 ? 'left' : 'emptied' });
  if (replaces > 0) orders.push({ type: 'withdraw', session: presence.session(), replaces });
};

const step = (parts: Parts, nowMs: number): readonly Order[] => {
  const { life, isCurrent } = parts;
  if (!isCurrent && life.state() === 'leaving') life.send({ type: 'left' });
  if (!isCurrent || life.state() === 'gone' || life.state() === 'withdrawing') return [];
  const orders: Order[] = [];
  checkDeadline(parts, nowMs);
  beat(parts, nowMs, orders);
  placeTasks(parts);
  doWork(parts, nowMs, orders);
  tidyUp(parts, nowMs, orders);
  withdraw(parts, orders);
  return orders;
};

const noteWrite = (
  { life, presence, work }: Parts,
  order: WriteOrder,
  result: WriteResult,
  nowMs: number,
): void => {
  if (order.type === 'beat') presence.noteResult(order.beat, order.session, result, nowMs);
  else if (order.type === 'withdraw') life.send({ type: result.kind === 'accepted' ? 'left' : 'kept' });
  else if (order.type !== 'forget') work.noteWrite(order, result, nowMs);
};

const report = ({ life, presence, refusals, work }: Parts) => {
  const state = life.state();
  const phase: MemberPhase = state === 'returning' ? 'member' : state === 'withdrawing' ? 'leaving' : state;
  return {
    phase,
    session: presence.session(),
    /** Another live daemon has the name of this node. */
    isNameTaken: presence.isNameTaken(),
    /** Times the deadline was over. */
    isolations: life.isolations(),
    refused: refusals.all(),
    ...work.counts(),
  };
};

/** What is known of keys, tasks and nodes. */
const makeLookups = (parts: Parts) => {
  const { presence, watched, work } = parts;
  return {
    /** Returns the epoch of the lease of a key, or null when this node does not hold it. */
    epochOf: (key: string): number | null =>
      presence.isLive() && work.holds(key) ? work.leaseOf(key).epoch : null,
    /** Node that holds a key by a valid lease. */
    holderOf: (key: string): string | null => {
      const holder = holderOf(work.leaseOf(key));
      return holder !== null && watched.isAlive(holder.node, holder.session) ? holder.node : null;
    },
    /** Returns the name of the task of a key, or null when no task has it. */
    taskOf: (key: string): string | null =>
      parts.table.tasks[parts.table.taskOfKey.get(key) ?? -1]?.name ?? null,
    /** Returns the node that should hold a task, or null when none can. */
    ownerOf: (task: string): string | null => {
      const number = parts.table.numberOfTask.get(task);
      return number === undefined ? null : parts.placement.ownerOf(number);
    },
    deathsOf: work.deathsOf,
    sightOf: watched.sightOf,
  };
};

/**
 * One node of a cluster, without I/O: it takes notes of what happens, and `step` returns orders.
 *
 * A driver feeds the changes of the buckets `nodes` and `leases` in the order of their watches, calls `noteCurrent`
 * after the entries that were there, and calls `step` every lease / 5, at `deadlineMs`, and after notes. It carries out
 * each order (orders.ts) at once, in order, and reports the result of each write exactly once. All times are of one monotonic clock.
 */
export type ClusterMember = ReturnType<typeof makeMember>;

export const makeMember = (options: MemberOptions) => {
  const parts = makeParts(options);
  const { life, presence, refusals, watched, work } = parts;
  return {
    noteTasks: (next: TaskTable): void => {
      parts.table = next;
      parts.placement = makePlacement(next);
      refusals.setTable(next);
      work.setTable(next);
    },
    /** The watches have delivered everything that was there, and the tasks are known. Before, nothing is ordered. */
    noteCurrent: (): void => {
      parts.isCurrent = true;
    },
    noteNode: (name: string, note: NodeNote, revision: number, nowMs: number): void => {
      if (!watched.noteDocument(name, note, revision, nowMs) || name !== options.node) return;
      if (!presence.noteSeen(note, revision, nowMs)) return;
      life.send({ type: 'replaced' });
      endSession(parts);
    },
    noteLease: work.noteLease,
    /** Takes the answer to the order `read`. Null when the leader does not answer. */
    noteRead: work.noteRead,
    noteWrite: (order: WriteOrder, result: WriteResult, nowMs: number): void =>
      noteWrite(parts, order, result, nowMs),
    /** The generator or partition of a key has stopped after `stop`, and its state is saved. */
    noteRest: work.noteRest,
    /** This node cannot run a task: it gives the task back, and the next owner takes it. */
    noteRefusal: (task: string, reason: string): void => {
      const number = parts.table.numberOfTask.get(task);
      if (number !== undefined && refusals.add(task, reason)) work.mark([number], parts.placement);
    },
    /** The reason of a refusal is gone. */
    noteAllowed: refusals.remove,
    /** Generators by key that others can run and this node cannot, whatever its tasks say, with the reason. */
    noteLacking: (generators: ReadonlyMap<string, string>): void => {
      if (refusals.setLacking(generators)) work.markHeld();
    },
    noteDrain: (isWanted: boolean): void => {
      life.send({ type: isWanted ? 'drain' : 'resume' });
      work.markHeld();
    },
    /** Gives everything back at once, then withdraws the node's document. */
    leave: (): void => {
      life.send({ type: 'leave' });
      work.markHeld();
    },
    step: (nowMs: number): readonly Order[] => step(parts, nowMs),
    /** When everything must stop unless a beat is accepted before. Null when nothing runs by leases. */
    deadlineMs: (): number | null => (life.state() === 'isolated' ? null : presence.deadlineMs()),
    /** When generators begin to drain unless a beat is accepted before; infinite when nothing runs by leases or what runs goes on. */
    closingMs: (): number => closingMs(parts),
    report: () => report(parts),
    ...makeLookups(parts),
  };
};
