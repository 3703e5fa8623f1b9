import * as E from 'fp-ts/lib/Either.js';
import { boolean, custom, mapOf, number, record, required, text } from '../../../../schema/index.js';
import type { Shape } from '../../../../schema/shape.js';
import { pointerReader, pointerText } from './pointer.js';

/** A value of the config, or the place of one in each event. */
export type Source = string | number | boolean | { readonly pointer: string };

const pointed = record({
  pointer: required(pointerText, { help: 'Place of the value in the event.', example: '/log/level' }),
});
const words = text();
const figure = number();
const flag = boolean();

const isSource = (value: unknown): value is Source =>
  ['string', 'number', 'boolean'].includes(typeof value) || pointed.codec.is(value);

const shapeFor = (value: unknown): Shape<Source> => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return pointed as Shape<Source>;
  if (typeof value === 'number') return figure as Shape<Source>;
  return (typeof value === 'boolean' ? flag : words) as Shape<Source>;
};

/** A text, number or boolean, or `{pointer: /place/in/the/event}`. */
export const sourceShape: Shape<Source> = custom<Source, Source>({
  base: shapeFor,
  label: 'text, number, boolean or {pointer: JSON pointer}',
  schema: { anyOf: [words.schema, figure.schema, flag.schema, pointed.schema] },
  is: isSource,
  decode: E.right,
  encode: (source) => source,
});

/** A text, number or boolean. */
export const constantShape: Shape<string | number | boolean> = custom<
  string | number | boolean,
  string | number | boolean
>({
  base: (value) =>
    (typeof value === 'number' ? figure : typeof value === 'boolean' ? flag : words) as Shape<
      string | number | boolean
    >,
  label: 'text, number or boolean',
  schema: { anyOf: [words.schema, figure.schema, flag.schema] },
  is: (value): value is string | number | boolean => ['string', 'number', 'boolean'].includes(typeof value),
  decode: E.right,
  encode: (value) => value,
});

const MAX_SOURCES = 100;

export const sourceMap: Shape<Readonly<Record<string, Source>>> = mapOf(sourceShape, { max: MAX_SOURCES });

export const constantMap: Shape<Readonly<Record<string, string | number | boolean>>> = mapOf(constantShape, {
  max: MAX_SOURCES,
});

export const isPointed = (source: Source | null): source is { readonly pointer: string } =>
  typeof source === 'object' && source !== null;

/** Reads a source in a parsed event; `undefined`: absent. */
export const sourceReader = (source: Source | null): ((document: unknown) => unknown) => {
  if (isPointed(source)) return pointerReader(source.pointer);
  const value = source ?? undefined;
  return () => value;
};

/** A value as text; objects and lists as JSON; `null` for absent ones and `null`. */
export const textOf = (value: unknown): string | null => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
