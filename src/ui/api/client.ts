import type { Json } from '../../domain/json.js';
import { errorOf, NO_ANSWER } from './errors.js';
import {
  type AnswerOf,
  apiAddressOf,
  type PathOf,
  type QueryOf,
  type RouteAddress,
  type RowId,
} from './routes.js';

const PREFIX = '/api';

type Query = Readonly<Record<string, string | number | boolean | readonly string[]>>;

interface Parts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of `body`; JSON by default. */
  readonly mediaType?: string;
  /** Sent as it is, as a file. */
  readonly content?: string | Blob;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Fills the parameters of a path template; `{filepath+}` keeps its slashes. */
export const filledPath = (template: string, path: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)(\+?)\}/g, (_, name: string, rest: string) => {
    const value = path[name] ?? '';
    return rest === '+' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });

const queryText = (query: Query): string => {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? (value as readonly string[]) : [String(value)]).map((one): [string, string] => [
      key,
      one,
    ]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
};

const parsed = (text: string): Json | undefined => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
};

const bodyOf = ({
  body,
  content,
  mediaType = 'application/json',
}: Parts): { readonly type: string; readonly body: string | Blob } | null => {
  if (content !== undefined) return { type: 'application/octet-stream', body: content };
  return body === undefined ? null : { type: mediaType, body: JSON.stringify(body) };
};

const send = async ({ method, path: template }: RouteAddress, parts: Parts): Promise<Response> => {
  const { path = {}, query = {}, headers = {} } = parts;
  const body = bodyOf(parts);
  // The console of the browser would show every refusal as an error; the service ignores it for changes.
  const prefer = headers['Authorization'] === undefined ? { Prefer: 'refusals=200' } : {};
  const response = await fetch(`${PREFIX}${filledPath(template, path)}${queryText(query)}`, {
    method: method.toUpperCase(),
    headers: { ...(body === null ? {} : { 'Content-Type': body.type }), ...prefer, ...headers },
    ...(body === null ? {} : { body: body.body }),
  }).catch(() => {
    throw NO_ANSWER;
  });
  const status = Number(response.headers.get('X-Spate-Status') ?? response.status);
  if (status >= 400) throw errorOf(status, parsed(await response.text()));
  return response;
};

export interface CallParts<I extends RowId> {
  readonly path?: PathOf<I>;
  readonly query?: QueryOf<I>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of `body`; JSON by default. */
  readonly mediaType?: string;
  /** Sent as it is, as a file. */
  readonly content?: string | Blob;
  /** The request fails with status 412 if what it changes is not of this entity tag any more. */
  readonly etag?: string;
}

/** A request of the route table, for what needs the response itself. Rejects with `ApiError`. */
export const ask = <I extends RowId>(
  id: I,
  { etag, path, query, ...bodies }: CallParts<I>,
): Promise<Response> =>
  send(apiAddressOf(id), {
    ...bodies,
    path: path ?? {},
    query: (query ?? {}) as Query,
    ...(etag === undefined ? {} : { headers: { 'If-Match': etag } }),
  });

/** The address of a row, for links. */
export const hrefOf = <I extends RowId>(id: I, path: PathOf<I>): string =>
  `${PREFIX}${filledPath(apiAddressOf(id).path, path)}`;

/** What a request is answered with, and its entity tag for a later `etag`; `''`: it has none. */
export interface Tagged<A> {
  readonly value: A;
  readonly etag: string;
}

/** A request of the route table. Rejects with `ApiError`. */
export const callTagged = async <I extends RowId>(
  id: I,
  parts: CallParts<I> = {},
): Promise<Tagged<AnswerOf<I>>> => {
  const response = await ask(id, parts);
  const value = parsed(await response.text()) as AnswerOf<I>;
  return { value, etag: response.headers.get('ETag') ?? '' };
};

/** A request of the route table. Rejects with `ApiError`. */
export const call = async <I extends RowId>(id: I, parts: CallParts<I> = {}): Promise<AnswerOf<I>> =>
  (await callTagged(id, parts)).value;

/** A request whose answer is a file. Rejects with `ApiError`. */
export const callFile = async <I extends RowId>(id: I, parts: CallParts<I> = {}): Promise<Tagged<Blob>> => {
  const response = await ask(id, parts);
  return { value: await response.blob(), etag: response.headers.get('ETag') ?? '' };
};

const sessionCall = async (
  id: 'login' | 'readUser' | 'readRole' | 'logout',
  parts: Parts = {},
): Promise<string> => String(parsed(await (await send(apiAddressOf(id), parts)).text()));

/** Name of the signed-in user. Rejects with status 401 if nobody is. */
export const readUser = (): Promise<string> => sessionCall('readUser');

/** Role of the signed-in user. Rejects with status 401 if nobody is. */
export const readRole = (): Promise<string> => sessionCall('readRole');

const basic = (user: string, password: string): string => {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
};

export const signIn = (user: string, password: string): Promise<string> =>
  sessionCall('login', { headers: { Authorization: basic(user, password) } });

export const signOut = async (): Promise<void> => {
  await sessionCall('logout');
};
