import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { encodingOf } from '../../../domain/text/encodings.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import { utc } from '../../../domain/time/zone.js';
import { compilePattern } from '../../../domain/timestamps/pattern.js';
import {
  boolean,
  defaulted,
  givenTogether,
  integer,
  lazily,
  listOf,
  oneOf,
  optional,
  path,
  record,
  required,
  text,
} from '../../../schema/index.js';
import type { RuleBreach } from '../../../schema/shape.js';
import { eventPlugin } from '../../declare.js';
import { encodingField, mayPatternBacktrack, timestampPattern } from '../../shared/fields.js';

const MAX_PATTERN_LENGTH = 4_096;
const MAX_NAMES = 1_000;
const MAX_RULES = 20;

/** A pattern whose group `name` is the name; without one, the whole match is. */
export const compileName = (source: string) =>
  compilePattern(
    /\(\?P?<name>/.test(source)
      ? source.replace(/\(\?P?<name>/, '(?P<timestamp>')
      : `(?P<timestamp>${source})`,
  );

const pattern = text({
  label: 'regular expression',
  minLength: 1,
  maxLength: MAX_PATTERN_LENGTH,
  check: (source) => {
    const compiled = compileName(source);
    return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
  },
});

const rule = record(
  {
    as: required(text({ label: 'letters, digits, _ or -', pattern: /^[\w-]{1,32}$/ }), {
      help: 'Begins the new names, such as `host-3f2a91c4`. Rules with the same one give a name the same new name.',
      example: 'host',
    }),
    pattern: optional(pattern, {
      help: 'Regular expression with a group `(?P<name>...)` or `(?<name>...)` around the name; without a group, the match is it.',
      example: 'user=(?P<name>\\S+)',
    }),
    list: optional(listOf(text({ minLength: 1, maxLength: 256 }), { min: 1, max: MAX_NAMES }), {
      help: 'Names, wherever they stand as whole words.',
      example: ['web-1', 'web-2'],
    }),
  },
  {
    rules: [
      {
        fields: ['pattern', 'list'],
        check: ({ pattern: given, list }) =>
          (given === null) === (list === null)
            ? {
                at: 'pattern',
                type: 'missing',
                message: 'one of pattern and list is required',
                hint: 'Give one.',
              }
            : null,
      },
    ],
  },
);

export const remapShape = record({
  key: required(text({ minLength: 8, maxLength: 1_024 }), {
    help: 'The same key gives the same replacements, in all runs and generators. Who has it can find the originals.',
    example: 'a text that others do not know',
    secret: true,
  }),
  addresses: defaulted(boolean(), true, {
    help: 'Replace IPv4 and IPv6 addresses; two that share a network share one afterwards, of the same length.',
  }),
  names: defaulted(listOf(rule, { max: MAX_RULES }), [], { help: 'Names of hosts and users to replace.' }),
});

/** Whether a pattern of names may backtrack for hours. */
const mayNamesBacktrack = (remap: Json | undefined): boolean => {
  const names = isJsonObject(remap) ? remap['names'] : undefined;
  if (!Array.isArray(names)) return false;
  return names.some((each) => {
    const source = isJsonObject(each) ? each['pattern'] : undefined;
    if (typeof source !== 'string') return false;
    const compiled = compileName(source);
    return E.isRight(compiled) && !compiled.right.isLinear;
  });
};

const MAX_FORMAT_LENGTH = 1_024;

const format = text({
  label: 'strftime format, or iso8601',
  maxLength: MAX_FORMAT_LENGTH,
  minLength: 1,
  check: (source) => {
    const compiled = compileStrftime(source, utc);
    return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
  },
});

/** Default size of a read. */
const CHUNK_BYTES = 1_048_576;

const fields = lazily(() => ({
  path: optional(path(), {
    help: 'Log file with one event per line, relative to the folder of the generator. Required without `from`.',
    example: 'access.log',
    reads: 'file',
  }),
  from: optional(oneOf(['recorded']), {
    help: 'Instead of `path`: `recorded` gives each timestamp of the input `recorded` its own record.',
    extension: true,
  }),
  keep_timestamps: defaulted(boolean(), false, {
    help: 'With `from`: leave the time in a record as it is. Else it is replaced by the timestamp, in the same format.',
    extension: true,
  }),
  timestamp_pattern: optional(timestampPattern(), {
    help:
      'Regular expression with a group `(?P<timestamp>...)` or `(?<timestamp>...)` around the timestamp of a line. The first ' +
      'match of a line counts.',
    example: '\\[(?P<timestamp>[^\\]]+)\\]',
  }),
  timestamp_format: optional(format, {
    help: 'Format of new timestamps: strftime codes, or `iso8601`. Required with `timestamp_pattern`, and the other way round.',
    example: '%d/%b/%Y:%H:%M:%S %z',
  }),
  repeat: defaulted(boolean(), false, { help: 'Whether to start over after the last line.' }),
  chunk_size: defaulted(integer({ min: 0 }), CHUNK_BYTES, {
    help: 'Maximum size of a read; 0 reads the whole file at once. Not with `from`.',
    unit: 'bytes',
  }),
  encoding: encodingField('Encoding of the file. Not with `from`.'),
  remap: optional(remapShape, {
    help: 'Replaces addresses and names in each event, the same ones always by the same ones. Default: nothing is replaced.',
    extension: true,
  }),
}));

const breach = (at: string, type: string, message: string, hint: string): RuleBreach => ({
  at,
  type,
  message,
  hint,
});

const checkSource = (given: {
  readonly path: string | null;
  readonly from: string | null;
}): RuleBreach | null => {
  if (given.path === null && given.from === null)
    return breach('path', 'missing', 'is required', 'Give the path of a log file, or `from: recorded`.');
  return given.path !== null && given.from !== null
    ? breach(
        'path',
        'conflict',
        'must not be given beside `from`',
        'The input has the path of the recording: keep one.',
      )
    : null;
};

/** What the input decides when records come from there. */
const checkPaired = (given: {
  readonly from: string | null;
  readonly timestamp_pattern: string | null;
  readonly timestamp_format: string | null;
  readonly repeat: boolean;
  readonly keep_timestamps: boolean;
  readonly chunk_size: number;
  readonly encoding: string;
}): RuleBreach | null => {
  if (given.from === null) {
    return given.keep_timestamps
      ? breach(
          'keep_timestamps',
          'not_allowed',
          'needs `from: recorded`',
          'Leave out timestamp_pattern instead.',
        )
      : null;
  }
  const odd = (['timestamp_pattern', 'timestamp_format'] as const).find((name) => given[name] !== null);
  const name = odd ?? (given.repeat ? 'repeat' : null);
  if (name !== null) return breach(name, 'not_allowed', 'belongs to the input with `from`', 'Set it there.');
  const ofFile =
    given.chunk_size !== CHUNK_BYTES
      ? 'chunk_size'
      : encodingOf(given.encoding)?.name !== 'utf_8'
        ? 'encoding'
        : null;
  return ofFile === null
    ? null
    : breach(ofFile, 'not_allowed', 'belongs to `path`: the input reads the recording', 'Remove it.');
};

export const replaySpec = eventPlugin({
  name: 'replay',
  mayBlock: (params) =>
    mayPatternBacktrack(params) || (isJsonObject(params) && mayNamesBacktrack(params['remap'])),
  summary: 'Replays the lines of a log file, one per timestamp, optionally with new timestamps.',
  notes: [
    'The file must be a regular file: pipes, devices and files below /proc or /sys are refused. A read that hangs for 30 seconds ends the generator.',
    'CR and LF at the end of a line are removed. Blank lines are events. The last line needs no line end.',
    'A line without a match of `timestamp_pattern` stays unchanged; a warning is logged, and at the end how many there were.',
    'A line that is not valid in `encoding`, or longer than 16 MiB (or a larger `chunk_size`), is a failed event; the next timestamp gets the next line.',
    'Patterns use Python or JavaScript syntax. `\\d`, `\\w` and `\\s` mean ASCII digits, ASCII letters and white space; `.` is any character. Atomic groups, possessive quantifiers, conditional groups and flags inside a pattern are refused.',
    'Lines appended before the end of the file is reached are replayed. A file that is replaced is read to its end; with `repeat` the new one follows. An empty file ends the generator, also with `repeat`.',
    'A checkpoint has the position of the next line. Lines appended since follow, even after the end. If the file is shorter than that position, the generator does not start; with `repeat` it logs a warning and starts over. If the position is inside a line now, a warning is logged and the rest of that line is an event.',
    '`from: recorded` needs the input `recorded` as the only one. Records may have several lines; they are UTF-8. A record that is not valid UTF-8, or longer than 1 MiB, is a failed event. A checkpoint has its position in that of the input. Previews of events have no input, so they show no records.',
    '`remap` maps addresses bit by bit (Xu et al., 2002): two addresses share as many leading bits after as before. Private, link-local, multicast and documentation networks keep their prefix; `127.0.0.1`, `::1` and the unspecified and broadcast addresses stay. Names become `<as>-<8 hex digits>`. Of two that overlap, the one that begins first is replaced.',
    'Without `timestamp_pattern`, or where lines are plain ASCII, lines stay bytes from file to output, unless they get marks or `remap`.',
  ],
  fields,
  rules: [
    { fields: ['path', 'from'], check: checkSource },
    givenTogether('timestamp_pattern', 'timestamp_format', {
      message: 'is required: lines change only with pattern and format together',
    }),
    {
      fields: [
        'from',
        'timestamp_pattern',
        'timestamp_format',
        'repeat',
        'keep_timestamps',
        'chunk_size',
        'encoding',
      ],
      check: checkPaired,
    },
  ],
  examples: [
    { title: 'Unchanged lines, endlessly', params: { path: 'access.log', repeat: true } },
    {
      title: 'Lines that `spate verify` can check',
      params: { path: 'access.log', marks: 'text' },
    },
    {
      title: 'Web server log with new timestamps',
      params: {
        path: 'access.log',
        timestamp_pattern: '\\[(?P<timestamp>[^\\]]+)\\]',
        timestamp_format: '%d/%b/%Y:%H:%M:%S %z',
      },
    },
  ],
});
