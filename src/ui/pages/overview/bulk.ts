import type { GeneratorPhase } from '../../../domain/generator.js';
import { counted } from '../../parts/numbers.js';

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
