import { isAscii } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import * as E from 'fp-ts/lib/Either.js';
import type { Micros } from '../../../domain/time/micros.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import type { EventContext } from '../../kit.js';
import { compilePattern, type TimestampPattern } from './pattern.js';

/** How lines get new timestamps. */
export interface Substitution {
  readonly pattern: TimestampPattern;
  /** The new text. */
  readonly textOf: (micros: Micros) => string;
  /** The new text holds no line end. One makes events of several lines, which bytes separated by LF cannot hold. */
  readonly isOneLine: boolean;
  /** The new text is ASCII: as many bytes as characters. */
  readonly isAscii: boolean;
}

/**
 * Has V8 finish a search in linear time once it has gone back 50,000 times. It does so for patterns that `isLinear` and
 * that are compiled after this call; others it searches as usual.
 */
const useLinearEngine = (): void =>
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

/** Compiles the substitution that the parameters ask for; `null`: none. Left: one sentence what is wrong. */
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
      'timestamp_pattern without timestamp_format: lines stay as they are; give both to write new timestamps',
    );
    return E.right(null);
  }
  const textOf = compileStrftime(format, zone);
  if (E.isLeft(textOf)) return E.left(`timestamp_format ${textOf.left}`);
  return E.right({
    pattern: pattern.right,
    textOf: textOf.right,
    isOneLine: !/%n|[\r\n]/.test(format),
    // Names and abbreviations are English.
    isAscii: isAscii(Buffer.from(format)),
  });
};
