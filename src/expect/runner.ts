import type { Micros } from '../domain/time/micros.js';
import { type Checker, failed, type Offender, type SeenEvent, type Verdict } from './checker.js';

/** Calls a function; false: stopped after its time limit. */
export type Within = (call: () => void) => boolean;

export interface SeenBatch {
  readonly texts: readonly string[];
  readonly microsOf: (index: number) => Micros;
}

export interface CheckRunner {
  readonly see: (batch: SeenBatch) => void;
  /** In the order of the checkers. */
  readonly verdicts: () => readonly Verdict[];
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Shows all events to all checkers. One that exceeds the time limit fails; the others go on with the next event. */
export const checkRunner = (
  checkers: readonly Checker[],
  { within, needsJson }: { readonly within: Within; readonly needsJson: boolean },
): CheckRunner => {
  const live = [...checkers];
  const slow = new Map<Checker, Offender>();
  let number = 0;
  return {
    see: ({ texts, microsOf }) => {
      const at: { index: number; checker: number; event: SeenEvent | null } = {
        index: 0,
        checker: 0,
        event: null,
      };
      const eventAt = (index: number): SeenEvent => {
        const text = texts[index] as string;
        number++;
        return { number, micros: microsOf(index), text, value: needsJson ? parsed(text) : undefined };
      };
      const work = (): void => {
        for (; at.index < texts.length; at.index++) {
          at.event ??= eventAt(at.index);
          for (; at.checker < live.length; at.checker++) live[at.checker]?.see(at.event);
          at.checker = 0;
          at.event = null;
        }
      };
      while (!within(work)) {
        const [stopped] = live.splice(at.checker, 1);
        if (stopped !== undefined && at.event !== null) slow.set(stopped, at.event);
      }
    },
    verdicts: () =>
      checkers.map((checker) => {
        const event = slow.get(checker);
        return event === undefined
          ? checker.end()
          : failed('the check takes too long; simplify its expression', [], event);
      }),
  };
};
