import { parseIso } from '../../../../domain/time/iso.js';
import { utc } from '../../../../domain/time/zone.js';
import { defaulted, number, optional, record, required, text } from '../../../../schema/index.js';
import type { RuleBreach, ValueOf } from '../../../../schema/shape.js';
import { readableFormat, timestampPattern } from '../../../shared/timestampFields.js';

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

const fields = {
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

type Clock = ValueOf<typeof fields>;

const checkError = ({
  offset,
  drift,
  steps: jumps,
}: Pick<Clock, 'offset' | 'drift' | 'steps'>): RuleBreach | null => {
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
}: Pick<Clock, 'drift' | 'since' | 'steps'>): RuleBreach | null => {
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
export const clockShape = record(fields, {
  rules: [
    { fields: ['offset', 'drift', 'steps'], check: checkError },
    { fields: ['drift', 'since', 'steps'], check: checkSince },
  ],
});

export type ClockParams = Clock;
