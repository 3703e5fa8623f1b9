import type { ClusterTask } from '../../../messages/cluster.js';

export interface ViewOfTasks {
  readonly filter: string;
  /** Only tasks without a node, and those that move. */
  readonly isTroubled: boolean;
}

/** What people call a task: its scenarios, or its generator or partition. */
export const taskTitleOf = ({ name, scenarios, generator_ids: [id] }: ClusterTask): string =>
  scenarios.length > 0 ? scenarios.join(', ') : (id ?? name);

const isMoving = ({ node, owner }: ClusterTask): boolean => node !== null && owner !== null && node !== owner;

/** Returns why the place of a task is not final, or null when it is. */
export const troubleOf = (task: ClusterTask): string | null => {
  if (task.problem !== null) return task.problem;
  return isMoving(task) ? `moves to ${task.owner ?? ''}` : null;
};

const textsOf = ({ name, node, problem, generator_ids, scenarios }: ClusterTask): readonly string[] => [
  name,
  node ?? '',
  problem ?? '',
  ...generator_ids,
  ...scenarios,
];

/** The tasks of a view: those in trouble first, then by title. */
export const shownTasks = (
  tasks: readonly ClusterTask[],
  { filter, isTroubled }: ViewOfTasks,
): readonly ClusterTask[] => {
  const wanted = filter.trim().toLowerCase();
  return tasks
    .filter(
      (task) =>
        (!isTroubled || troubleOf(task) !== null) &&
        textsOf(task).some((text) => text.toLowerCase().includes(wanted)),
    )
    .toSorted(
      (a, b) =>
        Number(troubleOf(a) === null) - Number(troubleOf(b) === null) ||
        taskTitleOf(a).localeCompare(taskTitleOf(b)),
    );
};

/** Links that a row has room for. */
const SHOWN_MEMBERS = 3;

/** The first members of a task, and how many more it has. */
export const taskMembersOf = ({
  generator_ids,
}: ClusterTask): { readonly ids: readonly string[]; readonly more: number } => {
  const count = generator_ids.length > SHOWN_MEMBERS + 1 ? SHOWN_MEMBERS : generator_ids.length;
  return { ids: generator_ids.slice(0, count), more: generator_ids.length - count };
};

export interface ShownTaskCounts {
  readonly held: number;
  readonly troubled: number;
}

export const taskCountsOf = (tasks: readonly ClusterTask[]): ShownTaskCounts => ({
  held: tasks.filter(({ node }) => node !== null).length,
  troubled: tasks.filter((task) => troubleOf(task) !== null).length,
});
