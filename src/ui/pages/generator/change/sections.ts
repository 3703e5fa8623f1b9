import * as E from 'fp-ts/lib/Either.js';
import { newConfigText } from '../../../../config/generator/configText.js';
import { parseYaml } from '../../../../config/yaml/source.js';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';

export const SECTIONS = ['input', 'event', 'output'] as const;
export type Section = (typeof SECTIONS)[number];

export type Parsed =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'problem'; readonly message: string };

/** The value of a YAML text; JSON is YAML too. */
export const parsed = (text: string): Parsed => {
  const source = parseYaml(text, '');
  if (E.isRight(source)) return { kind: 'value', value: source.right.value };
  const [issue] = source.left.issues ?? [];
  const place = issue?.line === undefined ? '' : `Line ${issue.line}: `;
  return { kind: 'problem', message: `${place}${issue?.message ?? source.left.message}` };
};

/** Returns the sections of a config text, or null when it cannot be read. */
export const sectionsOf = (text: string): JsonObject | null => {
  const read = parsed(text);
  return read.kind === 'value' && isJsonObject(read.value) ? read.value : null;
};

export const textOf = (value: Json | undefined): string => (value === undefined ? '' : newConfigText(value));
