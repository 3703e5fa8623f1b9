import * as E from 'fp-ts/lib/Either.js';
import { checkGeneratorId, checkScenarioName, MAX_ID_LENGTH } from '../../domain/identifiers.js';
import { MAX_PARTITIONS } from '../../domain/partitions.js';
import { checkBeginning } from '../../domain/time/expression.js';
import {
  boolean,
  defaulted,
  freeObject,
  integer,
  listOf,
  mapOf,
  optional,
  path,
  record,
  required,
  type Shape,
  text,
} from '../../schema/index.js';
import { scalar } from '../../schema/reader.js';
import { generationFields } from '../settings/generationFields.js';

/** Characters. */
const MAX_SEED_LENGTH = 256;

/** A string; integers are accepted for `seed: 42`. */
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

const MAX_FROM_LENGTH = 64;

const beginning = (written: string) => {
  const message = checkBeginning(written);
  return message === null ? null : { type: 'bad_format', message };
};

const MAX_SCENARIOS = 100;

/** Labels of nodes, in `cluster.yml` and in startup entries. */
export const nodeLabels = mapOf(text({ minLength: 1, maxLength: 256 }));

const scenarioName = text({ label: 'scenario name', maxLength: MAX_ID_LENGTH, check: checkScenarioName });

const generatorFields = {
  id: required(text({ label: 'generator id', maxLength: MAX_ID_LENGTH, check: checkGeneratorId }), {
    help: 'Unique name of the generator in the API, the logs and the state directory.',
  }),
  path: required(path(), {
    help: 'Config file; a relative path resolves against the generators directory.',
    example: 'web/generator.yml',
  }),
  live_mode: defaulted(boolean(), true, {
    help: 'Deliver each event when its timestamp is due; false delivers all events at once.',
  }),
  skip_past: defaulted(boolean(), true, {
    help: 'In live mode, skip timestamps from before the start; false delivers them first.',
  }),
  from: optional(text({ label: 'beginning', maxLength: MAX_FROM_LENGTH, check: beginning }), {
    help: 'Where the stream begins, like -7d: the past is made as fast as possible, then the present as it comes.',
    example: '-7d',
    extension: true,
  }),
  params: defaulted(freeObject(), {}, { help: 'Values for the placeholders ${params.name} of the config.' }),
  seed: optional(seed, {
    help: 'Seed of the random numbers: the same seed gives the same events; null draws a new one at each start.',
    extension: true,
  }),
  ...generationFields,
} as const;

/** A generator as the API and the command line define it. */
export const generatorParamsShape = record(generatorFields);

export const startupEntryShape = record({
  ...generatorFields,
  autostart: defaulted(boolean(), true, {
    help: 'Start the generator with the instance; false only registers it.',
  }),
  partitions: defaulted(integer({ min: 1, max: MAX_PARTITIONS }), 1, {
    help: 'Pipelines that share the schedule of the generator, for several cores: each timestamp goes to one of them.',
    extension: true,
  }),
  scenarios: defaulted(listOf(scenarioName, { max: MAX_SCENARIOS }), [], {
    help: 'Scenarios of the generator; it can write the globals of the first, its home, and read those of the others.',
  }),
  runs_on: defaulted(
    nodeLabels,
    {},
    {
      help: 'In a cluster: run only on nodes with all these labels; members of a scenario run together, so their labels add up.',
      example: { zone: 'a' },
      extension: true,
    },
  ),
});
