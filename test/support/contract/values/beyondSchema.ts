import type { Json } from '../../../../src/domain/json.js';
import type { Schema } from '../document.js';
import { listAt, propertiesOf, schemaAt } from './smallest.js';

/** Something that an object needs beside what its schema requires. */
export interface Need {
  /** Keys of the object: it holds for objects that have them all. */
  readonly keys: readonly string[];
  /** Keys that the smallest object has for it. */
  readonly needs: readonly string[];
  readonly why: string;
}

/** An answer that is right for another reason than the one that the request was made for. */
export interface Excuse {
  readonly status: number;
  /** Part of the body of the answer. */
  readonly says: RegExp;
  readonly why: string;
}

export const NEEDS: readonly Need[] = [
  { keys: ['template', 'template_path'], needs: ['template'], why: 'a formatter template needs one of them' },
  { keys: ['host', 'dsn', 'table'], needs: ['host'], why: 'an output clickhouse needs `host` or `dsn`' },
];

const rule = (says: RegExp, why: string): Excuse => ({ status: 422, says, why });

/** Refusals by rules over several fields, which one field of the smallest body can break. */
export const RULES: readonly Excuse[] = [
  rule(/Set `host`, or a `dsn`/, '`host: null` without `dsn`: an output clickhouse needs one of them'),
  rule(/must not be less than base_delay/, 'the greatest `base_delay` is above the default of `max_delay`'),
  rule(/needs size, delay or both/, '`size` or `delay` null alone: a batch needs a limit'),
  rule(
    /a key of mode \w+, not /,
    '`chance`, `initial` and `transitions` belong to one mode of templates each',
  ),
  rule(
    /belongs to mode chain|is required in mode chain|names unknown aliases: /,
    '`chain` belongs to mode chain and names aliases',
  ),
  rule(/needs '?chance'? at|needs initial: true/, 'modes chance and fsm need keys of their own'),
  rule(
    /is required without `template_path`|must not be set together with `template`/,
    'exactly one of `template` and `template_path`',
  ),
  rule(/needs at least one part of a date/, '`before` and `after` with null only'),
  rule(/is required when (enabled|verify_mode) is/, '`ssl.enabled` and `verify_mode` need their files'),
];

const mapSchemas = (value: Json | undefined, map: (schema: Schema) => Schema): Schema =>
  Object.fromEntries(Object.entries(schemaAt(value)).map(([key, inner]) => [key, map(schemaAt(inner))]));

/** A schema whose objects also require what is needed beside it. */
export const withNeeds = (schema: Schema): Schema => {
  const has = (key: string): boolean => propertiesOf(schema).some(([name]) => name === key);
  const needed = NEEDS.filter(({ keys }) => keys.every(has)).flatMap(({ needs }) => needs);
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): [string, Json] => {
      if (keyword === 'properties') return [keyword, mapSchemas(value, withNeeds)];
      if (keyword === 'items' || keyword === 'additionalProperties')
        return [keyword, typeof value === 'boolean' ? value : withNeeds(schemaAt(value))];
      if (keyword === 'anyOf' || keyword === 'oneOf')
        return [keyword, listAt(value).map((each) => withNeeds(schemaAt(each)))];
      return [keyword, value];
    }),
  );
  return needed.length === 0 ? inner : { ...inner, required: [...listAt(inner['required']), ...needed] };
};
