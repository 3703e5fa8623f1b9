import * as E from 'fp-ts/lib/Either.js';
import { jsonEqual } from '../../../config/values.js';
import { type Expanded, readDocument } from '../../../config/yaml/document.js';
import { editedText, editsOf } from '../../../config/yaml/textEdit.js';
import type { Result } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/json.js';
import { isJsonObject } from '../../../domain/json.js';
import { generatorShape } from '../../../plugins/generatorShape.js';

export const readConfig = (text: string): Result<Expanded> => readDocument(text, '', generatorShape);

/** Returns the config as an object, empty for an empty text. Null when it is not YAML, or another value. */
export const configOf = (text: string): JsonObject | null => {
  const read = readConfig(text);
  if (E.isLeft(read)) return null;
  const { value } = read.right;
  return value === null ? {} : isJsonObject(value) ? value : null;
};

/** Edits a text to another value: comments, order and unchanged lines stay. Returns null when no edit can. */
export const textWith = (text: string, was: JsonObject, will: JsonObject): string | null =>
  editedText(
    text,
    () => editsOf({ was, will, body: will }, [], false),
    (made) => {
      const value = configOf(made);
      return value !== null && jsonEqual(value, will) ? made : null;
    },
  );
