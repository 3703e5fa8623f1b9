import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import { utc } from '../../../domain/time/zone.js';
import { boolean, defaulted, integer, optional, path, required, text } from '../../../schema/index.js';
import { eventPlugin } from '../../declare.js';
import { encodingField } from '../../shared/encodingField.js';
import { compilePattern } from './pattern.js';

const MAX_PATTERN_LENGTH = 4_096;
const MAX_FORMAT_LENGTH = 1_024;

const pattern = text({
  label: 'regular expression with a group named timestamp',
  maxLength: MAX_PATTERN_LENGTH,
  check: (source) => {
    const compiled = compilePattern(source);
    return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
  },
});

const format = text({
  label: 'strftime format, or iso8601',
  maxLength: MAX_FORMAT_LENGTH,
  minLength: 1,
  check: (source) => {
    const compiled = compileStrftime(source, utc);
    return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
  },
});

export const replayFields = {
  path: required(path(), {
    help: 'Log file whose lines are the events; relative to the folder of the generator.',
    example: 'access.log',
  }),
  timestamp_pattern: optional(pattern, {
    help:
      'Where the timestamp of a line is: a regular expression with a group `(?P<timestamp>...)` or ' +
      '`(?<timestamp>...)`. The first match of a line counts.',
    example: '\\[(?P<timestamp>[^\\]]+)\\]',
  }),
  timestamp_format: optional(format, {
    help:
      'Format of the timestamp in the file, which the new one is written in: strftime codes, or `iso8601`. ' +
      'Lines change only when both this and `timestamp_pattern` are given.',
    example: '%d/%b/%Y:%H:%M:%S %z',
  }),
  repeat: defaulted(boolean(), false, { help: 'Begin again with the first line after the last one.' }),
  chunk_size: defaulted(integer({ min: 0 }), 1_048_576, {
    help: 'Bytes read at a time; 0 reads the whole file at once.',
    unit: 'bytes',
  }),
  encoding: encodingField('Encoding of the file.'),
};

/** A pattern may backtrack for hours; a linear one cannot. */
const mayBacktrack = (source: Json | undefined): boolean => {
  if (typeof source !== 'string') return false;
  const compiled = compilePattern(source);
  return E.isRight(compiled) && !compiled.right.isLinear;
};

export const replaySpec = eventPlugin({
  name: 'replay',
  mayBlock: (params) => isJsonObject(params) && mayBacktrack(params['timestamp_pattern']),
  summary: 'Replays the lines of a log file, one per timestamp, with new timestamps if wanted.',
  notes: [
    'The file must be a regular one: a named pipe, a device or a file of the kernel (below /proc or /sys) is refused. A read that does not end within 30 seconds ends the generator.',
    'CR and LF at the end of a line are left out. Blank lines are events. The last line needs no line end.',
    'A line in which `timestamp_pattern` finds nothing is an event as it is; a warning is logged.',
    'A line that is not valid in `encoding`, or is longer than 16 MiB (or `chunk_size`, if that is more), is a ' +
      'failed event; the next timestamp gets the next line.',
    'Patterns may be written as for Python or JavaScript. `\\d`, `\\w` and `\\s` mean ASCII digits, ASCII letters ' +
      'and white space; `.` is any character. Atomic groups, possessive quantifiers, conditional groups and flags ' +
      'inside a pattern are refused.',
    'Lines appended to the file are seen until its end is reached. A file that is replaced meanwhile is read to its ' +
      'end; with `repeat` the new one follows. An empty file ends the generator, with `repeat` too.',
    'A checkpoint holds the place of the next line. Lines appended meanwhile follow, also when the end was reached before. ' +
      'Where the file is shorter than that place, the generator does not start; with `repeat` it begins again with the first line, and says so. ' +
      'When that place is in the middle of a line now, a warning says so, and the rest of that line is an event.',
    'Without `timestamp_pattern` or where lines are plain ASCII, lines stay bytes from file to output, unless they get marks.',
  ],
  fields: replayFields,
  examples: [
    { title: 'Lines as they are, again and again', params: { path: 'access.log', repeat: true } },
    {
      title: 'Lines that `spate verify` can check where they arrive',
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
