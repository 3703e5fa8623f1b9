import { DELAY_DISTRIBUTIONS, MALFORMED_KINDS, SILENT_EVENTS } from '../../../domain/imperfections.js';
import { parseIso } from '../../../domain/time/iso.js';
import { utc } from '../../../domain/time/zone.js';
import {
  defaulted,
  integer,
  listOf,
  number,
  oneOf,
  optional,
  path,
  record,
  refined,
  required,
  text,
} from '../../../schema/index.js';
import type { RuleBreach, ValueOf } from '../../../schema/shape.js';
import { readableFormat, timestampPattern } from '../../shared/fields.js';
import { placeholderDefect } from '../../shared/text/field.js';

/** 100 years: a clock that has lost its battery is in 1970. */
const MAX_OFFSET = 3_155_760_000;
/** An hour or two a day; crystals are below 100, and NTP corrects up to 500. */
const MAX_DRIFT = 100_000;
/** A year. */
const MAX_EVERY = 31_536_000;

const since = text({
  label: 'ISO 8601 date-time',
  check: (source) =>
    parseIso(source, utc) === null
      ? { type: 'bad_format', message: 'must be an ISO 8601 date-time such as 2026-01-01T00:00:00Z' }
      : null,
});

const steps = record({
  every: required(number({ min: 1, max: MAX_EVERY }), {
    help: 'One step in each period of this length, at a random moment.',
    unit: 'seconds',
    example: 3_600,
  }),
  size: defaulted(number({ min: 0, max: MAX_OFFSET }), 0, {
    help: 'After a step the clock is up to so far ahead of `offset` or behind it, drawn evenly. 0: right at it, as after a correction by NTP.',
    unit: 'seconds',
  }),
});

const clockFields = {
  timestamp_pattern: required(timestampPattern(), {
    help:
      'Regular expression with a group `(?P<timestamp>...)` or `(?<timestamp>...)` around a timestamp. All matches in a ' +
      'formatted event are rewritten.',
    example: '\\[(?P<timestamp>[^\\]]+)\\]',
  }),
  timestamp_format: required(readableFormat(), {
    help: 'Format of the timestamps: strftime codes, or `iso8601`.',
    example: '%d/%b/%Y:%H:%M:%S %z',
  }),
  share: defaulted(number({ min: 0, max: 1 }), 1, { help: 'Share of the events.' }),
  offset: defaulted(number({ min: -MAX_OFFSET, max: MAX_OFFSET }), 0, {
    help: 'How far the clock is ahead; negative: behind.',
    unit: 'seconds',
    example: -180,
  }),
  drift: defaulted(number({ min: -MAX_DRIFT, max: MAX_DRIFT }), 0, {
    help: 'Gain of the clock in microseconds per second (ppm); negative: it loses.',
  }),
  since: optional(since, {
    help: 'When the drift was 0: required with `drift`, unless there are `steps`. Without an offset in the time zone of the generator.',
    example: '2026-01-01T00:00:00Z',
  }),
  steps: optional(steps, {
    help: 'Jumps of the clock; the drift begins again at each.',
    example: { every: 3_600, size: 2 },
  }),
};

export type ClockParams = ValueOf<typeof clockFields>;

const checkError = ({
  offset,
  drift,
  steps: jumps,
}: Pick<ClockParams, 'offset' | 'drift' | 'steps'>): RuleBreach | null => {
  if (offset === 0 && drift === 0 && jumps === null) {
    return {
      at: 'offset',
      type: 'missing',
      message: 'is required without `drift` and `steps`: the clock would be right',
    };
  }
  return jumps !== null && jumps.size === 0 && drift === 0
    ? {
        at: 'steps',
        type: 'not_allowed',
        message: 'would change nothing',
        hint: 'Give it a `size`, or the clock a `drift` that the steps correct.',
      }
    : null;
};

const checkSince = ({
  drift,
  since: start,
  steps: jumps,
}: Pick<ClockParams, 'drift' | 'since' | 'steps'>): RuleBreach | null => {
  const isNeeded = drift !== 0 && jumps === null;
  if (isNeeded === (start !== null)) return null;
  return isNeeded
    ? {
        at: 'since',
        type: 'missing',
        message: 'is required with `drift`',
        hint: 'Or correct the clock with `steps`.',
      }
    : {
        at: 'since',
        type: 'not_allowed',
        message:
          jumps === null ? 'needs `drift`' : 'must not be given beside `steps`: the drift begins at each',
      };
};

/** A clock of the source that is wrong, so that it writes wrong times into the events. */
const clockShape = record(clockFields, {
  rules: [
    { fields: ['offset', 'drift', 'steps'], check: checkError },
    { fields: ['drift', 'since', 'steps'], check: checkSince },
  ],
});

/** A day. */
const MAX_LENGTH = 86_400;

/** Silences of the source. */
const silentShape = record(
  {
    every: required(number({ min: 1, max: MAX_EVERY }), {
      help: 'One silence in each period of this length, at a random moment.',
      unit: 'seconds',
      example: 3_600,
    }),
    for: required(number({ min: 0.001, max: MAX_LENGTH }), {
      help: 'Length of a silence; less than `every`.',
      unit: 'seconds',
      example: 120,
    }),
    events: defaulted(oneOf(SILENT_EVENTS), 'lost', {
      help: 'What becomes of the events of a silence: `lost`, as of a host that is down, or `delivered` after it, as from the buffer of an agent.',
    }),
  },
  {
    rules: [
      {
        fields: ['every', 'for'],
        check: ({ every, for: length }) =>
          length >= every ? { at: 'for', type: 'out_of_range', message: 'must be less than `every`' } : null,
      },
    ],
  },
);

/** A day. */
const MAX_DELAY = 86_400;
const MAX_WINDOW = 10_000;

const share = required(number({ min: 0, max: 1 }), { help: 'Share of the events.', example: 0.01 });

const shareOnly = record({ share });

const malformed = record({
  share,
  kinds: defaulted(listOf(oneOf(MALFORMED_KINDS), { min: 1 }), [...MALFORMED_KINDS], {
    help: 'Kinds of damage, drawn evenly. `broken_json` gives events that are not JSON control bytes.',
  }),
});

const late = record(
  {
    share,
    distribution: defaulted(oneOf(DELAY_DISTRIBUTIONS), 'exponential', {
      help: 'Distribution of the delay. `uniform` is between 0 and twice the mean; less than 0 is 0.',
    }),
    mean: required(number({ exclusiveMin: 0, max: MAX_DELAY }), {
      help: 'Mean delay, before the limit `max`.',
      unit: 'seconds',
      example: 30,
    }),
    deviation: optional(number({ exclusiveMin: 0, max: MAX_DELAY }), {
      help: 'Standard deviation for `normal` and `lognormal`. Default: half of the mean.',
      unit: 'seconds',
    }),
    max: defaulted(number({ exclusiveMin: 0, max: MAX_DELAY }), 3_600, {
      help: 'Longest delay; longer ones are cut.',
      unit: 'seconds',
    }),
  },
  {
    rules: [
      {
        fields: ['distribution', 'deviation'],
        check: ({ distribution, deviation }) =>
          deviation !== null && (distribution === 'exponential' || distribution === 'uniform')
            ? {
                at: 'deviation',
                type: 'not_allowed',
                message: `\`${distribution}\` has none of its own: remove it, or choose \`normal\` or \`lognormal\``,
              }
            : null,
      },
    ],
  },
);

const fields = {
  dropped: optional(shareOnly, { help: 'Events that are not written.', example: { share: 0.01 } }),
  doubled: optional(shareOnly, {
    help: 'Events that are written twice, one behind the other.',
    example: { share: 0.01 },
  }),
  truncated: optional(shareOnly, { help: 'Events that lose their end.', example: { share: 0.01 } }),
  malformed: optional(malformed, { help: 'Events with damage inside.', example: { share: 0.01 } }),
  late: optional(late, {
    help: 'Events that come later than their time, behind events that were made after them.',
    example: { share: 0.01, mean: 30 },
  }),
  out_of_order: optional(
    record({
      share,
      window: required(integer({ min: 1, max: MAX_WINDOW }), {
        help: 'Most places that an event comes too late; drawn evenly.',
        example: 10,
      }),
    }),
    { help: 'Events that come behind some of the next ones.', example: { share: 0.01, window: 10 } },
  ),
  clock: optional(clockShape, {
    help: 'A clock of the source that is wrong: the timestamps in the events are off.',
    example: { timestamp_pattern: '^(?P<timestamp>\\S+)', timestamp_format: 'iso8601', offset: -180 },
  }),
  silent: optional(silentShape, {
    help: 'Times in which nothing comes from the source.',
    example: { every: 3_600, for: 120 },
  }),
  ground_truth: optional(
    refined(path(), (written) => placeholderDefect(written, ['generator', 'partition', 'date'])),
    {
      help: 'File for a JSON line about each imperfection; `spate verify --ground-truth` reads it. Relative to the folder of the generator.',
      example: 'out/truth.jsonl',
    },
  ),
};

const SHARED = ['dropped', 'doubled', 'truncated', 'malformed'] as const;

/** Errors that an output makes on purpose. */
export const imperfectionsShape = record(fields, {
  rules: [
    {
      fields: ['late', 'out_of_order'],
      check: ({ late: one, out_of_order }) =>
        (one?.share ?? 0) + (out_of_order?.share ?? 0) > 1 + Number.EPSILON
          ? {
              at: 'out_of_order',
              type: 'out_of_range',
              message: 'the shares of `late` and `out_of_order` must not add up to more than 1',
            }
          : null,
    },
    {
      fields: SHARED,
      check: (value) => {
        const sum = SHARED.reduce((total, name) => total + (value[name]?.share ?? 0), 0);
        const last = SHARED.findLast((name) => value[name] !== null) ?? 'dropped';
        return sum > 1 + Number.EPSILON
          ? {
              at: last,
              type: 'out_of_range',
              message: `the shares add up to ${Number(sum.toFixed(6))}, and an event gets one imperfection at most: they must not exceed 1`,
            }
          : null;
      },
    },
  ],
});

export type ImperfectionsParams = ValueOf<typeof fields>;
