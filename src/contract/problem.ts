import type { Issue, SpateError } from '../domain/errors.js';
import { isJsonObject } from '../domain/json.js';

/** One problem of a request: where it is, what is wrong, and the value that is wrong. */
export interface Problem {
  /** `['body', 'input', '0', 'cron', 'count']`, `['query', 'size']`, `['path', 'name']`. */
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
  /** The offending value; shown only by routes whose bodies cannot hold secrets. */
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

const sentence = (issue: Issue): string =>
  issue.hint === undefined ? issue.message : `${issue.message.replace(/\.$/, '')}. ${issue.hint}`;

/** A problem in a body that was sent; `body` is searched for the offending value. */
export const bodyProblem = (issue: Issue, body: unknown): Problem => ({
  loc: ['body', ...issue.path.map(String)],
  msg: sentence(issue),
  type: issue.type,
  input: issue.path.reduce(atKey, body) ?? null,
});

/** A problem in a stored file: it lies behind the path of the request, so its place is part of the text. */
const fileProblem = (issue: Issue, error: SpateError, loc: readonly string[]): Problem => {
  const line = issue.line === undefined ? '' : `:${issue.line}:${issue.column ?? 1}`;
  const at = issue.path.length === 0 ? '' : ` ${issue.path.map(String).join('.')}`;
  return problem(loc, issue.type, `${error.file ?? 'stored file'}${line}${at}: ${sentence(issue)}`);
};

/** Where the problems that an owner reports are to be found. */
export interface ProblemPlace {
  /** The body that was sent; `undefined` when the route takes none. */
  readonly body: unknown;
  /** Location of problems of what is stored, e.g. `['path', 'name']`. */
  readonly stored: readonly string[];
}

/**
 * Problems of an owner's answer (an `invalid` or `plugin_failed` error). Its issues count from the root of
 * the body; of a body that is a list, an issue that starts with `query` speaks of a query parameter.
 */
export const problemsOf = (error: SpateError, place: ProblemPlace): readonly Problem[] => {
  const loc = place.body === undefined ? place.stored : ['body'];
  if (error.issues === undefined || error.issues.length === 0)
    return [problem(loc, error.code, error.message)];
  return error.issues.map((issue) => {
    if (place.body === undefined) return fileProblem(issue, error, loc);
    if (Array.isArray(place.body) && issue.path[0] === 'query')
      return problem(issue.path.map(String), issue.type, sentence(issue));
    return bodyProblem(issue, place.body);
  });
};

/** The 422 body. `input` and `ctx` only where the route echoes: a config can hold secrets. */
export const problemBody = (
  problems: readonly Problem[],
  isEchoed: boolean,
): { readonly detail: unknown } => ({
  detail: problems.map(({ loc, msg, type, input }) =>
    isEchoed ? { loc, msg, type, input, ctx: {} } : { loc, msg, type },
  ),
});
