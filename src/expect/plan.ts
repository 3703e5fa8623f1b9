import type { Checker } from './checker.js';
import { patternChecker, type SchemaProblem, schemaChecker, sizeChecker } from './checks/events.js';
import { distinctChecker, orderChecker, sharesChecker } from './checks/fields.js';
import type { Check, CheckKind } from './format.js';

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
    case 'rate':
      return `from ${check.params.from}`;
    case 'pattern':
    case 'size':
    case 'fingerprint':
      return '';
  }
};
