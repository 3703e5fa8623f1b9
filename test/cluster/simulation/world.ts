import type { NodeDocument } from '../../../src/cluster/documents.js';
import type { LeaseNote } from '../../../src/cluster/leaseWrites.js';
import type { MemberOptions, WriteOrder } from '../../../src/cluster/member.js';
import type { WriteResult } from '../../../src/cluster/orders.js';
import { type PlacedEntry, type TaskTable, tasksOf, taskTable } from '../../../src/cluster/tasks.js';
import { type Random, seededRandom } from '../../../src/domain/random.js';
import { leaseOf, simulatedBucket } from './kv.js';
import { type Buckets, type SimulatedNode, simulatedNode } from './node.js';

/** How network and generators behave now, in milliseconds and chances. */
export interface Weather {
  pump_ms: number;
  lag_ms: number;
  stall_ms: number;
  drain_ms: number;
  latency_ms: number;
  /** Chance that a write is applied and its answer lost. */
  lost_answers: number;
  /** Chance that a write arrives up to 20 s late, without an answer. */
  late_writes: number;
}

export const FAIR: Weather = {
  pump_ms: 100,
  lag_ms: 20,
  stall_ms: 0,
  drain_ms: 300,
  latency_ms: 10,
  lost_answers: 0,
  late_writes: 0,
};

const TIMEOUT_MS = 2_000;
const LATE_MS = 20_000;
const EMPTY_LOAD = { generators: 0, events_per_second: 0, cpu: 0 };

export interface WorldOptions {
  readonly seed: number;
  readonly entries: readonly PlacedEntry[];
  readonly lease_ms: number;
  readonly tick_ms: number;
  readonly weather: Weather;
  /** Writes that the servers apply in a second. */
  readonly writes_per_second?: number;
  readonly on_isolation?: MemberOptions['on_isolation'];
}

export interface World {
  readonly weather: Weather;
  readonly buckets: Buckets;
  readonly nowMs: () => number;
  readonly table: () => TaskTable;
  /** Starts a daemon; one of the same name is dead. */
  readonly start: (name: string, more?: Partial<MemberOptions>) => SimulatedNode;
  /** Starts a daemon on the state folder of the former one, which is dead. */
  readonly startAgain: (name: string) => SimulatedNode;
  /** Every process that was started. */
  readonly processes: () => readonly SimulatedNode[];
  /** Last process of each name that is not dead. */
  readonly living: () => readonly SimulatedNode[];
  readonly setEntries: (entries: readonly PlacedEntry[]) => void;
  /** Cuts every node from the servers. */
  readonly setDown: (isDown: boolean) => void;
  /** `node task`: pairs that are refused. */
  readonly refusals: Set<string>;
  /** Runs for a time; `look` is called after every tick. */
  readonly run: (ms: number, look?: () => void) => void;
  readonly writes: () => { readonly beats: number; readonly leases: number; readonly forgets: number };
}

interface Operation {
  readonly order: WriteOrder;
  readonly from: SimulatedNode;
  readonly answer: (result: WriteResult) => void;
  readonly fate: 'answered' | 'lost' | 'late';
}

export const makeWorld = (options: WorldOptions): World => {
  const random: Random = seededRandom(options.seed);
  const { lease_ms, tick_ms, weather } = options;
  const buckets: Buckets = {
    nodes: simulatedBucket<NodeDocument>(),
    leases: simulatedBucket<LeaseNote>((note, revision) => ({ ...note, revision })),
  };
  const processes: SimulatedNode[] = [];
  const documents = new Map<SimulatedNode, MemberOptions>();
  const sessionsOf = new Map<SimulatedNode, readonly string[]>();
  const refusals = new Set<string>();
  const agenda = new Map<number, (() => void)[]>();
  const writes = { beats: 0, leases: 0, forgets: 0 };
  let table = taskTable(tasksOf(options.entries));
  let tick = 0;
  let sessions = 0;
  let isDown = false;
  const perTick = ((options.writes_per_second ?? Number.POSITIVE_INFINITY) * tick_ms) / 1_000;
  /** Beats are another stream than leases: they do not wait behind them. */
  const queue: Operation[] = [];
  let served = 0;

  const after = (ms: number, run: () => void): void => {
    const at = tick + Math.max(1, Math.round(ms / tick_ms));
    const found = agenda.get(at);
    if (found === undefined) agenda.set(at, [run]);
    else found.push(run);
  };

  const apply = ({ order, from }: Operation): number | null => {
    const now = tick * tick_ms;
    const { capacity, labels } = documents.get(from) as MemberOptions;
    if (order.type === 'beat') {
      writes.beats += 1;
      const { session, follows, previous, beat, draining, refused } = order;
      const document: NodeDocument = {
        ...{
          format: 2,
          session,
          follows,
          previous,
          since: 0,
          generation: {},
          version: '1',
          api: null,
          capacity,
          labels,
          beat,
          load: EMPTY_LOAD,
          local: [],
        },
        ...{ draining, refused, problems: [] },
      };
      return buckets.nodes.write(now, from.name, document, order.replaces);
    }
    if (order.type === 'withdraw') return buckets.nodes.write(now, from.name, null, order.replaces);
    if (order.type === 'forget') {
      writes.forgets += 1;
      return buckets.nodes.write(now, order.node, null, order.replaces);
    }
    writes.leases += 1;
    const { key, session, epoch, deaths, replaces } = order;
    const holder = order.type === 'release' ? null : { node: from.name, session };
    return buckets.leases.write(now, key, { revision: 0, holder, epoch, deaths }, replaces);
  };

  const beatOf = (name: string) => {
    const row = buckets.nodes.entries.get(name);
    return { revision: row?.revision ?? 0, session: row?.value?.session ?? null };
  };

  /** The leader answers after the usual time, or not at all. */
  const read = (key: string, from: SimulatedNode, answer: (lease: LeaseNote | null) => void): void => {
    if (isDown || from.isCut || random.next() < weather.lost_answers)
      return after(TIMEOUT_MS, () => answer(null));
    after(weather.latency_ms * random.next(), () => {
      const lease = leaseOf(buckets.leases.entries.get(key));
      after(weather.latency_ms * random.next(), () => answer(lease));
    });
  };

  const serve = (operation: Operation): void => {
    const { fate, answer, order, from } = operation;
    const revision = apply(operation);
    if (fate !== 'answered') return;
    const result: WriteResult =
      revision === null
        ? { kind: 'refused', found: order.type === 'beat' ? beatOf(from.name) : null }
        : { kind: 'accepted', revision };
    after(weather.latency_ms * random.next(), () => answer(result));
  };

  const send = (order: WriteOrder, from: SimulatedNode, answer: (result: WriteResult) => void): void => {
    const unknown = (): void => after(TIMEOUT_MS, () => answer({ kind: 'unknown' }));
    if (isDown || from.isCut) {
      unknown();
      return;
    }
    const drawn = random.next();
    const isLate = drawn < weather.late_writes;
    const fate = isLate ? 'late' : drawn < weather.late_writes + weather.lost_answers ? 'lost' : 'answered';
    if (fate !== 'answered') unknown();
    const operation: Operation = { order, from, answer, fate };
    after((isLate ? LATE_MS : weather.latency_ms) * random.next(), () => {
      if (order.type === 'acquire' || order.type === 'release') queue.push(operation);
      else serve(operation);
    });
  };

  const runTick = (): void => {
    tick += 1;
    for (const run of agenda.get(tick) ?? []) run();
    agenda.delete(tick);
    const until = Math.min(queue.length, served + perTick);
    for (; served < until; served++) serve(queue[served] as Operation);
    if (served > 10_000 || served === queue.length) {
      queue.splice(0, served);
      served = 0;
    }
    for (const node of processes) node.pump(tick * tick_ms);
  };

  const start: World['start'] = (name, more = {}) => {
    const drawn: string[] = [];
    const newSession = (): string => {
      sessions += 1;
      drawn.push(`session-${sessions}`);
      return `session-${sessions}`;
    };
    const memberOptions: MemberOptions = {
      ...{
        node: name,
        capacity: 1,
        labels: {},
        lease_ms,
        moves: 4,
        forget_ms: 86_400_000,
        on_isolation: options.on_isolation ?? 'stop',
      },
      ...{ former: [], newSession, firstEpoch: () => 1_000 },
      ...more,
    };
    const canRun = (task: string): boolean => !refusals.has(`${name} ${task}`);
    const node = simulatedNode(
      memberOptions,
      buckets,
      { weather, send, read },
      random.fork(`${name} ${processes.length}`),
      canRun,
    );
    node.setTable(table);
    node.isCut = isDown;
    documents.set(node, memberOptions);
    sessionsOf.set(node, drawn);
    processes.push(node);
    return node;
  };

  return {
    weather,
    buckets,
    refusals,
    start,
    startAgain: (name) => {
      const dead = processes.filter((one) => one.isDead && one.name === name);
      return start(name, { former: dead.flatMap((one) => sessionsOf.get(one) ?? []) });
    },
    nowMs: () => tick * tick_ms,
    table: () => table,
    processes: () => processes,
    living: () => processes.filter(({ isDead }) => !isDead),
    setEntries: (entries) => {
      const next = taskTable(tasksOf(entries));
      table = next;
      // Each node learns of it later; one that has learned of a newer list by then keeps that.
      for (const node of processes)
        after(weather.lag_ms * random.next(), () => {
          if (table === next) node.setTable(next);
        });
    },
    setDown: (is) => {
      isDown = is;
      for (const node of processes) node.isCut = is;
    },
    run: (ms, look) => {
      const end = tick + Math.round(ms / tick_ms);
      while (tick < end) {
        runTick();
        look?.();
      }
    },
    writes: () => ({ ...writes }),
  };
};

/** Keys of generators and scenarios that more than one process runs. */
export const doubles = (world: World): readonly string[] => {
  const holders = new Map<string, string>();
  const found: string[] = [];
  const now = world.nowMs();
  for (const [number, node] of world.processes().entries())
    for (const key of node.active(now).flat()) {
      const id = `${number} ${node.name}`;
      const other = holders.get(key) ?? id;
      if (other !== id) found.push(`${key} at ${now} ms: ${other} and ${id}`);
      holders.set(key, id);
    }
  return found;
};

/** Generators of placeable tasks that run nowhere. */
export const missing = (world: World): readonly string[] => {
  const running = new Set(
    world
      .processes()
      .flatMap((node) => node.active(world.nowMs()))
      .map(([key]) => key),
  );
  return world
    .table()
    .tasks.filter(({ problem }) => problem === null)
    .flatMap(({ generators }) => generators.map(({ key }) => key))
    .filter((key) => !running.has(key));
};
