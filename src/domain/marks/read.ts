import { isJsonObject, parsedJson } from '../json.js';
import { CRC_START, feedByte, feedBytes, feedText } from '../text/crc32.js';
import {
  canonicalJson,
  hex8,
  isIntact,
  isIntactAfter,
  JSON_MEMBER,
  keyOf,
  type MarkToken,
  makeToken,
  SEPARATORS,
  tokenBefore,
} from './mark.js';

/** `intact`: the checksum matches; `broken`: it does not, so no field of the mark counts; `unchecked`: no text. */
export type MarkVerdict = 'intact' | 'broken' | 'unchecked';

export interface FoundMark {
  readonly token: MarkToken;
  readonly verdict: MarkVerdict;
  /** End of the text before an appended mark; `null` for JSON. */
  readonly textEnd: number | null;
}

/** Marks of the events in a line. */
export interface LineMarks {
  readonly marks: readonly FoundMark[];
  /** Events without mark: in a JSON array, or 1 for a line without any. */
  readonly unmarked: number;
}

const NOTHING: LineMarks = { marks: [], unmarked: 1 };

const one = (mark: FoundMark): LineMarks => ({ marks: [mark], unmarked: 0 });

const [TAB, CR, OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, QUOTE] = [9, 13, 0x7b, 0x5b, 0x7d, 0x22];

const TEXT_SEPARATOR = Buffer.from(SEPARATORS.text);
const MEMBER = Buffer.from(`"${JSON_MEMBER}"`);
const LAST_MEMBER = Buffer.from(`,"${JSON_MEMBER}":"`);

const endsWith = (bytes: Uint8Array, from: number, to: number, ending: Uint8Array): boolean => {
  const start = to - ending.length;
  return start >= from && ending.every((byte, i) => bytes[start + i] === byte);
};

const appended = (bytes: Uint8Array, from: number, to: number): FoundMark | null => {
  const token = tokenBefore(bytes, from, to);
  if (token === null) return null;
  const { start } = token;
  if (start > from && bytes[start - 1] === TAB) {
    const verdict = isIntactAfter(bytes, from, start - 1, token) ? 'intact' : 'broken';
    return { token, verdict, textEnd: start - 1 };
  }
  if (endsWith(bytes, from, start, TEXT_SEPARATOR)) {
    const textEnd = start - TEXT_SEPARATOR.length;
    return { token, verdict: isIntactAfter(bytes, from, textEnd, token) ? 'intact' : 'broken', textEnd };
  }
  const isAlone =
    start === from ||
    (start - from === TEXT_SEPARATOR.length - 1 && endsWith(bytes, from, start, TEXT_SEPARATOR.subarray(1)));
  return isAlone ? { token, verdict: 'unchecked', textEnd: from } : null;
};

/** Reads the mark of an object in the form of `JSON.stringify`, without parsing. */
const plainMember = (bytes: Uint8Array, from: number, to: number): FoundMark | null => {
  if (bytes[to - 1] !== CLOSE_BRACE || bytes[to - 2] !== QUOTE) return null;
  const token = tokenBefore(bytes, from, to - 2);
  if (token === null || !endsWith(bytes, from, token.start, LAST_MEMBER)) return null;
  const text = feedBytes(CRC_START, bytes, from, token.start - LAST_MEMBER.length);
  return isIntact(feedByte(text, CLOSE_BRACE), bytes, token)
    ? { token, verdict: 'intact', textEnd: null }
    : null;
};

const wholeToken = (text: unknown): { readonly token: MarkToken; readonly bytes: Buffer } | null => {
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'latin1');
  const token = tokenBefore(bytes, 0, bytes.length);
  return token?.start === 0 ? { token, bytes } : null;
};

const canonicalWithout = (event: Readonly<Record<string, unknown>>, token: string): string | null => {
  const whole = canonicalJson(event);
  const member = `,"${JSON_MEMBER}":"${token}"}`;
  // The mark is the last member, unless the order was changed.
  if (whole?.endsWith(member) === true) return `${whole.slice(0, -member.length)}}`;
  const { [JSON_MEMBER]: _mark, ...rest } = event;
  return whole === null ? null : canonicalJson(rest);
};

const memberOf = (value: unknown): FoundMark | null => {
  if (!isJsonObject(value)) return null;
  const found = wholeToken(value[JSON_MEMBER]);
  if (found === null) return null;
  const canonical = canonicalWithout(value, found.bytes.toString('latin1'));
  const isRight = canonical !== null && isIntact(feedText(CRC_START, canonical), found.bytes, found.token);
  const isAlone = canonical === '{}';
  return {
    token: found.token,
    verdict: isRight ? 'intact' : isAlone ? 'unchecked' : 'broken',
    textEnd: null,
  };
};

const MEMBER_IN_TEXT = new RegExp(`"${JSON_MEMBER}"\\s*:\\s*"([^"\\\\]*)"`);
const MEMBER_ALONE = new RegExp(`^\\s*${MEMBER_IN_TEXT.source}\\s*,?\\s*$`);

/** Reads a line that is not JSON as a whole: part of an indented object, or damaged. */
const inText = (text: string): LineMarks => {
  const found = wholeToken(MEMBER_IN_TEXT.exec(text)?.[1]);
  if (found === null) return NOTHING;
  const verdict = MEMBER_ALONE.test(text) ? 'unchecked' : 'broken';
  return one({ token: found.token, verdict, textEnd: null });
};

const inJson = (text: string): LineMarks => {
  const value = parsedJson(text);
  if (value === undefined) return inText(text);
  const events: readonly unknown[] = Array.isArray(value) ? value : [value];
  const marks = events.map(memberOf).filter((mark) => mark !== null);
  return { marks, unmarked: marks.length === 0 ? 1 : events.length - marks.length };
};

const firstInk = (bytes: Uint8Array, from: number, to: number): number => {
  let at = from;
  while (at < to && (bytes[at] === 32 || bytes[at] === TAB)) at++;
  return at;
};

/** Finds and checks the marks of the line `bytes[from..to)`, without its line feed. */
export const readMarks = (bytes: Buffer, from: number, to: number): LineMarks => {
  const end = to > from && bytes[to - 1] === CR ? to - 1 : to;
  const known = appended(bytes, from, end) ?? plainMember(bytes, from, end);
  if (known !== null) return one(known);
  const line = bytes.subarray(from, end);
  if (!line.includes(MEMBER)) return NOTHING;
  const first = bytes[firstInk(bytes, from, end)];
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return inText(line.toString('utf8'));
  // Most JSON differs only in white space; removing it is several times faster than parsing.
  const squeezed = squeezeJson(bytes, from, end);
  const spaced = squeezed === null ? null : plainMember(squeezed, 0, squeezed.length);
  return spaced === null ? inJson(line.toString('utf8')) : one(spaced);
};

/** Longer than any token with its separator. */
const TAIL_BYTES = 80;
const BEGUN_TOKEN = new RegExp(`(${SEPARATORS.text}|${SEPARATORS.tsv}[0-9a-f]{8}:)[0-9a-f:-]*$`);

/** Whether a line without mark looks like a truncated event. */
export const looksTorn = (bytes: Buffer, from: number, to: number): boolean => {
  if (BEGUN_TOKEN.test(bytes.toString('latin1', Math.max(from, to - TAIL_BYTES), to))) return true;
  // A brace alone begins an indented object.
  return to > from + 1 && bytes[from] === OPEN_BRACE && bytes[to - 1] !== CLOSE_BRACE;
};

const [BACKSLASH, SPACE, LF] = [0x5c, 32, 10];

/** Longer lines are parsed instead. */
const MAX_BYTES = 64 * 1024;

const scratch = Buffer.allocUnsafeSlow(MAX_BYTES);

/**
 * Returns JSON without white space between tokens, valid until the next call. Returns null when there is none to
 * remove, or when the JSON is too long. Does not validate it.
 */
export const squeezeJson = (bytes: Uint8Array, from: number, to: number): Buffer | null => {
  if (to - from > MAX_BYTES) return null;
  let length = 0;
  let isText = false;
  for (let i = from; i < to; i++) {
    const byte = bytes[i] as number;
    if (isText) {
      if (byte === QUOTE) isText = false;
      else if (byte === BACKSLASH) {
        scratch[length++] = byte;
        i++;
        if (i >= to) return null;
      }
    } else if (byte === SPACE || byte === TAB || byte === CR || byte === LF) continue;
    else if (byte === QUOTE) isText = true;
    scratch[length++] = bytes[i] as number;
  }
  return length === to - from ? null : scratch.subarray(0, length);
};

/** Returns `<stream>:<sequence>` of the mark of an event, or null when it has none. */
export const markOf = (text: string): string | null => {
  const bytes = Buffer.from(text);
  // The mark of an event of several lines is on the last one.
  const [mark] = readMarks(bytes, 0, bytes.length).marks;
  return mark === undefined ? null : `${hex8(mark.token.stream)}:${mark.token.sequence}`;
};

/** A part of the event, with its changes. */
export type Edited = (from: number, to: number) => string;

/** The mark of an event whose text changes. */
interface Seal {
  /** The token, which is no text of the event and must not be changed. */
  readonly from: number;
  readonly to: number;
  /** The changed event. A mark that was intact gets the checksum of the new text. */
  readonly renewed: (edited: Edited) => string;
}

const withoutMark = (text: string): string | null => {
  const value = parsedJson(Buffer.from(text).toString());
  if (!isJsonObject(value)) return null;
  const { [JSON_MEMBER]: _mark, ...rest } = value;
  return canonicalJson(rest);
};

/** Finds the mark of an event. Returns null when the event does not have exactly one. */
export const sealOf = (event: string): Seal | null => {
  const bytes = Buffer.from(event);
  const { marks } = readMarks(bytes, 0, bytes.length);
  const [mark] = marks;
  if (mark === undefined || marks.length > 1) return null;
  const { token, verdict, textEnd } = mark;
  const key = keyOf(token);
  const old = `${key}:${hex8(token.crc)}`;
  const from = event.lastIndexOf(old);
  if (from < 0) return null;
  const to = from + old.length;
  /** Separator and token are ASCII: as many units as bytes. */
  const end = textEnd === null ? null : from - (token.start - textEnd);
  const renewed = (edited: Edited): string => {
    if (verdict !== 'intact') return edited(0, event.length);
    if (end !== null) {
      const text = edited(0, end);
      return text + event.slice(end, from) + makeToken(text, key) + event.slice(to);
    }
    const whole = edited(0, event.length);
    const canonical = withoutMark(whole);
    const at = whole.lastIndexOf(old);
    return canonical === null || at < 0
      ? whole
      : whole.slice(0, at) + makeToken(canonical, key) + whole.slice(at + old.length);
  };
  return { from, to, renewed };
};
