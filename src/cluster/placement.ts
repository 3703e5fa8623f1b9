import type { Labels } from './documents.js';
import { leaseSubjectOf, partitionKey } from './keys.js';
import { beats, drawOf, fitsNode, hashOfText } from './rendezvous.js';
import { type TaskTable, taskNumberOf } from './tasks.js';

/** A node that may own tasks: steady, alive, not draining. */
export interface PlacementNode {
  readonly node: string;
  /** 0: owns nothing. */
  readonly capacity: number;
  readonly labels: Labels;
  /** Names of tasks that it cannot run, or keys of generators in them. */
  readonly refused: readonly string[];
}

interface Slot extends PlacementNode {
  readonly high: number;
  readonly low: number;
  /** By demand of the table. */
  readonly fits: readonly boolean[];
}

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));

const sameLabels = (a: Labels, b: Labels): boolean =>
  a === b || sameTexts(Object.entries(a).flat(), Object.entries(b).flat());

const NONE = -1;

/** Tasks by a name that a node refuses: it may lack the generator, and then knows neither scenarios nor partitions. */
const tasksNamed = (table: TaskTable, name: string): readonly number[] => {
  const task = table.numberOfTask.get(name) ?? taskNumberOf(table, name);
  if (task !== undefined) return [task];
  const subject = leaseSubjectOf(name);
  const partitions: number[] = [];
  if (subject?.kind !== 'generator') return partitions;
  for (let index = 0; ; index++) {
    const partition = taskNumberOf(table, partitionKey(subject.id, index));
    if (partition === undefined) return partitions;
    partitions.push(partition);
  }
};

export type Placement = ReturnType<typeof makePlacement>;

/** Owners of all tasks, kept up to date as nodes come and go: of each the node with the highest score (rendezvous.ts). */
export const makePlacement = (table: TaskTable) => {
  const { highs, lows, demandOfTask, tasks } = table;
  /** Empty slots are filled again: owners are slot numbers. */
  const slots: (Slot | null)[] = [];
  const owners = new Int32Array(tasks.length).fill(NONE);
  const draws = new Float64Array(tasks.length);
  /** Slots that refuse a task. */
  const refusedBy = new Map<number, Set<number>>();

  const canOwn = (task: number, number: number, slot: Slot): boolean =>
    slot.fits[demandOfTask[task] as number] === true &&
    (refusedBy.size === 0 || refusedBy.get(task)?.has(number) !== true);

  const compare = (task: number, number: number, slot: Slot): void => {
    if (!canOwn(task, number, slot)) return;
    const draw = drawOf(highs[task] as number, lows[task] as number, slot.high, slot.low);
    const owner = owners[task] as number;
    if (owner !== NONE) {
      const held = slots[owner] as Slot;
      const best = draws[task] as number;
      // Most comparisons end here.
      if (draw < best && slot.capacity <= held.capacity) return;
      if (beats(held.capacity, best, slot.capacity, draw)) return;
      if (!beats(slot.capacity, draw, held.capacity, best) && held.node < slot.node) return;
    }
    owners[task] = number;
    draws[task] = draw;
  };

  const recompute = (task: number): void => {
    owners[task] = NONE;
    for (let number = 0; number < slots.length; number++) {
      const slot = slots[number];
      if (slot !== null && slot !== undefined) compare(task, number, slot);
    }
  };

  const slotFor = ({ node, capacity, labels, refused }: PlacementNode): Slot => {
    const { high, low } = hashOfText(node);
    const fits = table.demands.map((demand) => fitsNode(demand, labels));
    return { node, capacity, labels, refused, high, low, fits };
  };

  /** Tasks whose refusals of a slot differ. */
  const setRefused = (
    number: number,
    before: readonly string[],
    after: readonly string[],
  ): readonly number[] => {
    if (sameTexts(before, after)) return [];
    const numbersOf = (names: readonly string[]) => names.flatMap((name) => tasksNamed(table, name));
    for (const task of numbersOf(before)) {
      const refusing = refusedBy.get(task);
      refusing?.delete(number);
      if (refusing?.size === 0) refusedBy.delete(task);
    }
    for (const task of numbersOf(after)) {
      refusedBy.set(task, (refusedBy.get(task) ?? new Set()).add(number));
    }
    return [...new Set([...numbersOf(before), ...numbersOf(after)])];
  };

  const add = (node: PlacementNode, taken: ReadonlySet<number>): number => {
    // A slot that was emptied just now still stands for the former owner of its tasks.
    const free = slots.findIndex((slot, number) => slot === null && !taken.has(number));
    const number = free === -1 ? slots.length : free;
    slots[number] = slotFor(node);
    setRefused(number, [], node.refused);
    return number;
  };

  /** Removes and adds slots; returns both, and tasks whose refusals changed. */
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
        for (const task of differing) touched.add(task);
        wanted.delete(slot.node);
      } else {
        setRefused(number, slot.refused, []);
        slots[number] = null;
        removed.add(number);
      }
    }
    const added = [...wanted.values()].map((node) => add(node, removed));
    return { removed, added, touched };
  };

  /** Returns the numbers of the tasks whose owner changed. */
  const setNodes = (nodes: readonly PlacementNode[]): readonly number[] => {
    const { removed, added, touched } = changeSlots(nodes);
    const changed: number[] = [];
    if (removed.size === 0 && added.length === 0 && touched.size === 0) return changed;
    const mayRecompute = removed.size > 0 || touched.size > 0;
    const joined = added.map((number) => [number, slots[number] as Slot] as const);
    for (let task = 0; task < tasks.length; task++) {
      const owner = owners[task] as number;
      if (mayRecompute && (removed.has(owner) || touched.has(task))) recompute(task);
      else for (const [number, slot] of joined) compare(task, number, slot);
      if (owners[task] !== owner) changed.push(task);
    }
    return changed;
  };

  return {
    setNodes,
    /** Returns the owner of a task, or null when no node can own it. */
    ownerOf: (task: number): string | null => slots[owners[task] as number]?.node ?? null,
  };
};
