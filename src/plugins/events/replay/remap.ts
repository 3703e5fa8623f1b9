import { createHmac } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { matchesOf } from '../../../domain/text/matches.js';
import { literalPattern } from '../../../domain/text/pattern.js';
import { type Span, spanOfMatch } from '../../../domain/timestamps/span.js';
import { useLinearEngine } from '../../shared/linearEngine.js';
import { addressText6 } from '../template/context/rand/ipv6.js';
import { compileName } from './spec.js';

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
    for (const { 0: text, index } of matchesOf(record, IPV4)) add(text, index);
    if (!record.includes(':')) return;
    for (const { 0: text, index } of matchesOf(record, IPV6)) {
      if (!text.includes(':')) continue;
      // A colon may follow an address.
      add(text.endsWith(':') && !text.endsWith('::') ? text.slice(0, -1) : text, index);
    }
  };
};

const listPattern = (names: readonly string[]): RegExp => {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  const escaped = longestFirst.map(literalPattern);
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
      for (const { 0: text, index } of matchesOf(record, search))
        add(found, record, [index, index + text.length]);
    });
  }
  const compiled = compileName(pattern);
  if (E.isLeft(compiled)) return compiled;
  const search = compiled.right;
  return E.right((record, found) => {
    for (const match of matchesOf(record, search.lines)) {
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

/** Bytes of an address: 4 or 16. */
type Address = readonly number[];

interface Network {
  readonly bytes: Address;
  /** Bits of its prefix. */
  readonly length: number;
}

const bytes4 = (text: string): Address => text.split('.').map(Number);

const groupsOf = (text: string): readonly number[] =>
  text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));

/** Bytes of a valid IPv6 address. */
const bytes6 = (text: string): Address => {
  const tail = /[\d.]+$/.exec(text)?.[0] ?? '';
  if (tail.includes('.')) {
    const [a = 0, b = 0, c = 0, d = 0] = bytes4(tail);
    const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    return bytes6(text.slice(0, -tail.length) + groups);
  }
  const [before = '', after] = text.split('::');
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')];
  const zeros = new Array<number>(8 - first.length - last.length).fill(0);
  return [...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]);
};

const network = (text: string): Network => {
  const [address = '', length = ''] = text.split('/');
  return { bytes: isIPv4(address) ? bytes4(address) : bytes6(address), length: Number(length) };
};

/**
 * Networks that keep their prefix, so that a private address stays a private one (RFC 6890, RFC 4291), and single addresses
 * that name no machine.
 */
const SPECIAL_4 = [
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '127.0.0.1/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '255.255.255.255/32',
].map(network);
const SPECIAL_6 = [
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '2001:db8::/32',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
].map(network);

const commonBits = (a: Address, b: Address, most: number): number => {
  for (let bit = 0; bit < most; bit++) {
    const shift = 7 - (bit & 7);
    if ((((a[bit >> 3] as number) ^ (b[bit >> 3] as number)) >> shift) & 1) return bit;
  }
  return most;
};

/** Bits of an address that lie on the way to a special network: they stay. */
const keptBits = (address: Address, special: readonly Network[]): number =>
  special.reduce((most, { bytes, length }) => {
    const common = commonBits(address, bytes, length);
    return Math.max(most, Math.min(common + 1, length));
  }, 0);

/**
 * Maps an address so that two of them share exactly as many leading bits after as before: each bit is flipped or not by a
 * keyed function of the bits before it (Xu, Fan, Ammar, Moon: Prefix-Preserving IP Address Anonymization, ICNP 2002). One
 * HMAC-SHA256 of the bytes before gives the 255 bits that the tree of a byte needs.
 */
const mapped = (address: Address, key: string, special: readonly Network[]): Address => {
  const kept = keptBits(address, special);
  return address.map((byte, index) => {
    if (index * 8 + 8 <= kept) return byte;
    const bits = createHmac('sha256', key)
      .update(`address/${address.length}/${address.slice(0, index).join('.')}`)
      .digest();
    let result = 0;
    for (let bit = 0; bit < 8; bit++) {
      const node = (1 << bit) - 1 + (byte >> (8 - bit));
      const flip = index * 8 + bit < kept ? 0 : ((bits[node >> 3] as number) >> (node & 7)) & 1;
      result = (result << 1) | (((byte >> (7 - bit)) & 1) ^ flip);
    }
    return result;
  });
};

const text6 = (bytes: Address): string => {
  const word = (at: number): number =>
    (((bytes[at] as number) << 24) |
      ((bytes[at + 1] as number) << 16) |
      ((bytes[at + 2] as number) << 8) |
      (bytes[at + 3] as number)) >>>
    0;
  return addressText6(word(0), word(4), word(8), word(12));
};

const isMapped4 = (bytes: Address): boolean =>
  bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;

/** The address that stands for a valid IPv4 or IPv6 address under a key. IPv4-mapped IPv6 addresses go by their IPv4 address. */
export const remapAddress = (address: string, key: string): string => {
  if (isIPv4(address)) return mapped(bytes4(address), key, SPECIAL_4).join('.');
  const bytes = bytes6(address);
  return isMapped4(bytes)
    ? `::ffff:${mapped(bytes.slice(12), key, SPECIAL_4).join('.')}`
    : text6(mapped(bytes, key, SPECIAL_6));
};
