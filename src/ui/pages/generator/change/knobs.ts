import { isJsonObject, type Json } from '../../../../domain/json.js';

/** A number of an input that sets how many events it makes. */
export interface Knob {
  /** Position of the input. */
  readonly index: number;
  readonly plugin: string;
  readonly key: string;
  /** Number in the file. Null when a placeholder sets it. */
  readonly value: number | null;
  /** As the file has it. */
  readonly text: string;
}

const KEYS = ['count', 'events_per_second', 'mb_per_second', 'gb_per_day'] as const;

const isScalar = (value: Json | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

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

export const knobsOf = (inputs: Json | undefined): readonly Knob[] =>
  Array.isArray(inputs) ? (inputs as readonly Json[]).flatMap(knobsOfInput) : [];

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
