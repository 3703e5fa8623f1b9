import { STATUS_CODES } from 'node:http';
import { issueProblemsOf, type Problem, type ProblemSource, problemBody } from '../contract/problem.js';
import type { Reply } from '../contract/route.js';
import { ERRORS, type ErrorCode, type SpateError } from '../domain/errors.js';
import { type Headers, securityHeaders } from './headers.js';

/** In seconds. */
const RETRY_AFTER_SECONDS = '1';

const headersOf = (code: ErrorCode): Readonly<Record<string, string>> => {
  const { status } = ERRORS[code];
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="spate", charset="UTF-8"' };
  return status === 429 || status === 503 ? { 'Retry-After': RETRY_AFTER_SECONDS } : {};
};

/** Body of all errors but 422. */
const errorBody = (error: SpateError): { readonly detail: string; readonly code: ErrorCode } => ({
  detail: error.message,
  code: error.code,
});

/** Error with one sentence. */
export const errorReply = (error: SpateError): Reply => ({
  status: ERRORS[error.code].status,
  headers: headersOf(error.code),
  kind: 'json',
  value: errorBody(error),
});

export const problemReply = (problems: readonly Problem[], isEchoed: boolean): Reply => ({
  status: ERRORS.invalid.status,
  kind: 'json',
  value: problemBody(problems, isEchoed),
});

/** A body that was refused while it came in. */
export const bodyErrorReply = (error: SpateError): Reply =>
  ownerErrorReply(error, { body: null, stored: [] }, false);

/** 422 lists problems, all others are one sentence. */
export const ownerErrorReply = (error: SpateError, source: ProblemSource, isEchoed: boolean): Reply =>
  ERRORS[error.code].status === ERRORS.invalid.status
    ? problemReply(issueProblemsOf(error, source), isEchoed)
    : errorReply(error);

/** An error on a connection without a valid request. */
export interface RawReply {
  readonly status: number;
  readonly error: SpateError;
  /** Replaces the body of the error. */
  readonly body?: unknown;
  readonly headers?: Headers;
}

/** Bytes of an error response that ends the connection. */
export const rawReply = ({ status, error, body: given, headers = {} }: RawReply, version: string): string => {
  const body = JSON.stringify(given ?? errorBody(error));
  const all: Headers = {
    ...securityHeaders(false),
    ...headers,
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Spate-Version': version,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
};
