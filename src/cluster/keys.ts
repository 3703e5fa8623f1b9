import { partitionId, partitionOf } from '../domain/partitions.js';

/**
 * Keys of the cluster's buckets. A token holds any text: ASCII letters, digits, `_` and `-` stand for themselves, every
 * other UTF-16 unit is `=` and four hex digits, the empty text is `=`. A token has at most five times as many characters
 * as its text: 640 for an id or a scenario of 128.
 */
const OTHER = /[^A-Za-z0-9_-]/g;
const TOKEN = /^(?:[A-Za-z0-9_-]|=[0-9A-F]{4})+$/;

/** Text as one token of a key. */
export const encodeToken = (text: string): string =>
  text === ''
    ? '='
    : text.replace(OTHER, (unit) => `=${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

/** Returns the text of a token, or null when `encodeToken` makes no such token. */
export const decodeToken = (token: string): string | null => {
  if (token === '=') return '';
  if (!TOKEN.test(token)) return null;
  const text = token.replace(/=(.{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  // One text has one token: `=0041` is not `A`.
  return encodeToken(text) === token ? text : null;
};

/** Lease key of a generator, or of a partition by its id. */
export const generatorKey = (id: string): string => {
  const partition = partitionOf(id);
  return partition === null ? `g.${encodeToken(id)}` : `p.${encodeToken(partition.id)}.${partition.index}`;
};
export const scenarioKey = (name: string): string => `s.${encodeToken(name)}`;

/** Key of a generator's wanted state in the bucket `startup`. */
export const wantedKey = (id: string): string => `wanted.${encodeToken(id)}`;
/** Key of a node's orders in the bucket `startup`. */
export const ordersKey = (node: string): string => `orders.${encodeToken(node)}`;
/** Key of the startup list in the bucket `startup`. */
export const LIST_KEY = 'list';

/** Returns what a key of the bucket `startup` orders, or null when it is the list, or not a key of ours. */
export const startupSubjectOf = (
  key: string,
): { readonly kind: 'wanted' | 'orders'; readonly name: string } | null => {
  const [kind, token = '', ...rest] = key.split('.');
  const name = decodeToken(token);
  if (name === null || rest.length > 0 || (kind !== 'wanted' && kind !== 'orders')) return null;
  return { kind, name };
};

/** Returns the generator, partition or scenario of a lease key, or null when it is not a key of ours. */
export const leaseSubjectOf = (
  key: string,
): { readonly kind: 'generator' | 'scenario'; readonly name: string } | null => {
  const [kind, token = '', index] = key.split('.');
  const text = decodeToken(token);
  if (text === null) return null;
  if (scenarioKey(text) === key) return { kind: 'scenario', name: text };
  const name = kind === 'p' ? partitionId(text, Number(index)) : text;
  // One generator has one key: `p.web.01` is none.
  return generatorKey(name) === key ? { kind: 'generator', name } : null;
};
