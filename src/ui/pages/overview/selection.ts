import type { GeneratorPhase } from '../../../domain/generator.js';
import { counted } from '../../parts/numbers.js';

/** Ids of the chosen rows, and the row that a range begins at. */
export interface RowSelection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | null;
}

export const NONE: RowSelection = { ids: new Set(), last: null };

/** Chooses a row, or gives it up; with `isRange` also every row between it and the last one. */
export const toggled = (
  { ids, last }: RowSelection,
  shown: readonly string[],
  id: string,
  isRange: boolean,
): RowSelection => {
  const isOn = !ids.has(id);
  const [from, to] = [last === null ? -1 : shown.indexOf(last), shown.indexOf(id)];
  const changed = isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
  const next = new Set(ids);
  for (const one of changed) {
    if (isOn) next.add(one);
    else next.delete(one);
  }
  return { ids: next, last: id };
};

/** Chooses all shown rows, or none if all are chosen. */
export const toggledAll = ({ ids }: RowSelection, shown: readonly string[]): RowSelection =>
  shown.every((id) => ids.has(id)) ? NONE : { ids: new Set([...ids, ...shown]), last: null };

export type BulkAction = 'start' | 'restart' | 'stop' | 'delete';

const ACTIVE: ReadonlySet<GeneratorPhase> = new Set(['loading', 'running', 'backing_off', 'draining']);

const CONCERNED: Readonly<Record<BulkAction, (phase: GeneratorPhase) => boolean>> = {
  start: (phase) => !ACTIVE.has(phase),
  // One that is stopped, idle or finished is so on purpose.
  restart: (phase) => ACTIVE.has(phase) || phase === 'failed',
  stop: (phase) => ACTIVE.has(phase),
  delete: () => true,
};

/** The rows that an action changes. */
export const targetsOf = <A extends { readonly phase: GeneratorPhase }>(
  action: BulkAction,
  rows: readonly A[],
): readonly A[] => rows.filter(({ phase }) => CONCERNED[action](phase));

interface Words {
  readonly verb: string;
  readonly text: string;
  /** Which generators the action is for. */
  readonly which: (count: number) => string;
}

export const WORDS: Readonly<Record<BulkAction, Words>> = {
  start: {
    verb: 'Start',
    text: 'Events flow until the next stop or the end of the inputs.',
    which: (count) => `${counted(count, 'generator')} at rest`,
  },
  restart: {
    verb: 'Restart',
    text: 'Spate delivers events in flight first. Counters begin at zero.',
    which: (count) => `${counted(count, 'generator')} that run or failed`,
  },
  stop: {
    verb: 'Stop',
    text: 'Spate delivers events in flight first. You can start again at any time.',
    which: (count) => `${counted(count, 'generator')} that run`,
  },
  delete: {
    verb: 'Delete',
    text: '',
    which: (count) => counted(count, 'generator'),
  },
};
