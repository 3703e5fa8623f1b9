import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type Comparison, compareLogs } from '../analysis/learn/compare/compare.js';
import { type EmittedFiles, emittedFilesOf } from '../analysis/learn/emit/files.js';
import type { Learned } from '../analysis/learn/learn.js';
import {
  COMPARED_EVENTS,
  MAX_COMPARED_BYTES,
  MAX_COMPARED_EVENTS,
  MIN_COMPARED_EVENTS,
} from '../analysis/learn/limits.js';
import { DEFAULT_GENERATION } from '../config/settings/generationFields.js';
import { generatorParams } from '../config/startup/startup.js';
import { failure, type Result } from '../domain/errors.js';
import type { Micros } from '../domain/time/micros.js';
import { sampleEvents } from './sample/events.js';
import type { SampleOptions } from './sample/parts.js';
import { sampleTimestamps } from './sample/timestamps.js';

/** A Monday. Fixed, so that the comparison repeats with its seed. */
const NOW: Micros = Date.UTC(2024, 0, 1) * 1_000;
/** Timestamps for the rate, and the time that they may cover. */
const MAX_TIMESTAMPS = 200_000;
const MAX_SPAN: Micros = 28 * 86_400_000_000;
const MIN_SPAN: Micros = 60_000_000;
/** Times that are compared of a slow log, within these years. */
const MIN_TIMES = 200;
const MAX_YEARS = 200;

export interface CompareGeneratedOptions extends SampleOptions {
  /** Whether private values have the same pseudonyms in the log and in the generator. */
  readonly has_same_key: boolean;
}

export interface Compared {
  readonly comparison: Comparison;
  readonly events: readonly string[];
}

/** Bursts of which the rate is a mean. */
const MIN_BURSTS = 60;

/** Timestamps of a generator over as long as its log is, or longer: in few bursts, the rate is chance. */
export const sampleTimes = async (
  learned: Pick<Learned, 'model' | 'times'>,
  options: SampleOptions,
): Promise<Result<readonly Micros[]>> => {
  const { rate } = learned.model;
  const bursts =
    rate === null || rate.burst === null || rate.hours !== null ? 0 : rate.burst.on + rate.burst.off;
  const seconds = Math.max(rate?.seconds ?? 60, bursts * MIN_BURSTS);
  const slow = Math.min(MAX_YEARS * 365 * 86_400, MIN_TIMES / (rate?.events_per_second ?? 1));
  const span = Math.max(
    Math.min(MAX_SPAN, Math.max(MIN_SPAN, Math.round(seconds * 1e6))),
    Math.round(slow * 1e6),
  );
  // Begins in the hour of the week in which the log begins: the rate may depend on it.
  const first = learned.times[0] ?? 0;
  const from = NOW + (first % 604_800_000_000) + 3 * 86_400_000_000;
  const sampled = await sampleTimestamps({ ...options, from, to: from + span });
  if (E.isLeft(sampled)) return sampled;
  const times: Micros[] = [];
  for await (const { micros, length } of sampled.right.batches) {
    for (let at = 0; at < length; at++) times.push(micros[at] ?? 0);
    if (times.length >= MAX_TIMESTAMPS) break;
  }
  return E.right(times);
};

/** Enough to compare, within the time and memory that a log of any size may take. */
export const comparedEvents = ({ model: { records, bytes } }: Pick<Learned, 'model'>): number => {
  const wanted = Math.min(MAX_COMPARED_EVENTS, Math.max(COMPARED_EVENTS, records));
  return Math.max(MIN_COMPARED_EVENTS, Math.min(wanted, Math.floor((MAX_COMPARED_BYTES * records) / bytes)));
};

/** Runs a generator in memory and compares its events with a log. Returns an error when it cannot be loaded. */
export const compareGenerated = async (
  learned: Learned,
  options: CompareGeneratedOptions,
): Promise<Result<Compared>> => {
  const sampled = await sampleEvents({
    ...options,
    globals: {},
    now: NOW,
    events: comparedEvents(learned),
    output: 1,
    allow_subprocess: false,
  });
  if (E.isLeft(sampled)) return sampled;
  const events: string[] = [];
  let failed = 0;
  for await (const batch of sampled.right.batches) {
    for (const text of batch.formatted) events.push(text);
    failed += batch.failures.length;
  }
  const times = await sampleTimes(learned, options);
  if (E.isLeft(times)) return times;
  const comparison = compareLogs({
    model: learned.model,
    log: learned.tally,
    log_times: learned.times,
    made: learned.tallyOf(events),
    made_times: times.right,
    failed,
    has_same_key: options.has_same_key,
  });
  return E.right({ comparison, events });
};

/** The generator is compared in memory: nothing is read from or written to this folder. */
const FOLDER = '/learned';

interface GeneratorOptions {
  readonly name: string;
  readonly seed: string;
  /** Name of the config file. */
  readonly config_file: string;
  /** Time zone of the generated events. */
  readonly timezone: string;
}

export interface LearnedGenerator extends Compared {
  readonly files: EmittedFiles;
}

/** Returns the files of a learned generator, compared with its log, or an error when the generator cannot run. */
export const generatorOf = async (
  learned: Learned,
  { name, seed, config_file, timezone }: GeneratorOptions,
): Promise<Result<LearnedGenerator>> => {
  const { model } = learned;
  const path = join(FOLDER, config_file);
  const params = generatorParams({ id: 'learned', path, seed, timezone }, DEFAULT_GENERATION, FOLDER);
  if (E.isLeft(params)) return params;
  const tried = emittedFilesOf(name, model, { config_file, comparison: null });
  const texts = new Map([...tried].map(([file, text]) => [join(FOLDER, file), text]));
  const compared = await compareGenerated(learned, {
    params: params.right,
    keyring: null,
    texts,
    has_same_key: true,
  });
  if (E.isLeft(compared)) return compared;
  const { comparison, events } = compared.right;
  if (comparison.failed > 0 && comparison.events === 0)
    return E.left(failure('bug', 'the learned generator makes no event. Please report the log format.'));
  return E.right({ comparison, events, files: emittedFilesOf(name, model, { config_file, comparison }) });
};
