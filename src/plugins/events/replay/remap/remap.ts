import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { type Span, spanOfMatch } from '../../../../domain/timestamps/span.js';
import { useLinearEngine } from '../../../shared/linearEngine.js';
import { remapAddress } from './addresses.js';
import { compileName } from './fields.js';

/** Names to replace: those in a group `name` of a pattern, or those of a list. */
export interface NameRule {
  readonly as: string;
  readonly pattern: string | null;
  readonly list: readonly string[] | null;
}

export interface RemapParams {
  readonly key: string;
  readonly addresses: boolean;
  readonly names: readonly NameRule[];
}

/** Replaces names and addresses in a record. */
export type Remap = (record: string) => string;

/** A part of a record and what stands for it. */
interface Replacement {
  readonly span: Span;
  readonly text: string;
}

type Find = (record: string, found: Replacement[]) => void;

/** Replacements that are remembered, of addresses and of names each. */
const MAX_KNOWN = 20_000;
const HEX_DIGITS = 8;

const remembered = (make: (text: string) => string): ((text: string) => string) => {
  const known = new Map<string, string>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = make(text);
      if (known.size === MAX_KNOWN) known.delete(known.keys().next().value as string);
      known.set(text, result);
    }
    return result;
  };
};

const IPV4 = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)/g;
/** Any text of its characters; `isIP` decides. */
const IPV6 = /(?<![\w.:])[\da-fA-F:]{2,39}(?:\.\d{1,3}){0,3}(?![\w:])/g;

const addressesOf = (key: string): Find => {
  const replace = remembered((address) => remapAddress(address, key));
  return (record, found) => {
    const add = (text: string, at: number): void => {
      if (isIP(text) !== 0) found.push({ span: [at, at + text.length], text: replace(text) });
    };
    for (const { 0: text, index } of record.matchAll(IPV4)) add(text, index);
    if (!record.includes(':')) return;
    for (const { 0: text, index } of record.matchAll(IPV6)) {
      if (!text.includes(':')) continue;
      // A colon may follow an address.
      add(text.endsWith(':') && !text.endsWith('::') ? text.slice(0, -1) : text, index);
    }
  };
};

const listPattern = (names: readonly string[]): RegExp => {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}_])(?:${escaped.join('|')})(?![\\p{L}\\p{N}_])`, 'gu');
};

const namesOf = (
  { as, pattern, list }: NameRule,
  { key, addresses }: RemapParams,
): E.Either<string, Find> => {
  const replace = remembered((name) => {
    const digest = createHmac('sha256', key).update(`name/${as}/${name}`).digest('hex');
    return `${as}-${digest.slice(0, HEX_DIGITS)}`;
  });
  const add = (found: Replacement[], record: string, span: Span): void => {
    const name = record.slice(...span);
    // An address at the place of a name is an address everywhere.
    if (name !== '' && !(addresses && isIP(name) !== 0)) found.push({ span, text: replace(name) });
  };
  if (pattern === null) {
    const search = listPattern(list ?? []);
    return E.right((record, found) => {
      for (const { 0: text, index } of record.matchAll(search))
        add(found, record, [index, index + text.length]);
    });
  }
  const compiled = compileName(pattern);
  if (E.isLeft(compiled)) return compiled;
  const search = compiled.right;
  return E.right((record, found) => {
    for (const match of record.matchAll(search.lines)) {
      const span = spanOfMatch(match, search);
      if (span !== null) add(found, record, span);
    }
  });
};

const replaced = (record: string, found: Replacement[]): string => {
  if (found.length === 0) return record;
  found.sort((a, b) => a.span[0] - b.span[0]);
  let text = '';
  let end = 0;
  for (const { span, text: made } of found) {
    // The first of two that overlap counts.
    if (span[0] < end) continue;
    text += record.slice(end, span[0]) + made;
    [, end] = span;
  }
  return text + record.slice(end);
};

/**
 * Compiles the replacement of addresses and names. It is a function of the key and the original alone: equal in all files,
 * partitions and runs. Returns an error of one sentence when a pattern is refused.
 */
export const remapOf = (params: RemapParams): E.Either<string, Remap> => {
  useLinearEngine();
  const finders: Find[] = [];
  for (const [index, rule] of params.names.entries()) {
    const find = namesOf(rule, params);
    if (E.isLeft(find)) return E.left(`remap.names[${index}].pattern ${find.left}`);
    finders.push(find.right);
  }
  if (params.addresses) finders.push(addressesOf(params.key));
  return E.right((record) => {
    const found: Replacement[] = [];
    for (const find of finders) find(record, found);
    return replaced(record, found);
  });
};
