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

export interface NodeLoad {
  /** Running generators and partitions. */
  readonly generators: number;
  readonly events_per_second: number;
  /** Used cores. */
  readonly cpu: number;
}

export interface Refusals {
  readonly reason: string;
  /** Names of tasks. */
  readonly tasks: readonly string[];
}

/** A node as it describes itself, every fifth of a lease. */
export interface NodeDocument {
  readonly format: number;
  /** Random text of one start of a daemon. */
  readonly session: string;
  /** Former session of this node, at rest, whose place this one takes; null when there is none. */
  readonly follows: string | null;
  /** Session of this process before this one, which ended without its death; null when there was none. */
  readonly previous: string | null;
  /** Revision of its first beat, the order in which nodes joined; 0 before the node knows it. */
  readonly since: number;
  /** Settings that change events, as text by key. */
  readonly generation: Labels;
  readonly version: string;
  /** Address of its API. Null when it has none. */
  readonly api: string | null;
  /** Weight of the node; 0: it takes no tasks. */
  readonly capacity: number;
  readonly labels: Labels;
  /** Number of the beat, from 1. */
  readonly beat: number;
  readonly load: NodeLoad;
  /** Ids of generators that are registered on this node only. */
  readonly local: readonly string[];
  readonly draining: boolean;
  readonly refused: readonly Refusals[];
  /** Troubles of the node, for people. Former versions do not write them. */
  readonly problems: readonly string[];
}

export interface LeaseDocument {
  readonly format: number;
  /** Node that holds the lease. Null when it was given back, and nobody holds it. */
  readonly node: string | null;
  readonly session: string | null;
  /** Rises by one each time that the lease is taken; 0: of a version without epochs. Fences what its holders write. */
  readonly epoch: number;
  /** Nodes in a row that were lost while they held it; 0 again when one gave it back that had held it for long. */
  readonly deaths: number;
  /** ISO 8601, for people only. */
  readonly since: string;
}

export interface NodeOrders {
  readonly format: number;
  readonly drain: boolean;
}

export interface WantedState {
  readonly format: number;
  readonly state: 'running' | 'stopped';
  /** Why Spate stopped it itself, in quarantine; null: people want the state. */
  readonly quarantine: string | null;
}

/** A document from bytes of others. `newer`: written by a newer version of Spate. */
export type ParsedDocument<A> =
  | { readonly kind: 'valid'; readonly document: A }
  | { readonly kind: 'newer'; readonly format: number }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Reads a field of a document. Returns undefined when the value is not of this type. */
type Field<A> = (value: unknown) => A | undefined;
type Fields<A> = { readonly [K in keyof A]: Field<A[K]> };

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

const problems: Field<readonly string[]> = (value) =>
  value === undefined ? [] : listOf(text, MAX_LISTED)(value);

/** Reads the own properties that `fields` name; others are dropped. Returns the name of the first wrong one, or the value. */
const fieldsOf = <A extends object>(fields: Fields<A>, value: unknown): A | string => {
  if (!isJsonObject(value)) return 'the document';
  const read: [string, unknown][] = [];
  for (const [key, field] of Object.entries<Field<unknown>>(fields)) {
    const found = field(Object.hasOwn(value, key) ? value[key] : undefined);
    if (found === undefined) return key;
    read.push([key, found]);
  }
  return Object.fromEntries(read) as A;
};

const objectOf =
  <A extends object>(fields: Fields<A>): Field<A> =>
  (value) => {
    const read = fieldsOf(fields, value);
    return typeof read === 'string' ? undefined : read;
  };

const formatOf = (value: unknown): number | undefined =>
  isJsonObject(value) && Object.hasOwn(value, 'format') ? count(value['format']) : undefined;

const parser =
  <A extends object>(newest: number, fields: Fields<A>) =>
  (bytes: Uint8Array): ParsedDocument<A> => {
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

export const parseNode = parser<NodeDocument>(LEASE_FORMAT, {
  format: count,
  session: name,
  // Older versions do not write these four.
  follows: (value) => (value === undefined ? null : textOrNull(value)),
  previous: (value) => (value === undefined ? null : textOrNull(value)),
  since: (value) => (value === undefined ? 0 : count(value)),
  generation: (value) => (value === undefined ? {} : labels(value)),
  version: text,
  api: textOrNull,
  capacity,
  labels,
  beat: count,
  load: objectOf<NodeLoad>({ generators: count, events_per_second: amount, cpu: amount }),
  local: listOf(name, MAX_LISTED),
  draining: flag,
  refused: listOf(objectOf<Refusals>({ reason: text, tasks: listOf(name, MAX_LISTED) }), MAX_LISTED),
  problems,
});

export const parseLease = parser<LeaseDocument>(LEASE_FORMAT, {
  format: count,
  node: textOrNull,
  session: textOrNull,
  epoch: (value) => (value === undefined ? 0 : count(value)),
  deaths: (value) => (value === undefined ? 0 : count(value)),
  since: text,
});

export const parseOrders = parser<NodeOrders>(DOCUMENT_FORMAT, { format: count, drain: flag });

export const parseWanted = parser<WantedState>(DOCUMENT_FORMAT, {
  format: count,
  state: (value) => (value === 'running' || value === 'stopped' ? value : undefined),
  quarantine: (value) => (value === undefined ? null : textOrNull(value)),
});

/** Bytes of a document. */
export const printClusterDocument = (
  document: NodeDocument | LeaseDocument | NodeOrders | WantedState,
): Uint8Array => new TextEncoder().encode(JSON.stringify(document));
