import type { Labels } from './documents.js';
import { generatorKey, partitionKey, scenarioKey } from './keys.js';
import { hashOfText } from './rendezvous.js';

/** What placement needs of an entry of the startup list. */
export interface PlacedEntry {
  readonly id: string;
  readonly scenarios: readonly string[];
  /** 1: not partitioned. */
  readonly partitions: number;
  readonly runs_on: Labels;
  readonly autostart: boolean;
}

/** A generator of a unit, or one partition of one. */
export interface UnitGenerator {
  readonly id: string;
  /** Index of the partition, from 0. Null when the generator is not partitioned. */
  readonly partition: number | null;
  /** Its lease key. */
  readonly key: string;
  /** Lease keys of its scenarios. */
  readonly scenarios: readonly string[];
  readonly autostart: boolean;
}

/** What is placed as a whole: connected scenarios with their members, one generator, or one partition. */
export interface Unit {
  /** One of its keys: it changes only when the unit's first scenario does. */
  readonly name: string;
  /** Lease keys of its scenarios and generators, sorted. */
  readonly keys: readonly string[];
  /** Labels that a node must have. */
  readonly runs_on: Labels;
  /** Sorted by key. */
  readonly generators: readonly UnitGenerator[];
  /** Why no node can take it. Null when there is no problem. */
  readonly problem: string | null;
}

/** Order of UTF-16 units: the same on every machine, whatever its locale. */
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort(byCodeUnits);

/** Groups of connected names. */
const makeGroups = () => {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    for (let at = name; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  const join = (a: string, b: string): void => {
    parents.set(rootOf(a), rootOf(b));
  };
  return { rootOf, join };
};

/** All labels of the members, and the first conflict. */
const joinedLabels = (entries: readonly PlacedEntry[]): Pick<Unit, 'runs_on' | 'problem'> => {
  const joined = new Map<string, { readonly value: string; readonly id: string }>();
  let problem: string | null = null;
  for (const { id, runs_on } of entries)
    for (const [label, value] of Object.entries(runs_on)) {
      const other = joined.get(label);
      if (other === undefined) joined.set(label, { value, id });
      else if (other.value !== value)
        problem ??= `runs_on.${label}: generators "${other.id}" and "${id}" share scenarios but ask for "${other.value}" and "${value}". Use one value.`;
    }
  return { runs_on: Object.fromEntries([...joined].map(([label, { value }]) => [label, value])), problem };
};

const generatorOf = (entry: PlacedEntry): UnitGenerator => ({
  id: entry.id,
  partition: null,
  key: generatorKey(entry.id),
  scenarios: sorted(entry.scenarios.map(scenarioKey)),
  autostart: entry.autostart,
});

/** A unit of connected entries, or of one that is in no scenario. */
const unitOf = (members: readonly PlacedEntry[]): Unit => {
  const entries = [...members].sort((a, b) => byCodeUnits(a.id, b.id));
  const generators = entries.map(generatorOf).sort((a, b) => byCodeUnits(a.key, b.key));
  const scenarios = sorted(generators.flatMap((one) => one.scenarios));
  const keys = sorted([...scenarios, ...generators.map(({ key }) => key)]);
  return { name: scenarios[0] ?? keys[0] ?? '', keys, generators, ...joinedLabels(entries) };
};

const partitionsOf = ({ id, partitions, scenarios, runs_on, autostart }: PlacedEntry): readonly Unit[] => {
  const problem =
    scenarios.length > 0 ? `generator "${id}" has partitions and scenarios. Remove one of them.` : null;
  return Array.from({ length: partitions }, (_, partition) => {
    const key = partitionKey(id, partition);
    const generator = { id, partition, key, scenarios: [], autostart };
    return { name: key, keys: [key], runs_on, generators: [generator], problem };
  });
};

/** Units of a startup list, sorted by name: the same for any order of the entries. Of equal ids the first counts. */
export const unitsOf = (list: readonly PlacedEntry[]): readonly Unit[] => {
  const entries = [...new Map([...list].reverse().map((entry) => [entry.id, entry])).values()];
  const groups = makeGroups();
  const whole = entries.filter(({ partitions }) => partitions <= 1);
  for (const { scenarios } of whole)
    for (const scenario of scenarios) groups.join(scenario, scenarios[0] as string);
  const members = new Map<string, PlacedEntry[]>();
  for (const entry of whole) {
    const [first] = entry.scenarios;
    const group = first === undefined ? generatorKey(entry.id) : scenarioKey(groups.rootOf(first));
    const found = members.get(group);
    if (found === undefined) members.set(group, [entry]);
    else found.push(entry);
  }
  return [
    ...[...members.values()].map(unitOf),
    ...entries.filter(({ partitions }) => partitions > 1).flatMap(partitionsOf),
  ].sort((a, b) => byCodeUnits(a.name, b.name));
};

/** Units by number, so that 100,000 of them take little memory and are compared in milliseconds. Never changes. */
export interface UnitTable {
  readonly units: readonly Unit[];
  readonly numberOfUnit: ReadonlyMap<string, number>;
  /** Lease keys by number; those of a unit follow each other. */
  readonly keys: readonly string[];
  readonly numberOfKey: ReadonlyMap<string, number>;
  /** Unit of a key, both as numbers. */
  readonly unitOfKey: Int32Array;
  /** Number of the first key of a unit; one more entry than units. */
  readonly firstKeys: Int32Array;
  readonly highs: Int32Array;
  readonly lows: Int32Array;
  /** Different `runs_on` of the units. */
  readonly demands: readonly Labels[];
  /** Index of `demands` by unit; -1: the unit has a problem. */
  readonly demandOfUnit: Int32Array;
}

/** Number of the unit of a lease key. Undefined when it is the key of no unit. */
export const unitNumberOf = ({ numberOfKey, unitOfKey }: UnitTable, key: string): number | undefined => {
  const number = numberOfKey.get(key);
  return number === undefined ? undefined : unitOfKey[number];
};

/** Table of units from `unitsOf`. */
export const unitTable = (units: readonly Unit[]): UnitTable => {
  const keys = units.flatMap((unit) => unit.keys);
  const unitOfKey = new Int32Array(keys.length);
  const firstKeys = new Int32Array(units.length + 1);
  const [highs, lows, demandOfUnit] = [0, 0, 0].map(() => new Int32Array(units.length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const demands = new Map<string, { readonly number: number; readonly labels: Labels }>();
  let key = 0;
  for (const [number, unit] of units.entries()) {
    const { high, low } = hashOfText(unit.name);
    highs[number] = high;
    lows[number] = low;
    const text = JSON.stringify(Object.entries(unit.runs_on).sort());
    if (!demands.has(text)) demands.set(text, { number: demands.size, labels: unit.runs_on });
    demandOfUnit[number] = unit.problem === null ? (demands.get(text)?.number ?? -1) : -1;
    firstKeys[number] = key;
    unitOfKey.fill(number, key, key + unit.keys.length);
    key += unit.keys.length;
  }
  firstKeys[units.length] = key;
  return {
    units,
    numberOfUnit: new Map(units.map(({ name }, number) => [name, number])),
    keys,
    numberOfKey: new Map(keys.map((one, number) => [one, number])),
    unitOfKey,
    firstKeys,
    highs,
    lows,
    demands: [...demands.values()].map(({ labels }) => labels),
    demandOfUnit,
  };
};

export const NO_UNITS: UnitTable = unitTable([]);
