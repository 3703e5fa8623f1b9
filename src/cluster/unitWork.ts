import { makeGeneratorsHere } from './generatorsHere.js';
import type { WriteResult } from './heartbeat.js';
import type { LeaseNote, Leases } from './leases.js';
import { makeLeaseWrites, type Takeovers } from './leaseWrites.js';
import type { Conduct } from './life.js';
import type { LeaseOrder, Order } from './orders.js';
import type { Placement } from './placement.js';
import { NO_UNITS, type UnitTable, unitNumberOf } from './units.js';
import type { WatchedNodes } from './watchedNodes.js';

/** What a node may do in a step. */
export interface Situation extends Pick<Conduct, 'taking' | 'givingBack'> {
  readonly nowMs: number;
  readonly placement: Placement;
  /** Generators may run by the leases of the session. */
  readonly isLive: boolean;
  readonly canWrite: boolean;
  /** Generators drain, because the deadline is near. */
  readonly isClosing: boolean;
}

export interface UnitCounts extends Takeovers {
  /** Lease keys of this session. */
  readonly held: number;
  /** Generators and partitions that may run. */
  readonly running: number;
  /** Units that wait for keys, for rest or for their turn. */
  readonly pending: number;
  /** Units given back. */
  readonly moves: number;
}

/** Units of one node: takes, runs, stops and gives back. */
export interface UnitWork {
  readonly setTable: (table: UnitTable) => void;
  /** The leases of the former session are no longer this node's. */
  readonly setSession: (session: string) => void;
  /** Looks at these units in the next step, as far as they are owned or held here. */
  readonly mark: (units: readonly number[], placement: Placement) => void;
  /** Looks at all units that are held here, or were in a former session. */
  readonly markHeld: () => void;
  readonly noteLease: (key: string, lease: LeaseNote, nowMs: number) => void;
  readonly noteRead: (key: string, read: number, lease: LeaseNote | null, nowMs: number) => void;
  readonly noteWrite: (order: LeaseOrder, result: WriteResult, nowMs: number) => void;
  readonly noteRest: (key: string) => void;
  readonly step: (situation: Situation, orders: Order[]) => void;
  /** This node may run by the lease of the key. */
  readonly holds: (key: string) => boolean;
  /** Nodes in a row that were lost while they held the unit of a key. */
  readonly deathsOf: (key: string) => number;
  /** Nothing runs or stops. */
  readonly isAtRest: () => boolean;
  /** At rest, and no key is held. */
  readonly isEmpty: () => boolean;
  readonly counts: () => UnitCounts;
}

interface Options {
  readonly node: string;
  readonly moves: number;
  readonly lease_ms: number;
  readonly leases: Leases;
  readonly watched: WatchedNodes;
  readonly firstEpoch: () => number;
  readonly isRefused: (unit: string) => boolean;
  /** Sessions of this node whose process is dead. */
  readonly former: ReadonlySet<string>;
}

export const makeUnitWork = (options: Options): UnitWork => {
  const { node, moves, leases, watched, isRefused } = options;
  const writes = makeLeaseWrites(options, leases, watched);
  const generators = makeGeneratorsHere(writes.isUsable, (key) => leases.of(key).epoch);
  let table = NO_UNITS;
  /** Units to look at, because something changed or is unfinished. */
  let pending = new Set<number>();
  /** Units whose keys wait for other writes. */
  const wanting = new Set<number>();
  /** Units that stop or are given back; each goes through to its end. */
  const leaving = new Set<number>();
  /** Units that wait until fewer are leaving. */
  const queued = new Set<number>();
  /** Keys of no unit that are held or run. */
  const orphans = new Set<string>();
  let moved = 0;

  const mark = (key: string): void => {
    const unit = unitNumberOf(table, key);
    if (unit === undefined) orphans.add(key);
    else pending.add(unit);
  };

  const hasMine = (unit: number): boolean => {
    const end = table.firstKeys[unit + 1] as number;
    for (let key = table.firstKeys[unit] as number; key < end; key++)
      if (writes.isMine(leases.at(key))) return true;
    return false;
  };

  const release = (keys: readonly string[], { canWrite, nowMs }: Situation, orders: Order[]): void => {
    if (canWrite) for (const key of keys) if (!generators.isUsed(key)) writes.release(key, nowMs, orders);
  };

  const shouldLeave = (unit: number, { placement, givingBack }: Situation): 'at once' | 'in turn' | 'no' => {
    if (givingBack === 'all' || isRefused(table.units[unit]?.name ?? '')) return 'at once';
    if (givingBack === 'some') return 'in turn';
    if (givingBack === 'none') return 'no';
    const owner = placement.ownerOf(unit);
    return owner !== null && owner !== node ? 'in turn' : 'no';
  };

  /** Lets a unit leave when it should and may. */
  const startLeaving = (unit: number, situation: Situation): void => {
    if (leaving.has(unit)) return;
    const when = shouldLeave(unit, situation);
    if (when === 'in turn' && leaving.size >= moves) queued.add(unit);
    else if (when !== 'no') leaving.add(unit);
  };

  /** Orders missing keys of a unit. Returns whether to look again in the next step. */
  const acquire = (unit: number, keys: readonly string[], situation: Situation, orders: Order[]): boolean => {
    if (situation.taking === 'none') return true;
    for (const key of keys) if (writes.acquire(key, situation.nowMs, orders)) wanting.add(unit);
    return !wanting.has(unit);
  };

  /** Returns whether to look again in the next step. */
  const look = (unit: number, situation: Situation, orders: Order[]): boolean => {
    const { keys, generators: members } = table.units[unit] as UnitTable['units'][number];
    const mine = keys.filter((key) => writes.isMine(leases.of(key)));
    if (mine.length > 0) startLeaving(unit, situation);
    const isLeaving = leaving.has(unit);
    let areSettled = true;
    for (const generator of members)
      if (!generators.settle(generator, isLeaving || situation.isClosing, situation.isLive, orders))
        areSettled = false;
    if (!isLeaving) {
      const givenUp = mine.filter((key) => !writes.isUsable(key));
      release(givenUp, situation, orders);
      const isFormer = (key: string): boolean => writes.isFormer(leases.of(key));
      const isWanted =
        situation.taking === 'former'
          ? keys.some(isFormer) && !isRefused(table.units[unit]?.name ?? '')
          : situation.placement.ownerOf(unit) === node;
      if (mine.length < keys.length && isWanted) return acquire(unit, keys, situation, orders);
      return !areSettled || givenUp.length > 0;
    }
    if (areSettled) release(mine, situation, orders);
    if (areSettled && mine.length === 0) {
      leaving.delete(unit);
      moved += 1;
    }
    // Once it has left, the next step finds out whether it is wanted again.
    return true;
  };

  /** Stops and releases a key of no unit; returns whether there is more to do. */
  const lookAtOrphan = (key: string, situation: Situation, orders: Order[]): boolean => {
    const isAtRest = generators.stopOrphan(key, situation.isLive, orders);
    const isHeld = writes.isMine(leases.of(key));
    if (isAtRest && isHeld) release([key], situation, orders);
    return !isAtRest || isHeld;
  };

  /** Looks at units in turn while there is room. */
  const takeTurns = (
    units: Set<number>,
    hasRoom: () => boolean,
    situation: Situation,
    orders: Order[],
  ): void => {
    for (const unit of units) {
      if (!hasRoom()) return;
      units.delete(unit);
      if (look(unit, situation, orders)) pending.add(unit);
    }
  };

  const markHeld = (): void => {
    for (const key of writes.held()) mark(key);
    for (const key of generators.keys()) mark(key);
    for (const [number, key] of table.keys.entries()) if (writes.isFormer(leases.at(number))) mark(key);
  };

  return {
    setTable: (next) => {
      table = next;
      for (const set of [pending, wanting, leaving, queued, orphans]) set.clear();
      writes.forgetRetries();
      markHeld();
    },
    setSession: (next) => {
      writes.setSession(next);
      for (const set of [leaving, queued, wanting]) set.clear();
      for (const key of generators.keys()) mark(key);
    },
    mark: (units, placement) => {
      for (const unit of units) if (placement.ownerOf(unit) === node || hasMine(unit)) pending.add(unit);
    },
    markHeld,
    noteLease: (key, lease, nowMs) => {
      const wasMine = writes.isMine(leases.of(key));
      writes.noteLease(key, lease, nowMs);
      if (wasMine || writes.isMine(lease) || generators.isUsed(key)) mark(key);
    },
    holds: writes.isUsable,
    noteRead: (key, read, lease, nowMs) => {
      writes.noteRead(key, read, lease, nowMs);
      mark(key);
    },
    noteWrite: (order, result, nowMs) => {
      writes.noteResult(order, result, nowMs);
      mark(order.key);
    },
    noteRest: (key) => {
      for (const one of generators.noteRest(key)) mark(one);
    },
    step: (situation, orders) => {
      const marked = pending;
      pending = new Set();
      for (const unit of marked) if (look(unit, situation, orders)) pending.add(unit);
      for (const key of orphans) if (!lookAtOrphan(key, situation, orders)) orphans.delete(key);
      takeTurns(queued, () => leaving.size < moves, situation, orders);
      takeTurns(wanting, () => !writes.isFull(), situation, orders);
      if (situation.isLive) writes.orderReads(situation.nowMs, orders);
    },
    deathsOf: (key) => {
      const unit = table.units[unitNumberOf(table, key) ?? -1];
      return Math.max(0, ...(unit?.keys ?? []).map((one) => leases.of(one).deaths));
    },
    isAtRest: () => generators.size() === 0,
    isEmpty: () => generators.size() === 0 && writes.held().size === 0 && writes.isIdle(),
    counts: () => ({
      held: writes.held().size,
      running: generators.running(),
      pending: pending.size + wanting.size + queued.size + orphans.size,
      moves: moved,
      ...writes.takeovers(),
    }),
  };
};
