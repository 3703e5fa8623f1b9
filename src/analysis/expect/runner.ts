import { parsedJson } from '../../domain/json.js';
import type { Micros } from '../../domain/time/micros.js';
import { type Checker, type CheckVerdict, failed, type Offender, type SeenEvent } from './checker.js';
import { patternChecker, type SchemaProblem, schemaChecker, sizeChecker } from './checks/events.js';
import { distinctChecker, orderChecker, sharesChecker } from './checks/fields.js';
import { tellsChecker } from './checks/tells.js';
import type { Check, CheckKind } from './format.js';

/** Calls a function; false: stopped after its time limit. */
export type Within = (call: () => void) => boolean;

export interface SeenBatch {
  readonly texts: readonly string[];
  readonly microsOf: (index: number) => Micros;
}

export interface CheckRunner {
  readonly see: (batch: SeenBatch) => void;
  /** In the order of the checkers. */
  readonly verdicts: () => readonly CheckVerdict[];
}

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
        return { number, micros: microsOf(index), text, value: needsJson ? parsedJson(text) : undefined };
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

/** Checks that see events parsed as JSON. */
const NEEDS_JSON: ReadonlySet<CheckKind> = new Set(['schema', 'shares', 'order', 'distinct']);

export const needsJson = (checks: readonly Check[]): boolean =>
  checks.some(({ kind }) => NEEDS_JSON.has(kind));

/** Returns the checker of a check that sees every event, or null when the check looks at something else. */
export const checkerOf = (check: Check, problemOf: SchemaProblem | null): Checker | null => {
  switch (check.kind) {
    case 'schema':
      return problemOf === null ? null : schemaChecker(problemOf);
    case 'pattern':
      return patternChecker(check.params);
    case 'shares':
      return sharesChecker(check.params);
    case 'order':
      return orderChecker(check.params);
    case 'size':
      return sizeChecker(check.params);
    case 'distinct':
      return distinctChecker(check.params);
    case 'tells':
      return tellsChecker(check.params);
    case 'rate':
    case 'fingerprint':
      return null;
  }
};

/** The subject of a check, for one line. */
export const subjectOf = (check: Check): string => {
  switch (check.kind) {
    case 'schema':
      return typeof check.params === 'string' ? check.params : 'inline';
    case 'shares':
    case 'distinct':
      return check.params.field || 'the root';
    case 'order':
      return `${check.params.sequence.join(', ')} by ${check.params.key || 'the root'}`;
    case 'tells':
      return `by ${check.params.label}`;
    case 'rate':
      return `from ${check.params.from}`;
    case 'pattern':
    case 'size':
    case 'fingerprint':
      return '';
  }
};
