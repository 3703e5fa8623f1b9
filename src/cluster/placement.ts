import { partitionId } from '../domain/partitions.js';
import type { Labels } from './documents.js';
import { generatorKey, leaseSubjectOf } from './keys.js';
import { beats, drawOf, fitsNode, hashOfText } from './rendezvous.js';
import type { TaskTable } from './tasks.js';

/** A node that may own tasks: steady, alive, not draining. */
export interface PlacementNode {
  readonly node: string;
  /** 0: owns nothing. */
  readonly capacity: number;
  readonly labels: Labels;
  /** Names of tasks that it cannot run, or keys of generators in them. */
  readonly refused: readonly string[];
}

/** A node with what is computed of it once. It is replaced when the node changes. */
interface Slot extends PlacementNode {
  readonly high: number;
  readonly low: number;
  /** By demand of the table. */
  readonly fits: readonly boolean[];
  readonly refusedTasks: ReadonlySet<number>;
}

export const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((text, i) => text === b[i]));

const sameLabels = (a: Labels, b: Labels): boolean =>
  a === b || sameTexts(Object.entries(a).flat(), Object.entries(b).flat());

const isSame = (a: PlacementNode, b: PlacementNode): boolean =>
  a.capacity === b.capacity && sameLabels(a.labels, b.labels) && sameTexts(a.refused, b.refused);

/** Tasks by a name that a node refuses: it may lack the generator, and then knows neither scenarios nor partitions. */
const tasksNamed = (table: TaskTable, name: string): readonly number[] => {
  const task = table.numberOfTask.get(name) ?? table.taskOfKey.get(name);
  if (task !== undefined) return [task];
  const subject = leaseSubjectOf(name);
  const partitions: number[] = [];
  if (subject?.kind !== 'generator') return partitions;
  for (let index = 0; ; index++) {
    const partition = table.taskOfKey.get(generatorKey(partitionId(subject.name, index)));
    if (partition === undefined) return partitions;
    partitions.push(partition);
  }
};

export type Placement = ReturnType<typeof makePlacement>;

/** Owners of all tasks, kept up to date as nodes come and go: of each the node with the highest score (rendezvous.ts). */
export const makePlacement = (table: TaskTable) => {
  const { highs, lows, demandOfTask, tasks } = table;
  let slots: ReadonlyMap<string, Slot> = new Map();
  const owners = new Array<Slot | null>(tasks.length).fill(null);
  const draws = new Float64Array(tasks.length);

  /** Makes a node the owner of a task, if it can be and beats the owner so far. */
  const compare = (task: number, slot: Slot): void => {
    if (slot.fits[demandOfTask[task] as number] !== true || slot.refusedTasks.has(task)) return;
    const draw = drawOf(highs[task] as number, lows[task] as number, slot.high, slot.low);
    const held = owners[task] as Slot | null;
    if (held !== null) {
      const best = draws[task] as number;
      // Most comparisons end here.
      if (draw < best && slot.capacity <= held.capacity) return;
      if (beats(held.capacity, best, slot.capacity, draw)) return;
      if (!beats(slot.capacity, draw, held.capacity, best) && held.node < slot.node) return;
    }
    owners[task] = slot;
    draws[task] = draw;
  };

  const slotFor = (node: PlacementNode): Slot => ({
    ...node,
    ...hashOfText(node.node),
    fits: table.demands.map((demand) => fitsNode(demand, node.labels)),
    refusedTasks: new Set(node.refused.flatMap((name) => tasksNamed(table, name))),
  });

  /** Takes the nodes, and keeps the slots of those that have not changed. Returns the others of before and after. */
  const exchange = (nodes: readonly PlacementNode[]) => {
    const before = slots;
    slots = new Map(
      nodes
        .filter(({ capacity }) => capacity > 0)
        .map((node) => {
          const slot = before.get(node.node);
          return [node.node, slot !== undefined && isSame(slot, node) ? slot : slotFor(node)];
        }),
    );
    const removed = new Set([...before.values()].filter((slot) => slots.get(slot.node) !== slot));
    return { removed, added: [...slots.values()].filter((slot) => before.get(slot.node) !== slot) };
  };

  return {
    /** Returns the numbers of the tasks whose owner changed. */
    setNodes: (nodes: readonly PlacementNode[]): readonly number[] => {
      const { removed, added } = exchange(nodes);
      const changed: number[] = [];
      if (removed.size === 0 && added.length === 0) return changed;
      const all = [...slots.values()];
      for (let task = 0; task < tasks.length; task++) {
        const owner = owners[task] as Slot | null;
        const isFree = owner !== null && removed.has(owner);
        if (isFree) owners[task] = null;
        for (const slot of isFree ? all : added) compare(task, slot);
        if (owners[task]?.node !== owner?.node) changed.push(task);
      }
      return changed;
    },
    /** Returns the owner of a task, or null when no node can own it. */
    ownerOf: (task: number): string | null => owners[task]?.node ?? null,
  };
};
