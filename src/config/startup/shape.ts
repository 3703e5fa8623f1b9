import * as E from 'fp-ts/lib/Either.js';
import { checkGeneratorId, checkScenarioName, MAX_ID_LENGTH } from '../../domain/identifiers.js';
import {
  boolean,
  defaulted,
  freeObject,
  listOf,
  optional,
  path,
  record,
  required,
  type Shape,
  text,
} from '../../schema/index.js';
import { scalar } from '../../schema/reader.js';
import { generationFields } from '../settings/generationFields.js';

/** Longest seed, in characters. */
const MAX_SEED_LENGTH = 256;

/** A seed is text; a whole number is taken for its digits, because people write `seed: 42`. */
const seed: Shape<string> = scalar(
  `text or integer of 1..${MAX_SEED_LENGTH} characters`,
  { type: ['string', 'integer'], maxLength: MAX_SEED_LENGTH },
  (value): value is string => typeof value === 'string',
  (value) => {
    const written = Number.isSafeInteger(value) ? String(value) : value;
    if (typeof written !== 'string')
      return E.left({ type: 'wrong_type', message: 'must be text or an integer' });
    return written === '' || written.length > MAX_SEED_LENGTH
      ? E.left({ type: 'out_of_range', message: `must have 1..${MAX_SEED_LENGTH} characters` })
      : E.right(written);
  },
);

/** Scenarios of one generator. */
const MAX_SCENARIOS = 100;

const scenarioName = text({ label: 'scenario name', maxLength: MAX_ID_LENGTH, check: checkScenarioName });

const generatorFields = {
  id: required(text({ label: 'generator id', maxLength: MAX_ID_LENGTH, check: checkGeneratorId }), {
    help: 'Name in the API, in logs and of the folder of state; one per instance.',
  }),
  path: required(path(), {
    help: 'Config file, relative to the generators directory.',
    example: 'web/generator.yml',
  }),
  live_mode: defaulted(boolean(), true, { help: 'Deliver events at their time instead of at once.' }),
  skip_past: defaulted(boolean(), true, { help: 'In live mode leave out what was due before the start.' }),
  params: defaulted(freeObject(), {}, { help: 'Values of the placeholders ${params.name}.' }),
  seed: optional(seed, {
    help: 'Makes every run the same; none: each start draws one.',
    extension: true,
  }),
  ...generationFields,
} as const;

/** What a generator is made from, as the API and the command line give it. */
export const generatorParamsShape = record(generatorFields);

/** One entry of the startup file. */
export const startupEntryShape = record({
  ...generatorFields,
  autostart: defaulted(boolean(), true, { help: 'Start with the instance; false only registers it.' }),
  scenarios: defaulted(listOf(scenarioName, { max: MAX_SCENARIOS }), [], {
    help: 'Scenarios it belongs to; the first is its home, whose state it may change.',
  }),
});
