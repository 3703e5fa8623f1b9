import { CRC_START, type CrcState, crcOf, feedByte, feedBytes } from '../crc32.js';
import type { Mark } from './mark.js';

export interface Token extends Mark {
  readonly crc: number;
  readonly start: number;
  /** Index of the colon before its checksum, the end of the checked bytes. */
  readonly keyEnd: number;
}

const COLON = 0x3a;
const MINUS = 0x2d;
const LF = 10;
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
export const tokenBefore = (bytes: Uint8Array, from: number, to: number): Token | null => {
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
export const isIntact = (text: CrcState, bytes: Uint8Array, { crc, start, keyEnd }: Token): boolean =>
  crcOf(feedBytes(feedByte(text, LF), bytes, start, keyEnd)) === crc;

export const isIntactAfter = (bytes: Uint8Array, from: number, to: number, token: Token): boolean =>
  isIntact(feedBytes(CRC_START, bytes, from, to), bytes, token);
