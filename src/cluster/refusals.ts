import type { GenerationParams } from '../domain/generator.js';
import { generatorIdOf } from '../domain/partitions.js';
import { type Labels, MAX_REFUSED_TASKS, type NodeDocument, type Refusals } from './documents.js';
import { generatorKey } from './keys.js';
import { sameTexts } from './placement.js';
import { NO_TASKS, type TaskTable } from './tasks.js';

const grouped = (refused: Iterable<readonly [string, string]>): readonly Refusals[] => {
  const tasks = new Map<string, string[]>();
  for (const [task, reason] of refused) {
    const found = tasks.get(reason) ?? [];
    found.push(task);
    tasks.set(reason, found);
  }
  return [...tasks].map(([reason, names]) => ({ reason, tasks: names }));
};

/** What one node cannot run. */
export const makeRefusals = () => {
  const refused = new Map<string, string>();
  /** Generators by key that this node lacks, whatever its tasks say. */
  let lacking: ReadonlyMap<string, string> = new Map();
  /** Tasks with a generator that is lacking. */
  let incomplete: ReadonlySet<string> = new Set();
  let table = NO_TASKS;
  let groups: readonly Refusals[] = [];

  const change = (): void => {
    // A node with more takes none: the rest would only make its document too large to be read.
    groups = grouped([...lacking, ...refused].slice(0, MAX_REFUSED_TASKS + 1));
  };

  const findIncomplete = (): void => {
    const found =
      lacking.size === 0
        ? []
        : table.tasks.filter(({ generators }) =>
            generators.some(({ id }) => lacking.has(generatorKey(generatorIdOf(id)))),
          );
    incomplete = new Set(found.map(({ name }) => name));
  };

  return {
    setTable: (next: TaskTable): void => {
      table = next;
      findIncomplete();
      const gone = [...refused.keys()].filter((task) => !next.numberOfTask.has(task));
      for (const task of gone) refused.delete(task);
      if (gone.length > 0) change();
    },
    /** Returns whether it is news. */
    add: (task: string, reason: string): boolean => {
      if (!table.numberOfTask.has(task) || refused.get(task) === reason) return false;
      refused.set(task, reason);
      change();
      return true;
    },
    remove: (task: string): void => {
      if (refused.delete(task)) change();
    },
    /** Takes generators by key with the reason. Returns whether they changed. */
    setLacking: (generators: ReadonlyMap<string, string>): boolean => {
      if (sameTexts([...lacking].flat(), [...generators].flat())) return false;
      lacking = generators;
      findIncomplete();
      change();
      return true;
    },
    has: (task: string): boolean => refused.has(task) || incomplete.has(task),
    /** Tasks that were refused by name. */
    tasks: (): Iterable<string> => refused.keys(),
    /** Reasons by task or key of a generator. */
    all: (): ReadonlyMap<string, string> => new Map([...lacking, ...refused]),
    /** For the node's document; the same list until it changes. */
    grouped: (): readonly Refusals[] => groups,
  };
};

/** Settings of `generation` that change events, as text by key. */
export const eventSettings = ({
  timezone,
  template_limits,
}: Pick<GenerationParams, 'timezone' | 'template_limits'>): Labels => ({
  timezone,
  ...Object.fromEntries(
    Object.entries(template_limits).map(([key, value]) => [`template_limits.${key}`, String(value)]),
  ),
});

/** A setting of this node that is not that of the node which decides. */
interface Difference {
  readonly key: string;
  readonly here: string;
  readonly there: string;
  readonly node: string;
}

type Described = Pick<NodeDocument, 'since' | 'generation' | 'capacity'>;

const isOlder = (a: Described, b: Described): boolean => a.since > 0 && (b.since === 0 || a.since < b.since);

/**
 * Compares the settings of this node with those of the node that has been in the cluster longest, so that no node that
 * joins can change the streams that run. Nodes without capacity do not decide, nor do those that name no settings.
 */
export const differences = (
  own: Described,
  others: Iterable<readonly [string, Described]>,
): readonly Difference[] => {
  let oldest = own;
  let node = '';
  for (const [name, other] of others) {
    if (other.capacity === 0 || Object.keys(other.generation).length === 0 || !isOlder(other, oldest))
      continue;
    oldest = other;
    node = name;
  }
  return Object.entries(own.generation).flatMap(([key, here]) => {
    const there = oldest.generation[key];
    return there === undefined || there === here ? [] : [{ key, here, there, node }];
  });
};

/** The first difference that changes the events of a generator, as a reason; null when there is none. */
export const whyDifferent = (found: readonly Difference[], entry: GenerationParams): string | null => {
  const settings = eventSettings(entry);
  const difference = found.find(({ key, here }) => settings[key] === here);
  if (difference === undefined) return null;
  const { key, here, there, node } = difference;
  return `generation.${key} is "${here}" on this node and "${there}" on node "${node}", which is older: its events would change. Use one value on all nodes`;
};
