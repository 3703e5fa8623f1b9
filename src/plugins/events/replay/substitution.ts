import { isAscii } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import type { Micros } from '../../../domain/time/micros.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import { compilePattern, type TimestampPattern } from '../../../domain/timestamps/pattern.js';
import type { EventContext } from '../../kit.js';
import { useLinearEngine } from '../../shared/linearEngine.js';

export interface Substitution {
  readonly pattern: TimestampPattern;
  readonly textOf: (micros: Micros) => string;
  /** The new text has no line end; with one, events have several lines and cannot be bytes separated by LF. */
  readonly isOneLine: boolean;
  /** As many bytes as characters. */
  readonly isAscii: boolean;
}

/** Compiles the substitution. Null when there is none. Returns an error of one sentence when that fails. */
export const substitutionOf = (
  params: { readonly timestamp_pattern: string | null; readonly timestamp_format: string | null },
  { zone, log }: EventContext,
): E.Either<string, Substitution | null> => {
  if (params.timestamp_pattern === null) return E.right(null);
  useLinearEngine();
  const pattern = compilePattern(params.timestamp_pattern);
  if (E.isLeft(pattern)) return E.left(`timestamp_pattern ${pattern.left}`);
  const format = params.timestamp_format;
  if (format === null) {
    log.write(
      'info',
      'timestamp_pattern without timestamp_format: lines stay unchanged. Set both to write new timestamps.',
    );
    return E.right(null);
  }
  const textOf = compileStrftime(format, zone);
  if (E.isLeft(textOf)) return E.left(`timestamp_format ${textOf.left}`);
  return E.right({
    pattern: pattern.right,
    textOf: textOf.right,
    isOneLine: !/%n|[\r\n]/.test(format),
    // Names and abbreviations are English, so the format decides.
    isAscii: isAscii(Buffer.from(format)),
  });
};
