import * as E from 'fp-ts/lib/Either.js';
import { newConfigText } from '../../../config/generator/configText.js';
import { parseYaml } from '../../../config/yaml/source.js';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.js';

type ParsedSection =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'problem'; readonly message: string };

/** The value of a YAML text; JSON is YAML too. */
export const parsed = (text: string): ParsedSection => {
  const source = parseYaml(text, '');
  if (E.isRight(source)) return { kind: 'value', value: source.right.value };
  const [issue] = source.left.issues ?? [];
  const location = issue?.line === undefined ? '' : `Line ${issue.line}: `;
  return { kind: 'problem', message: `${location}${issue?.message ?? source.left.message}` };
};

const SECTIONS = ['input', 'event', 'output'] as const;

export type ConfigSection = (typeof SECTIONS)[number];

/** Returns the sections of a config text, or null when it cannot be read. */
export const sectionsOf = (text: string): JsonObject | null => {
  const read = parsed(text);
  return read.kind === 'value' && isJsonObject(read.value) ? read.value : null;
};

export const sectionText = (value: Json | undefined): string =>
  value === undefined ? '' : newConfigText(value);

/** A number of an input that sets how many events it makes. */
export interface Knob {
  /** Position of the input. */
  readonly index: number;
  readonly plugin: string;
  readonly key: RateKey;
  /** Number in the file. Null when a placeholder sets it. */
  readonly value: number | null;
  /** As the file has it. */
  readonly text: string;
}

/** The options of inputs that set a rate, in words. */
export const RATE_WORDS = {
  count: 'Events at each timestamp',
  events_per_second: 'Events per second',
  mb_per_second: 'MB per second',
  gb_per_day: 'GB per day',
} as const;

type RateKey = keyof typeof RATE_WORDS;

const KEYS = Object.keys(RATE_WORDS) as readonly RateKey[];

export const parameterKnobsOf = (inputs: Json | undefined): readonly Knob[] =>
  Array.isArray(inputs) ? (inputs as readonly Json[]).flatMap(knobsOfInput) : [];

const knobsOfInput = (input: Json, index: number): readonly Knob[] => {
  if (!isJsonObject(input)) return [];
  return Object.entries(input).flatMap(([plugin, values]) =>
    KEYS.flatMap((key): readonly Knob[] => {
      const value = isJsonObject(values) ? values[key] : undefined;
      if (!isScalar(value)) return [];
      return [{ index, plugin, key, value: typeof value === 'number' ? value : null, text: String(value) }];
    }),
  );
};

const isScalar = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Key of a knob in a set of new values. */
export const knobKey = ({ index, key }: Pick<Knob, 'index' | 'key'>): string => `${index} ${key}`;

/** The inputs with new numbers. */
export const withKnobs = (inputs: Json, values: Readonly<Record<string, number>>): Json =>
  (inputs as readonly Json[]).map((input, index) => {
    if (!isJsonObject(input)) return input;
    return Object.fromEntries(
      Object.entries(input).map(([plugin, fields]) => {
        if (!isJsonObject(fields)) return [plugin, fields];
        const changed = KEYS.flatMap((key) => {
          const value = values[knobKey({ index, key })];
          return value === undefined ? [] : [[key, value] as const];
        });
        return [plugin, { ...fields, ...Object.fromEntries(changed) }];
      }),
    );
  });
