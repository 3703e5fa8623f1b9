import type { NodeDocument } from '../../../src/cluster/documents.js';
import type { LeaseNote } from '../../../src/cluster/leaseWrites.js';
import {
  type ClusterMember,
  type MemberOptions,
  makeMember,
  type Order,
  type WriteOrder,
} from '../../../src/cluster/member.js';
import type { WriteResult } from '../../../src/cluster/orders.js';
import type { TaskTable } from '../../../src/cluster/tasks.js';
import type { Random } from '../../../src/domain/random.js';
import { type BucketRow, leaseOf, type SimulatedBucket } from './kv.js';

export interface Buckets {
  readonly nodes: SimulatedBucket<NodeDocument>;
  readonly leases: SimulatedBucket<LeaseNote>;
}

/** How the network and the generators of a node behave, all in milliseconds. */
export interface Manners {
  /** It may change at any time. */
  readonly weather: NodeWeather;
  readonly read: (key: string, from: SimulatedNode, answer: (lease: LeaseNote | null) => void) => void;
  /** Sends a write; `answer` is called later, or never when the node dies. */
  readonly send: (order: WriteOrder, from: SimulatedNode, answer: (result: WriteResult) => void) => void;
}

interface NodeWeather {
  readonly pump_ms: number;
  /** Longest delay of a watch. */
  readonly lag_ms: number;
  /** Longest time in which a watch delivers nothing, once in 1,000 looks. */
  readonly stall_ms: number;
  /** Longest time to drain; stops at once take at most a second of it. */
  readonly drain_ms: number;
}

interface RunningHere {
  restMs: number | null;
  /** Its key and those of its scenarios when it was started. */
  readonly keys: readonly string[];
  /** Its deadline was over while the process did not run: nothing is written any more. */
  isFenced: boolean;
}

/** A process of a daemon: a member and what a driver does for it. */
export interface SimulatedNode {
  readonly name: string;
  readonly member: ClusterMember;
  readonly runs: ReadonlyMap<string, RunningHere>;
  isDead: boolean;
  isCut: boolean;
  frozenUntilMs: number;
  /** Run orders so far. */
  readonly counts: { runs: number; stops: number };
  /** Does what is due. */
  readonly pump: (nowMs: number) => void;
  /** Generators that write events now: keys of each with those of its scenarios. */
  readonly active: (nowMs: number) => readonly (readonly string[])[];
  readonly setTable: (table: TaskTable) => void;
}

interface Reader<A> {
  readonly bucket: SimulatedBucket<A>;
  position: number;
  losses: number;
  /** Revisions that it has delivered, by key. */
  readonly seen: Map<string, number>;
  lag_ms: number;
  stalledUntilMs: number;
}

const MAX_STOP_MS = 1_000;

export const simulatedNode = (
  options: MemberOptions,
  buckets: Buckets,
  { weather, read, send }: Manners,
  random: Random,
  canRun: (task: string) => boolean,
): SimulatedNode => {
  const { node: name } = options;
  const member = makeMember(options);
  const runs = new Map<string, RunningHere>();
  const answers: (() => void)[] = [];
  /** The node's own clock begins anywhere and is a little fast or slow. */
  const origin = random.next() * 1e6;
  const rate = 0.995 + random.next() * 0.01;
  const own = (nowMs: number): number => origin + nowMs * rate;
  const from = <A>(bucket: SimulatedBucket<A>) => ({
    rows: [...bucket.entries.values()],
    position: bucket.log.length,
  });
  const first = { nodes: from(buckets.nodes), leases: from(buckets.leases) };
  const reader = <A>(bucket: SimulatedBucket<A>, position: number): Reader<A> => ({
    ...{ bucket, position, losses: bucket.losses(), seen: new Map(), lag_ms: 0, stalledUntilMs: 0 },
  });
  const readers = {
    nodes: reader(buckets.nodes, first.nodes.position),
    leases: reader(buckets.leases, first.leases.position),
  };
  let table: TaskTable | null = null;
  let isCurrent = false;
  let nextMs = 0;
  /** Last deadline that the pipelines were told. */
  let deadlineMs = Number.POSITIVE_INFINITY;

  /** As a watch does whose servers come back. */
  const listAgain = <A>(reader: Reader<A>, nowMs: number, take: (row: BucketRow<A>) => void): void => {
    const { bucket, seen } = reader;
    reader.losses = bucket.losses();
    reader.position = bucket.log.length;
    for (const [key, revision] of [...seen]) {
      const row = bucket.entries.get(key);
      if (row?.revision === revision) continue;
      if (row === undefined) take({ atMs: nowMs, key, value: null, revision: reader.position });
      seen.delete(key);
    }
    for (const row of bucket.entries.values()) {
      if (seen.get(row.key) === row.revision) continue;
      seen.set(row.key, row.revision);
      take(row);
    }
  };

  const deliver = <A>(reader: Reader<A>, nowMs: number, take: (row: BucketRow<A>) => void): void => {
    if (nowMs < reader.stalledUntilMs) return;
    const { bucket, seen } = reader;
    if (reader.losses !== bucket.losses()) listAgain(reader, nowMs, take);
    for (; reader.position < bucket.log.length; reader.position++) {
      const row = bucket.log[reader.position] as BucketRow<A>;
      if (row.atMs + reader.lag_ms > nowMs) break;
      seen.set(row.key, row.revision);
      take(row);
    }
    const { lag_ms, stall_ms } = weather;
    if (random.next() < 0.001) reader.stalledUntilMs = nowMs + random.next() * stall_ms;
    if (random.next() < 0.1) reader.lag_ms = random.next() * lag_ms;
  };

  const takeNode = (nowMs: number) => (row: BucketRow<NodeDocument>) =>
    member.noteNode(row.key, row.value, row.revision, own(nowMs));
  const takeLease = (nowMs: number) => (row: BucketRow<LeaseNote>) =>
    member.noteLease(row.key, leaseOf(row), own(nowMs));

  const catchUp = (nowMs: number): void => {
    if (isCurrent || table === null) return;
    isCurrent = true;
    member.noteTasks(table);
    for (const row of first.nodes.rows) readers.nodes.seen.set(row.key, row.revision);
    for (const row of first.leases.rows) readers.leases.seen.set(row.key, row.revision);
    for (const row of first.nodes.rows) takeNode(nowMs)(row);
    for (const row of first.leases.rows) takeLease(nowMs)(row);
    member.noteCurrent();
  };

  const obey = (order: Order, nowMs: number): void => {
    switch (order.type) {
      case 'run': {
        if (runs.has(order.key)) throw new Error(`${name} runs ${order.key} twice`);
        node.counts.runs += 1;
        const task = table?.tasks[table.taskOfKey.get(order.key) ?? -1];
        const generator = task?.generators.find(({ key }) => key === order.key);
        const keys = [order.key, ...(generator?.scenarios ?? [])];
        runs.set(order.key, { restMs: null, keys, isFenced: false });
        if (task !== undefined && !canRun(task.name)) member.noteRefusal(task.name, 'no secret');
        return;
      }
      case 'stop': {
        const run = runs.get(order.key);
        if (run === undefined) throw new Error(`${name} stops ${order.key}, which does not run`);
        node.counts.stops += 1;
        const longest = order.isLost ? Math.min(MAX_STOP_MS, weather.drain_ms) : weather.drain_ms;
        run.restMs = Math.min(run.restMs ?? Number.POSITIVE_INFINITY, nowMs + random.next() * longest);
        return;
      }
      case 'reconsider':
        if (canRun(order.task)) member.noteAllowed(order.task);
        return;
      case 'read':
        read(order.key, node, (lease) => {
          answers.push(() => member.noteRead(order.key, order.read, lease, own(nowOfPump)));
        });
        return;
      default:
        send(order, node, (result) => {
          answers.push(() => member.noteWrite(order, result, own(nowOfPump)));
        });
    }
  };
  let nowOfPump = 0;

  const rest = (nowMs: number): void => {
    for (const [key, { restMs }] of runs)
      if (restMs !== null && restMs <= nowMs) {
        runs.delete(key);
        member.noteRest(key);
      }
  };

  const step = (nowMs: number): void => {
    for (const order of member.step(own(nowMs))) obey(order, nowMs);
    deadlineMs = member.deadlineMs() ?? deadlineMs;
  };

  const pump = (nowMs: number): void => {
    if (node.isDead || nowMs < node.frozenUntilMs || nowMs < nextMs) return;
    nowOfPump = nowMs;
    // A process that was frozen finds its deadline over before it writes.
    const isLate = own(nowMs) >= deadlineMs && node.frozenUntilMs > nextMs;
    if (isLate && options.on_isolation === 'stop') {
      for (const run of runs.values()) run.isFenced = true;
      step(nowMs);
    }
    nextMs = nowMs + weather.pump_ms * (0.2 + 0.8 * random.next());
    catchUp(nowMs);
    if (random.next() < 0.2) step(nowMs);
    const takeAnswers = (): void => {
      for (const answer of answers.splice(0)) answer();
    };
    const takeWatches = (): void => {
      if (node.isCut) return;
      deliver(readers.leases, nowMs, takeLease(nowMs));
      deliver(readers.nodes, nowMs, takeNode(nowMs));
    };
    for (const take of random.next() < 0.5 ? [takeAnswers, takeWatches] : [takeWatches, takeAnswers]) take();
    rest(nowMs);
    step(nowMs);
    rest(nowMs);
  };

  const node: SimulatedNode = {
    name,
    member,
    runs,
    isDead: false,
    isCut: false,
    frozenUntilMs: 0,
    counts: { runs: 0, stops: 0 },
    pump,
    active: (nowMs) =>
      node.isDead || nowMs < node.frozenUntilMs
        ? []
        : [...runs].filter(([, run]) => !run.isFenced).map(([, { keys }]) => keys),
    setTable: (next) => {
      table = next;
      if (isCurrent) member.noteTasks(next);
    },
  };
  return node;
};
