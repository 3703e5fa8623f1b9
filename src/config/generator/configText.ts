import * as E from 'fp-ts/lib/Either.js';
import { stringify } from 'yaml';
import { failure, type Result, reasonOf } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import { type AnyShape, decodeStored, expandDotted } from '../../schema/index.js';
import { invalid } from '../report.js';
import { jsonEqual, keepExtensions } from '../values.js';
import { readDocument } from '../yaml/document.js';
import { parseYaml } from '../yaml/source.js';
import { editedText, editsOf } from '../yaml/textEdit.js';

/** The value of a text with every default; `null` if it is invalid. */
const meaningOf = (text: string, shape: AnyShape): Json | null => {
  const source = parseYaml(text, '');
  if (E.isLeft(source)) return null;
  const expanded = expandDotted(source.right.value, shape);
  if (E.isLeft(expanded) || typeof expanded.right === 'string') return null;
  const stored = decodeStored(shape, expanded.right);
  return E.isRight(stored) ? shape.stored.encode(stored.right) : null;
};

/** YAML text of a value; JSON if the YAML would not read back to the same value. */
export const newConfigText = (body: Json): string => {
  const printed = E.tryCatch(
    () => stringify(body, { version: '1.2', lineWidth: 0, aliasDuplicateObjects: false }),
    reasonOf,
  );
  if (E.isRight(printed)) {
    const read = parseYaml(printed.right, '');
    if (E.isRight(read) && jsonEqual(read.right.value, body)) return printed.right;
  }
  return `${JSON.stringify(body)}\n`;
};

/**
 * A config text with `newBody` as its value. Comments and the order of keys stay, list items are matched by
 * position, unwritten defaults stay unwritten, and the same value returns the same text. An invalid old text is
 * replaced. Returns an error when the body is invalid, or too large or too deeply nested to be read again.
 */
export const updateConfigText = (oldText: string, newBody: Json, shape: AnyShape): Result<string> => {
  const stored = decodeStored(shape, newBody);
  if (E.isLeft(stored)) return E.left(invalid('', stored.left));
  const will = shape.stored.encode(stored.right);
  const was = meaningOf(oldText, shape);
  if (was !== null) {
    if (jsonEqual(was, will)) return E.right(oldText);
    const text = editedText(
      oldText,
      (isExplicit) => editsOf({ was, will, body: newBody }, [], isExplicit),
      (next) => (jsonEqual(meaningOf(next, shape) ?? undefined, will) ? next : null),
    );
    if (text !== null) return E.right(text);
  }
  const whole = newConfigText(newBody);
  return jsonEqual(meaningOf(whole, shape) ?? undefined, will)
    ? E.right(whole)
    : E.left(
        failure(
          'too_large',
          'The config is too large or too deeply nested to be read again. Make it smaller.',
        ),
      );
};

/** As `updateConfigText`, for a PUT: keeps extension keys that the body lacks. */
export const replaceConfigText = (oldText: string, newBody: Json, shape: AnyShape): Result<string> => {
  const old = readDocument(oldText, '', shape);
  const stored = E.isRight(old) ? old.right.value : undefined;
  return updateConfigText(oldText, keepExtensions(shape, stored, newBody), shape);
};
