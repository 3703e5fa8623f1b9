import { isJsonObject, parsedJson } from '../domain/json.js';

/** Format of orders and wanted states that this version writes, and the newest that it reads. */
export const DOCUMENT_FORMAT = 1;
/** The same of nodes and leases. Since 2 a lease has an epoch, and one that was given back stays. */
export const LEASE_FORMAT = 2;
/** Largest document that is parsed, in bytes: the usual limit of a NATS message. */
const MAX_DOCUMENT_BYTES = 1_048_576;
/** A node that refuses more tasks than this takes none. */
export const MAX_REFUSED_TASKS = 1_000;
const MAX_LISTED = 10_000;
export const MAX_DOCUMENT_TEXT_LENGTH = 1_024;
const MAX_LABELS = 64;
const MAX_CAPACITY = 1_000_000;

export type Labels = Readonly<Record<string, string>>;

/** A document from bytes of others. `newer`: written by a newer version of Spate. */
export type ParsedDocument<A> =
  | { readonly kind: 'valid'; readonly document: A }
  | { readonly kind: 'newer'; readonly format: number }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Reads a field of a document. Returns undefined when the value is not of this type. */
type Field<A> = (value: unknown) => A | undefined;
type Fields = Readonly<Record<string, Field<unknown>>>;
type ReadBy<F extends Fields> = { readonly [K in keyof F]: Exclude<ReturnType<F[K]>, undefined> };

const text: Field<string> = (value) =>
  typeof value === 'string' && value.length <= MAX_DOCUMENT_TEXT_LENGTH ? value : undefined;
const name: Field<string> = (value) => (value === '' ? undefined : text(value));
const textOrNull: Field<string | null> = (value) => (value === null ? null : text(value));
const flag: Field<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const amount: Field<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
const capacity: Field<number> = (value) => {
  const weight = amount(value);
  return weight !== undefined && weight <= MAX_CAPACITY ? weight : undefined;
};
const count: Field<number> = (value) => (Number.isSafeInteger(value) ? amount(value) : undefined);

const listOf =
  <A>(item: Field<A>, max: number): Field<readonly A[]> =>
  (value) => {
    if (!Array.isArray(value) || value.length > max) return undefined;
    const items = value.map(item).filter((one) => one !== undefined);
    return items.length === value.length ? items : undefined;
  };

const labels: Field<Labels> = (value) => {
  if (!isJsonObject(value)) return undefined;
  const pairs = Object.entries(value);
  const isValid =
    pairs.length <= MAX_LABELS && pairs.every((pair) => pair.every((one) => text(one) !== undefined));
  // `fromEntries` defines own properties: a label `__proto__` is a label.
  return isValid ? (Object.fromEntries(pairs) as Labels) : undefined;
};

/** A field that former versions do not write. */
const addedLater =
  <A>(field: Field<A>, absent: A): Field<A> =>
  (value) =>
    value === undefined ? absent : field(value);

/** Reads the own properties that `fields` name; others are dropped. Returns the name of the first wrong one, or the value. */
const fieldsOf = <F extends Fields>(fields: F, value: unknown): ReadBy<F> | string => {
  if (!isJsonObject(value)) return 'the document';
  const read: [string, unknown][] = [];
  for (const [key, field] of Object.entries(fields)) {
    const found = field(Object.hasOwn(value, key) ? value[key] : undefined);
    if (found === undefined) return key;
    read.push([key, found]);
  }
  return Object.fromEntries(read) as ReadBy<F>;
};

const objectOf =
  <F extends Fields>(fields: F): Field<ReadBy<F>> =>
  (value) => {
    const read = fieldsOf(fields, value);
    return typeof read === 'string' ? undefined : read;
  };

const formatOf = (value: unknown): number | undefined =>
  isJsonObject(value) && Object.hasOwn(value, 'format') ? count(value['format']) : undefined;

const parser =
  <F extends Fields>(newest: number, fields: F) =>
  (bytes: Uint8Array): ParsedDocument<ReadBy<F>> => {
    if (bytes.length > MAX_DOCUMENT_BYTES)
      return { kind: 'invalid', problem: `document is larger than ${MAX_DOCUMENT_BYTES} bytes` };
    const value = parsedJson(new TextDecoder().decode(bytes));
    const format = formatOf(value);
    if (format === undefined || format === 0)
      return { kind: 'invalid', problem: 'document is not JSON, or has no "format"' };
    if (format > newest) return { kind: 'newer', format };
    const read = fieldsOf(fields, value);
    return typeof read === 'string'
      ? { kind: 'invalid', problem: `"${read}" is missing or has a wrong value` }
      : { kind: 'valid', document: read };
  };

const LOAD = {
  /** Running generators and partitions. */
  generators: count,
  events_per_second: amount,
  /** Used cores. */
  cpu: amount,
};
export type NodeLoad = ReadBy<typeof LOAD>;

const REFUSALS = {
  reason: text,
  /** Names of tasks. */
  tasks: listOf(name, MAX_LISTED),
};
export type Refusals = ReadBy<typeof REFUSALS>;

const NODE = {
  format: count,
  /** Random text of one start of a daemon. */
  session: name,
  /** Former session of this node, at rest, whose place this one takes; null when there is none. */
  follows: addedLater(textOrNull, null),
  /** Session of this process before this one, which ended without its death; null when there was none. */
  previous: addedLater(textOrNull, null),
  /** Revision of its first beat, the order in which nodes joined; 0 before the node knows it. */
  since: addedLater(count, 0),
  /** Settings that change events, as text by key. */
  generation: addedLater(labels, {}),
  version: text,
  /** Address of its API. Null when it has none. */
  api: textOrNull,
  /** Weight of the node; 0: it takes no tasks. */
  capacity,
  labels,
  /** Number of the beat, from 1. */
  beat: count,
  load: objectOf(LOAD),
  /** Ids of generators that are registered on this node only. */
  local: listOf(name, MAX_LISTED),
  draining: flag,
  refused: listOf(objectOf(REFUSALS), MAX_LISTED),
  /** Troubles of the node, for people. */
  problems: addedLater(listOf(text, MAX_LISTED), []),
};
/** A node as it describes itself, every fifth of a lease. */
export type NodeDocument = ReadBy<typeof NODE>;
export const parseNode = parser(LEASE_FORMAT, NODE);

const LEASE = {
  format: count,
  /** Node that holds the lease. Null when it was given back, and nobody holds it. */
  node: textOrNull,
  session: textOrNull,
  /** Rises by one each time that the lease is taken; 0: of a version without epochs. Fences what its holders write. */
  epoch: addedLater(count, 0),
  /** Nodes in a row that were lost while they held it; 0 again when one gave it back that had held it for long. */
  deaths: addedLater(count, 0),
  /** ISO 8601, for people only. */
  since: text,
};
export type LeaseDocument = ReadBy<typeof LEASE>;
export const parseLease = parser(LEASE_FORMAT, LEASE);

const ORDERS = { format: count, drain: flag };
export const parseOrders = parser(DOCUMENT_FORMAT, ORDERS);

const WANTED = {
  format: count,
  state: (value: unknown) => (value === 'running' || value === 'stopped' ? value : undefined),
  /** Why Spate stopped it itself, in quarantine; null: people want the state. */
  quarantine: addedLater(textOrNull, null),
};
export type WantedDocument = ReadBy<typeof WANTED>;
export const parseWanted = parser(DOCUMENT_FORMAT, WANTED);

/** Bytes of a document. */
export const printClusterDocument = (
  document: NodeDocument | LeaseDocument | ReadBy<typeof ORDERS> | WantedDocument,
): Uint8Array => new TextEncoder().encode(JSON.stringify(document));
