import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject } from '../../domain/json.js';
import { ENCODING_NAMES, encodingOf } from '../../domain/text/encodings.js';
import { didYouMean } from '../../domain/text/shown.js';
import { compileStrptime } from '../../domain/time/strptime.js';
import { utc } from '../../domain/time/zone.js';
import { compilePattern } from '../../domain/timestamps/pattern.js';
import { defaulted, text } from '../../schema/index.js';
import { defect } from '../../schema/issues.js';
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

const label = 'name of an encoding';

const encoding = text({
  label,
  check: (spelling) => {
    if (encodingOf(spelling) !== null) return null;
    const hint = didYouMean(spelling, ENCODING_NAMES);
    const problem = { type: 'not_allowed', message: `must be the ${label}, such as utf_8 or cp1252` };
    return hint === null ? problem : { ...problem, hint };
  },
});

/** The `encoding` field: any spelling of a codec name; read-back keeps it. */
export const encodingField = (help: string) => defaulted(encoding, 'utf_8', { help });

/** Relative path of a template below the folder of the generator; `ending` may be empty. */
export const templatePath = (ending: string) =>
  text({
    label: ending === '' ? 'relative path' : `relative path ending in ${ending}`,
    minLength: 1,
    check: (path) => {
      if (path.includes('\0')) return defect('not_allowed', 'must not contain a NUL character');
      if (path.startsWith('/'))
        return defect('not_allowed', 'must be relative to the folder of the generator');
      if (path.split('/').includes('..'))
        return defect('not_allowed', "must not leave the folder of the generator with '..'");
      return path.endsWith(ending) ? null : defect('bad_format', `must end in ${ending}`);
    },
  });
