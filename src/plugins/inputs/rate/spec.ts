import {
  boolean,
  defaulted,
  integer,
  lazily,
  listOf,
  number,
  oneOf,
  optional,
  path,
  record,
  required,
} from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { inputPlugin } from '../../declare.js';
import { checkStartBeforeEnd, dateTimeShape } from '../shared/dateTimeField.js';
import { resolutionField } from '../shared/resolution.js';

const TARGETS = ['events_per_second', 'mb_per_second', 'gb_per_day'] as const;
const SHAPES = ['constant', 'ramp', 'steps', 'spike', 'daily', 'curve'] as const;

const factor = () => number({ min: 0, max: 1_000_000 });
const seconds = () => number({ min: 0.001, max: 1_000_000_000 });
const target = () => number({ exclusiveMin: 0, max: 1_000_000_000 });

/** Few at night, most before and after noon. */
const OFFICE_HOURS = [2, 1, 1, 1, 1, 2, 4, 7, 11, 13, 13, 12, 11, 12, 13, 12, 11, 9, 7, 6, 5, 5, 4, 3];
const EQUAL_DAYS = [1, 1, 1, 1, 1, 1, 1];

/** Details of arrivals and shapes that are not given. */
export const DEFAULTS = {
  burst: { on: 10, off: 50, alpha: 1.5 },
  ramp: { from: 0, to: 1, seconds: null },
  spike: { factor: 10, after: 60, seconds: 30, repeat: false },
  daily: { hours: OFFICE_HOURS, weekdays: EQUAL_DAYS },
} as const;

const fields = lazily(() => ({
  events_per_second: optional(target(), { help: 'Target: timestamps per second.', example: 250 }),
  mb_per_second: optional(target(), { help: 'Target: megabytes (10^6 bytes) of events per second.' }),
  gb_per_day: optional(target(), {
    help: 'Target: gigabytes (10^9 bytes) of events per 24 hours.',
    example: 50,
  }),
  event_bytes: optional(number({ min: 1, max: 1_000_000_000 }), {
    help: 'Mean size of the events of a timestamp, for a target in bytes. Default: measured from the events made.',
    unit: 'bytes',
    example: 512,
  }),
  arrivals: defaulted(oneOf(['even', 'poisson', 'bursty']), 'even', {
    help: 'Distances between timestamps: equal, random (exponential), or random within bursts that silence separates.',
  }),
  burst: optional(
    record({
      on: defaulted(seconds(), DEFAULTS.burst.on, { help: 'Mean length of a burst.', unit: 'seconds' }),
      off: defaulted(seconds(), DEFAULTS.burst.off, { help: 'Mean length of a silence.', unit: 'seconds' }),
      alpha: defaulted(number({ min: 1.1, max: 10 }), DEFAULTS.burst.alpha, {
        help: 'Pareto index of both lengths: lower is heavier tails.',
      }),
    }),
    { help: 'Bursts, for `arrivals: bursty`.' },
  ),
  shape: defaulted(oneOf(SHAPES), 'constant', {
    help: 'The target over time. The field of the same name has its details.',
  }),
  ramp: optional(
    record({
      from: defaulted(factor(), DEFAULTS.ramp.from, { help: 'Factor at the start.' }),
      to: defaulted(factor(), DEFAULTS.ramp.to, { help: 'Factor at the end of the ramp, and after it.' }),
      seconds: optional(seconds(), { help: 'Length of the ramp; default until `end`.', unit: 'seconds' }),
    }),
    { help: 'A rate that rises or falls steadily.' },
  ),
  steps: optional(
    record({
      levels: required(
        listOf(
          record({
            factor: required(factor(), { help: 'Factor of the target.', example: 2 }),
            seconds: required(seconds(), { help: 'Length of the step.', unit: 'seconds', example: 60 }),
          }),
          { min: 1 },
        ),
        { help: 'Steps in order.' },
      ),
      repeat: defaulted(boolean(), false, { help: 'Start over after the last step; else it lasts.' }),
    }),
    { help: 'A rate that changes in steps.' },
  ),
  spike: optional(
    record({
      factor: defaulted(factor(), DEFAULTS.spike.factor, { help: 'Factor during the spike.' }),
      after: defaulted(number({ min: 0, max: 1_000_000_000 }), DEFAULTS.spike.after, {
        help: 'Time from the start, or from the end of the spike before.',
        unit: 'seconds',
      }),
      seconds: defaulted(seconds(), DEFAULTS.spike.seconds, {
        help: 'Length of the spike.',
        unit: 'seconds',
      }),
      repeat: defaulted(boolean(), false, { help: 'Whether more spikes follow.' }),
    }),
    { help: 'The target with a short peak.' },
  ),
  daily: optional(
    record({
      hours: defaulted(listOf(factor(), { min: 24, max: 24 }), OFFICE_HOURS, {
        help: '24 weights of the hours of a day, from midnight, in the time zone of the generator.',
      }),
      weekdays: defaulted(listOf(factor(), { min: 7, max: 7 }), EQUAL_DAYS, {
        help: '7 weights of the days of a week, from Monday.',
      }),
    }),
    { help: 'A rate by hour and weekday; its mean over a week is the target.' },
  ),
  curve: optional(
    record({
      file: required(path(), {
        help: 'CSV file with the header `hour,factor` (hours of a day, 0 to 24) or `time,factor` (ISO 8601).',
        example: 'load.csv',
        reads: 'file',
      }),
    }),
    { help: 'A rate from a file, straight between its rows.' },
  ),
  start: optional(dateTimeShape(), { help: 'Start, inclusive; default now.', example: '2026-01-01' }),
  end: optional(dateTimeShape(), {
    help: 'End, exclusive; default never. Relative values count from start.',
    example: '+10d',
  }),
  resolution: resolutionField(),
  total: optional(integer({ min: 1 }), { help: 'Timestamps after which the input ends.', example: 100000 }),
}));

type Given = Readonly<Record<(typeof TARGETS)[number] | 'event_bytes', number | null>>;

const breach = (at: string, type: string, message: string, hint: string): RuleBreach => ({
  at,
  type,
  message,
  hint,
});

const checkTarget = (given: Given): RuleBreach | null => {
  const targets = TARGETS.filter((name) => given[name] !== null);
  if (targets.length === 0) {
    return breach(
      'events_per_second',
      'missing',
      'a target is required',
      `Give one of ${TARGETS.join(', ')}.`,
    );
  }
  const [, second] = targets;
  if (second !== undefined) {
    return breach(second, 'conflict', 'must not be given beside another target', 'Keep one.');
  }
  return given.event_bytes !== null && given.events_per_second !== null
    ? breach('event_bytes', 'not_allowed', 'belongs to a target in bytes', 'Remove it.')
    : null;
};

const DETAILS = ['ramp', 'steps', 'spike', 'daily', 'curve'] as const;

const checkShape = (
  given: Readonly<Record<(typeof DETAILS)[number], object | null>> & { readonly shape: string },
): RuleBreach | null => {
  const odd = DETAILS.find((name) => given[name] !== null && name !== given.shape);
  if (odd !== undefined) return breach(odd, 'not_allowed', `needs shape: ${odd}`, 'Set it, or remove this.');
  const needed = (['steps', 'curve'] as const).find((name) => name === given.shape && given[name] === null);
  return needed === undefined
    ? null
    : breach(needed, 'missing', `is required by shape: ${needed}`, 'Add it, or choose another shape.');
};

export const rateSpec = inputPlugin({
  name: 'rate',
  summary: 'Timestamps at a target rate in events or bytes, with random arrivals and a shape over time.',
  fields,
  rules: [
    { fields: [...TARGETS, 'event_bytes'], check: checkTarget },
    { fields: ['shape', ...DETAILS], check: checkShape },
    {
      fields: ['arrivals', 'burst'],
      check: ({ arrivals, burst }) =>
        burst !== null && arrivals !== 'bursty'
          ? breach('burst', 'not_allowed', 'needs arrivals: bursty', 'Set it, or remove this.')
          : null,
    },
    { fields: ['start', 'end'], check: checkStartBeforeEnd },
    {
      fields: ['shape', 'ramp', 'end'],
      check: ({ shape, ramp, end }) =>
        shape === 'ramp' && (ramp?.seconds ?? null) === null && (end === null || end.kind === 'never')
          ? breach('ramp', 'missing', 'has no length', 'Give ramp.seconds or end.')
          : null,
    },
  ],
  notes: [
    'Factors of `ramp`, `steps`, `spike` and of a curve over `time` multiply the target. `daily` and a curve over `hour` only distribute it: their mean over a week is the target. They follow the wall clock, so a day of 23 hours has 23 hours of timestamps.',
    'Sizes are UTF-8 bytes with a line end, as `file` and `stdout` write them, before compression. Without `event_bytes`, Spate measures all events of the generator and corrects the rate in blocks of 16 to 4,096 timestamps (about a minute). ' +
      'The error never accumulates: a run is wrong by less than one block. The correction depends on the events only, so a seed repeats it, and a checkpoint has it. Several inputs share one mean. Previews of timestamps make no events; they assume 256 bytes.',
    '`poisson` and `bursty` vary the count: over n timestamps, the standard deviation of `poisson` is the square root of n. `bursty` sends `on + off` times `1 / on` the target in bursts; lengths are Pareto values of at most 100 times the shortest, so its mean converges slowly.',
    'Timestamps are exact and never shifted. When production or the outputs fall behind in live mode, late events count in the `lateness` statistics, and the log warns of a full queue.',
    '`skip_past` begins at the start of generation: skipped time has no timestamps and does not count against `total`. Shapes still count from `start`.',
  ],
  examples: [
    {
      title: 'A thousand events per second at random distances',
      params: { events_per_second: 1000, arrivals: 'poisson' },
    },
    {
      title: '50 GB a day over the hours of an office',
      params: { gb_per_day: 50, arrivals: 'poisson', shape: 'daily' },
    },
    {
      title: 'A load test: up to 5,000 events per second within ten minutes',
      params: {
        events_per_second: 5000,
        shape: 'ramp',
        ramp: { from: 0, to: 1, seconds: 600 },
        end: '+15m',
      },
    },
    {
      title: 'Bursts of 5 seconds on average, with silence between them',
      params: { events_per_second: 20, arrivals: 'bursty', burst: { on: 5, off: 25 }, total: 10000 },
    },
    {
      title: 'A measured curve',
      params: { mb_per_second: 2, event_bytes: 400, shape: 'curve', curve: { file: 'load.csv' } },
    },
  ],
});
