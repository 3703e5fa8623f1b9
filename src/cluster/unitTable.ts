import type { Labels } from './documents.js';
import { hashOfText } from './rendezvous.js';
import type { Unit } from './units.js';

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
