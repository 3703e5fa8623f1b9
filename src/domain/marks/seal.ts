import { isJsonObject, parsedJson } from '../json.js';
import { hex8, JSON_MEMBER, keyOf, makeToken } from './mark.js';
import { canonicalJson } from './put.js';
import { readMarks } from './read.js';

/** A part of the event, with its changes. */
export type Edited = (from: number, to: number) => string;

/** The mark of an event whose text changes. */
export interface Seal {
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
