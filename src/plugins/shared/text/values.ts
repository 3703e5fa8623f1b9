import * as E from 'fp-ts/lib/Either.js';
import { boolean, custom, mapOf, number } from '../../../schema/index.js';
import type { Shape } from '../../../schema/shape.js';
import { compileText, type TextOptions } from './compile.js';
import { eventText } from './field.js';
import type { Placeholder } from './placeholders.js';

/** A text with placeholders, or a number or boolean. */
export type ConfigValue = string | number | boolean;

const MAX_VALUES = 100;

const figure = number();
const flag = boolean();

/** A text with placeholders, or a number or boolean as it is. */
export const eventValueShape = (
  allowed: readonly Placeholder[] = ['pointer', 'generator'],
): Shape<ConfigValue> => {
  const words = eventText({ allowed });
  const shapeFor = (value: unknown): Shape<ConfigValue> => {
    if (typeof value === 'number') return figure as Shape<ConfigValue>;
    return (typeof value === 'boolean' ? flag : words) as Shape<ConfigValue>;
  };
  return custom<ConfigValue, ConfigValue>({
    base: shapeFor,
    label: 'text with placeholders, number or boolean',
    schema: { anyOf: [words.schema, figure.schema, flag.schema] },
    is: (value): value is ConfigValue => shapeFor(value).codec.is(value),
    decode: E.right,
    encode: (value) => value,
  });
};

export const eventValueMap = (
  allowed?: readonly Placeholder[],
): Shape<Readonly<Record<string, ConfigValue>>> => mapOf(eventValueShape(allowed), { max: MAX_VALUES });

export interface CompiledValue {
  readonly readsJson: boolean;
  /** Returns undefined when a value is missing. */
  readonly value: (document: unknown) => unknown;
}

export const compileValue = (written: ConfigValue, options: TextOptions = {}): CompiledValue =>
  typeof written === 'string' ? compileText(written, options) : { readsJson: false, value: () => written };

/** Names with compiled values, in order. */
export const compileValues = (
  written: Readonly<Record<string, ConfigValue>>,
  options: TextOptions = {},
): readonly (CompiledValue & { readonly name: string })[] =>
  Object.entries(written).map(([name, value]) => ({ name, ...compileValue(value, options) }));
