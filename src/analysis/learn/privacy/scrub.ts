import { matchesOf } from '../../../domain/text/matches.js';
import { DATED_SOURCE } from '../../../plugins/events/replay/guess/guess.js';
import { type Cut, changedText, changedValue, cutTextOf } from '../cut.js';
import { cutJson } from '../formats/json.js';
import { remembered } from '../remembered.js';
import { isUnixTimeIn, type TimeRange } from '../times/find.js';
import { isName } from './collect.js';
import { isMeasure, isShared, isVersion, kindOfField } from './fieldNames.js';
import { likeName, type PrivateKind, type Pseudonyms } from './pseudonyms.js';
import {
  FILE_LIKE_TLDS,
  isCamelCase,
  isFlagNumber,
  isInstance,
  isKnownAccount,
  isKnownDomain,
  isOwnRid,
  isRegistry,
  KNOWN_ACCOUNT_SOURCE,
  KNOWN_WORDS,
  knownLabels,
  privateSid,
  TLDS,
  VERSION_SOURCE,
} from './publicNames.js';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';

/** Repetitions are bounded: no text makes the search slow. */
const SOURCES = {
  // What no pseudonym may stand for: times, fractions, accounts and versions that all know.
  known: `${DATED_SOURCE}|(?<![\\w.])[-+]?\\d{1,15}(?:\\.\\d+(?:[eE][-+]?\\d{1,3})?|[eE][-+]?\\d{1,3})(?![\\w.])|${KNOWN_ACCOUNT_SOURCE}|(?<!\\w)${KNOWN_WORDS}(?!\\w)|${VERSION_SOURCE}`,
  sid: '(?<![\\w-])S-1-\\d{1,3}(?:-\\d{1,10}){1,15}(?![\\w-])',
  email:
    '(?<![\\w.+-])[A-Za-z0-9_][\\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,5}',
  // Fingerprints of keys, and credentials of HTTP.
  secret: '(?<=SHA(?:1|256|384|512):|Basic |Bearer )[\\w+/.~-]{6,512}={0,2}',
  // Hardware addresses in a row, as firewalls of Linux log them, and fingerprints.
  octets: '(?<![\\da-fA-F:])[\\da-fA-F]{2}(?::[\\da-fA-F]{2}){7,63}(?![\\da-fA-F:])',
  uuid: '(?<![\\da-fA-F])[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}(?![\\da-fA-F])',
  mac: '(?<![\\da-fA-F:.-])(?:[\\da-fA-F]{2}(?:(?::[\\da-fA-F]{2}){5}|(?:-[\\da-fA-F]{2}){5})|[\\da-fA-F]{4}(?:\\.[\\da-fA-F]{4}){2})(?![\\da-fA-F:-])',
  ipv4: `(?<![\\d.])(?:${OCTET}\\.){3}${OCTET}(?!\\d|\\.\\d)`,
  ipv6: '(?<![\\w:.])(?:(?:[\\da-fA-F]{1,4}:){7}[\\da-fA-F]{1,4}|(?:[\\da-fA-F]{1,4}:){1,6}(?::[\\da-fA-F]{1,4}){1,6}|(?:[\\da-fA-F]{1,4}:){1,7}:|::(?:[\\da-fA-F]{1,4}:){0,6}[\\da-fA-F]{1,4})(?![\\w:]|\\.\\d)',
  domain: `(?<![\\w.@-])(?:[A-Za-z0-9_][\\w-]{0,62}\\.){1,8}(?:${TLDS}|${FILE_LIKE_TLDS})(?![\\w-]|\\.\\w)`,
  // Cards, phone numbers and social security numbers in groups.
  groups:
    '(?<![\\w-])(?:\\d{4}(?:[ -]\\d{4}){2,3}|\\+\\d{1,3}(?:[ -]?\\d){7,12}|\\d{3}-\\d{2}-\\d{4})(?![\\w-])',
  word: '(?<![A-Za-z0-9])[A-Za-z0-9]{9,512}(?![A-Za-z0-9])',
} as const;
type Found = keyof typeof SOURCES;

const FOUND = Object.keys(SOURCES) as readonly Found[];
const PATTERNS = new RegExp(FOUND.map((name) => `(${SOURCES[name]})`).join('|'), 'g');

const HEX_LENGTH = 12;
const MIXED_LENGTH = 16;
/** A padded counter. */
const PADDED = /^0{4}/;
/** Date and time in fourteen digits. */
const DATE_DIGITS = /^20\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/;

/** A key, hash or other identifier: hexadecimal, or letters and digits in turns. */
const isToken = (word: string): boolean => {
  if (!/\d/.test(word) || !/[A-Za-z]/.test(word)) return false;
  if (word.length >= HEX_LENGTH && (/^[\da-f]+$/.test(word) || /^[\dA-F]+$/.test(word))) return true;
  const turns = word.match(/\d[A-Za-z]|[A-Za-z]\d|[a-z][A-Z]/g)?.length ?? 0;
  return word.length >= MIXED_LENGTH && turns >= 4;
};

/** Letters without digits that change their case as words do not, such as base64. */
const isRandomLetters = (word: string): boolean =>
  word.length >= 24 && (word.match(/[a-z][A-Z]/g)?.length ?? 0) >= word.length / 6;

const SHORT = /(?<![\p{L}\d])\p{L}{2}(?![\p{L}\d])/gu;

export interface Scrubber {
  /** Replaces private values in any text. */
  readonly text: (text: string) => string;
  /** Also by what the name of the field says. */
  readonly field: (name: string, value: string) => string;
}

const SID = /^S-1-\d+-/;
const FILE_LIKE = new RegExp(`\\.(?:${FILE_LIKE_TLDS})$`);
/** An identifier or number, which the pattern for words would take for a key. */
const ONE_WORD = /^(?:-?[A-Za-z0-9]{9,512}|\{?[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\}?)$/;

export interface ScrubOptions {
  /** When the log was written; null when that is unknown. */
  readonly range: TimeRange | null;
  /** Whether a field has this value in all records: then it is text of the program. */
  readonly isConstant?: (name: string, value: string) => boolean;
}

export const makeScrubber = (
  pseudonyms: Pseudonyms,
  names: ReadonlyMap<string, PrivateKind>,
  { range, isConstant = () => false }: ScrubOptions,
): Scrubber => {
  const named = (kind: 'user' | 'host', name: string): string =>
    likeName(pseudonyms.of(kind, name.toLowerCase()), name);
  const domain = (text: string): string => {
    const labels = text.split('.');
    const known = knownLabels(labels);
    return labels
      .map((label, at) =>
        at === labels.length - 1 || label === 'www' || known?.[at] === true || isRegistry(labels, at)
          ? label
          : named('host', label),
      )
      .join('.');
  };
  /** A name such as `main.py` in a text is a file, `main.py` behind `//` is none. */
  const domainIn = (text: string, before: string): string => {
    const labels = text.split('.');
    const isFile =
      FILE_LIKE.test(text) && !isRegistry(labels, labels.length - 2) && !/(?:\/\/|@)$/.test(before);
    return isFile ? text : domain(text);
  };
  const host = (text: string): string =>
    text
      .split(/([.:])/)
      .map((label) => (isName(label) ? named('host', label) : label))
      .join('');
  const word = (text: string): string => {
    if (/^\d+$/.test(text))
      return PADDED.test(text) || DATE_DIGITS.test(text) || isFlagNumber(text) || isUnixTimeIn(text, range)
        ? text
        : pseudonyms.of('digits', text);
    return !isCamelCase(text) && (isToken(text) || isRandomLetters(text))
      ? pseudonyms.of('token', text)
      : text;
  };
  const sid = (text: string): string => {
    const parts = privateSid(text);
    if (parts === null) return text;
    const { head, account } = parts;
    const number = account === null ? '' : `-${isOwnRid(account) ? pseudonyms.of('sid', account) : account}`;
    return `${head}${pseudonyms.of('sid', parts.domain)}${number}`;
  };
  const replacers: Readonly<Record<Found, (text: string, before: string) => string>> = {
    known: (text) => text,
    sid,
    email: (text) => {
      const at = text.indexOf('@');
      const host_text = text.slice(at + 1);
      const local = text.slice(0, at);
      // Algorithms of SSH are named like mailboxes.
      if (isInstance(local, host_text) || /^(?:openssh\.com|libssh\.org)$/.test(host_text)) return text;
      return `${isName(local) ? named('user', local) : local}@${host_text.includes('.') ? domain(host_text) : host(host_text)}`;
    },
    secret: (text) => pseudonyms.of('token', text),
    // The two octets after two hardware addresses are the kind of the packet.
    octets: (text) =>
      text
        .split(/((?:[\da-fA-F]{2}:){5}[\da-fA-F]{2})/)
        .map((part, at) =>
          at % 2 === 1 ? pseudonyms.of('mac', part) : part.length > 6 ? pseudonyms.of('token', part) : part,
        )
        .join(''),
    uuid: (text) => pseudonyms.of('uuid', text),
    mac: (text) => pseudonyms.of('mac', text),
    ipv4: (text) => pseudonyms.of('ipv4', text),
    ipv6: (text) => pseudonyms.of('ipv6', text),
    domain: domainIn,
    groups: (text) => pseudonyms.of('digits', text),
    word,
  };
  const withoutNames = (part: string): string =>
    replaceNames(part, names, (kind, name) => (kind === 'host' ? host(name) : pseudonyms.of(kind, name)));
  /** Names first where no pattern matches: a pseudonym is never replaced again. */
  const text = remembered((whole) => {
    let out = '';
    let at = 0;
    for (const match of matchesOf(whole, PATTERNS)) {
      const groups: readonly (string | undefined)[] = match;
      const name = FOUND[groups.findIndex((part, group) => group > 0 && part !== undefined) - 1] ?? 'word';
      const made = replacers[name](match[0], whole.slice(Math.max(0, match.index - 2), match.index));
      if (name === 'word' && made === match[0]) continue;
      out += withoutNames(whole.slice(at, match.index)) + made;
      at = match.index + match[0].length;
    }
    return out + withoutNames(whole.slice(at));
  });
  /** Names of two letters are words in sentences, but names in fields for people. */
  const withoutShort = (value: string): string =>
    value.includes(' ') ? value.replace(SHORT, (name) => (isName(name) ? named('user', name) : name)) : value;
  const meaning = remembered((name) => ({
    kind: kindOfField(name),
    is_number: isMeasure(name) || isShared(name),
    is_version: isVersion(name),
  }));
  const field = (name: string, value: string): string => {
    const { kind, is_number, is_version } = meaning(name);
    if (is_number && /^-?\d+(?:\.\d+)?$/.test(value)) return value;
    if (is_version && /^v?[\d.]+$/.test(value)) return value;
    if (kind === null && isConstant(name, value) && ONE_WORD.test(value)) return value;
    if (kind === null || value.length > 256) return text(value);
    if (isKnownAccount(value) || isKnownDomain(value) || SID.test(value)) return text(value);
    const scrubbed = kind === 'user' ? withoutShort(text(value)) : text(value);
    if (scrubbed !== value || value.length < 2) return scrubbed;
    if (kind === 'token')
      return /\d/.test(value) && value.length >= 4 ? pseudonyms.of('token', value) : value;
    if (!isName(value) || /^[\d.:]+$/.test(value)) return value;
    return kind === 'host' ? host(value) : named('user', value);
  };
  return { text, field };
};

/** JSON in JSON in JSON: texts below are scrubbed as they are. */
const MAX_DEPTH = 4;

/** A text that holds a JSON object is scrubbed by its values, without their escapes. */
const scrubbedText = (
  value: string,
  scrub: (text: string) => string,
  scrubber: Scrubber,
  depth: number,
): string => {
  const from = depth < MAX_DEPTH ? value.search(/\{\s*"/) : -1;
  if (from === -1) return scrub(value);
  const to = value.lastIndexOf('}') + 1;
  const inner = to > from ? cutJson(value.slice(from, to)) : null;
  if (inner === null) return scrub(value);
  const outside = (text: string): string => (text === '' ? '' : scrubber.text(text));
  return (
    outside(value.slice(0, from)) +
    cutTextOf(scrubbedCut(inner, scrubber, depth + 1)) +
    outside(value.slice(to))
  );
};

/** Literal text between values. Names of JSON members are scrubbed without their escapes. */
const scrubbedLiterals = ({ literals }: Cut, { text }: Scrubber): readonly string[] =>
  literals.map((literal, at) => {
    if (literal.length < 3) return literal;
    if (!literal.includes('\\')) return text(literal);
    const from = at > 0 && literals[at - 1]?.endsWith('"') === true && literal.startsWith('"') ? 1 : 0;
    const to = at < literals.length - 1 && literal.endsWith('"') ? literal.length - 1 : literal.length;
    const inner = literal
      .slice(from, to)
      .replace(/"((?:[^"\\]|\\.)*)"|[^"]+/g, (whole, name: string | undefined) =>
        name === undefined ? text(whole) : `"${changedText(name, text)}"`,
      );
    return literal.slice(0, from) + inner + literal.slice(to);
  });

/** A cut with its private values replaced, in values and literal text. */
export const scrubbedCut = (cut: Cut, scrubber: Scrubber, depth = 0): Cut => ({
  kind: scrubber.text(cut.kind),
  literals: scrubbedLiterals(cut, scrubber),
  names: cut.names.map(scrubber.text),
  values: cut.values.map((_, at) =>
    changedValue(cut, at, (value) =>
      scrubbedText(value, (text) => scrubber.field(cut.names[at] ?? '', text), scrubber, depth),
    ),
  ),
});

const WORDS = /[\p{L}\d]+(?:[._-][\p{L}\d]+)*/gu;
/** Parts of a dotted word that one name may have. */
const MAX_PARTS = 6;

interface NameFound {
  readonly kind: PrivateKind;
  readonly name: string;
  /** Place of the part after the name. */
  readonly to: number;
}

/** The longest known name that begins at a part; parts and the marks between them alternate. */
const nameAt = (
  parts: readonly string[],
  from: number,
  names: ReadonlyMap<string, PrivateKind>,
): NameFound | null => {
  for (let to = Math.min(parts.length, from + 2 * MAX_PARTS - 1); to > from; to -= 2) {
    const name = parts.slice(from, to).join('').toLowerCase();
    const kind = names.get(name);
    if (kind !== undefined) return { kind, name, to };
  }
  return null;
};

/** Replaces known names, which are in lower case, wherever they stand as words or parts of dotted words. */
const replaceNames = (
  text: string,
  names: ReadonlyMap<string, PrivateKind>,
  pseudonym: (kind: PrivateKind, name: string) => string,
): string =>
  names.size === 0
    ? text
    : text.replace(WORDS, (whole) => {
        const parts = whole.split(/([._-])/);
        let out = '';
        for (let at = 0; at < parts.length; at += 2) {
          const found = nameAt(parts, at, names);
          if (found === null) out += `${parts[at] ?? ''}${parts[at + 1] ?? ''}`;
          else {
            out +=
              likeName(pseudonym(found.kind, found.name), parts.slice(at, found.to).join('')) +
              (parts[found.to] ?? '');
            at = found.to - 1;
          }
        }
        return out;
      });
