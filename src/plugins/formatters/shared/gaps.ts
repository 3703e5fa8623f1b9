import { CODE } from './tokens.js';

/** What should stand between two tokens: nothing, one space, or from 2 on a line break and that many spaces less 2. */
export const NO_GAP = 0;
export const SPACE_GAP = 1;
const BREAK_GAP = 2;

/** A line break and so many spaces. */
export const breakGap = (spaces: number): number => BREAK_GAP + spaces;

/** Characters of a gap. */
export const gapLength = (gap: number): number => (gap < BREAK_GAP ? gap : gap - 1);

/** A gap as text. */
export const gapText = (gap: number): string => {
  if (gap === NO_GAP) return '';
  return gap === SPACE_GAP ? ' ' : `\n${' '.repeat(gap - BREAK_GAP)}`;
};

/** True when the text from `from` to `to`, which is white space, is the gap already. */
const isGap = (text: string, from: number, to: number, gap: number): boolean => {
  if (to - from !== gapLength(gap)) return false;
  if (gap === NO_GAP) return true;
  if (gap !== SPACE_GAP && text.charCodeAt(from) !== CODE.lineFeed) return false;
  for (let at = gap === SPACE_GAP ? from : from + 1; at < to; at++) {
    if (text.charCodeAt(at) !== CODE.space) return false;
  }
  return true;
};

/** Numbers per changed gap: where it starts, where it ends, what should be there. */
const STRIDE = 3;
/** Room that is kept from text to text; what a larger text needs is given back. */
const KEPT_NUMBERS = 8_192;
const KEPT_BYTES = 65_536;

/** The gaps of one text that are not as they should be, and the text with them put right. */
export interface Gaps {
  readonly clear: () => void;
  /** Notes the gap when the white space from `from` to `to` is another. */
  readonly check: (text: string, from: number, to: number, gap: number) => void;
  /** Characters of the text when it is put right. */
  readonly lengthOf: (text: string) => number;
  /** The very same string when no gap was noted. */
  readonly apply: (text: string) => string;
}

export const makeGaps = (): Gaps => {
  const keptNotes = new Int32Array(KEPT_NUMBERS);
  const keptBytes = new Uint8Array(KEPT_BYTES);
  const keptUnits = new Uint16Array(KEPT_BYTES);
  let notes = keptNotes;
  let used = 0;
  let grown = 0;

  const grow = (): void => {
    const larger = new Int32Array(notes.length * 2);
    larger.set(notes);
    notes = larger;
  };

  /**
   * Writes the text put right into `out` and returns whether every code fitted into 8 bits. Copying codes
   * into an array is four times as fast as joining slices of strings, and gives a flat string.
   */
  const write = (text: string, out: Uint8Array | Uint16Array): boolean => {
    let seen = 0;
    let from = 0;
    let to = 0;
    for (let note = 0; note <= used; note += STRIDE) {
      const end = note < used ? (notes[note] ?? 0) : text.length;
      while (from < end) {
        const code = text.charCodeAt(from++);
        seen |= code;
        out[to++] = code;
      }
      if (note === used) break;
      from = notes[note + 1] ?? 0;
      const gap = notes[note + 2] ?? NO_GAP;
      if (gap === NO_GAP) continue;
      out[to++] = gap === SPACE_GAP ? CODE.space : CODE.lineFeed;
      for (let left = gap - BREAK_GAP; left > 0; left--) out[to++] = CODE.space;
    }
    return seen <= 0xff;
  };

  const lengthOf = (text: string): number => text.length + grown;

  return {
    clear: () => {
      notes = keptNotes;
      used = 0;
      grown = 0;
    },
    check: (text, from, to, gap) => {
      if (from === to ? gap === NO_GAP : isGap(text, from, to, gap)) return;
      if (used + STRIDE > notes.length) grow();
      notes[used] = from;
      notes[used + 1] = to;
      notes[used + 2] = gap;
      used += STRIDE;
      grown += gapLength(gap) - (to - from);
    },
    lengthOf,
    apply: (text) => {
      if (used === 0) return text;
      const length = lengthOf(text);
      const bytes = length <= KEPT_BYTES ? keptBytes : new Uint8Array(length);
      if (write(text, bytes)) return textOf(bytes, length, 'latin1');
      const units = length <= KEPT_BYTES ? keptUnits : new Uint16Array(length);
      write(text, units);
      return textOf(units, length * 2, 'utf16le');
    },
  };
};

const textOf = (array: Uint8Array | Uint16Array, bytes: number, encoding: 'latin1' | 'utf16le'): string =>
  Buffer.from(array.buffer, array.byteOffset, bytes).toString(encoding);
