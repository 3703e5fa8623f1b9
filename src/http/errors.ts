import { type Problem, type ProblemSource, problemBody, problemsOf } from '../contract/problem.js';
import type { Reply } from '../contract/route.js';
import { ERRORS, type ErrorCode, type SpateError } from '../domain/errors.js';

/** Seconds after which a client may try again what failed for the moment. */
const RETRY_AFTER_SECONDS = '1';

const headersOf = (code: ErrorCode): Readonly<Record<string, string>> => {
  const { status } = ERRORS[code];
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="spate", charset="UTF-8"' };
  return status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
};

/** The body of every error but validation: one sentence and a stable code. */
export const errorBody = (error: SpateError): { readonly detail: string; readonly code: ErrorCode } => ({
  detail: error.message,
  code: error.code,
});

/** The answer to a request that was refused before its owner saw it, or that has no problems to list. */
export const errorReply = (error: SpateError): Reply => ({
  status: ERRORS[error.code].status,
  headers: headersOf(error.code),
  kind: 'json',
  value: errorBody(error),
});

/** The 422 answer. */
export const problemReply = (problems: readonly Problem[], isEchoed: boolean): Reply => ({
  status: ERRORS.invalid.status,
  kind: 'json',
  value: problemBody(problems, isEchoed),
});

/** The answer to a body that was refused while it came in. */
export const bodyErrorReply = (error: SpateError): Reply =>
  ownerErrorReply(error, { body: null, stored: [] }, false);

/** The answer to a request that its owner refused: 422 lists problems, all others are one sentence. */
export const ownerErrorReply = (error: SpateError, place: ProblemSource, isEchoed: boolean): Reply =>
  ERRORS[error.code].status === ERRORS.invalid.status
    ? problemReply(problemsOf(error, place), isEchoed)
    : errorReply(error);
