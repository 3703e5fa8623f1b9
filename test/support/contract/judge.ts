import type { Json } from '../../../src/domain/json.js';
import type { Expectation, Fault, RequestCase } from './cases/requestCase.js';
import type { Operation, Schema } from './document.js';
import { isAbove, isNear, leadsTo } from './leadsTo.js';
import type { WireAnswer } from './wire.js';

/** What a judge needs beside the request and its answer. */
export interface Court {
  readonly operation: Operation;
  /** Methods of the path, for the `Allow` header. */
  readonly methods: readonly string[];
  /** What is wrong with a value by a schema; `null` when nothing. */
  readonly flawOf: (schema: Schema, value: unknown) => string | null;
}

/** Headers that are documented and may be absent: the document says when. */
const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['Set-Cookie', 'X-Spate-Warning']);

const mediaTypeOf = ({ headers }: WireAnswer): string =>
  String(headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim() ?? '';

/** The status of success of an operation. */
export const successOf = ({ answers }: Operation): number =>
  Number(Object.keys(answers).find((status) => Number(status) < 300));

const parsed = (body: Buffer): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json };
  } catch {
    return null;
  }
};

const schemaFor = ({ operation }: Court, status: number, type: string): Schema | null => {
  const answer = operation.answers[String(status)];
  // No operation lists what concerns the method: the answer has the form of every other error.
  if (answer === undefined) return status === 405 ? (operation.answers['500']?.content[type] ?? null) : null;
  return answer.content[type] ?? null;
};

const bodyFlaws = (court: Court, answer: WireAnswer): readonly string[] => {
  const { status, body, isWhole } = answer;
  if (status === 101 || status === 204) return [];
  const type = mediaTypeOf(answer);
  const schema = schemaFor(court, status, type);
  if (schema === null) return [`status ${status} with ${type || 'no content type'} is not documented`];
  if (type !== 'application/json')
    return isWhole || type === 'text/event-stream' ? [] : ['the body was cut off'];
  const value = parsed(body);
  if (value === null) return ['the body is not JSON'];
  const flaw = court.flawOf(schema, value.value);
  return flaw === null ? [] : [`the body breaks its schema: ${flaw}`];
};

const headerFlaws = ({ operation }: Court, { status, headers }: WireAnswer): readonly string[] => {
  const documented = operation.answers[String(status)]?.headers ?? [];
  return ['X-Spate-Version', ...documented]
    .filter((name) => !OPTIONAL_HEADERS.has(name) && headers[name.toLowerCase()] === undefined)
    .map((name) => `the header ${name} is missing`);
};

/** One problem of a 422. */
interface Item {
  readonly loc: readonly string[];
  readonly type: string;
}

const itemsOf = ({ body }: WireAnswer): readonly Item[] => {
  const value = parsed(body)?.value as { readonly detail?: unknown } | null | undefined;
  return Array.isArray(value?.detail) ? (value.detail as readonly Item[]) : [];
};

/** Found while a plugin was built: the problem lies at the plugin as a whole. */
const BUILDING: ReadonlySet<string> = new Set(['plugin_failed', 'output_failed', 'unreadable']);

const isAstray = ({ loc, type }: Item, value: Fault): boolean =>
  BUILDING.has(type) && loc.length > 1 ? !isAbove(loc, value) : !isNear(loc, value);

const locFlaws = (expected: Expectation, answer: WireAnswer): readonly string[] => {
  if (answer.status !== 422) return [];
  const items = itemsOf(answer);
  if (items.length === 0) return ['the 422 lists no problem'];
  const strange = items.find(({ loc: [where] }) => where !== 'body' && where !== 'query' && where !== 'path');
  if (strange !== undefined)
    return [`loc ${JSON.stringify(strange.loc)} begins with none of body, query, path`];
  if (expected.kind === 'refused') {
    const astray = items.find(({ loc }) => !leadsTo(loc, expected.fault));
    return astray === undefined ? [] : [`loc ${JSON.stringify(astray.loc)} does not lead to the fault`];
  }
  if (expected.kind !== 'open' || expected.value === null) return [];
  const { value } = expected;
  const astray = items.find((item) => isAstray(item, value));
  return astray === undefined
    ? []
    : [`loc ${JSON.stringify(astray.loc)} is not near ${value.path.join('.')}`];
};

const wantedStatuses = (expected: Expectation, operation: Operation): readonly number[] | null => {
  switch (expected.kind) {
    case 'taken':
      return [successOf(operation)];
    case 'refused':
      return [422];
    case 'status':
      return expected.statuses;
    case 'open':
      return null;
  }
};

const statusFlaws = ({ operation }: Court, expected: Expectation, status: number): readonly string[] => {
  const wanted = wantedStatuses(expected, operation);
  if (wanted !== null && !wanted.includes(status))
    return [`status ${status} instead of ${wanted.join(' or ')}`];
  return status >= 500 ? [`status ${status}`] : [];
};

const allowFlaws = ({ methods }: Court, { status, headers }: WireAnswer): readonly string[] => {
  if (status !== 405 && status !== 204) return [];
  const all = new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
  const wanted = [...all].sort().join(', ');
  return headers['allow'] === wanted ? [] : [`Allow is ${String(headers['allow'])} instead of ${wanted}`];
};

/** Everything that is wrong with an answer; empty when it is as it must be. */
export const judge = (court: Court, request: RequestCase, answer: WireAnswer): readonly string[] => [
  ...statusFlaws(court, request.expected, answer.status),
  ...(request.method === 'HEAD' ? [] : bodyFlaws(court, answer)),
  ...headerFlaws(court, answer),
  ...allowFlaws(court, answer),
  ...locFlaws(request.expected, answer),
];
