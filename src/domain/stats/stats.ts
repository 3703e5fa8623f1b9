import { HISTOGRAM_SLOTS } from './histogram.js';

/**
 * Counters of one generator in shared memory, written by the thread of its pipeline. All slots are doubles, so readers
 * see each counter whole; counters read while events flow may be a few events apart.
 */
export interface Stats {
  readonly buffer: SharedArrayBuffer;
  readonly slots: Float64Array;
  /** Durations from timestamp to production, live mode. */
  readonly lateness: Float64Array;
  /** Durations from production to the end of the write. */
  readonly deliveryLag: Float64Array;
  readonly inputCount: number;
  readonly outputCount: number;
}

export const GENERATOR_SLOTS = {
  produced: 0,
  produce_failed: 1,
  dropped: 2,
  /** Sequence number of the last produced batch, from 1. */
  sequence: 3,
  /** Every batch up to this sequence number is done at every output. */
  low_water: 4,
  max_lateness_micros: 5,
  in_flight_batches: 6,
  /** Of inputs and outputs that a patch removed. */
  generated_before: 7,
  written_before: 8,
  lateness_micros: 9,
  delivery_lag_micros: 10,
  accepted: 11,
  /** Events in flight at removed outputs. */
  owed_before: 12,
  /** Events abandoned by removed outputs. */
  abandoned_before: 13,
  /** Events of earlier runs of a resumed stream. */
  produced_before: 14,
  /** 1 while timestamps are due and every batch of the queue is in flight. */
  is_blocked: 15,
  /** Timestamps that the inputs give in this run; 0: endless, or not known. */
  expected: 16,
} as const;

export const OUTPUT_SLOTS = {
  written: 0,
  write_failed: 1,
  format_failed: 2,
  bytes: 3,
  dead_lettered: 4,
  retries: 5,
  /** Events given up at the end of the run, neither delivered nor rejected. */
  abandoned: 6,
  /** `accepted` when the output was added: it does not get those. */
  accepted_before: 7,
  /** Events that the routing of the output leaves out. */
  filtered: 8,
  /** By the imperfections of the output, on purpose. */
  imperfect_dropped: 9,
  /** Events written a second time. */
  imperfect_doubled: 10,
  imperfect_truncated: 11,
  imperfect_malformed: 12,
  imperfect_late: 13,
  imperfect_out_of_order: 14,
  /** Late, out of order or buffered, but delivered before their time: too many were held, or the output ended. */
  imperfect_early: 15,
  imperfect_skewed: 16,
  /** Lost in a silence. */
  imperfect_silenced: 17,
  /** Delivered after a silence. */
  imperfect_buffered: 18,
  /** To be skewed, but without a timestamp. */
  imperfect_not_skewed: 19,
  /** Dead-lettered or lost events that no retry could have saved. */
  rejected: 20,
} as const;

const OUTPUT_NAMES = Object.keys(OUTPUT_SLOTS) as readonly (keyof typeof OUTPUT_SLOTS)[];

/** Each event of an output, and each copy made on purpose, ends in exactly one of these counters. */
export const FATES = [
  'written',
  'dead_lettered',
  'write_failed',
  'format_failed',
  'abandoned',
  'filtered',
  'imperfect_dropped',
  'imperfect_silenced',
] as const;
export type Fate = (typeof FATES)[number];

const HEADER = 17;
const PER_OUTPUT = OUTPUT_NAMES.length;

const sizeOf = (inputs: number, outputs: number): number =>
  HEADER + inputs + outputs * PER_OUTPUT + 2 * HISTOGRAM_SLOTS;

/** Views of a stats buffer; the counts must be those of its creation. */
export const statsOver = (buffer: SharedArrayBuffer, inputs: number, outputs: number): Stats =>
  viewsOf(buffer, new Float64Array(buffer), inputs, outputs);

const viewsOf = (buffer: SharedArrayBuffer, slots: Float64Array, inputs: number, outputs: number): Stats => {
  const histograms = HEADER + inputs + outputs * PER_OUTPUT;
  return {
    buffer,
    slots,
    lateness: slots.subarray(histograms, histograms + HISTOGRAM_SLOTS),
    deliveryLag: slots.subarray(histograms + HISTOGRAM_SLOTS, histograms + 2 * HISTOGRAM_SLOTS),
    inputCount: inputs,
    outputCount: outputs,
  };
};

export const makeStats = (inputs: number, outputs: number): Stats =>
  statsOver(new SharedArrayBuffer(sizeOf(inputs, outputs) * 8), inputs, outputs);

export const copyStats = ({ buffer, slots, inputCount, outputCount }: Stats): Stats =>
  viewsOf(buffer, slots.slice(), inputCount, outputCount);

/** Counters of partitions as those of one generator. */
export const sumStats = (parts: readonly Stats[]): Stats => {
  const sum = makeStats(
    Math.max(0, ...parts.map(({ inputCount }) => inputCount)),
    Math.max(0, ...parts.map(({ outputCount }) => outputCount)),
  );
  for (const part of parts) {
    const late = Math.max(readStat(sum, 'max_lateness_micros'), readStat(part, 'max_lateness_micros'));
    // The inputs of each partition are those of all.
    const expected = Math.max(readStat(sum, 'expected'), readStat(part, 'expected'));
    addAll(sum.slots, part.slots.subarray(0, HEADER));
    setTo(sum, 'max_lateness_micros', late);
    setTo(sum, 'expected', expected);
    addAll(sum.lateness, part.lateness);
    addAll(sum.deliveryLag, part.deliveryLag);
    for (let i = 0; i < part.inputCount; i++) addGenerated(sum, i, readGenerated(part, i));
    for (let i = 0; i < part.outputCount; i++) {
      for (const name of OUTPUT_NAMES) addToOutput(sum, i, name, readOutputStat(part, i, name));
    }
  }
  return sum;
};

const addAll = (sum: Float64Array, more: Float64Array): void => {
  for (let i = 0; i < more.length; i++) add(sum, i, more[i] as number);
};

/** Parts with counters that carry over in a patch. */
export interface UnchangedParts {
  /** For each former input, whether the new config has one of its kind in its place. */
  readonly inputs: readonly boolean[];
  /** For each output of the new config, whether it is unchanged. */
  readonly outputs: readonly boolean[];
}

/** Moves counters in place to the memory of `next`. Counters of removed inputs and outputs go to the totals. */
export const moveStats = (stats: Stats, next: Stats, unchanged: UnchangedParts): void => {
  next.slots.set(stats.slots.subarray(0, HEADER));
  next.lateness.set(stats.lateness);
  next.deliveryLag.set(stats.deliveryLag);
  for (let i = 0; i < stats.inputCount; i++) {
    const generated = readGenerated(stats, i);
    if (unchanged.inputs[i] === true) addGenerated(next, i, generated);
    else addTo(next, 'generated_before', generated);
  }
  for (let i = 0; i < stats.outputCount; i++) {
    if (unchanged.outputs[i] !== true) {
      addTo(next, 'written_before', readOutputStat(stats, i, 'written'));
      addTo(next, 'abandoned_before', readOutputStat(stats, i, 'abandoned'));
      addTo(next, 'owed_before', owedOf(stats, i, readStat(stats, 'accepted')));
      continue;
    }
    for (const name of OUTPUT_NAMES) {
      addToOutput(next, i, name, readOutputStat(stats, i, name));
    }
  }
  for (let i = 0; i < next.outputCount; i++) {
    if (unchanged.outputs[i] !== true) addToOutput(next, i, 'accepted_before', readStat(next, 'accepted'));
  }
  Object.assign(stats, next);
};

/** Events in flight at an output, of the first `total` events of a run. */
const owedOf = (stats: Stats, output: number, total: number): number =>
  FATES.reduce(
    (owed, fate) => owed - readOutputStat(stats, output, fate),
    total -
      readOutputStat(stats, output, 'accepted_before') +
      readOutputStat(stats, output, 'imperfect_doubled'),
  );

/**
 * Final counters of a run, as a copy. Events in flight count as abandoned: for each output produced + doubled = written +
 * dead-lettered + write-failed + format-failed + abandoned + filtered + dropped on purpose + lost in silences. A write that
 * ends later counts in the original only.
 */
export const closedStats = (stats: Stats): Stats => {
  const closed = copyStats(stats);
  // Read after the fates: the thread may still produce.
  const produced = readStat(stats, 'produced');
  setTo(closed, 'produced', produced);
  for (let i = 0; i < closed.outputCount; i++) {
    addToOutput(closed, i, 'abandoned', Math.max(0, owedOf(closed, i, produced)));
  }
  addTo(closed, 'abandoned_before', Math.max(0, readStat(closed, 'owed_before')));
  setTo(closed, 'owed_before', 0);
  return closed;
};

export const abandonedBy = (stats: Stats): number => {
  let sum = readStat(stats, 'abandoned_before');
  for (let i = 0; i < stats.outputCount; i++) sum += readOutputStat(stats, i, 'abandoned');
  return sum;
};

/** Events of the present outputs that failed and could not be stored as dead letters. */
export const lostBy = (stats: Stats): number => {
  let sum = 0;
  for (let i = 0; i < stats.outputCount; i++)
    sum += readOutputStat(stats, i, 'write_failed') + readOutputStat(stats, i, 'format_failed');
  return sum;
};

const add = (slots: Float64Array, index: number, amount: number): void => {
  slots[index] = (slots[index] as number) + amount;
};

export const addTo = (stats: Stats, name: keyof typeof GENERATOR_SLOTS, amount: number): void =>
  add(stats.slots, GENERATOR_SLOTS[name], amount);

export const setTo = (stats: Stats, name: keyof typeof GENERATOR_SLOTS, value: number): void => {
  stats.slots[GENERATOR_SLOTS[name]] = value;
};

export const readStat = (stats: Stats, name: keyof typeof GENERATOR_SLOTS): number =>
  stats.slots[GENERATOR_SLOTS[name]] as number;

/** Counts timestamps of an input, by its number from 0. */
export const addGenerated = (stats: Stats, input: number, amount: number): void =>
  add(stats.slots, HEADER + input, amount);

export const readGenerated = (stats: Stats, input: number): number => stats.slots[HEADER + input] as number;

const outputSlot = (stats: Stats, output: number, name: keyof typeof OUTPUT_SLOTS): number =>
  HEADER + stats.inputCount + output * PER_OUTPUT + OUTPUT_SLOTS[name];

export const addToOutput = (
  stats: Stats,
  output: number,
  name: keyof typeof OUTPUT_SLOTS,
  amount: number,
): void => add(stats.slots, outputSlot(stats, output, name), amount);

export const readOutputStat = (stats: Stats, output: number, name: keyof typeof OUTPUT_SLOTS): number =>
  stats.slots[outputSlot(stats, output, name)] as number;
