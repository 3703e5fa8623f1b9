import type { MalformedKind } from '../domain/imperfections.js';
import { parsedJson } from '../domain/json.js';

/** A damaged item: text, or bytes that are no UTF-8. */
export interface Damaged {
  readonly bytes: Buffer;
  /** What was done, after the fallback to another kind. */
  readonly kind: MalformedKind | 'truncated';
  /** Bytes before the place of the damage. */
  readonly at: number;
}

/** Numbers in [0, 1), one for each purpose. */
export type Draws = (purpose: number) => number;

const CONTROLS = ['\u0000', '\u0007', '\b', '\u001b', '\u007f'] as const;
/** Bytes that no UTF-8 text has (RFC 3629, section 1). */
const NEVER_UTF8 = [0xff, 0xfe, 0xc0, 0xf5] as const;

const PURPOSE = { place: 10, value: 11, candidate: 20 } as const;
const MAX_CANDIDATES = 8;

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** A position between two characters. */
const placeIn = (text: string, drawn: number): number => {
  const at = Math.floor(drawn * (text.length + 1));
  return isLowSurrogate(text.charCodeAt(at)) ? at + 1 : at;
};

const pickOf = <A>(list: readonly A[], drawn: number): A => list[Math.floor(drawn * list.length)] as A;

/** Cuts off the end: at least one character is left, and one goes. Returns null when the text is too short. */
export const truncated = (text: string, draws: Draws): Damaged | null => {
  if (text.length < 2) return null;
  const place = 1 + Math.floor(draws(PURPOSE.place) * (text.length - 1));
  const isInside = isLowSurrogate(text.charCodeAt(place));
  const end = isInside ? (place > 1 ? place - 1 : place + 1) : place;
  if (end === text.length) return null;
  const bytes = Buffer.from(text.slice(0, end));
  return { bytes, kind: 'truncated', at: bytes.length };
};

const withControl = (text: string, draws: Draws): Damaged => {
  const place = placeIn(text, draws(PURPOSE.place));
  const before = text.slice(0, place);
  const control = pickOf(CONTROLS, draws(PURPOSE.value));
  return {
    bytes: Buffer.from(before + control + text.slice(place)),
    kind: 'control_bytes',
    at: Buffer.byteLength(before),
  };
};

const withBadByte = (text: string, draws: Draws): Damaged => {
  const place = placeIn(text, draws(PURPOSE.place));
  const before = Buffer.from(text.slice(0, place));
  const bad = Buffer.from([pickOf(NEVER_UTF8, draws(PURPOSE.value))]);
  return {
    bytes: Buffer.concat([before, bad, Buffer.from(text.slice(place))]),
    kind: 'bad_encoding',
    at: before.length,
  };
};

const STRUCTURE = /["{}[\]:,]/g;

const without = (text: string, at: number): Damaged => ({
  bytes: Buffer.from(text.slice(0, at) + text.slice(at + 1)),
  kind: 'broken_json',
  at: Buffer.byteLength(text.slice(0, at)),
});

/**
 * Removes one quote, brace, bracket, colon or comma, so that the text cannot be parsed. Returns null when it is no JSON
 * object or list.
 */
const brokenJson = (text: string, draws: Draws): Damaged | null => {
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null) return null;
  const places = Array.from(text.matchAll(STRUCTURE), ({ index }) => index);
  for (let i = 0; i < MAX_CANDIDATES; i++) {
    const at = pickOf(places, draws(PURPOSE.candidate + i));
    if (parsedJson(text.slice(0, at) + text.slice(at + 1)) === undefined) return without(text, at);
  }
  return without(text, places.at(-1) as number);
};

/** Damaged in the way of `kind`; control bytes where the text is no JSON to break. */
export const malformed = (text: string, kind: MalformedKind, draws: Draws): Damaged => {
  if (kind === 'bad_encoding') return withBadByte(text, draws);
  const broken = kind === 'broken_json' ? brokenJson(text, draws) : null;
  return broken ?? withControl(text, draws);
};
