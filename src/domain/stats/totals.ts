import {
  abandonedBy,
  type OUTPUT_SLOTS,
  readGenerated,
  readOutputStat,
  readStat,
  type Stats,
} from './stats.js';

export interface StatTotals {
  readonly generated: number;
  readonly produced: number;
  readonly produce_failed: number;
  readonly dropped: number;
  readonly written: number;
  readonly write_failed: number;
  readonly format_failed: number;
  readonly dead_lettered: number;
  readonly abandoned: number;
  readonly filtered: number;
  readonly retries: number;
  readonly bytes: number;
  readonly queue_batches: number;
}

export const queueOf = (stats: Stats): number =>
  Math.max(0, readStat(stats, 'sequence') - readStat(stats, 'low_water'));

const sumOf = (stats: Stats, name: keyof typeof OUTPUT_SLOTS): number => {
  let sum = 0;
  for (let i = 0; i < stats.outputCount; i++) sum += readOutputStat(stats, i, name);
  return sum;
};

/** Timestamps of all inputs, those that a patch has removed included. */
export const generatedBy = (stats: Stats): number => {
  let generated = readStat(stats, 'generated_before');
  for (let i = 0; i < stats.inputCount; i++) generated += readGenerated(stats, i);
  return generated;
};

export const totalsOf = (stats: Stats): StatTotals => {
  return {
    generated: generatedBy(stats),
    produced: readStat(stats, 'produced'),
    produce_failed: readStat(stats, 'produce_failed'),
    dropped: readStat(stats, 'dropped'),
    written: readStat(stats, 'written_before') + sumOf(stats, 'written'),
    write_failed: sumOf(stats, 'write_failed'),
    format_failed: sumOf(stats, 'format_failed'),
    dead_lettered: sumOf(stats, 'dead_lettered'),
    abandoned: abandonedBy(stats),
    filtered: sumOf(stats, 'filtered'),
    retries: sumOf(stats, 'retries'),
    bytes: sumOf(stats, 'bytes'),
    queue_batches: queueOf(stats),
  };
};
