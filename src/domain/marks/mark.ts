import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, parsedJson } from '../json.js';
import { CRC_START, type CrcState, crcOf, feedByte, feedBytes, feedText } from '../text/crc32.js';
import type { Micros } from '../time/micros.js';

/**
 * A token in an event, for `spate verify`: `<stream>:<sequence>:<micros>:<crc>`. Stream: 8 hex digits, one per run.
 * Crc: CRC-32 in 8 hex digits over the UTF-8 of the event's text, LF, and the token up to it.
 */
export interface Mark {
  /** Unsigned 32-bit number. */
  readonly stream: number;
  /** From 1 without gaps, a safe integer. */
  readonly sequence: number;
  /** Epoch microseconds of the event's timestamp, a safe integer. */
  readonly micros: Micros;
}

export const MARK_MODES = ['text', 'json', 'tsv'] as const;
export type MarkMode = (typeof MARK_MODES)[number];

export const SEPARATORS: Readonly<Record<Exclude<MarkMode, 'json'>, string>> = { text: ' spate=', tsv: '\t' };

/** Member of a JSON event with the token. */
export const JSON_MEMBER = 'spate';

const LF = 10;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** 8 hex digits of an unsigned 32-bit number, several times faster than `toString(16)`. */
export const hex8 = (number: number): string =>
  (HEX[number >>> 24] as string) +
  (HEX[(number >>> 16) & 0xff] as string) +
  (HEX[(number >>> 8) & 0xff] as string) +
  (HEX[number & 0xff] as string);

/** The token up to its checksum. */
export const keyOf = ({ stream, sequence, micros }: Mark): string => `${hex8(stream)}:${sequence}:${micros}`;

export const makeToken = (canonical: string, key: string): string => {
  const text = feedByte(feedText(CRC_START, canonical), LF);
  return `${key}:${hex8(crcOf(feedText(text, key)))}`;
};

export interface MarkToken extends Mark {
  readonly crc: number;
  readonly start: number;
  /** Index of the colon before its checksum, the end of the checked bytes. */
  readonly keyEnd: number;
}

const COLON = 0x3a;
const MINUS = 0x2d;
const HEX_DIGITS = 8;
/** Digits of the largest safe integer. */
const MAX_DIGITS = 16;

const hexDigit = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : -1;
};

/** Unsigned number of 8 lower-case hex digits at `at`, or -1. */
const hexAt = (bytes: Uint8Array, at: number): number => {
  let value = 0;
  for (let i = at; i < at + HEX_DIGITS; i++) {
    const digit = hexDigit(bytes[i] as number);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
};

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Start of the digits that end at `to`; `to`: none, or too many. */
const digitsStart = (bytes: Uint8Array, from: number, to: number): number => {
  let start = to;
  while (start > from && isDigit(bytes[start - 1])) start--;
  return to - start > MAX_DIGITS ? to : start;
};

const numberIn = (bytes: Uint8Array, from: number, to: number): number => {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 10 + ((bytes[i] as number) - 0x30);
  return value;
};

/** The token that ends at `to` and starts at or after `from`, or `null`. Allocates nothing else. */
export const tokenBefore = (bytes: Uint8Array, from: number, to: number): MarkToken | null => {
  const keyEnd = to - HEX_DIGITS - 1;
  if (keyEnd <= from || bytes[keyEnd] !== COLON) return null;
  const crc = hexAt(bytes, keyEnd + 1);
  const microsStart = digitsStart(bytes, from, keyEnd);
  if (crc < 0 || microsStart === keyEnd) return null;
  const isNegative = bytes[microsStart - 1] === MINUS;
  const afterSequence = microsStart - (isNegative ? 2 : 1);
  if (afterSequence <= from || bytes[afterSequence] !== COLON) return null;
  const sequenceStart = digitsStart(bytes, from, afterSequence);
  const start = sequenceStart - 1 - HEX_DIGITS;
  if (sequenceStart === afterSequence || start < from || bytes[sequenceStart - 1] !== COLON) return null;
  const stream = hexAt(bytes, start);
  const sequence = numberIn(bytes, sequenceStart, afterSequence);
  const size = numberIn(bytes, microsStart, keyEnd);
  if (stream < 0 || sequence < 1 || Math.max(sequence, size) > Number.MAX_SAFE_INTEGER) return null;
  return { stream, sequence, micros: isNegative ? -size : size, crc, start, keyEnd };
};

/** Whether the checksum of a token matches; `text`: checksum state after the text. */
export const isIntact = (text: CrcState, bytes: Uint8Array, { crc, start, keyEnd }: MarkToken): boolean =>
  crcOf(feedBytes(feedByte(text, LF), bytes, start, keyEnd)) === crc;

export const isIntactAfter = (bytes: Uint8Array, from: number, to: number, token: MarkToken): boolean =>
  isIntact(feedBytes(CRC_START, bytes, from, to), bytes, token);

/** Adds the mark with this key to an event. The error says why it cannot be added. */
type PutMark = (event: string, key: string) => E.Either<string, string>;

/** As outputs write it: a lone surrogate is U+FFFD. */
const wellFormed = (text: string): string =>
  /\p{Surrogate}/u.test(text) ? text.replaceAll(/\p{Surrogate}/gu, '\ufffd') : text;

/** Canonical text of a JSON event, without white space, for the checksum. Null when it is nested too deeply. */
export const canonicalJson = (value: Readonly<Record<string, unknown>>): string | null => {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
};

const isJsonSpace = (unit: number): boolean => unit === 32 || unit === 10 || unit === 13 || unit === 9;

const withLastMember = (text: string, member: string): string => {
  const brace = text.lastIndexOf('}');
  let end = brace;
  while (isJsonSpace(text.charCodeAt(end - 1))) end--;
  const comma = text.charAt(end - 1) === '{' ? '' : ',';
  return `${text.slice(0, end)}${comma}${member}${text.slice(end)}`;
};

const putJson: PutMark = (event, key) => {
  const value = parsedJson(wellFormed(event));
  if (!isJsonObject(value)) return E.left('the event is not a JSON object, which `marks: json` needs');
  if (Object.hasOwn(value, JSON_MEMBER)) {
    return E.left(
      `the event has a member "${JSON_MEMBER}" already, which is where \`marks: json\` puts the mark`,
    );
  }
  const canonical = canonicalJson(value);
  if (canonical === null) return E.left('the event is nested too deeply for `marks: json`');
  return E.right(withLastMember(event, `"${JSON_MEMBER}":"${makeToken(canonical, key)}"`));
};

const append =
  (separator: string): PutMark =>
  (event, key) =>
    E.right(event + separator + makeToken(event, key));

export const PUT_MARK: Readonly<Record<MarkMode, PutMark>> = {
  text: append(SEPARATORS.text),
  tsv: append(SEPARATORS.tsv),
  json: putJson,
};
