import { leaseSubjectOf, partitionKey } from './keys.js';
import { beats, drawOf, fits, hashOfText, type WeightedNode } from './rendezvous.js';
import { type UnitTable, unitNumberOf } from './units.js';

/** A node that may own units. */
export interface PlacementNode extends WeightedNode {
  /** Names of units that it cannot run, or keys of generators in them. */
  readonly refused: readonly string[];
}

/** Owners of all units, kept up to date as nodes come and go. Equals the first of `ownersOf` for each unit. */
export interface Placement {
  /** Returns the numbers of the units whose owner changed. */
  readonly setNodes: (nodes: readonly PlacementNode[]) => readonly number[];
  /** Returns the owner of a unit, or null when no node can own it. */
  readonly ownerOf: (unit: number) => string | null;
}

interface Slot extends PlacementNode {
  readonly high: number;
  readonly low: number;
  /** By demand of the table. */
  readonly fits: readonly boolean[];
  readonly fitsAll: boolean;
}

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));

const sameLabels = (a: PlacementNode['labels'], b: PlacementNode['labels']): boolean =>
  a === b || sameTexts(Object.entries(a).flat(), Object.entries(b).flat());

const NONE = -1;

/** Units by a name that a node refuses: it may lack the generator, and then knows neither scenarios nor partitions. */
const unitsNamed = (table: UnitTable, name: string): readonly number[] => {
  const unit = table.numberOfUnit.get(name) ?? unitNumberOf(table, name);
  if (unit !== undefined) return [unit];
  const subject = leaseSubjectOf(name);
  const partitions: number[] = [];
  if (subject?.kind !== 'generator') return partitions;
  for (let index = 0; ; index++) {
    const partition = unitNumberOf(table, partitionKey(subject.id, index));
    if (partition === undefined) return partitions;
    partitions.push(partition);
  }
};

export const makePlacement = (table: UnitTable): Placement => {
  const { highs, lows, demandOfUnit, units } = table;
  /** Empty slots are filled again: owners are slot numbers. */
  const slots: (Slot | null)[] = [];
  const owners = new Int32Array(units.length).fill(NONE);
  const draws = new Float64Array(units.length);
  /** Slots that refuse a unit. */
  const refusedBy = new Map<number, Set<number>>();

  const canOwn = (unit: number, number: number, slot: Slot): boolean =>
    (slot.fitsAll ? demandOfUnit[unit] !== NONE : slot.fits[demandOfUnit[unit] as number] === true) &&
    (refusedBy.size === 0 || refusedBy.get(unit)?.has(number) !== true);

  const compare = (unit: number, number: number, slot: Slot): void => {
    if (!canOwn(unit, number, slot)) return;
    const draw = drawOf(highs[unit] as number, lows[unit] as number, slot.high, slot.low);
    const owner = owners[unit] as number;
    if (owner !== NONE) {
      const held = slots[owner] as Slot;
      const best = draws[unit] as number;
      // Most comparisons end here.
      if (draw < best && slot.capacity <= held.capacity) return;
      if (beats(held.capacity, best, slot.capacity, draw)) return;
      if (!beats(slot.capacity, draw, held.capacity, best) && held.node < slot.node) return;
    }
    owners[unit] = number;
    draws[unit] = draw;
  };

  const recompute = (unit: number): void => {
    owners[unit] = NONE;
    for (let number = 0; number < slots.length; number++) {
      const slot = slots[number];
      if (slot !== null && slot !== undefined) compare(unit, number, slot);
    }
  };

  const slotFor = ({ node, capacity, labels, refused }: PlacementNode): Slot => {
    const { high, low } = hashOfText(node);
    const fitting = table.demands.map((demand) => fits(demand, labels));
    return { node, capacity, labels, refused, high, low, fits: fitting, fitsAll: fitting.every(Boolean) };
  };

  /** Units whose refusals of a slot differ. */
  const setRefused = (
    number: number,
    before: readonly string[],
    after: readonly string[],
  ): readonly number[] => {
    if (sameTexts(before, after)) return [];
    const numbersOf = (names: readonly string[]) => names.flatMap((name) => unitsNamed(table, name));
    for (const unit of numbersOf(before)) {
      const refusing = refusedBy.get(unit);
      refusing?.delete(number);
      if (refusing?.size === 0) refusedBy.delete(unit);
    }
    for (const unit of numbersOf(after)) {
      const refusing = refusedBy.get(unit);
      if (refusing === undefined) refusedBy.set(unit, new Set([number]));
      else refusing.add(number);
    }
    return [...new Set([...numbersOf(before), ...numbersOf(after)])];
  };

  const remove = (number: number): void => {
    const slot = slots[number] as Slot;
    setRefused(number, slot.refused, []);
    slots[number] = null;
  };

  const add = (node: PlacementNode, taken: ReadonlySet<number>): number => {
    // A slot that was emptied just now still stands for the former owner of its units.
    const free = slots.findIndex((slot, number) => slot === null && !taken.has(number));
    const number = free === -1 ? slots.length : free;
    slots[number] = slotFor(node);
    setRefused(number, [], node.refused);
    return number;
  };

  /** Removes and adds slots; returns both, and units whose refusals changed. */
  const changeSlots = (nodes: readonly PlacementNode[]) => {
    const wanted = new Map(nodes.filter(({ capacity }) => capacity > 0).map((node) => [node.node, node]));
    const removed = new Set<number>();
    const touched = new Set<number>();
    for (const [number, slot] of slots.entries()) {
      if (slot === null) continue;
      const node = wanted.get(slot.node);
      if (node !== undefined && node.capacity === slot.capacity && sameLabels(node.labels, slot.labels)) {
        const differing = setRefused(number, slot.refused, node.refused);
        if (differing.length > 0) slots[number] = { ...slot, refused: node.refused };
        for (const unit of differing) touched.add(unit);
        wanted.delete(slot.node);
      } else {
        remove(number);
        removed.add(number);
      }
    }
    const added = [...wanted.values()].map((node) => add(node, removed));
    return { removed, added, touched };
  };

  const setNodes: Placement['setNodes'] = (nodes) => {
    const { removed, added, touched } = changeSlots(nodes);
    const changed: number[] = [];
    if (removed.size === 0 && added.length === 0 && touched.size === 0) return changed;
    const mayRecompute = removed.size > 0 || touched.size > 0;
    const joined = added.map((number) => [number, slots[number] as Slot] as const);
    for (let unit = 0; unit < units.length; unit++) {
      const owner = owners[unit] as number;
      if (mayRecompute && (removed.has(owner) || touched.has(unit))) recompute(unit);
      else for (const [number, slot] of joined) compare(unit, number, slot);
      if (owners[unit] !== owner) changed.push(unit);
    }
    return changed;
  };

  return {
    setNodes,
    ownerOf: (unit) => slots[owners[unit] as number]?.node ?? null,
  };
};
