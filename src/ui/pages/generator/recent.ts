import type { AnswerOf } from '../../api/routes.js';

export type Stats = AnswerOf<'readGeneratorStats'>;

/** Counters at a time of the browser's clock. */
export interface Snapshot {
  readonly at_ms: number;
  readonly stats: Stats;
}

/** Oldest first, all of one run. */
export type History = readonly Snapshot[];

/** Snapshots; one a second. */
const MAX_SNAPSHOTS = 61;

/** The history with one more look; a restart, or a patch that exchanges parts, begins a new one. */
export const appended = (history: History, next: Snapshot): History => {
  const last = history.at(-1)?.stats;
  const isSameRun =
    last !== undefined &&
    last.start_time === next.stats.start_time &&
    last.event.produced <= next.stats.event.produced &&
    // A patch of the inputs begins their counters anew.
    last.input.every(({ generated }, index) => generated <= (next.stats.input[index]?.generated ?? 0)) &&
    partsOf(last) === partsOf(next.stats);
  return isSameRun ? [...history, next].slice(-MAX_SNAPSHOTS) : [next];
};

/** The history of a run that is over: its counters stay, its rates are zero. */
export const ended = (history: History): History => history.slice(-1);

const partsOf = ({ input, output }: Stats): string =>
  [...input, ...output].map(({ plugin_name, plugin_id }) => `${plugin_name} ${plugin_id}`).join();

/** Milliseconds that a rate looks back. */
const RATE_MS = 5_000;

/** What a counter gains per second, over the last five seconds. */
export const rateOf = (history: History, counter: (stats: Stats) => number | undefined): number => {
  const last = history.at(-1);
  if (last === undefined) return 0;
  const first = history.find(({ at_ms }) => last.at_ms - at_ms <= RATE_MS) ?? last;
  // By the clock of the service: answers may take their time.
  const seconds = last.stats.uptime - first.stats.uptime;
  if (seconds <= 0) return 0;
  return Math.max(0, ((counter(last.stats) ?? 0) - (counter(first.stats) ?? 0)) / seconds);
};
