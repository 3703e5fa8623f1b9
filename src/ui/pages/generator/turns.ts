import type { GeneratorTurn } from '../../../messages/generators.js';
import { shownCount } from '../../parts/numbers.js';
import { shownDuration, shownTime, type TimeMark } from '../../parts/times.js';

interface Look {
  readonly title: string;
  readonly color: string;
}

const LOOKS: Readonly<Record<GeneratorTurn['phase'], Look>> = {
  running: { title: 'Started', color: 'teal' },
  backing_off: { title: 'Failed, restarts by itself', color: 'orange' },
  failed: { title: 'Failed, stays down until you start it', color: 'red' },
  finished: { title: 'Finished: all events are delivered', color: 'indigo' },
  stopped: { title: 'Stopped', color: 'gray' },
};

/** An event of the history as a person reads it. */
export interface ShownTurn extends Look {
  readonly key: string;
  readonly when: string;
  /** `ran 2 h 5 min`; empty where no run ended. */
  readonly ran: string;
  readonly reason: string | null;
  readonly code: string | null;
}

const whenOf = ({ at, first_at, count }: GeneratorTurn, zone: string): string =>
  count === 1
    ? shownTime(at, zone)
    : `${shownTime(at, zone)}, ${shownCount(count)} times since ${shownTime(first_at, zone)}`;

/** How long the run was that ended; it began right before, in a list with the newest first. */
const ranOf = (turn: GeneratorTurn, before: GeneratorTurn | undefined): string =>
  turn.phase === 'running' || before?.phase !== 'running'
    ? ''
    : `ran ${shownDuration((Date.parse(turn.first_at) - Date.parse(before.at)) / 1_000)}`;

/** The history of a generator, newest first. */
export const shownTurns = (turns: readonly GeneratorTurn[], zone: string): readonly ShownTurn[] =>
  turns.map((turn, index) => ({
    ...LOOKS[turn.phase],
    key: `${turn.first_at} ${turn.phase}`,
    when: whenOf(turn, zone),
    ran: ranOf(turn, turns[index + 1]),
    reason: turn.reason,
    code: turn.error_code,
  }));

/** The turns as lines of a chart, in the colors of the history. */
export const turnMarks = (
  turns: readonly GeneratorTurn[],
  colorOf: (name: string) => string,
): readonly TimeMark[] =>
  turns.map(({ phase, at }) => {
    const { title, color } = LOOKS[phase];
    return { at_ms: Date.parse(at), color: colorOf(color), text: title };
  });
