import { expect } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import type { ImperfectionChoices } from '../../../src/domain/imperfections.js';
import { drawKey, seededRandom } from '../../../src/domain/random.js';
import {
  closedStats,
  FATES,
  readOutputStat,
  readStat,
  type Stats,
  setTo,
} from '../../../src/domain/stats/stats.js';
import type { Label } from '../../../src/imperfections/label.js';
import type { Skew } from '../../../src/imperfections/skew.js';
import { type PipelineParts, pipeline } from '../../../src/pipeline/pipeline.js';
import type { Output } from '../../../src/plugins/kit.js';
import { listInput, memoryOutput, partsOf } from './pipelineParts.js';

export const NONE: ImperfectionChoices = {
  dropped: 0,
  doubled: 0,
  truncated: 0,
  malformed: 0,
  kinds: ['control_bytes'],
  late: null,
  out_of_order: null,
  skewed: 0,
  silent: null,
};
/** Every kind, each for a share of the events. */
export const ALL: ImperfectionChoices = {
  ...NONE,
  dropped: 0.1,
  doubled: 0.2,
  truncated: 0.05,
  malformed: 0.15,
};

export const times = (count: number): number[] => Array.from({ length: count }, (_, i) => 100_000 + i);

/** Runs events that are their timestamps, from 100,000 on, through an output with imperfections. */
export const run = async (given: {
  readonly choices: ImperfectionChoices;
  readonly count?: number;
  readonly size?: number;
  /** Events of an earlier run. */
  readonly skip?: number;
  readonly seed?: string;
  readonly output?: Output;
  readonly truth?: Output;
  readonly skew?: Skew;
  readonly more?: Partial<PipelineParts>;
}) => {
  const output = memoryOutput();
  const truth = memoryOutput();
  const { parts, lines } = partsOf({
    inputs: [listInput(times(given.count ?? 10_000).slice(given.skip ?? 0))],
    outputs: [given.output ?? output],
    more: { batch: { size: given.size ?? 1_000, delay: null }, ...given.more },
  });
  const imperfections = {
    choices: given.choices,
    key: drawKey(seededRandom(given.seed ?? 'a seed')),
    skew: given.skew ?? null,
    output: '1-memory',
    truth: given.truth ?? truth,
  };
  setTo(parts.stats, 'produced_before', given.skip ?? 0);
  const destinations = parts.destinations.map((one) => ({ ...one, imperfections }));
  await lastValueFrom(pipeline({ ...parts, destinations }).flow, { defaultValue: 0 });
  const labels = truth.events.map((line) => JSON.parse(line) as Label);
  const logged = lines.map(({ message }) => message);
  return { events: output.events, labels, stats: parts.stats, logged };
};

export const isConserved = (stats: Stats): void => {
  const closed = closedStats(stats);
  const ends = FATES.reduce((sum, fate) => sum + readOutputStat(closed, 0, fate), 0);
  expect(ends).toBe(readStat(closed, 'produced') + readOutputStat(closed, 0, 'imperfect_doubled'));
  expect(readOutputStat(closed, 0, 'abandoned')).toBe(0);
};
