import * as E from 'fp-ts/lib/Either.js';
import { boolean, custom, mapOf, number, text } from '../../../schema/index.js';
import type { Shape } from '../../../schema/shape.js';
import { compileText, type DatedTextOptions } from './compile.js';
import { isOfEvent, placeholderPartsOf, type TextPlaceholder } from './placeholders.js';

interface Defect {
  readonly type: 'bad_format' | 'not_allowed';
  readonly message: string;
  readonly hint?: string;
}

const SPELLINGS: Readonly<Record<TextPlaceholder, string>> = {
  pointer: '{/json/pointer}',
  event: '{event}',
  generator: '{generator}',
  partition: '{partition}',
  id: '{id}',
  date: '{date} and dates such as {yyyy-MM-dd}',
};

/**
 * Returns what is wrong with the placeholders of a text, or null when nothing is. The message does not contain
 * the text.
 */
export const placeholderDefect = (written: string, allowed: readonly TextPlaceholder[]): Defect | null => {
  const parts = placeholderPartsOf(written);
  if (parts?.every(({ kind }) => kind === 'text' || allowed.includes(kind)) === true) return null;
  return {
    type: 'bad_format',
    message: 'has a brace without a placeholder of this option',
    hint: `Placeholders are ${allowed.map((kind) => SPELLINGS[kind]).join(', ')}. Write a brace as {{ or }}.`,
  };
};

interface EventTextOptions {
  /** Placeholders of this option; default: values of the event. */
  readonly allowed?: readonly TextPlaceholder[];
  /** A constant makes no sense. */
  readonly isOfEvent?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Sees the text with an `x` for each placeholder. */
  readonly check?: (sample: string) => Defect | null;
}

/** What the schema can say of `isOfEvent`. */
const OF_EVENT = /\{(?:\/|event\})/u;

const CONSTANT: Defect = {
  type: 'bad_format',
  message: 'has no value of the event',
  hint: 'Write it as {/json/pointer}.',
};

const sampleOf = (written: string): string =>
  (placeholderPartsOf(written) ?? []).map((part) => (part.kind === 'text' ? part.text : 'x')).join('');

/** A text with placeholders. */
export const eventText = (options: EventTextOptions = {}): Shape<string> => {
  const { allowed = ['pointer'], check, minLength, maxLength } = options;
  return text({
    label: options.isOfEvent === true ? 'text with {/json/pointer}' : 'text with placeholders',
    ...(options.isOfEvent === true ? { pattern: OF_EVENT } : {}),
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    check: (written) => {
      const defect = placeholderDefect(written, allowed);
      if (defect !== null) return defect;
      if (options.isOfEvent === true && !isOfEvent(written)) return CONSTANT;
      return check?.(sampleOf(written)) ?? null;
    },
  });
};

/** A text with placeholders, or a number or boolean. */
export type ConfigValue = string | number | boolean;

const MAX_VALUES = 100;

const figure = number();
const flag = boolean();

/** A text with placeholders, or a number or boolean as it is. */
export const eventValueShape = (
  allowed: readonly TextPlaceholder[] = ['pointer', 'generator'],
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
  allowed?: readonly TextPlaceholder[],
): Shape<Readonly<Record<string, ConfigValue>>> => mapOf(eventValueShape(allowed), { max: MAX_VALUES });

export interface CompiledValue {
  readonly readsJson: boolean;
  /** Returns undefined when a value is missing. */
  readonly value: (document: unknown) => unknown;
}

export const compileValue = (written: ConfigValue, options: DatedTextOptions = {}): CompiledValue =>
  typeof written === 'string' ? compileText(written, options) : { readsJson: false, value: () => written };

/** Names with compiled values, in order. */
export const compileValues = (
  written: Readonly<Record<string, ConfigValue>>,
  options: DatedTextOptions = {},
): readonly (CompiledValue & { readonly name: string })[] =>
  Object.entries(written).map(([name, value]) => ({ name, ...compileValue(value, options) }));
