import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../domain/directory.js';
import type { ErrorCode, Issue } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { JsonSchema } from '../schema/index.js';
import type { Method, RawPath } from './match.js';
import { BAD_ESCAPE, type Param, percentDecode } from './params.js';
import { bodyProblem, type Problem, problem } from './problem.js';

/** A request with its body parsed. */
export interface RawRequest {
  readonly path: RawPath;
  /** The text after `?`, still percent-encoded. */
  readonly query: string;
  /** Undefined without a JSON body. An error when the body is not JSON. */
  readonly body?: E.Either<Problem, Json>;
  /** The stored upload, for routes that take a file. */
  readonly upload?: Upload;
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** `null` if absent. */
  readonly ifMatch: string | null;
  readonly lastEventId?: string | null;
  /** `null` if no user was needed. */
  readonly user?: string | null;
}

/** How a JSON body is checked and documented. The JSON is passed on as sent. */
export interface BodySpec<B> {
  readonly kind: 'json';
  readonly mediaTypes: readonly string[];
  readonly limit_bytes: number;
  /** A name under `components.schemas`. */
  readonly schemaName: string;
  readonly check: (body: Json) => E.Either<readonly Issue[], B>;
}

/** A file, stored while it arrives: one field of `multipart/form-data`, or the raw body. */
export interface UploadSpec<B> {
  readonly kind: 'upload';
  /** The name of the only field. */
  readonly field: string;
  readonly limit_bytes: number;
  readonly check: (upload: Upload) => E.Either<readonly Issue[], B>;
}

/** A response: JSON, or bytes that are streamed. `V`: what the JSON is; unknown if it is the answer. */
export type Reply<V = unknown> = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | { readonly kind: 'json'; readonly value: V }
  | {
      readonly kind: 'bytes';
      readonly contentType: string;
      readonly chunks: AsyncIterable<Uint8Array>;
      /** Streams end without waiting for clients that stopped reading. */
      readonly over?: AbortSignal;
    }
);

/** Documents a successful response. */
export interface SuccessDoc {
  readonly status: 101 | 200 | 201;
  readonly description: string;
  readonly contentType: string;
  readonly otherTypes?: readonly string[];
  readonly schema: JsonSchema;
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteDoc {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly success: SuccessDoc;
  /** Errors beyond those of every route. */
  readonly errors: readonly ErrorCode[];
  /** No credentials are needed. */
  readonly isOpen?: boolean;
  /** Needs Basic credentials; a session is not enough. */
  readonly needsBasic?: boolean;
  /** Problems show the offending value: the body cannot contain secrets. */
  readonly isEchoed?: boolean;
  /** Takes `If-Match`. */
  readonly isConditional?: boolean;
  /** A path of the version before: the next one no longer knows it. */
  readonly isDeprecated?: boolean;
  /** Takes `Last-Event-ID`. */
  readonly isResumable?: boolean;
}

type Params = Readonly<Record<string, Param<unknown>>>;
type Decoded<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer A> ? A : never };

/** The decoded parts of a request. */
interface Parts<PP extends Params, Q extends Params, B> {
  readonly path: Decoded<PP>;
  readonly query: Decoded<Q>;
  readonly body: B;
  readonly mediaType: string;
  readonly ifMatch: string | null;
  readonly lastEventId: string | null;
  readonly user: string;
}

interface RouteSpec<I extends string, PP extends Params, Q extends Params, B, T extends string, P, A, V>
  extends RouteDoc {
  readonly id: I;
  readonly params?: PP;
  readonly query?: Q;
  readonly body?: BodySpec<B> | UploadSpec<B>;
  readonly request: (parts: Parts<PP, Q, B>) => { readonly type: T; readonly payload: P };
  readonly reply: (answer: A, path: Decoded<PP>) => Reply<V>;
}

/** A row of the table: `T` request type, `P` payload, `A` answer; its id and parameters for typed clients. */
export interface Route<
  T extends string,
  P,
  A,
  I extends string = string,
  PP extends Params = Params,
  Q extends Params = Params,
  V = unknown,
> extends RouteDoc {
  readonly id: I;
  readonly params: PP;
  readonly query: Q;
  readonly body: Omit<BodySpec<unknown>, 'check'> | Omit<UploadSpec<unknown>, 'check'> | null;
  /** Decodes every part, or returns all problems. */
  readonly toRequest: (
    raw: RawRequest,
  ) => E.Either<readonly Problem[], { readonly type: T; readonly payload: P }>;
  readonly toReply: (answer: A, path: RawPath) => Reply<V>;
}

/** Name of clients without credentials, where the service asks for none. */
const NO_USER = 'local';

/** Values per key of a query, percent-decoded; `null` if malformed. */
const parseQuery = (query: string): ReadonlyMap<string, readonly (string | null)[]> => {
  const values = new Map<string, (string | null)[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair.replaceAll('+', ' ')) ?? [];
    const name = percentDecode(key) ?? key;
    values.set(name, [...(values.get(name) ?? []), percentDecode(value)]);
  }
  return values;
};

/** Decodes a value or adds its problem to the list; the value is unused after a problem. */
const decodeParam = (
  param: Param<unknown>,
  loc: readonly string[],
  texts: readonly (string | null)[],
  problems: Problem[],
): unknown => {
  const known = texts.filter((text) => text !== null);
  const result = known.length < texts.length ? E.left(BAD_ESCAPE) : param.decode(known);
  if (E.isRight(result)) return result.right;
  problems.push(problem(loc, result.left.type, result.left.msg, known.length === 1 ? known[0] : known));
  return undefined;
};

const decodePath = (params: Params, raw: RawPath, problems: Problem[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(params).map(([name, param]) => [
      name,
      decodeParam(param, ['path', name], [percentDecode(raw[name] ?? '')], problems),
    ]),
  );

const decodeQuery = (params: Params, raw: string, problems: Problem[]): Readonly<Record<string, unknown>> => {
  const given = parseQuery(raw);
  const known = Object.keys(params);
  for (const name of given.keys()) {
    if (known.includes(name)) continue;
    const hint = known.length === 0 ? 'none is known here' : `known: ${known.join(', ')}`;
    problems.push(problem(['query', name], 'unknown_key', `is not a parameter of this endpoint; ${hint}`));
  }
  return Object.fromEntries(
    Object.entries(params).map(([name, param]) => [
      name,
      decodeParam(param, ['query', name], given.get(name) ?? [], problems),
    ]),
  );
};

const MISSING_FILE = problem(['body'], 'missing', 'is required; send the content of the file');

const decodeUpload = (spec: UploadSpec<unknown>, raw: RawRequest, problems: Problem[]): unknown => {
  const checked = raw.upload === undefined ? E.left([]) : spec.check(raw.upload);
  if (E.isRight(checked)) return checked.right;
  problems.push(
    ...(raw.upload === undefined ? [MISSING_FILE] : checked.left.map((issue) => bodyProblem(issue, null))),
  );
  return undefined;
};

const decodeBody = (
  spec: BodySpec<unknown> | UploadSpec<unknown>,
  raw: RawRequest,
  problems: Problem[],
): unknown => {
  if (spec.kind === 'upload') return decodeUpload(spec, raw, problems);
  const body = raw.body ?? E.left(problem(['body'], 'missing', 'is required; send JSON'));
  if (E.isLeft(body)) {
    problems.push(body.left);
    return undefined;
  }
  const checked = spec.check(body.right);
  if (E.isRight(checked)) return checked.right;
  for (const issue of checked.left) problems.push(bodyProblem(issue, body.right));
  return undefined;
};

/** Builds a row; the types of its parts are inferred. */
export const route = <
  const I extends string,
  T extends string,
  P,
  A,
  const PP extends Params = Readonly<Record<never, never>>,
  const Q extends Params = Readonly<Record<never, never>>,
  B = null,
  V = unknown,
>(
  spec: RouteSpec<I, PP, Q, B, T, P, A, V>,
): Route<T, P, A, I, PP, Q, V> => {
  const { params, query, body, request, reply, ...doc } = spec;
  return {
    ...doc,
    // Absent parameters have the default type of no keys.
    params: params ?? ({} as PP),
    query: query ?? ({} as Q),
    body: body ?? null,
    toRequest: (raw) => {
      const problems: Problem[] = [];
      const parts = {
        path: decodePath(params ?? {}, raw.path, problems),
        query: decodeQuery(query ?? {}, raw.query, problems),
        body: body === undefined ? null : decodeBody(body, raw, problems),
        mediaType: raw.mediaType,
        ifMatch: raw.ifMatch,
        lastEventId: raw.lastEventId ?? null,
        user: raw.user ?? NO_USER,
      };
      // Without problems, every part has its declared type.
      return problems.length > 0 ? E.left(problems) : E.right(request(parts as Parts<PP, Q, B>));
    },
    // `toRequest` has accepted the same path before.
    toReply: (answer, path) => reply(answer, decodePath(params ?? {}, path, []) as Decoded<PP>),
  };
};
