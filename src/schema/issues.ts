import type * as t from 'io-ts';
import type { Issue } from '../domain/errors.js';

/** Types of issues; stable for clients. Custom checks and rules add types. */
export const ISSUE_TYPES = {
  missing: 'A required key is absent or null.',
  unknown_key: 'A key that the declaration does not have.',
  unknown_kind: 'A plugin kind or tag that does not exist.',
  not_one_key: 'A plugin entry with several keys.',
  wrong_type: 'A value of another type.',
  out_of_range: 'A number below its minimum or above its maximum.',
  not_allowed: 'A value outside a closed list, or with a character that may not be there.',
  too_short: 'A text or list with fewer characters or items than needed.',
  too_long: 'A text, list or object with more characters, items or keys than allowed.',
  bad_format: 'A text that does not have the needed form.',
  too_deep: 'Free JSON nested deeper than the limit.',
  conflict: 'The same key given twice, as it is or in nested and dotted spelling.',
  too_many: 'More values than allowed, or more problems than a report holds; the rest is only counted.',
} as const;

export type IssueType = keyof typeof ISSUE_TYPES;

/** Issues of a report; the last entry counts the rest. */
export const MAX_ISSUES = 1000;

/** An error of a value, without its path. */
export interface Defect {
  readonly type: string;
  readonly message: string;
  readonly hint?: string;
}

/** A defect with an expensive hint, computed only if it is reported. */
export interface Finding extends Defect {
  readonly suggest?: () => string | undefined;
}

/** An io-ts error with the data of an `Issue`. */
export interface IssueError extends t.ValidationError, Finding {
  readonly message: string;
}

export const defect = (type: IssueType, message: string, hint?: string): Defect =>
  hint === undefined ? { type, message } : { type, message, hint };

export const issueError = (value: unknown, context: t.Context, what: Finding): IssueError => ({
  value,
  context,
  ...what,
});

const isIssueError = (error: t.ValidationError): error is IssueError => 'type' in error;

/** Keys and list positions from the root. */
const pathOf = (context: t.Context): readonly (string | number)[] =>
  context
    .slice(1)
    .map((entry, i) => (Array.isArray(context[i]?.actual) ? Number.parseInt(entry.key, 10) : entry.key));

const issueOf = (error: t.ValidationError): Issue => {
  const path = pathOf(error.context);
  if (!isIssueError(error)) return { path, type: 'bad_format', message: error.message ?? 'is not valid' };
  const { type, message, hint = error.suggest?.() } = error;
  return hint === undefined ? { path, type, message } : { path, type, message, hint };
};

/** The issues of a failed decode, in the order of the document. Never contains values. */
export const issuesOf = (errors: t.Errors): Issue[] => {
  const issues = errors.slice(0, MAX_ISSUES).map(issueOf);
  const rest = errors.length - issues.length;
  if (rest > 0) issues.push({ path: [], type: 'too_many', message: `has ${rest} more problems` });
  return issues;
};

export const showPath = (path: readonly (string | number)[]): string =>
  path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');

/** The kind of a JSON value in words, for messages that must not show the value. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (Number.isNaN(value)) return 'NaN';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : 'an infinite number';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'a boolean';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};
