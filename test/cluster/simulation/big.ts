import type { PlacedEntry } from '../../../src/cluster/tasks.js';
import { FAIR, makeWorld, type World } from './world.js';

export interface BigOptions {
  readonly nodes: number;
  readonly tasks: number;
  readonly lease_ms: number;
  readonly seed: number;
  /** Lease writes that the servers apply in a second. */
  readonly writes_per_second: number;
}

/** One phase: what happened, how long it took, and what it cost. */
export interface BigPhase {
  readonly phase: string;
  /** Simulated, until every generator runs on its owner; `null`: not within the phase. */
  readonly seconds: number | null;
  /** Tasks that run elsewhere afterwards. */
  readonly moved: number;
  readonly moved_percent: number;
  readonly lease_writes: number;
  readonly beats_per_second: number;
  /** Highest of any second. */
  readonly lease_writes_per_second_max: number;
}

const entriesOf = (count: number): readonly PlacedEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ id: `generator-${i}`, scenarios: [], partitions: 1, runs_on: {} },
  }));

const nodeName = (i: number): string => `node-${i}`;

const holdersOf = (world: World): ReadonlyMap<string, string> => {
  const holders = new Map<string, string>();
  for (const [key, { value }] of world.buckets.leases.entries) {
    const holder = value?.holder ?? null;
    if (holder !== null && holder !== 'unreadable') holders.set(key, holder.node);
  }
  return holders;
};

/** Whether every node runs what it owns in its own view, and all runs. */
const isSettled = (world: World, tasks: number): boolean => {
  const living = world.living();
  return (
    living.reduce((sum, { runs }) => sum + runs.size, 0) === tasks &&
    living.every(({ member }) => member.report().pending === 0)
  );
};

const LOOK_MS = 500;

/** Runs a world for a time and measures it. */
const measured = (world: World, phase: string, ms: number, tasks: number): BigPhase => {
  const before = holdersOf(world);
  const begin = world.writes();
  const from = world.nowMs();
  let settledMs: number | null = null;
  let peak = 0;
  let second = { ms: from, leases: begin.leases };
  while (world.nowMs() - from < ms) {
    world.run(LOOK_MS);
    const now = world.nowMs();
    if (now - second.ms >= 1_000) {
      peak = Math.max(peak, ((world.writes().leases - second.leases) * 1_000) / (now - second.ms));
      second = { ms: now, leases: world.writes().leases };
    }
    if (!isSettled(world, tasks)) settledMs = null;
    else settledMs ??= now;
  }
  const after = holdersOf(world);
  const end = world.writes();
  const moved = [...after].filter(([key, node]) => before.has(key) && before.get(key) !== node).length;
  return {
    phase,
    seconds: settledMs === null ? null : (settledMs - from) / 1_000,
    moved,
    moved_percent: (100 * moved) / tasks,
    lease_writes: end.leases - begin.leases,
    beats_per_second: ((end.beats - begin.beats) * 1_000) / ms,
    lease_writes_per_second_max: peak,
  };
};

/** A whole cluster starts, rests, loses a node, and gains one. */
export const simulateBig = (options: BigOptions): readonly BigPhase[] => {
  const { nodes, tasks, lease_ms, seed, writes_per_second } = options;
  const weather = { ...FAIR, pump_ms: 200 };
  const world = makeWorld({
    seed,
    entries: entriesOf(tasks),
    lease_ms,
    tick_ms: 20,
    weather,
    writes_per_second,
  });
  for (let i = 0; i < nodes; i++) world.start(nodeName(i));
  const phases = [
    measured(world, 'start of all nodes', 4 * lease_ms, tasks),
    measured(world, 'rest', 2 * lease_ms, tasks),
  ];
  const [lost] = world.living();
  if (lost !== undefined) lost.isDead = true;
  phases.push(measured(world, 'a node is killed', 2 * lease_ms, tasks));
  world.start(nodeName(nodes));
  phases.push(measured(world, 'a node joins', 3 * lease_ms, tasks));
  return phases;
};
