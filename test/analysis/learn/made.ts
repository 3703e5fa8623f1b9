import { join } from 'node:path';
import { type EmittedFiles, emittedFilesOf } from '../../../src/analysis/learn/emit/files.js';
import { type Learned, learn } from '../../../src/analysis/learn/learn.js';
import { recordsOf } from '../../../src/analysis/learn/records.js';
import { DEFAULT_GENERATION } from '../../../src/config/settings/generationFields.js';
import { generatorParams } from '../../../src/config/startup/startup.js';
import { sampleTimes } from '../../../src/worker/learned.js';
import { sampleEvents } from '../../../src/worker/sample/events.js';
import type { SampleOptions } from '../../../src/worker/sample/parts.js';
import { right } from '../../support/either.js';

const FOLDER = '/learned';
const SEED = 'a seed of the tests';
/** Logs are not newer. */
const LOG_NOW = Date.UTC(2026, 11, 31) * 1_000;
/** Generated events begin here, in another year than all logs. */
export const MADE_FROM = Date.UTC(2031, 4, 5, 6, 7, 8) * 1_000;

export interface MadeGenerator {
  readonly learned: Learned;
  readonly files: EmittedFiles;
  readonly events: readonly string[];
}

const learnedFrom = (log: string, keep_values: boolean, now: number, seed: string) => {
  const learned = right(learn(recordsOf(log), { seed, keep_values, now }));
  const files = emittedFilesOf('made', learned.model, { config_file: 'generator.yml', comparison: null });
  const path = join(FOLDER, 'generator.yml');
  const sample: SampleOptions = {
    params: right(generatorParams({ id: 'made', path, seed }, DEFAULT_GENERATION, FOLDER)),
    keyring: null,
    texts: new Map([...files].map(([file, text]) => [join(FOLDER, file), text])),
  };
  return { learned, files, sample };
};

/** Learns a generator from a log, and makes its timestamps only: events a second, and how they arrive. */
export const rateFrom = async (log: string, now: number) => {
  const { learned, sample } = learnedFrom(log, false, now, SEED);
  const perSecond = (times: readonly number[]): number =>
    (times.length - 1) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1e6);
  const generated = right(await sampleTimes(learned, sample));
  return { arrivals: learned.model.rate?.arrivals, ratio: perSecond(generated) / perSecond(learned.times) };
};

/** Learns a generator from a log, and runs it in memory from `MADE_FROM` on. */
export const madeFrom = async (
  log: string,
  { keep_values = false, events = 400, now = LOG_NOW, seed = SEED } = {},
): Promise<MadeGenerator> => {
  const { learned, files, sample } = learnedFrom(log, keep_values, now, seed);
  const sampled = right(
    await sampleEvents({
      ...sample,
      globals: {},
      now: MADE_FROM,
      events,
      output: 1,
      allow_subprocess: false,
    }),
  );
  const made: string[] = [];
  for await (const { formatted, failures } of sampled.batches) {
    if (failures.length > 0) throw new Error(JSON.stringify(failures[0]));
    made.push(...formatted);
  }
  return { learned, files, events: made };
};
