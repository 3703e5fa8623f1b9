import { isAscii, isUtf8 } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import type { Micros } from '../../../domain/time/micros.js';
import { compileStrftime } from '../../../domain/time/strftime.js';
import { compilePattern, type TimestampPattern } from '../../../domain/timestamps/pattern.js';
import { SURROGATE } from '../../../domain/timestamps/span.js';
import type { EventContext } from '../../kit.js';
import { useLinearEngine } from '../../shared/linearEngine.js';
import type { StrictDecoder } from '../../shared/strictEncoding.js';
import type { ReplayPage } from './chunks.js';
import { lineEndFrom } from './lineEnds.js';
import type { Lines } from './lineReader.js';

const CR = 13;

/** Other characters where `^` and `$` match. */
const OTHER_TERMINATORS = ['\r', '\u2028', '\u2029'];

export interface LineFormat {
  readonly decode: StrictDecoder;
  readonly lineEnd: Buffer;
  /** Bytes below 0x80 are ASCII and nothing else. */
  readonly keepsAscii: boolean;
  readonly isUtf8: boolean;
  /** No decoder state spans characters, so runs can be decoded whole. */
  readonly isStateless: boolean;
  readonly substitution: Substitution | null;
}

/** Lines as bytes: valid UTF-8, each with one LF and no CR before it. */
export interface ByteRun {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  readonly page: ReplayPage | null;
  cursor: number;
  used: number;
}

/** Lines to search as one text, with LF as the only line terminator. */
export interface SearchedRun {
  readonly kind: 'searched';
  readonly substitution: Substitution;
  readonly text: string;
  /** ASCII bytes of the text, at the same positions; else `null`. */
  readonly bytes: Buffer | null;
  /** Memory of `bytes`. Null when they have their own, or there are none. */
  readonly page: ReplayPage | null;
  cursor: number;
  used: number;
  /** Position of the first match at or after `cursor`; -1: not searched yet; end of `text`: none. */
  matchAt: number;
  match: RegExpExecArray | null;
}

/** Decoded lines. A line is null when it is not valid in the encoding. */
export interface TextRun {
  readonly kind: 'texts';
  readonly substitution: Substitution | null;
  readonly lines: readonly (string | null)[];
  used: number;
}

/** Lines in the cheapest form for their processing. */
export type LineRun = ByteRun | SearchedRun | TextRun;

/** Returns null when the text has other line terminators, or characters that the pattern would count as two. */
const searchedRun = (
  substitution: Substitution,
  text: string,
  bytes: Buffer | null,
  page: ReplayPage | null,
): SearchedRun | null =>
  OTHER_TERMINATORS.some((terminator) => text.includes(terminator)) ||
  (bytes === null && substitution.pattern.isLinear && SURROGATE.test(text))
    ? null
    : { kind: 'searched', substitution, text, bytes, page, cursor: 0, used: 0, matchAt: -1, match: null };

const withoutFinalCrs = (text: string): string => {
  if (!text.includes('\r')) return text;
  // Nearly all have one CR, which is far cheaper to find.
  const most = text.replaceAll('\r\n', '\n');
  return most.includes('\r\n') ? most.replace(/(?<!\r)\r+\n/g, '\n') : most;
};

const bytesWithoutFinalCrs = (bytes: Buffer): Buffer =>
  bytes.includes(CR) ? Buffer.from(withoutFinalCrs(bytes.toString('latin1')), 'latin1') : bytes;

const withoutFinalCr = (line: string): string => {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === CR) end--;
  return end === line.length ? line : line.slice(0, end);
};

const splitBytes = (bytes: Buffer, lineEnd: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const at = lineEndFrom(bytes, lineEnd, start, 0);
    // A partial code unit at the end of the file is one (undecodable) line.
    const end = at < 0 ? bytes.length - lineEnd.length : at;
    lines.push(bytes.subarray(start, end));
    start = end + lineEnd.length;
  }
  return lines;
};

const lineByLine = (bytes: Buffer, format: LineFormat): TextRun => {
  const lines = splitBytes(bytes, format.lineEnd).map((line) => {
    const text = format.decode(line);
    return text === null ? null : withoutFinalCr(text);
  });
  return { kind: 'texts', substitution: format.substitution, lines, used: 0 };
};

const decodedRun = (bytes: Buffer, format: LineFormat): SearchedRun | TextRun => {
  const decoded = format.isStateless ? format.decode(bytes) : null;
  if (decoded === null) return lineByLine(bytes, format);
  const text = withoutFinalCrs(decoded);
  const { substitution } = format;
  const searched = substitution?.isOneLine ? searchedRun(substitution, text, null, null) : null;
  if (searched !== null) return searched;
  const lines = text.split('\n');
  lines.pop();
  return { kind: 'texts', substitution, lines, used: 0 };
};

export const runOf = ({ bytes, page }: Pick<Lines, 'bytes' | 'page'>, format: LineFormat): LineRun => {
  const { substitution } = format;
  const isPlain = format.keepsAscii && isAscii(bytes);
  const staysBytes =
    substitution === null ? isPlain || (format.isUtf8 && isUtf8(bytes)) : isPlain && substitution.isOneLine;
  if (!staysBytes) return decodedRun(bytes, format);
  const lines = bytesWithoutFinalCrs(bytes);
  const itsPage = lines === bytes ? page : null;
  if (substitution === null) return { kind: 'bytes', bytes: lines, page: itsPage, cursor: 0, used: 0 };
  return searchedRun(substitution, lines.toString('latin1'), lines, itsPage) ?? decodedRun(bytes, format);
};

/** Bytes in the file of the used lines; `bytes` is the source of the run. */
export const lengthOfUsed = (run: LineRun, bytes: Buffer, lineEnd: Buffer): number => {
  // Lines in their page are unchanged.
  if (run.kind !== 'texts' && run.page !== null) return run.cursor;
  let end = 0;
  for (let i = 0; i < run.used; i++) {
    const at = lineEndFrom(bytes, lineEnd, end, 0);
    end = at < 0 ? bytes.length : at + lineEnd.length;
  }
  return end;
};

export const isUsedUp = (run: LineRun): boolean =>
  run.kind === 'texts'
    ? run.used >= run.lines.length
    : run.cursor >= (run.kind === 'bytes' ? run.bytes : run.text).length;

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
