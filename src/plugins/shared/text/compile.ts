import { givenText, pointerReader } from '../../../domain/json.js';
import type { Micros } from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import { datedText, hasDates, type Part, placeholderPartsOf } from './placeholders.js';

/** The text of an option, compiled once. `document` is the event as JSON, needed only if `readsJson`. */
export interface EventText {
  /** The text, if all events have the same. */
  readonly constant: string | null;
  readonly readsJson: boolean;
  /** Returns the text, or null when a value is missing. */
  readonly text: (document: unknown, event?: string) => string | null;
  /** Returns any JSON value for a single pointer, else the text. Undefined when a value is missing. */
  readonly value: (document: unknown, event?: string) => unknown;
  /** First pointer that finds nothing. */
  readonly missing: (document: unknown) => string;
}

export interface DatedTextOptions {
  /** Replaces `{generator}`. */
  readonly generator?: string;
  /** Replaces `{partition}`. */
  readonly partition?: number;
  /** Makes the text of `{id}`. */
  readonly id?: () => string;
  /** Spells a value as it stands in the text. Returns null when it counts as missing. Default: `givenText`. */
  readonly spell?: (value: unknown) => string | null;
}

type Reader = (document: unknown, event: string) => string | null;
type Piece = string | Reader;

/** Adjacent constants are one piece. */
const joined = (pieces: readonly Piece[]): readonly Piece[] => {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece;
    else all.push(piece);
  }
  return all;
};

const textOf = (pieces: readonly Piece[]): Reader => {
  const [only] = pieces;
  if (pieces.length === 1 && typeof only === 'function') return only;
  return (document, event) => {
    let text = '';
    for (const piece of pieces) {
      const next = typeof piece === 'string' ? piece : piece(document, event);
      if (next === null) return null;
      text += next;
    }
    return text;
  };
};

const constantText = (text: string): EventText => ({
  constant: text,
  readsJson: false,
  text: () => text,
  value: () => text,
  missing: () => '',
});

/** `dateOf` spells a date pattern. */
const compileParts = (
  parts: readonly Part[],
  { generator = '', partition = 0, id = () => '', spell = givenText }: DatedTextOptions,
  dateOf: (pattern: string) => string,
): EventText => {
  const constant = (value: string): string => spell(value) ?? '';
  const pieces = joined(
    parts.map((part): Piece => {
      if (part.kind === 'text') return part.text;
      if (part.kind === 'generator') return constant(generator);
      if (part.kind === 'partition') return String(partition);
      if (part.kind === 'date') return constant(dateOf(part.pattern));
      if (part.kind === 'id') return id;
      if (part.kind === 'event') return (_, event) => spell(event);
      const read = pointerReader(part.pointer);
      return (document) => spell(read(document));
    }),
  );
  if (pieces.every((piece) => typeof piece === 'string')) return constantText(pieces.join(''));
  const text = textOf(pieces);
  const pointers = parts.flatMap((part) =>
    part.kind === 'pointer' ? [{ pointer: part.pointer, read: pointerReader(part.pointer) }] : [],
  );
  const [single] = pointers;
  return {
    constant: null,
    readsJson: pointers.length > 0,
    text: (document, event = '') => text(document, event),
    value:
      single !== undefined && parts.length === 1
        ? single.read
        : (document, event = '') => text(document, event) ?? undefined,
    missing: (document) => pointers.find(({ read }) => spell(read(document)) === null)?.pointer ?? '',
  };
};

/** Compiles what a field of `eventText` without dates has accepted. */
export const compileText = (written: string, options: DatedTextOptions = {}): EventText =>
  compileParts(placeholderPartsOf(written) ?? [], options, (pattern) => pattern);

/** A text whose dates are those of a time. */
export type DatedText = (now: Micros) => EventText;

const MICROS_PER_SECOND = 1_000_000;

/** Compiles what a field of `eventText` has accepted. Texts with dates are compiled again when the second changes. */
export const compileDatedText = (
  written: string,
  options: DatedTextOptions & { readonly zone: Zone },
): DatedText => {
  const parts = placeholderPartsOf(written) ?? [];
  if (!hasDates(written)) {
    const text = compileParts(parts, options, (pattern) => pattern);
    return () => text;
  }
  let second = Number.NaN;
  let text = constantText('');
  return (now) => {
    const current = Math.floor(now / MICROS_PER_SECOND);
    if (current !== second) {
      text = compileParts(parts, options, (pattern) => datedText(pattern, now, options.zone));
      second = current;
    }
    return text;
  };
};

/**
 * Returns a reader of a value for a JSON document: any JSON value for a single pointer, or undefined when the document
 * has none; else a text.
 */
export const eventValue = (written: string): ((document: unknown) => unknown) =>
  compileText(written, { spell: (value) => givenText(value) ?? '' }).value;
