import type { Checker, CheckVerdict } from '../../../src/analysis/expect/checker.js';
import { CHECKS, type Check, type CheckKind } from '../../../src/analysis/expect/format.js';
import { checkerOf, checkRunner } from '../../../src/analysis/expect/runner.js';
import { decode } from '../../../src/schema/index.js';
import { right } from '../../support/either.js';

const SECOND = 1e6;

/** The verdict of a checker about these events, one a second. */
export const verdictOf = (checker: Checker, texts: readonly string[]): CheckVerdict => {
  const within = (call: () => void): boolean => {
    call();
    return true;
  };
  const runner = checkRunner([checker], { within, needsJson: true });
  runner.see({ texts, microsOf: (index) => index * SECOND });
  return runner.verdicts()[0] as CheckVerdict;
};

/** The verdict of a check as a tests file has it. */
export const check = (
  kind: CheckKind,
  params: unknown,
  events: readonly (object | string)[],
): CheckVerdict => {
  const decoded: unknown = right(decode(CHECKS[kind] as never, params));
  const checker = checkerOf({ kind, alias: kind, params: decoded } as unknown as Check, null);
  if (checker === null) throw new Error(`${kind} sees no events`);
  return verdictOf(
    checker,
    events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event))),
  );
};

export const times = <A>(count: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length: count }, (_, index) => make(index));
