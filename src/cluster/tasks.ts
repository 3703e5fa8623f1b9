import { partitionIds } from '../domain/partitions.js';
import type { Labels } from './documents.js';
import { generatorKey, scenarioKey } from './keys.js';
import { hashOfText } from './rendezvous.js';

/** What placement needs of an entry of the startup list. */
export interface PlacedEntry {
  readonly id: string;
  readonly scenarios: readonly string[];
  /** 1: not partitioned. */
  readonly partitions: number;
  readonly runs_on: Labels;
}

/** A generator of a task, or one partition of one. */
export interface TaskGenerator {
  readonly id: string;
  /** Its lease key. */
  readonly key: string;
  /** Lease keys of its scenarios. */
  readonly scenarios: readonly string[];
}

/** What is placed as a whole: connected scenarios with their members, one generator, or one partition. */
export interface Task {
  /** One of its keys: it changes only when the task's first scenario does. */
  readonly name: string;
  /** Lease keys of its scenarios and generators, sorted. */
  readonly keys: readonly string[];
  /** Labels that a node must have. */
  readonly runs_on: Labels;
  /** Sorted by key. */
  readonly generators: readonly TaskGenerator[];
  /** Why no node can take it. Null when there is no problem. */
  readonly problem: string | null;
}

/** In order of UTF-16 units: the same on every machine, whatever its locale. */
const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();

/** Sorts by a text that each item has for itself. */
const sortedBy = <A>(items: readonly A[], textOf: (item: A) => string): readonly A[] =>
  items.toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));

/** Groups of connected names. */
const makeGroups = () => {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let at = name;
    for (let up = parents.get(at) ?? at; up !== at; up = parents.get(at) ?? at) {
      // Each look makes the path shorter.
      parents.set(at, parents.get(up) ?? up);
      at = up;
    }
    return at;
  };
  const join = (a: string, b: string): void => {
    parents.set(rootOf(a), rootOf(b));
  };
  return { rootOf, join };
};

/** All labels of the members, and the first conflict. */
const joinedLabels = (entries: readonly PlacedEntry[]): Pick<Task, 'runs_on' | 'problem'> => {
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

const generatorOf = (entry: PlacedEntry): TaskGenerator => ({
  id: entry.id,
  key: generatorKey(entry.id),
  scenarios: sorted(entry.scenarios.map(scenarioKey)),
});

/** A task of connected entries, or of one that is in no scenario. */
const taskOf = (members: readonly PlacedEntry[]): Task => {
  const entries = sortedBy(members, ({ id }) => id);
  const generators = sortedBy(entries.map(generatorOf), ({ key }) => key);
  const scenarios = sorted(generators.flatMap((one) => one.scenarios));
  const keys = sorted([...scenarios, ...generators.map(({ key }) => key)]);
  return { name: scenarios[0] ?? keys[0] ?? '', keys, generators, ...joinedLabels(entries) };
};

const partitionsOf = (entry: PlacedEntry): readonly Task[] => {
  const { id: of, scenarios, runs_on } = entry;
  const problem =
    scenarios.length > 0 ? `generator "${of}" has partitions and scenarios. Remove one of them.` : null;
  return partitionIds(entry).map((id) => {
    const key = generatorKey(id);
    return { name: key, keys: [key], runs_on, generators: [{ id, key, scenarios: [] }], problem };
  });
};

/** Tasks of a startup list, sorted by name: the same for any order of the entries. Of equal ids the first counts. */
export const tasksOf = (list: readonly PlacedEntry[]): readonly Task[] => {
  const entries = [...new Map([...list].reverse().map((entry) => [entry.id, entry])).values()];
  const groups = makeGroups();
  const whole = entries.filter(({ partitions }) => partitions <= 1);
  for (const { scenarios } of whole)
    for (const scenario of scenarios) groups.join(scenario, scenarios[0] as string);
  const members = new Map<string, PlacedEntry[]>();
  for (const entry of whole) {
    const [first] = entry.scenarios;
    const group = first === undefined ? generatorKey(entry.id) : scenarioKey(groups.rootOf(first));
    const found = members.get(group) ?? [];
    found.push(entry);
    members.set(group, found);
  }
  const parts = entries.filter(({ partitions }) => partitions > 1).flatMap(partitionsOf);
  return sortedBy([...[...members.values()].map(taskOf), ...parts], ({ name }) => name);
};

/** Tasks from `tasksOf` by number, so that 100,000 of them take little memory and are compared in milliseconds. */
export const taskTable = (tasks: readonly Task[]) => {
  const taskOfKey = new Map<string, number>();
  const highs = new Int32Array(tasks.length);
  const lows = new Int32Array(tasks.length);
  const demandOfTask = new Int32Array(tasks.length);
  const demands: Labels[] = [];
  const numberOfDemand = new Map<string, number>();
  for (const [number, task] of tasks.entries()) {
    const { high, low } = hashOfText(task.name);
    highs[number] = high;
    lows[number] = low;
    const text = JSON.stringify(Object.entries(task.runs_on).sort());
    const demand = numberOfDemand.get(text) ?? demands.push(task.runs_on) - 1;
    numberOfDemand.set(text, demand);
    demandOfTask[number] = task.problem === null ? demand : -1;
    for (const key of task.keys) taskOfKey.set(key, number);
  }
  return {
    tasks,
    numberOfTask: new Map(tasks.map(({ name }, number) => [name, number])),
    /** Number of the task of a lease key. */
    taskOfKey,
    highs,
    lows,
    /** Different `runs_on` of the tasks. */
    demands,
    /** Index of `demands` by task; -1: the task has a problem. */
    demandOfTask,
  };
};

/** It never changes. */
export type TaskTable = Readonly<ReturnType<typeof taskTable>>;

export const NO_TASKS: TaskTable = taskTable([]);
