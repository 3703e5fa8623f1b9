import { AUTH_ROUTES } from '../../contract/routes/auth.js';
import { makeRoutes } from '../../contract/routes.js';
import type { Requests } from '../../messages/ask.js';
import { record } from '../../schema/index.js';

/** Bodies are checked by the service: the table is used for methods, paths and types. */
const UNUSED = record({});

const ROWS = makeRoutes({
  generatorConfig: UNUSED,
  generatorPatch: UNUSED,
  output: UNUSED,
  generatorParams: UNUSED,
  startupEntry: UNUSED,
  settings: UNUSED,
  inputs: UNUSED,
  event: UNUSED,
  formatter: UNUSED,
});

export type ApiRow = (typeof ROWS)[number];
export type RowId = ApiRow['id'];
type RowOf<I extends RowId> = Extract<ApiRow, { readonly id: I }>;

type Right<R> = R extends { readonly right: infer A } ? A : never;
type RequestOf<I extends RowId> = Right<ReturnType<RowOf<I>['toRequest']>>['type'];
type ReplyOf<I extends RowId> = Extract<ReturnType<RowOf<I>['toReply']>, { readonly kind: 'json' }>['value'];

/** The JSON of a successful response. */
export type AnswerOf<I extends RowId> =
  unknown extends ReplyOf<I> ? Requests[Extract<RequestOf<I>, keyof Requests>]['answer'] : ReplyOf<I>;

export type PathOf<I extends RowId> = { readonly [K in keyof RowOf<I>['params']]: string };
export type QueryOf<I extends RowId> = {
  readonly [K in keyof RowOf<I>['query']]?: string | number | boolean | readonly string[];
};

/** Method and path template of a row. */
export interface RouteAddress {
  readonly method: string;
  readonly path: string;
}

const byId = new Map<string, RouteAddress>([...ROWS, ...AUTH_ROUTES].map((row) => [row.id, row]));

/** All operations, those of the session included. */
export const OPERATIONS: readonly string[] = [...byId.keys()];

/** Method and path template of an operation. Null when this version knows none of the name. */
export const addressOfOperation = (operation: string): RouteAddress | null => byId.get(operation) ?? null;

/** The method and path template of a row, or of one that the HTTP facade answers itself. */
export const apiAddressOf = (id: RowId | 'login' | 'readUser' | 'readRole' | 'logout'): RouteAddress => {
  const row = byId.get(id);
  if (row === undefined) throw new Error(`no route ${id}`);
  return row;
};
