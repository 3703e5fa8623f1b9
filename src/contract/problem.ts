import type { Issue, SpateError } from '../domain/errors.js';
import { isJsonObject } from '../domain/json.js';
import { asSentence } from '../domain/text/shown.js';

/** A problem of a request: its location, message and value. */
export interface Problem {
  /** `['body', 'input', '0', 'cron', 'count']`, `['query', 'size']`, `['path', 'name']`. */
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
  /** The offending value, for routes whose bodies cannot contain secrets. */
  readonly input: unknown;
}

export const problem = (
  loc: readonly string[],
  type: string,
  msg: string,
  input: unknown = null,
): Problem => ({ loc, msg, type, input });

const atKey = (value: unknown, key: string | number): unknown => {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
};

/** Without a hint as it is: the message may go on. */
const sentence = (issue: Issue): string =>
  issue.hint === undefined ? issue.message : `${asSentence(issue.message)} ${issue.hint}`;

/** A problem of the body; its value is looked up in `body`. */
export const bodyProblem = (issue: Issue, body: unknown): Problem => ({
  loc: ['body', ...issue.path.map(String)],
  msg: sentence(issue),
  type: issue.type,
  input: issue.path.reduce(atKey, body) ?? null,
});

/** A problem of a stored file; its line and column go into the message. */
const fileProblem = (issue: Issue, error: SpateError, loc: readonly string[]): Problem => {
  const line = issue.line === undefined ? '' : `:${issue.line}:${issue.column ?? 1}`;
  const at = issue.path.length === 0 ? '' : ` ${issue.path.map(String).join('.')}`;
  return problem(loc, issue.type, `${error.file ?? 'stored file'}${line}${at}: ${sentence(issue)}`);
};

/** The sources of an owner's problems. */
export interface ProblemSource {
  /** `undefined` if the route has no body. */
  readonly body: unknown;
  /** Location of problems in a stored file, e.g. `['path', 'name']`. */
  readonly stored: readonly string[];
}

/**
 * Problems of an `invalid` or `plugin_failed` error. Paths start at the root of the body; without a body, and in one that
 * is a list, `query` as the first part means a query parameter.
 */
export const issueProblemsOf = (error: SpateError, place: ProblemSource): readonly Problem[] => {
  const loc = place.body === undefined ? place.stored : ['body'];
  if (error.issues === undefined || error.issues.length === 0)
    return [problem(loc, error.code, error.message)];
  return error.issues.map((issue) => {
    const isFree = Array.isArray(place.body) || (place.body === undefined && error.file === undefined);
    if (isFree && issue.path[0] === 'query')
      return problem(issue.path.map(String), issue.type, sentence(issue));
    if (place.body === undefined) return fileProblem(issue, error, loc);
    return bodyProblem(issue, place.body);
  });
};

/** The 422 body. `input` and `ctx` only on routes that echo: a config can contain secrets. */
export const problemBody = (
  problems: readonly Problem[],
  isEchoed: boolean,
): { readonly detail: unknown } => ({
  detail: problems.map(({ loc, msg, type, input }) =>
    isEchoed ? { loc, msg, type, input, ctx: {} } : { loc, msg, type },
  ),
});
