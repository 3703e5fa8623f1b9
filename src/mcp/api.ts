import * as E from 'fp-ts/lib/Either.js';
import { ERRORS, type Result, type SpateError } from '../domain/errors.js';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../domain/json.js';

/** A request to the API of a service. */
export interface ApiRequest {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/api`, segments percent-encoded: see `path`. */
  readonly path: string;
  /** `null` values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | null>>;
  readonly body?: Json;
  /** Text of a file; replaces `body`. */
  readonly file?: string;
  /** Takes the warning of an answer that succeeded. */
  readonly onWarning?: (warning: string) => void;
}

/** The answer of a service, at most `MAX_ANSWER_BYTES` of it. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly isCut: boolean;
  /** Null when the request has no effect that its sender may have overlooked. */
  readonly warning: string | null;
}

/** Sends a request, in this process or over the network. Returns an error when there was no answer. */
export type SendRequest = (request: ApiRequest) => Promise<Result<RawAnswer>>;

/** Bytes of an answer that are read. */
export const MAX_ANSWER_BYTES = 4_194_304;

/** Why a tool has no result. */
export interface ToolRefusal {
  /** A code of the API. */
  readonly code: string;
  /** What is wrong and what to do. */
  readonly message: string;
  /** Problems of a document or of arguments, each with its location. */
  readonly problems?: readonly { readonly at: string; readonly message: string }[];
}

export type Answer<A = Json> = E.Either<ToolRefusal, A>;

export type Api = (request: ApiRequest) => Promise<Answer>;

/** A path whose values are percent-encoded: path`/generators/${id}/stats`. */
export const apiPath = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts.reduce((sum, text, i) => `${sum}${encodeURIComponent(values[i - 1] ?? '')}${text}`);

/** The path of a file: its slashes stay. */
export const filePath = (file: string): string => file.split('/').map(encodeURIComponent).join('/');

/** The text after `?`. */
export const queryOf = ({ query = {} }: ApiRequest): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');

/** Collects an answer up to the limit. */
export const collected = async (
  chunks: AsyncIterable<Uint8Array>,
): Promise<Pick<RawAnswer, 'bytes' | 'isCut'>> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const rest = MAX_ANSWER_BYTES - size;
    parts.push(chunk.subarray(0, rest));
    if (chunk.length > rest) return { bytes: Buffer.concat(parts), isCut: true };
    size += chunk.length;
  }
  return { bytes: Buffer.concat(parts), isCut: false };
};

const TOO_LARGE: ToolRefusal = {
  code: 'too_large',
  message: `The answer of the service exceeds ${MAX_ANSWER_BYTES} bytes. Ask for less.`,
};

const problemOf = (item: unknown): { readonly at: string; readonly message: string } => {
  const { loc, msg } = isJsonObject(item) ? item : {};
  return { at: Array.isArray(loc) ? loc.join('.') : '', message: String(msg) };
};

/** Returns the refusal in an error body of the API; a proxy may answer anything. */
const refusalOf = (status: number, body: unknown): ToolRefusal => {
  const { detail, code } = isJsonObject(body) ? body : {};
  if (Array.isArray(detail))
    return {
      code: 'invalid',
      message: 'The service refused the request; problems say where.',
      problems: detail.map(problemOf),
    };
  if (typeof detail !== 'string' || typeof code !== 'string')
    return { code: 'bug', message: `The service answered with status ${status} and no error.` };
  return { code, message: detail };
};

/** A failure of this side as a refusal. */
export const refusedBy = ({ code, message, issues = [] }: SpateError): ToolRefusal => ({
  code,
  message,
  ...(issues.length === 0
    ? {}
    : {
        problems: issues.map(({ path: at, message: what, hint, line, column }) => ({
          at: [...(line === undefined ? [] : [`line ${line}:${column ?? 1}`]), at.join('.')].join(' ').trim(),
          message: hint === undefined ? what : `${what}. ${hint}`,
        })),
      }),
});

const isRetryable = (code: string): boolean => Object.hasOwn(ERRORS, code) && ERRORS[code as 'bug'].retryable;

/** The error of a tool as a model reads it. */
export const shownRefusal = (refusal: ToolRefusal): JsonObject => ({
  error: {
    ...refusal,
    problems: refusal.problems?.map((problem) => ({ ...problem })) ?? [],
    retryable: isRetryable(refusal.code),
  },
});

/** Requests whose answers are values: JSON, or the text of a file. */
export const apiOf =
  (send: SendRequest): Api =>
  async (request) => {
    const sent = await send(request);
    if (E.isLeft(sent)) return E.left(refusedBy(sent.left));
    const { status, contentType, bytes, isCut, warning } = sent.right;
    const isJson = contentType.startsWith('application/json');
    if (isJson && isCut) return E.left(TOO_LARGE);
    const text = new TextDecoder().decode(bytes);
    const value = isJson ? parsedJson(text) : text;
    if (status >= 300 || value === undefined) return E.left(refusalOf(status, value));
    if (warning !== null) request.onWarning?.(warning);
    return E.right(value as Json);
  };
