import * as E from 'fp-ts/lib/Either.js';
import type { Upload } from '../domain/directories/upload.js';
import type { ErrorCode, Issue } from '../domain/errors.js';
import type { Json } from '../domain/json.js';
import type { JsonSchema } from '../schema/index.js';
import type { Method, RawPath } from './match.js';
import { BAD_ESCAPE, type Param, percentDecode } from './params.js';
import { bodyProblem, type Problem, problem } from './problem.js';

/** A request as it came over the wire, its body parsed. */
export interface RawRequest {
  readonly path: RawPath;
  /** Text after the `?`, still percent-encoded. */
  readonly query: string;
  /** Absent for a route without a body; Left when it is not JSON. */
  readonly body?: E.Either<Problem, Json>;
  /** Content that was stored, for a route that takes a file. */
  readonly upload?: Upload;
  /** Media type of the body, lower case, without parameters. */
  readonly mediaType: string;
  /** `If-Match` as it was given; `null` without. */
  readonly ifMatch: string | null;
  /** `Last-Event-ID` as it was given. */
  readonly lastEventId?: string | null;
}

/** How a JSON body is checked and described. What is passed on is the JSON as it was sent. */
export interface BodySpec<B> {
  readonly kind: 'json';
  readonly mediaTypes: readonly string[];
  readonly limit_bytes: number;
  /** Name of the schema under `components.schemas`. */
  readonly schemaName: string;
  readonly check: (body: Json) => E.Either<readonly Issue[], B>;
}

/**
 * A file: one field of `multipart/form-data`, or the bytes as they are under any other content type. It is
 * stored while it comes in; what is passed on says where.
 */
export interface UploadSpec<B> {
  readonly kind: 'upload';
  /** Name of the field, the only one of the form. */
  readonly field: string;
  readonly limit_bytes: number;
  readonly check: (upload: Upload) => E.Either<readonly Issue[], B>;
}

/** What goes back: a JSON value, or bytes that are written while they come. */
export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
} & (
  | { readonly kind: 'json'; readonly value: unknown }
  | {
      readonly kind: 'bytes';
      readonly contentType: string;
      readonly chunks: AsyncIterable<Uint8Array>;
      /** Ends when no more chunks come: a client that does not read then is not waited for. */
      readonly over?: AbortSignal;
    }
);

/** How a successful answer looks, for the OpenAPI document. */
export interface SuccessDoc {
  readonly status: 101 | 200 | 201;
  readonly description: string;
  readonly contentType: string;
  /** Other content types of the same answer. */
  readonly otherTypes?: readonly string[];
  readonly schema: JsonSchema;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a route is for, for people and for the OpenAPI document. */
export interface RouteDoc {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly success: SuccessDoc;
  /** Errors beyond those that every route can answer. */
  readonly errors: readonly ErrorCode[];
  /** True when no credentials are asked for. */
  readonly isOpen?: boolean;
  /** True when a session does not do: whoever begins one shows Basic credentials. */
  readonly needsBasic?: boolean;
  /** True where problems show the offending value: bodies that cannot hold secrets. */
  readonly isEchoed?: boolean;
  /** True when the route takes `If-Match`. */
  readonly isConditional?: boolean;
  /** True when the route takes `Last-Event-ID`. */
  readonly isResumable?: boolean;
}

type Params = Readonly<Record<string, Param<unknown>>>;
type Decoded<P extends Params> = { readonly [K in keyof P]: P[K] extends Param<infer A> ? A : never };

/** The parts of a request after decoding. */
interface Parts<PP extends Params, Q extends Params, B> {
  readonly path: Decoded<PP>;
  readonly query: Decoded<Q>;
  readonly body: B;
  readonly mediaType: string;
  readonly ifMatch: string | null;
  readonly lastEventId: string | null;
}

interface RouteSpec<PP extends Params, Q extends Params, B, T extends string, P, A> extends RouteDoc {
  readonly params?: PP;
  readonly query?: Q;
  readonly body?: BodySpec<B> | UploadSpec<B>;
  readonly request: (parts: Parts<PP, Q, B>) => { readonly type: T; readonly payload: P };
  readonly reply: (answer: A, path: Decoded<PP>) => Reply;
}

/** One row of the table: `T` is the type of the request, `P` its payload, `A` the answer it gets. */
export interface Route<T extends string, P, A> extends RouteDoc {
  readonly params: Params;
  readonly query: Params;
  readonly body: Omit<BodySpec<unknown>, 'check'> | Omit<UploadSpec<unknown>, 'check'> | null;
  /** Decodes every part; Left: all problems. Pure. */
  readonly toRequest: (
    raw: RawRequest,
  ) => E.Either<readonly Problem[], { readonly type: T; readonly payload: P }>;
  readonly toReply: (answer: A, path: RawPath) => Reply;
}

/** Values per key of a query, percent-decoded; `null` for a malformed one. */
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

/** Decodes one value, adding its problem to the list. The value after a problem is never used. */
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

const MISSING_FILE = problem(['body'], 'missing', 'the content of the file is required');

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
  const body = raw.body ?? E.left(problem(['body'], 'missing', 'a JSON body is required'));
  if (E.isLeft(body)) {
    problems.push(body.left);
    return undefined;
  }
  const checked = spec.check(body.right);
  if (E.isRight(checked)) return checked.right;
  for (const issue of checked.left) problems.push(bodyProblem(issue, body.right));
  return undefined;
};

/** Makes a row of the table from its declaration; the types of its parts are inferred. */
export const route = <const PP extends Params, const Q extends Params, T extends string, P, A, B = null>(
  spec: RouteSpec<PP, Q, B, T, P, A>,
): Route<T, P, A> => {
  const { params, query, body, request, reply, ...doc } = spec;
  return {
    ...doc,
    params: params ?? {},
    query: query ?? {},
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
      };
      // Without problems every part has the type that its declaration gives it.
      return problems.length > 0 ? E.left(problems) : E.right(request(parts as Parts<PP, Q, B>));
    },
    // A reply is made only after `toRequest` took the same path.
    toReply: (answer, path) => reply(answer, decodePath(params ?? {}, path, []) as Decoded<PP>),
  };
};
