import { createHmac } from 'node:crypto';
import { MACHINES, PEOPLE } from './words.js';

/** One bit for a prefix of bits, from the key of the pseudonyms. */
type PrefixBit = (prefix: string) => 0 | 1;

/** Prefixes that stay, so that an address keeps its meaning: RFC 1918, RFC 6598, RFC 3927. */
const KEPT_V4: readonly (readonly [start: string, bits: number])[] = [
  ['10.', 8],
  ['192.168.', 16],
  ['169.254.', 16],
  ...Array.from({ length: 16 }, (_, at) => [`172.${16 + at}.`, 12] as const),
  ...Array.from({ length: 64 }, (_, at) => [`100.${64 + at}.`, 10] as const),
];

/** Addresses that name no machine: unspecified, loopback, multicast, masks. */
const isPublicKnowledge = (address: string): boolean =>
  /^(?:0\.|127\.|255\.|22[4-9]\.|23\d\.)/.test(address) || /^(?:::1?|ff[0-9a-f]{2}:.*)$/i.test(address);

const bitsOf = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/**
 * Prefix-preserving: addresses with a common prefix of n bits keep one of n bits. As Crypto-PAn (Xu, Fan, Ammar,
 * Moon: "Prefix-preserving IP address anonymization", ICNP 2002), with another function for the bits.
 */
const mapped = (bits: string, kept: number, bit: PrefixBit): string => {
  let out = '';
  for (let at = 0; at < bits.length; at++) {
    const own = bits[at] === '1' ? 1 : 0;
    out += at < kept ? own : own ^ bit(bits.slice(0, at));
  }
  return out;
};

const mapV4 = (address: string, bit: PrefixBit): string => {
  const bits = address
    .split('.')
    .map((part) => bitsOf(Number(part), 8))
    .join('');
  const kept = KEPT_V4.find(([start]) => address.startsWith(start))?.[1] ?? 0;
  const out = mapped(bits, kept, (prefix) => bit(`4${prefix}`));
  return [0, 8, 16, 24].map((at) => Number.parseInt(out.slice(at, at + 8), 2)).join('.');
};

/** Eight groups of an IPv6 address, or null. */
const groupsOf = (address: string): readonly number[] | null => {
  const [head = '', tail] = address.split('::');
  const read = (text: string): readonly number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  const missing = 8 - first.length - last.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...first, ...Array<number>(Math.max(0, missing)).fill(0), ...last];
};

/** The shortest form (RFC 5952). */
const showV6 = (groups: readonly number[]): string => {
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = [...text.matchAll(/(?<![0-9a-f])0(?::0)+(?![0-9a-f])/g)];
  const [longest] = runs.toSorted((a, b) => b[0].length - a[0].length);
  if (longest === undefined) return text;
  const [before, after] = [text.slice(0, longest.index), text.slice(longest.index + longest[0].length)];
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
};

/** Keeps three bits of global addresses, ten of link-local and seven of local ones. */
const mapV6 = (address: string, bit: PrefixBit): string => {
  const groups = groupsOf(address.toLowerCase());
  if (groups === null) return '::';
  const kept = /^fe[89ab]/i.test(address) ? 10 : /^f[cd]/i.test(address) ? 7 : 3;
  const out = mapped(groups.map((group) => bitsOf(group, 16)).join(''), kept, (prefix) => bit(`6${prefix}`));
  const made = groups.map((_, at) => Number.parseInt(out.slice(at * 16, at * 16 + 16), 2));
  return showV6(made);
};

export type PrivateKind = 'ipv4' | 'ipv6' | 'mac' | 'uuid' | 'user' | 'host' | 'token' | 'digits' | 'sid';

/** Keys that are tried until no pseudonym is an original value. */
const MAX_TWEAKS = 32;

type Draw = (label: string) => Uint8Array;

const drawWith =
  (key: string): Draw =>
  (label) =>
    createHmac('sha256', key).update(label).digest();

const BETWEEN: readonly (readonly [RegExp, string])[] = [
  [/[0-9]/, '0123456789'],
  [/[a-z]/, 'abcdefghijklmnopqrstuvwxyz'],
  [/[A-Z]/, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
];
const LOWER_HEX: typeof BETWEEN = [[/[0-9A-Fa-f]/, '0123456789abcdef']];
const UPPER_HEX: typeof BETWEEN = [[/[0-9A-Fa-f]/, '0123456789ABCDEF']];

const hexLike = (value: string): typeof BETWEEN => (/[A-F]/.test(value) ? UPPER_HEX : LOWER_HEX);

/** Characters of the same class in each place. */
const alike = (value: string, draw: Draw, classes: typeof BETWEEN): string => {
  let bytes = draw(value);
  let at = 0;
  return value.replace(/[0-9A-Za-z]/g, (character) => {
    if (at === bytes.length) {
      bytes = draw(`${value}:${bytes.join()}`);
      at = 0;
    }
    const letters = classes.find(([look]) => look.test(character))?.[1] ?? character;
    return letters[(bytes[at++] ?? 0) % letters.length] ?? character;
  });
};

const sameCase = (word: string, like: string): string => {
  if (like.length > 1 && like === like.toUpperCase()) return word.toUpperCase();
  return /^[A-Z]/.test(like) ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word;
};

/** A pseudonym of a name in lower case, written as the name was. */
export const likeName = (made: string, name: string): string => {
  if (name === name.toLowerCase()) return made;
  return name === name.toUpperCase() ? made.toUpperCase() : sameCase(made, name);
};

/** Letters become words, digits other digits. */
const named = (value: string, words: readonly string[], draw: Draw): string =>
  value.replace(/\p{L}+|\d+/gu, (run, at: number) => {
    const bytes = draw(`${value}:${at}`);
    if (/^\d/.test(run)) return alike(run, (label) => draw(`${value}:${at}:${label}`), BETWEEN);
    // One letter is an initial, or the kind of a numbered name.
    if (run.length === 1) return alike(run, (label) => draw(`${value}:${at}:${label}`), BETWEEN);
    const word = words[((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % words.length] ?? '';
    return sameCase(word, run);
  });

const isHexOnly = (value: string): boolean => {
  const letters = value.replace(/[^0-9A-Za-z]/g, '');
  return /^[0-9a-f]+$/.test(letters) || /^[0-9A-F]+$/.test(letters);
};

/** Version and variant (RFC 9562) stay. */
const mapUuid = (value: string, draw: Draw): string => {
  const made = alike(value, draw, hexLike(value));
  return `${made.slice(0, 14)}${value[14]}${made.slice(15, 19)}${value[19]}${made.slice(20)}`;
};

/** The first octet stays: it says whether the address is a group's or local (IEEE 802). */
const mapMac = (value: string, draw: Draw): string =>
  value.slice(0, 2) + alike(value.slice(2), draw, hexLike(value));

/** A number without leading zeros gets none: JSON has no number with one. */
const mapDigits = (value: string, draw: Draw, greatest = 9): string => {
  const made = alike(value, draw, BETWEEN);
  const sign = value.startsWith('-') ? '-' : '';
  const first = Number(made[sign.length]);
  if ((first > 0 && first <= greatest) || value.startsWith('0')) return made;
  return `${sign}${1 + ((draw(`${value}:first`)[0] ?? 0) % greatest)}${made.slice(sign.length + 1)}`;
};

/** Numbers of a security identifier have 32 bits. */
const mapSid = (value: string, draw: Draw): string =>
  value
    .split('-')
    .map((number, at) =>
      mapDigits(number, (label) => draw(`${value}:${at}:${label}`), number.length >= 10 ? 3 : 9).slice(0, 10),
    )
    .join('-');

const isNumber = (value: string): boolean => /^-?\d+$/.test(value);

/** Words that pseudonyms are made of. */
interface Words {
  readonly people: readonly string[];
  readonly machines: readonly string[];
}

/** No word of an original: `ann.lee` must not become `lee.ann`. */
const wordsBeside = (originals: ReadonlySet<string>): Words => {
  const used = new Set([...originals].flatMap((original) => original.match(/\p{L}+/gu) ?? []));
  const free = (words: readonly string[]): readonly string[] => {
    const left = words.filter((word) => !used.has(word));
    return left.length > 0 ? left : words;
  };
  return { people: free(PEOPLE), machines: free(MACHINES) };
};

const MAPPERS: Readonly<Record<PrivateKind, (value: string, draw: Draw, words: Words) => string>> = {
  ipv4: (value, draw) => mapV4(value, (prefix) => ((draw(prefix)[0] ?? 0) & 1 ? 1 : 0)),
  ipv6: (value, draw) => mapV6(value, (prefix) => ((draw(prefix)[0] ?? 0) & 1 ? 1 : 0)),
  mac: mapMac,
  uuid: mapUuid,
  user: (value, draw, { people }) => named(value, people, draw),
  host: (value, draw, { machines }) => named(value, machines, draw),
  token: (value, draw) =>
    isNumber(value)
      ? mapDigits(value, draw)
      : alike(value, draw, isHexOnly(value) ? hexLike(value) : BETWEEN),
  digits: (value, draw) => mapDigits(value, draw),
  sid: mapSid,
};

export interface Pseudonyms {
  readonly of: (kind: PrivateKind, value: string) => string;
  /** Distinct values that were replaced, by kind. */
  readonly counts: () => Readonly<Partial<Record<PrivateKind, number>>>;
}

/** One pseudonym for each value, from a secret key; never an original value, never one of another value. */
export const makePseudonyms = (key: string, originals: ReadonlySet<string>): Pseudonyms => {
  const made = new Map<string, string>();
  const taken = new Set<string>();
  const counts: Partial<Record<PrivateKind, number>> = {};
  const words = wordsBeside(originals);
  const bits = new Map<string, Uint8Array>();
  const draw: Draw = (label) => {
    if (label.length > 129) return drawWith(key)(label);
    const known = bits.get(label) ?? drawWith(key)(label);
    bits.set(label, known);
    return known;
  };
  const isFree = (text: string): boolean => !taken.has(text) && !originals.has(text.toLowerCase());
  const find = (kind: PrivateKind, value: string): string => {
    if ((kind === 'ipv4' || kind === 'ipv6') && isPublicKnowledge(value)) return value;
    const first = MAPPERS[kind](value, draw, words);
    if (isFree(first)) return first;
    // Words run out before addresses and tokens do.
    const digits = kind === 'user' || kind === 'host' ? '00' : '';
    for (let tweak = 1; tweak <= MAX_TWEAKS; tweak++) {
      const other = drawWith(`${key}:${tweak}`);
      const next = MAPPERS[kind](value, other, words) + (tweak > 2 ? alike(digits, other, BETWEEN) : '');
      if (isFree(next)) return next;
    }
    return `${first}${alike('000000', (label) => draw(`${value}:${label}`), BETWEEN)}`;
  };
  return {
    of: (kind, value) => {
      const place = `${kind}:${value}`;
      const known = made.get(place);
      if (known !== undefined) return known;
      const found = find(kind, value);
      made.set(place, found);
      taken.add(found);
      if (found !== value) counts[kind] = (counts[kind] ?? 0) + 1;
      return found;
    },
    counts: () => ({ ...counts }),
  };
};
