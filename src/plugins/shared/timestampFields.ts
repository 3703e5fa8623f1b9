import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject } from '../../domain/json.js';
import { compileStrptime } from '../../domain/time/strptime.js';
import { utc } from '../../domain/time/zone.js';
import { compilePattern } from '../../domain/timestamps/pattern.js';
import { text } from '../../schema/index.js';
import type { Shape } from '../../schema/shape.js';

const MAX_PATTERN_LENGTH = 4_096;
const MAX_FORMAT_LENGTH = 1_024;

/** A pattern with a group around the timestamp. */
export const timestampPattern = (): Shape<string> =>
  text({
    label: 'regular expression with a group named timestamp',
    maxLength: MAX_PATTERN_LENGTH,
    check: (source) => {
      const compiled = compilePattern(source);
      return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
    },
  });

/** A format that timestamps can be read in; each can also be written. */
export const readableFormat = (): Shape<string> =>
  text({
    label: 'strftime format, or iso8601',
    minLength: 1,
    maxLength: MAX_FORMAT_LENGTH,
    check: (source) => {
      const compiled = compileStrptime(source, utc);
      return E.isRight(compiled) ? null : { type: 'bad_format', message: compiled.left };
    },
  });

/** Whether undecoded params have a `timestamp_pattern` that may backtrack for hours; a linear one cannot. */
export const mayPatternBacktrack = (params: unknown): boolean => {
  const source = isJsonObject(params) ? params['timestamp_pattern'] : undefined;
  if (typeof source !== 'string') return false;
  const compiled = compilePattern(source);
  return E.isRight(compiled) && !compiled.right.isLinear;
};
