import type { JsonSchema } from '../schema/index.js';
import { amount, count, flag, list, maybe, object, text } from './responses.js';

const share: JsonSchema = { ...amount, description: 'A share, 0 to 1.' };
const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const both = (item: JsonSchema): JsonSchema => object({ log: item, generated: item });

const rate = object({
  events_per_second: amount,
  arrivals: { type: 'string', enum: ['even', 'poisson', 'bursty'] },
  burst: nullable(object({ on: amount, off: amount })),
  hours: { ...list(amount), type: ['array', 'null'], description: 'Weights of 24 hours.' },
  weekdays: { ...list(amount), type: ['array', 'null'], description: 'Weights of 7 weekdays from Monday.' },
  seconds: { ...amount, description: 'Time that the log covers.' },
});

const field = object({
  name: text,
  kind: { type: 'string', enum: ['constant', 'time', 'same', 'counter', 'number', 'fresh', 'pool'] },
  share: { ...share, description: 'Share of the records with the field; above 1 if records have several.' },
  distinct: both(count),
  difference: {
    ...maybe(amount),
    description:
      'Enumeration: greatest difference of the share of one value. Number: Kolmogorov-Smirnov distance. Null: values are made anew.',
  },
  is_by_rank: flag,
});

const comparison = object({
  events: { ...count, description: 'Generated events that were compared.' },
  unmatched: { ...count, description: 'Generated events that look like none of the log.' },
  failed: count,
  fields: list(field),
  worst: object({ enumeration: share, number: share }),
  rate: object({ log: maybe(amount), generated: amount }),
  gaps: {
    ...nullable(object({ difference: share, median: both(amount), variation: both(amount) })),
    description: 'Times between events, in seconds; null: the log has no times.',
  },
});

/** Schemas of what is learned from a log, by their name under `components.schemas`. */
export const LEARN_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  LearnedLog: object({
    generator: text,
    records: count,
    bytes: count,
    is_cut: { ...flag, description: 'Only the first records were read.' },
    left_out: object({ too_long: count, binary: count, bad_characters: count }),
    formats: {
      ...list({ type: 'array', prefixItems: [text, count], minItems: 2, maxItems: 2 }),
      description: 'Formats with their number of records.',
    },
    header: { ...maybe(text), description: 'Header of a CSV file.' },
    times: nullable(object({ format: text, found: count })),
    undated: {
      ...object({ count, first: maybe(count) }),
      description:
        'Records whose time was not found, although others have one or they seem to hold one, and the number of the first.',
    },
    warnings: {
      ...list(text),
      description:
        'Sentences about what is wrong with the generator, e.g. that events repeat times of the log.',
    },
    rate: nullable(rate),
    templates: list(object({ name: text, count, format: text, fields: list(text) })),
    relations: { ...count, description: 'Tables of values that are drawn together.' },
    copied: { ...count, description: 'Records that fit no template and are repeated whole.' },
    replaced: {
      type: ['object', 'null'],
      additionalProperties: count,
      description: 'Private values that were replaced, by kind; null: they were kept.',
    },
    comparison,
    seed: text,
    examples: list(object({ template: text, count, records: list(text), events: list(text) })),
    config: { ...text, description: 'Text of the config file.' },
    files: {
      type: 'object',
      additionalProperties: text,
      description: 'Texts of the other files, by path in the generator directory.',
    },
  }),
};
