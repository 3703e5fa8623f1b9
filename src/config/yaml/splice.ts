import { type Document, isScalar, parseDocument, Scalar } from 'yaml';
import type { Json } from '../../domain/json.js';
import type { Edit } from './edit.js';
import { stepsTo } from './place.js';

/** A piece of the text to be replaced. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Texts that need no quotes wherever they stand, if YAML reads them as texts at all. */
const PLAIN = /^[A-Za-z0-9_./-]+$/;
const ON_ONE_LINE = /^[\u0020-\u007e]*$/;

const isReadAs = (text: string, value: string): boolean => {
  const { contents, errors } = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  return errors.length === 0 && isScalar(contents) && contents.value === value;
};

/** A scalar on one line, quoted as the one before it if that is possible. JSON is YAML. */
const scalarText = (value: string | number | boolean | null, old: Scalar): string => {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (old.type === Scalar.QUOTE_SINGLE && ON_ONE_LINE.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return old.type === Scalar.PLAIN && PLAIN.test(value) && isReadAs(value, value)
    ? value
    : JSON.stringify(value);
};

const isScalarValue = (value: Json): value is string | number | boolean | null =>
  value === null || typeof value !== 'object';

/** The piece of text that a new scalar replaces; `null` when the edit is more than that. */
export const spliceOf = (document: Document, edit: Edit): Splice | null => {
  if (edit.op !== 'set' || !isScalarValue(edit.value)) return null;
  const last = stepsTo(document.contents, edit.path).at(-1);
  if (last === undefined || last.matched < edit.path.length) return null;
  const { node } = last;
  const isInline = isScalar(node) && node.type !== Scalar.BLOCK_LITERAL && node.type !== Scalar.BLOCK_FOLDED;
  if (!isInline || !node.range || node.range[0] === node.range[1]) return null;
  return { from: node.range[0], to: node.range[1], text: scalarText(edit.value, node) };
};

/** The text with all pieces replaced; they do not overlap. */
export const applySplices = (text: string, splices: readonly Splice[]): string =>
  [...splices]
    .sort((a, b) => b.from - a.from)
    .reduce((next, { from, to, text: piece }) => next.slice(0, from) + piece + next.slice(to), text);

/**
 * The text with some scalars replaced and every other byte as it was; `null` when an edit is more than
 * that. The caller checks what the result means (an anchored scalar changes its aliases too).
 */
export const spliceScalars = (document: Document, oldText: string, edits: readonly Edit[]): string | null => {
  const splices: Splice[] = [];
  for (const edit of edits) {
    const splice = spliceOf(document, edit);
    if (splice === null) return null;
    splices.push(splice);
  }
  return applySplices(oldText, splices);
};
