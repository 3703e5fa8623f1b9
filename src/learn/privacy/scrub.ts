import { type Cut, changedValue } from '../cut.js';
import { remembered } from '../remembered.js';
import { isUnixTimeIn, type TimeRange } from '../times/find.js';
import { isName } from './collect.js';
import { isMeasure, kindOfField } from './fieldNames.js';
import type { PrivateKind, Pseudonyms } from './pseudonyms.js';
import { replaceNames } from './replaceNames.js';

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
/** Top-level domains that are not also endings of files. */
const TLD =
  'com|net|org|edu|gov|mil|int|io|dev|app|cloud|info|biz|local|lan|internal|intern|corp|home|localdomain|arpa|test|example|invalid|eu|de|fr|uk|ru|nl|it|es|pl|ch|at|be|se|fi|dk|cz|us|ca|au|jp|cn|br|in|kr';

/** Repetitions are bounded: no text makes the search slow. */
const SOURCES = {
  email:
    '(?<![\\w.+-])[A-Za-z0-9_][\\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,5}',
  // Fingerprints of keys, and credentials of HTTP.
  secret: '(?<=SHA(?:1|256|384|512):|Basic |Bearer )[\\w+/.~-]{6,512}={0,2}',
  // Hardware addresses in a row, as firewalls of Linux log them, and fingerprints.
  octets: '(?<![\\da-fA-F:])[\\da-fA-F]{2}(?::[\\da-fA-F]{2}){7,63}(?![\\da-fA-F:])',
  uuid: '(?<![\\da-fA-F])[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}(?![\\da-fA-F])',
  mac: '(?<![\\da-fA-F:.-])(?:[\\da-fA-F]{2}(?:(?::[\\da-fA-F]{2}){5}|(?:-[\\da-fA-F]{2}){5})|[\\da-fA-F]{4}(?:\\.[\\da-fA-F]{4}){2})(?![\\da-fA-F:-])',
  ipv4: `(?<![\\d.])(?:${OCTET}\\.){3}${OCTET}(?!\\d|\\.\\d)`,
  ipv6: '(?<![\\w:.])(?:(?:[\\da-fA-F]{1,4}:){7}[\\da-fA-F]{1,4}|(?:[\\da-fA-F]{1,4}:){1,6}(?::[\\da-fA-F]{1,4}){1,6}|(?:[\\da-fA-F]{1,4}:){1,7}:|::(?:[\\da-fA-F]{1,4}:){0,6}[\\da-fA-F]{1,4})(?![\\w:])',
  domain: `(?<![\\w.@-])(?:[A-Za-z0-9_][\\w-]{0,62}\\.){1,8}(?:${TLD})(?![\\w-]|\\.\\w)`,
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

export const makeScrubber = (
  pseudonyms: Pseudonyms,
  names: ReadonlyMap<string, PrivateKind>,
  range: TimeRange | null,
): Scrubber => {
  const domain = (text: string): string => {
    const labels = text.split('.');
    return labels
      .map((label, at) =>
        at === labels.length - 1 || label === 'www' ? label : pseudonyms.of('host', label.toLowerCase()),
      )
      .join('.');
  };
  const host = (text: string): string =>
    text
      .split(/([.:])/)
      .map((label) => (isName(label) ? pseudonyms.of('host', label.toLowerCase()) : label))
      .join('');
  const word = (text: string): string => {
    if (/^\d+$/.test(text))
      return PADDED.test(text) || DATE_DIGITS.test(text) || isUnixTimeIn(text, range)
        ? text
        : pseudonyms.of('digits', text);
    return isToken(text) || isRandomLetters(text) ? pseudonyms.of('token', text) : text;
  };
  const replacers: Readonly<Record<Found, (text: string) => string>> = {
    email: (text) => {
      const at = text.indexOf('@');
      const host_text = text.slice(at + 1);
      const local = text.slice(0, at);
      return `${isName(local) ? pseudonyms.of('user', local.toLowerCase()) : local}@${host_text.includes('.') ? domain(host_text) : host(host_text)}`;
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
    domain,
    groups: (text) => pseudonyms.of('digits', text),
    word,
  };
  const withoutNames = (part: string): string =>
    replaceNames(part, names, (kind, name) => (kind === 'host' ? host(name) : pseudonyms.of(kind, name)));
  /** Names first where no pattern matches: a pseudonym is never replaced again. */
  const text = remembered((whole) => {
    let out = '';
    let at = 0;
    for (const match of whole.matchAll(PATTERNS)) {
      const groups: readonly (string | undefined)[] = match.slice(1);
      const name = FOUND[groups.findIndex((part) => part !== undefined)] ?? 'word';
      const made = replacers[name](match[0]);
      if (name === 'word' && made === match[0]) continue;
      out += withoutNames(whole.slice(at, match.index)) + made;
      at = match.index + match[0].length;
    }
    return out + withoutNames(whole.slice(at));
  });
  /** Names of two letters are words in sentences, but names in fields for people. */
  const withoutShort = (value: string): string =>
    value.includes(' ')
      ? value.replace(SHORT, (name) => (isName(name) ? pseudonyms.of('user', name.toLowerCase()) : name))
      : value;
  const meaning = remembered((name) => ({ kind: kindOfField(name), is_measure: isMeasure(name) }));
  const field = (name: string, value: string): string => {
    const { kind, is_measure } = meaning(name);
    if (is_measure && /^-?\d+(?:\.\d+)?$/.test(value)) return value;
    if (kind === null || value.length > 256) return text(value);
    const scrubbed = kind === 'user' ? withoutShort(text(value)) : text(value);
    if (scrubbed !== value || value.length < 2) return scrubbed;
    if (kind === 'token')
      return /\d/.test(value) && value.length >= 4 ? pseudonyms.of('token', value) : value;
    if (!isName(value) || /^[\d.:]+$/.test(value)) return value;
    return kind === 'host' ? host(value) : pseudonyms.of(kind, value.toLowerCase());
  };
  return { text, field };
};

/** A cut with its private values replaced, in values and literal text. */
export const scrubbedCut = (cut: Cut, { text, field }: Scrubber): Cut => ({
  kind: text(cut.kind),
  literals: cut.literals.map((literal) => (literal.length < 3 ? literal : text(literal))),
  names: cut.names.map(text),
  values: cut.values.map((_, at) => changedValue(cut, at, (value) => field(cut.names[at] ?? '', value))),
});
