import * as E from 'fp-ts/lib/Either.js';
import { jsonEqual } from '../../../../config/jsonEqual.js';
import { type Expanded, readDocument } from '../../../../config/yaml/document.js';
import { editedText, editsOf } from '../../../../config/yaml/textEdit.js';
import type { Result } from '../../../../domain/errors.js';
import type { JsonObject } from '../../../../domain/json.js';
import { isJsonObject } from '../../../../domain/json.js';
import { generatorShape } from '../../../../plugins/generatorShape.js';

export const readConfig = (text: string): Result<Expanded> => readDocument(text, '', generatorShape);

/** The config as an object; `null`: the text is not YAML, or another value. An empty text is an empty object. */
export const configOf = (text: string): JsonObject | null => {
  const read = readConfig(text);
  if (E.isLeft(read)) return null;
  const { value } = read.right;
  return value === null ? {} : isJsonObject(value) ? value : null;
};

/** The text with another value: comments, order and unchanged lines stay. `null`: no edit of the text means that. */
export const textWith = (text: string, was: JsonObject, will: JsonObject): string | null =>
  editedText(
    text,
    () => editsOf({ was, will, body: will }, [], false),
    (made) => {
      const value = configOf(made);
      return value !== null && jsonEqual(value, will) ? made : null;
    },
  );
