import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { compilePattern, type TimestampPattern } from '../../../domain/timestamps/pattern.js';
import {
  boolean,
  defaulted,
  integer,
  lazily,
  number,
  optional,
  path,
  required,
  text,
} from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';
import { mayPatternBacktrack, readableFormat, timestampPattern } from '../../shared/fields.js';
import { dateTimeShape } from '../shared/dateTimeField.js';

/** Compiles `record_start`, a pattern whose groups do not matter. Returns an error of one sentence when that fails. */
export const compileStart = (source: string): E.Either<string, TimestampPattern> =>
  compilePattern(`(?P<timestamp>${source})`);

const MAX_PATTERN_LENGTH = 4_096;
const MAX_SECONDS = 1_000_000_000;

const start = text({
  label: 'regular expression',
  minLength: 1,
  maxLength: MAX_PATTERN_LENGTH,
  check: (source) => {
    const compiled = compileStart(source);
    return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
  },
});

const seconds = () => number({ exclusiveMin: 0, max: MAX_SECONDS });

const fields = lazily(() => ({
  path: required(path(), {
    help: 'Log file, or several: `*` and `?` in names match any characters. Relative to the folder of the generator.',
    example: 'logs/*.log',
    reads: 'file',
  }),
  timestamp_pattern: required(timestampPattern(), {
    help:
      'Regular expression with a group `(?P<timestamp>...)` or `(?<timestamp>...)` around the time of a record. The first match ' +
      'of a record counts.',
    example: '\\[(?P<timestamp>[^\\]]+)\\]',
  }),
  timestamp_format: required(readableFormat(), {
    help: 'Format of these times: strftime codes, or `iso8601`.',
    example: '%d/%b/%Y:%H:%M:%S %z',
  }),
  record_start: optional(start, {
    help: 'Regular expression that the first line of a record matches; other lines continue it. Default: each line is a record.',
    example: '^\\d{4}-\\d{2}-\\d{2}',
  }),
  year: optional(integer({ min: 1970, max: 2255 }), {
    help: 'Year of the first record, for a format without one. Default: from the last change of the file.',
    example: 2025,
  }),
  speed: defaulted(number({ exclusiveMin: 0, max: 1_000_000 }), 1, {
    help: 'Factor: 10 plays an hour in six minutes.',
    example: 10,
  }),
  start: optional(dateTimeShape(), {
    help: 'Timestamp of the first record; default now.',
    example: '2026-01-01T09:00:00Z',
  }),
  max_gap: optional(seconds(), {
    help: 'Longest time between two records of the recording; longer gaps are cut to it. Default: none is cut.',
    unit: 'seconds',
    example: 60,
  }),
  jitter: defaulted(number({ min: 0, max: MAX_SECONDS }), 0, {
    help: 'Each timestamp is delayed by a random time up to this. The order of records stays.',
    unit: 'seconds',
    example: 0.05,
  }),
  repeat: defaulted(boolean(), false, { help: 'Whether to start over after the last record.' }),
  passes: optional(integer({ min: 1 }), {
    help: 'With `repeat`: how often the recording is played; default endlessly.',
    example: 3,
  }),
  repeat_gap: defaulted(seconds(), 1, {
    help: 'With `repeat`: time in the recording from its last record to the first of the next pass.',
    unit: 'seconds',
  }),
}));

const mayBlock = (params: Json | undefined): boolean => {
  if (mayPatternBacktrack(params)) return true;
  const source = isJsonObject(params) ? params['record_start'] : undefined;
  if (typeof source !== 'string') return false;
  const starts = compileStart(source);
  return E.isRight(starts) && !starts.right.isLinear;
};

export const recordedSpec = inputPlugin({
  name: 'recorded',
  mayBlock,
  summary: 'Timestamps with the spacing of a recorded log, faster or slower, once or again and again.',
  fields,
  rules: [
    {
      fields: ['repeat', 'passes'],
      check: ({ repeat, passes }) =>
        passes !== null && !repeat
          ? {
              at: 'passes',
              type: 'not_allowed',
              message: 'needs repeat: true',
              hint: 'Set it, or remove this.',
            }
          : null,
    },
  ],
  notes: [
    'Each record gives one timestamp: `start` plus its distance from the first record, divided by `speed`. With the event plugin `replay: {from: recorded}` each timestamp gets its own record; any other event plugin can use the timestamps too.',
    'Files are merged by time; records of the same time come in the order of the file names. Each file is read in its own order.',
    'A record without a time, or with an earlier one than the record before it in its file, gets the time of that record; the log counts both. A file without a time in its first 1,000 records is an error.',
    'Formats without an offset are in the time zone of the generator. A time without a year is the one closest to the record before it, so a log may go over New Year.',
    'Files are UTF-8. `timestamp_pattern` is searched in the first 4,096 bytes of a record, `record_start` in those of a line. A record of more than 1 MiB gets its timestamp, but no event.',
    'Files are read in pieces while they are played, up to the size that they had at the start. A file that is replaced or truncated meanwhile ends the input with an error: replay a copy of logs that are rotated.',
    '`speed`, `max_gap` and `repeat_gap` apply to the recording, `jitter` to the timestamps.',
    '`skip_past` skips records before the start of generation, if `start` lies before it. A checkpoint has the position in each file; the files must have the same names then.',
  ],
  examples: [
    {
      title: 'A web server log at ten times its speed',
      params: {
        path: 'access.log',
        timestamp_pattern: '\\[(?P<timestamp>[^\\]]+)\\]',
        timestamp_format: '%d/%b/%Y:%H:%M:%S %z',
        speed: 10,
      },
    },
    {
      title: 'Logs of an application with stack traces, without nights',
      params: {
        path: 'logs/*.log',
        timestamp_pattern: '^(?P<timestamp>\\S+ \\S+)',
        timestamp_format: '%Y-%m-%d %H:%M:%S,%f',
        record_start: '^\\d{4}-\\d{2}-\\d{2} ',
        max_gap: 60,
        repeat: true,
      },
    },
  ],
});
