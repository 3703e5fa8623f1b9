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
  {
    keys: ['events_per_second', 'mb_per_second'],
    needs: ['events_per_second'],
    why: 'an input rate needs a target',
  },
  { keys: ['schema', 'schema_file', 'encoding'], needs: ['schema'], why: 'a formatter avro needs a schema' },
  { keys: ['clean_session', 'host'], needs: ['host'], why: 'an output mqtt needs `url` or `host`' },
  {
    keys: ['path', 'from', 'keep_timestamps'],
    needs: ['path'],
    why: 'an event replay needs `path` or `from`',
  },
  { keys: ['as', 'pattern', 'list'], needs: ['pattern'], why: 'names of `remap` need one of them' },
  { keys: ['timestamp_pattern', 'drift', 'steps'], needs: ['offset'], why: 'a wrong clock needs an error' },
  { keys: ['host', 'dsn', 'table'], needs: ['host'], why: 'an output clickhouse needs `host` or `dsn`' },
  { keys: ['role', 'password', 'token'], needs: ['password'], why: 'a user needs a password or a token' },
];

const rule = (says: RegExp, why: string): Excuse => ({ status: 422, says, why });

/** Refusals by rules over several fields, which one field of the smallest body can break. */
export const RULES: readonly Excuse[] = [
  rule(/must not be less than base_delay/, 'the greatest `base_delay` is above the default of `max_delay`'),
  rule(/is one of two ways to sign in/, 'a user has a password or a token, not both'),
  rule(/has a name that is empty, too long/, 'a name of a user fits into a header'),
  rule(/needs size, delay or both/, '`size` or `delay` null alone: a batch needs a limit'),
  rule(
    /a key of mode \w+, not /,
    '`chance`, `initial` and `transitions` belong to one mode of templates each',
  ),
  rule(
    /belongs to mode chain|is required in mode chain|names unknown aliases: /,
    '`chain` belongs to mode chain and names aliases',
  ),
  rule(
    /has min \d+ above max|belongs to a state machine with instances|belongs to mode fsm/,
    '`think` has bounds in order, and belongs to `instances` of mode fsm',
  ),
  rule(
    /lines change only with pattern and format together/,
    'one half of `timestamp_pattern` and `timestamp_format` changes nothing',
  ),
  rule(/needs '?chance'? at|needs initial: true/, 'modes chance and fsm need keys of their own'),
  rule(
    /is required without `template_path`|must not be set together with `template`/,
    'exactly one of `template` and `template_path`',
  ),
  rule(
    /a target is required|beside another target|belongs to a target in bytes|needs arrivals: bursty/,
    'a rate has one target, and `event_bytes` and `burst` belong to one kind each',
  ),
  rule(
    /needs shape: |is required by shape: |has no length/,
    '`shape` and the field of its name belong together',
  ),
  rule(/unknown key '\w+'\. Known: tag/, 'a condition is of one kind; the schema says the keys of all'),
  rule(/needs `rotate_size` or `rotate_every`/, '`rotate_keep` alone rotates nothing'),
  rule(/is less than `rotate_size`/, '`rotate_keep_size` below `rotate_size` keeps no file'),
  rule(
    /is required\. Set `url`, or `host`|excludes `host`, `port`|with `clean_session: false`/,
    '`host: null` without `url`, a session without a name',
  ),
  rule(
    /is required with SASL_|needs a native library|must be -1 with `enable|is not supported: Spate (?:starts no|has no login)/,
    'fields of kafka that need others or native libraries, or take only their defaults',
  ),
  rule(
    /(is required with|needs) `partitioner: fixed`/,
    '`partition` and `partitioner: fixed` belong together',
  ),
  rule(
    /must have at least one label|as the name of a label/,
    'Loki takes letters, digits and underscores in names of labels',
  ),
  rule(/cannot be read: ENOENT/, 'an input time_patterns names files'),
  rule(
    /makes bytes, but|(without|together with) `schema|`encoding: (confluent|container)`|formatter avro: /,
    'a formatter avro needs a schema, `schema_id` with one encoding, and an output that sends bytes',
  ),
  rule(
    /Give the path of a log file|beside `from`|belongs to (?:the input with `from`|`path`)|needs `from: recorded`|needs the input `recorded`/,
    'an event replay has a `path`, or follows the input',
  ),
  rule(/one of pattern and list is required/, 'names of `remap` have a pattern or a list'),
  rule(/needs repeat: true/, '`passes` belongs to `repeat`'),
  rule(/no file matches logs/, 'an input recorded names files'),
  rule(
    /needs 'kinds' at|which mode activity does not have|has no template for|must be inputs `world`|the world has no|makes more than \d+ people/,
    'templates by the kind of activity need inputs `world`, which know their sites, attacks and size',
  ),
  rule(
    /has none of its own: remove it|must not add up to more than 1|they must not exceed 1/,
    'a deviation belongs to some distributions; shares of imperfections add up',
  ),
  rule(
    /the clock would be right|would change nothing|is required with `drift`|needs `drift`/,
    'a clock has an error; `since` and steps of size 0 belong to a drift',
  ),
  rule(
    /row \d+ is empty|but row 1 (is|has)|of row 1: add it/,
    'rows of a sample are alike, and none is empty',
  ),
  rule(
    /two ends|greater than `min`|is for numbers|distance of `min`|be a number from|one of `choices`|A number needs `min`/,
    'a knob is a slider with two ends, a list of choices or a switch, with a default of its kind',
  ),
  rule(/names a destination '\w+' that does not exist/, 'an output `use` names a destination that is there'),
  rule(/must be less than `every`/, 'a silence is shorter than its period'),
  rule(/must name at least one column/, 'a table without columns has no rows'),
  rule(/needs at least one part of a date/, '`before` and `after` with null only'),
  rule(/is required when (enabled|verify_mode) is/, '`ssl.enabled` and `verify_mode` need their files'),
  rule(/is the former name of incidents_dir/, '`incidents_dir` and its former name exclude each other'),
];

const mapSchemas = (value: Json | undefined, map: (schema: Schema) => Schema): Schema =>
  Object.fromEntries(Object.entries(schemaAt(value)).map(([key, inner]) => [key, map(schemaAt(inner))]));

const completed = new WeakMap<Schema, Schema>();

/** A schema whose objects also require what is needed beside it; kept, because every request asks for it. */
export const withNeeds = (schema: Schema): Schema => {
  const known = completed.get(schema);
  if (known !== undefined) return known;
  const made = addNeeds(schema);
  completed.set(schema, made);
  return made;
};

const addNeeds = (schema: Schema): Schema => {
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
