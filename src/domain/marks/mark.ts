import { CRC_START, crcOf, feedByte, feedText } from '../crc32.js';
import type { Micros } from '../time/micros.js';

/**
 * A mark is a token added to an event that proves what became of it: `<stream>:<sequence>:<micros>:<crc>`.
 * Stream: 8 hex digits, one per run of a generator. Sequence: from 1 without gaps. Micros: the timestamp
 * of the event. Crc: CRC-32 in 8 hex digits over the UTF-8 of the event's text, LF, and the token before it.
 */
export interface Mark {
  /** Unsigned 32-bit number. */
  readonly stream: number;
  /** From 1, a safe integer. */
  readonly sequence: number;
  /** Epoch microseconds of the event's timestamp, a safe integer. */
  readonly micros: Micros;
}

/** How a mark is put into an event. */
export const MARK_MODES = ['text', 'json', 'tsv'] as const;
export type MarkMode = (typeof MARK_MODES)[number];

/** What stands before the token in the modes that append it. */
export const SEPARATORS: Readonly<Record<Exclude<MarkMode, 'json'>, string>> = { text: ' spate=', tsv: '\t' };

/** Member of a JSON event that holds the token. */
export const JSON_MEMBER = 'spate';

const LF = 10;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** 8 hex digits of an unsigned 32-bit number; several times as fast as `toString(16)`. */
export const hex8 = (number: number): string =>
  (HEX[number >>> 24] as string) +
  (HEX[(number >>> 16) & 0xff] as string) +
  (HEX[(number >>> 8) & 0xff] as string) +
  (HEX[number & 0xff] as string);

/** What stands before the checksum of a token. */
export const keyOf = ({ stream, sequence, micros }: Mark): string => `${hex8(stream)}:${sequence}:${micros}`;

/** The token of this key for an event of this canonical text. */
export const makeToken = (canonical: string, key: string): string => {
  const text = feedByte(feedText(CRC_START, canonical), LF);
  return `${key}:${hex8(crcOf(feedText(text, key)))}`;
};
