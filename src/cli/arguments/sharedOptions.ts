import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { DEFAULT_GENERATION } from '../../config/settings/generationFields.js';
import { generatorParams } from '../../config/startup/startup.js';
import type { Issue, Result, SpateError } from '../../domain/errors.js';
import type { GeneratorParams } from '../../domain/generator.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { Io } from '../terminal/io.js';
import type { OptionValues } from './command.js';
import {
  booleanOption,
  integerOption,
  jsonObjectOption,
  numberOption,
  type Option,
  textOption,
  textsOption,
  valuesOption,
} from './option.js';

/** Each option sets the generator parameter of its name. */
export const GENERATOR_OPTIONS = {
  id: textOption('ID', { help: 'Name in logs and summaries (default: the folder of the config).' }),
  'live-mode': booleanOption({
    help: 'Deliver each event at its timestamp (default true). false: as fast as possible.',
  }),
  'skip-past': booleanOption({
    help: 'In live mode, skip timestamps before the start (default true).',
  }),
  from: textOption('TIME', {
    help: 'Begin in the past, for example at -7d: as fast as possible up to now, then live.',
  }),
  'keep-order': booleanOption({ help: 'Write in chronological order, one batch at a time (default false).' }),
  params: jsonObjectOption('JSON', { help: 'Values for the placeholders ${params.name} in the config.' }),
  param: valuesOption('NAME=VALUE', {
    help: 'One of them; JSON or text, as in anomaly=scan. Wins over --params. Can be repeated.',
  }),
  timezone: textOption('ZONE', { help: 'IANA time zone of the timestamps (default UTC).' }),
  'batch.size': integerOption('N', { help: 'Maximum events per batch (default 10000).' }),
  'batch.delay': numberOption('SECONDS', {
    help: 'Maximum time to fill a batch (default 1). Setting only one of size and delay removes the limit of the other.',
  }),
  'queue.max-timestamp-batches': integerOption('N', {
    help: 'Maximum batches of timestamps in the queue (default 10).',
  }),
  'queue.max-event-batches': integerOption('N', {
    help: 'Maximum batches of events in flight (default 10).',
  }),
  'max-concurrency': integerOption('N', { help: 'Maximum concurrent writes (default 100).' }),
  'write-timeout': integerOption('SECONDS', { help: 'Timeout of one write attempt (default 10).' }),
  'retry.attempts': integerOption('N', { help: 'Attempts per write, including the first (default 5).' }),
  'retry.base-delay': numberOption('SECONDS', {
    help: 'Backoff before the second attempt; doubles with each attempt (default 0.2).',
  }),
  'retry.max-delay': numberOption('SECONDS', { help: 'Maximum backoff between attempts (default 5).' }),
  'template-limits': jsonObjectOption('JSON', {
    help: 'Limits of one template render, e.g. {"loop_steps":100000000}.',
  }),
  seed: textOption('SEED', {
    help: 'Seed of all random values; runs with the same seed are equal (default: a new one per run).',
  }),
} as const satisfies Readonly<Record<string, Option<Json>>>;

/** Option of commands that make events without a scenario; `globalsFor` reads it. */
export const GLOBALS_OPTION = textOption('JSON|FILE', {
  help: `Globals at the start: JSON such as '{"anomaly": "brute_force"}', or a file with it.`,
});

/** Options of commands that make events in memory, without waiting. */
export const SAMPLE_OPTIONS = {
  id: GENERATOR_OPTIONS.id,
  params: GENERATOR_OPTIONS.params,
  param: GENERATOR_OPTIONS.param,
  globals: GLOBALS_OPTION,
  now: textOption('TIME', {
    help: 'Start of generation, ISO 8601; without offset in --timezone (default: now).',
  }),
  timezone: GENERATOR_OPTIONS.timezone,
  seed: GENERATOR_OPTIONS.seed,
  output: integerOption(
    'N',
    { help: 'Number of the output whose formatter writes the events (default 1).' },
    { min: 1 },
  ),
};

type Values = Partial<OptionValues<typeof GENERATOR_OPTIONS>>;

const CONFIG_FILENAME = 'generator.yml';

/** Absolute path of a config file; a folder means its `generator.yml`. */
export const configFileOf = async (path: string, cwd: string): Promise<string> => {
  const absolute = resolve(cwd, path);
  const stats = await stat(absolute).catch(() => null);
  return stats?.isDirectory() === true ? join(absolute, CONFIG_FILENAME) : absolute;
};

/** Generator ids allow fewer characters than folder names. */
const defaultId = (file: string): string =>
  basename(dirname(file))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 128) || 'generator';

const parameterOf = (option: string): readonly string[] => option.replaceAll('-', '_').split('.');

/** `batch.size` becomes `{batch: {size}}`. */
const nested = (values: Values): JsonObject => {
  const result: Record<string, Json> = {};
  for (const option of Object.keys(GENERATOR_OPTIONS) as (keyof typeof GENERATOR_OPTIONS)[]) {
    const value = values[option];
    if (value === undefined) continue;
    if (option === 'param') {
      result['params'] = { ...values.params, ...values.param };
      continue;
    }
    const [group = '', name] = parameterOf(option);
    result[group] =
      name === undefined ? value : { ...(result[group] as JsonObject | undefined), [name]: value };
  }
  // One of the two alone removes the limit of the other.
  const { batch } = result;
  return batch === undefined
    ? result
    : { ...result, batch: { size: null, delay: null, ...(batch as JsonObject) } };
};

const optionOf = (path: Issue['path']): string => `--${path.join('.').replaceAll('_', '-')}`;

/** Renames parameters to the options they came from. */
const asOptions = (error: SpateError): SpateError => {
  const issues = error.issues?.map((issue) => ({ ...issue, path: [optionOf(issue.path)] }));
  return issues === undefined ? error : { ...error, issues };
};

/** Parameters of a generator; `file` is the absolute path of its config. */
export const paramsOf = (values: Values, file: string): Result<GeneratorParams> =>
  E.mapLeft(asOptions)(
    generatorParams(
      { id: defaultId(file), path: file, ...nested(values) },
      DEFAULT_GENERATION,
      dirname(file),
    ),
  );

export const CLUSTER_VARIABLE = 'SPATE_CLUSTER';

/** Option of commands that talk to a cluster. */
export const CLUSTER_OPTION = textOption('FILE', {
  help: `File that describes how to reach the cluster (default: $${CLUSTER_VARIABLE}).`,
});

/** Returns the absolute path of `cluster.yml`, or null when neither option nor variable names one. */
export const clusterFileOf = (
  given: string | undefined,
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
): string | null => {
  const file = given ?? env[CLUSTER_VARIABLE] ?? '';
  return file === '' ? null : resolve(cwd, file);
};

/** Options of commands that read generator configs. Third-party plugins are installed before the command runs. */
export const PLUGIN_OPTIONS = {
  plugin: textsOption('FILE', {
    help: 'Load third-party plugins from this file or installed package. Can be repeated.',
  }),
  config: textOption('FILE', {
    short: 'c',
    help: 'Load the plugins of these settings (generation.plugins).',
  }),
};
