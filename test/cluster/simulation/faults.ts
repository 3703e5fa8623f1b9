import fc from 'fast-check';
import type { PlacedEntry } from '../../../src/cluster/tasks.js';
import type { SimulatedNode } from './node.js';
import { FAIR, makeWorld, type Weather, type World } from './world.js';

const LEASE_MS = 15_000;
const NODES = ['a', 'b', 'c', 'd', 'e'];

const entry = (id: string, more: Partial<PlacedEntry> = {}): PlacedEntry => ({
  id,
  scenarios: [],
  partitions: 1,
  runs_on: {},
  ...more,
});

/** Startup lists between which a run changes: scenarios join and part, partitions and generators come and go. */
const LISTS: readonly (readonly PlacedEntry[])[] = [
  [
    ...Array.from({ length: 12 }, (_, i) => entry(`g${i}`)),
    entry('orders', { scenarios: ['shop'] }),
    entry('stock', { scenarios: ['shop', 'night'] }),
    entry('radio', { scenarios: ['music'] }),
    entry('fast', { partitions: 4 }),
  ],
  [
    ...Array.from({ length: 9 }, (_, i) => entry(`g${i + 6}`)),
    entry('orders', { scenarios: ['shop'] }),
    entry('stock', { scenarios: ['night'] }),
    entry('radio', { scenarios: ['music', 'shop'] }),
    entry('fast', { partitions: 2 }),
  ],
  [entry('radio', { scenarios: ['music', 'night'] }), entry('orders', { scenarios: ['shop'] })],
];

const STORM: Weather = {
  pump_ms: 400,
  lag_ms: 4_000,
  stall_ms: 40_000,
  drain_ms: 2_000,
  latency_ms: 500,
  lost_answers: 0.1,
  late_writes: 0.03,
};

interface Happening {
  readonly kind:
    | 'kill'
    | 'restart'
    | 'freeze'
    | 'cut'
    | 'heal'
    | 'drain'
    | 'resume'
    | 'down'
    | 'list'
    | 'refuse'
    | 'leave'
    | 'lose';
  readonly node: number;
  readonly wait_ms: number;
  readonly amount: number;
}

const USUAL: readonly Happening['kind'][] = [
  ...(['kill', 'restart', 'restart', 'freeze', 'cut', 'heal', 'heal'] as const),
  ...(['drain', 'resume', 'down', 'list', 'refuse', 'leave'] as const),
];

/** Seed of a world, and what happens to it. */
export type Story = [seed: number, happenings: Happening[]];

const storyOf = (kinds: readonly Happening['kind'][]) =>
  fc.tuple(
    fc.nat(),
    fc.array(
      fc.record({
        kind: fc.constantFrom<Happening['kind']>(...kinds),
        node: fc.nat(NODES.length - 1),
        wait_ms: fc.integer({ min: 0, max: 15_000 }),
        amount: fc.nat(60_000),
      }),
      { maxLength: 25 },
    ),
  );

const named = (world: World, name: string): SimulatedNode | undefined =>
  world.living().find((node) => node.name === name);

/** `isInPlace`: with the state folder of the former process. */
const restart = (world: World, name: string, isInPlace: boolean): void => {
  const old = named(world, name);
  if (old !== undefined) old.isDead = true;
  if (isInPlace) world.startAgain(name);
  else world.start(name);
};

/** Something happens to a world. */
const befall = (world: World, { kind, node, amount }: Happening, look: () => void): void => {
  const name = NODES[node] as string;
  const found = named(world, name);
  const tasks = world.table().tasks;
  switch (kind) {
    case 'kill':
      if (found !== undefined) found.isDead = true;
      return;
    case 'restart':
      return restart(world, name, amount % 4 > 0);
    case 'freeze':
      if (found !== undefined) found.frozenUntilMs = world.nowMs() + amount;
      return;
    case 'cut':
    case 'heal':
      if (found !== undefined) found.isCut = kind === 'cut';
      return;
    case 'drain':
    case 'resume':
      return found?.member.noteDrain(kind === 'drain');
    case 'leave':
      return found?.member.leave();
    case 'down':
      world.setDown(true);
      world.run(amount / 2, look);
      return world.setDown(false);
    case 'lose':
      world.setDown(true);
      world.buckets.leases.loseEnd(amount % 40);
      world.buckets.nodes.loseEnd(amount % 40);
      world.run(amount / 8, look);
      return world.setDown(false);
    case 'list':
      return world.setEntries(LISTS[amount % LISTS.length] as readonly PlacedEntry[]);
    case 'refuse':
      world.refusals.add(`${name} ${tasks[amount % tasks.length]?.name}`);
  }
};

/** All faults end. */
const calm = (world: World): void => {
  Object.assign(world.weather, FAIR);
  world.refusals.clear();
  for (const node of world.living()) {
    node.isCut = false;
    node.frozenUntilMs = Math.min(node.frozenUntilMs, world.nowMs());
    node.member.noteDrain(false);
    if (['leaving', 'gone'].includes(node.member.report().phase)) restart(world, node.name, false);
  }
  if (world.living().length === 0) restart(world, 'a', false);
};

/** Five nodes in a storm: slow watches, lost and late writes. */
export const makeHostile = (seed: number, on_isolation: 'stop' | 'continue'): World => {
  const [entries = []] = LISTS;
  const weather = { ...STORM };
  const world = makeWorld({ seed, entries, lease_ms: LEASE_MS, tick_ms: 50, weather, on_isolation });
  for (const name of NODES) world.start(name);
  return world;
};

/** Faults one after the other, then 40 s and five leases without any. `look` is called after every tick. */
export const play = (world: World, happenings: readonly Happening[], look: () => void): void => {
  for (const one of happenings) {
    world.run(one.wait_ms, look);
    befall(world, one, look);
  }
  calm(world);
  // A stalled watch comes back within 40 s.
  world.run(40_000 + LEASE_MS * 5, look);
};

/** What is not as it should be: generators that run nowhere, or not on the node that every node takes for the owner. */
export const disorder = (world: World): readonly string[] => {
  const homes = new Map(
    world.living().flatMap(({ name, active }) => active(world.nowMs()).map(([key]) => [key, name])),
  );
  return world.table().tasks.flatMap(({ name, generators }) =>
    generators.flatMap(({ key }) =>
      world
        .living()
        .filter(({ member }) => member.ownerOf(name) !== homes.get(key))
        .map(
          ({ member, name: node }) =>
            `${key} runs on ${homes.get(key)}; ${node} says ${member.ownerOf(name)}`,
        ),
    ),
  );
};

export const faults = storyOf(USUAL);
/** Servers crash together and lose what they acknowledged last. */
export const lossyFaults = storyOf([...USUAL, 'lose', 'lose', 'lose']);
