import { ERRORS } from '../domain/errors.js';
import type { JsonSchema } from '../schema/index.js';

/** Parts that the schemas of answers and of routes are made of. */

export const textField: JsonSchema = { type: 'string' };
export const flagField: JsonSchema = { type: 'boolean' };
export const countField: JsonSchema = { type: 'integer', minimum: 0 };
export const amount: JsonSchema = { type: 'number' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
export const maybe = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'] as string, 'null'],
});
export const errorCode: JsonSchema = { type: ['string', 'null'], enum: [...Object.keys(ERRORS), null] };
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const free: JsonSchema = { type: 'object', additionalProperties: true };

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A strict object; keys that end in `?` are optional. */
export const object = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key.replace('?', ''), schema]),
  ),
  required: Object.keys(properties).filter((key) => !key.endsWith('?')),
  additionalProperties: false,
});

/** A declared knob of a scenario. */
export const knob = object({
  ...{ key: textField, label: maybe(textField), description: maybe(textField), unit: maybe(textField) },
  ...{ min: maybe(amount), max: maybe(amount), step: maybe(amount), choices: maybe(list(textField)) },
  default: { description: 'What the generator uses while the global is not set.' },
});

/** Buckets of a histogram of durations. */
export const buckets: JsonSchema = {
  ...list(
    object({ le_ms: { ...amount, description: 'Largest duration of the bucket.' }, count: countField }),
  ),
  description: 'The buckets that are not empty, ascending.',
};
