import type { JsonObject } from '../../../src/domain/json.js';
import { plainBody, takesFile } from './cases/casesOf.js';
import { neededQuery, queryOf } from './cases/queryCases.js';
import { CURRENT_ETAG, type RequestCase } from './cases/requestCase.js';
import { type Operation, resolveIn } from './document.js';
import { type Errand, FRESH, type Plan } from './plans.js';
import { withNeeds } from './values/beyondSchema.js';
import { jsonText } from './values/jsonText.js';
import { smallest } from './values/smallest.js';
import type { Wire, WireRequest } from './wire.js';

const PREFIX = '/api';

/** An errand as a request. */
export const errandRequest = ({ method, path, body }: Errand): WireRequest => {
  const isFile = typeof body === 'string' && path.includes('/file/');
  return {
    method,
    target: `${PREFIX}${path}`,
    headers: { 'content-type': isFile ? 'application/octet-stream' : 'application/json' },
    body: body === undefined ? null : isFile ? body : JSON.stringify(body),
  };
};

const pathFor = (
  { path }: Operation,
  plan: Plan,
  given: Readonly<Record<string, string>>,
  fresh: string,
): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const own = plan.path[name] ?? name;
    return given[name] ?? encodeURIComponent(own === FRESH ? fresh : own);
  });

/** The body of a request that is about something else. */
const usualBody = (document: JsonObject, operation: Operation, { content }: Plan): string | null => {
  const plain = plainBody(operation);
  if (plain === null) return null;
  const [, schema] = plain;
  return takesFile(operation) ? content : jsonText(smallest(withNeeds(resolveIn(document, schema))));
};

/** Headers that take a path to a WebSocket. */
const UPGRADE: Readonly<Record<string, string>> = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
};

const isWebSocket = ({ answers }: Operation): boolean => answers['101'] !== undefined;

/** A request of the enumeration as it goes over the wire; `fresh` is a name that nothing has. */
export const toWire = (
  document: JsonObject,
  operation: Operation,
  plan: Plan,
  request: RequestCase,
  fresh: string,
): WireRequest => {
  const { method = operation.method, headers = {} } = request;
  const body =
    request.body?.() ?? (request.method === undefined ? usualBody(document, operation, plan) : null);
  const query = request.query ?? queryOf(neededQuery(operation, plan.query));
  const type = body === null ? undefined : plainBody(operation)?.[0];
  const all = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(isWebSocket(operation) && request.method === undefined ? UPGRADE : {}),
    ...headers,
  };
  return {
    method,
    target: `${PREFIX}${pathFor(operation, plan, request.path ?? {}, fresh)}${query === '' ? '' : `?${query}`}`,
    headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== '')),
    body,
  };
};

/** The request with the entity tag that the state has now, where it asks for it. */
export const withEtag = async (wire: Wire, request: WireRequest): Promise<WireRequest> => {
  const given = request.headers['if-match'];
  if (given?.includes(CURRENT_ETAG) !== true) return request;
  const { headers } = await wire.send({
    method: 'GET',
    target: request.target.replace(/\?.*/, ''),
    headers: {},
    body: null,
  });
  const tag = String(headers['etag'] ?? '');
  return { ...request, headers: { ...request.headers, 'if-match': given.replace(CURRENT_ETAG, tag) } };
};
