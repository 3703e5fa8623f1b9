import { isJsonObject, type Json } from '../../domain/json.js';

/** A problem of one value of a request. */
export interface ShownProblem {
  /** Location of the value, e.g. `input.0.cron.expression`. */
  readonly location: string;
  readonly message: string;
}

/** A refused request, or a service that does not answer. */
export class ApiError extends Error {
  constructor(
    /** HTTP status; 0: no answer. */
    readonly status: number,
    /** Stable code of `docs/errors.md`. */
    readonly code: string,
    message: string,
    readonly problems: readonly ShownProblem[] = [],
  ) {
    super(message);
  }
}

/** True for the answer to a request without a session, or with an ended one. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** True for the answer to a request that is wrong: asked again, it is wrong still. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** A failure that is no refusal may be over in a moment; after that, its note has a button to try again. */
export const mayRetry = (failures: number, error: unknown): boolean => failures < 1 && !isRefusal(error);

export const NO_ANSWER = new ApiError(
  0,
  'unreachable',
  'The service does not answer. Check that it runs and that this computer reaches it.',
);

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

const problemOf = (value: Json): ShownProblem => {
  if (!isJsonObject(value)) return { location: '', message: String(value) };
  const loc = Array.isArray(value['loc']) ? value['loc'].slice(1).map(String) : [];
  return { location: loc.join('.'), message: textOf(value['msg']) };
};

/** The error of a response, from its body. */
export const errorOf = (status: number, body: Json | undefined): ApiError => {
  const { detail, code } = isJsonObject(body) ? body : {};
  if (Array.isArray(detail)) {
    const problems = detail.map(problemOf);
    const message = problems.map((one) => [one.location, one.message].filter(Boolean).join(': ')).join('\n');
    return new ApiError(status, 'invalid', message, problems);
  }
  return new ApiError(status, textOf(code), textOf(detail) || `The service answered with status ${status}.`);
};
