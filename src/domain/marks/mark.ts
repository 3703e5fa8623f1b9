import { CRC_START, crcOf, feedByte, feedText } from '../crc32.js';
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
