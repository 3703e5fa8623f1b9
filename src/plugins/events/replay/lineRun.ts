import { isAscii, isUtf8 } from 'node:buffer';
import type { StrictDecoder } from '../../shared/strictDecoder.js';
import { lineEndFrom } from './lineEnds.js';
import type { Lines } from './lineReader.js';
import type { Page } from './pages.js';
import { SURROGATE } from './span.js';
import type { Substitution } from './substitution.js';

const CR = 13;

/** Where `^` and `$` would match besides LF. */
const OTHER_TERMINATORS = ['\r', '\u2028', '\u2029'];

/** How the lines of a file are to be read; made once. */
export interface LineFormat {
  readonly decode: StrictDecoder;
  /** Line end in the encoding of the file. */
  readonly lineEnd: Buffer;
  /** Bytes below 0x80 are ASCII and nothing else. */
  readonly keepsAscii: boolean;
  readonly isUtf8: boolean;
  /** Runs may be decoded whole, because no state outlives a character. */
  readonly isStateless: boolean;
  /** What is to be done to each line; `null`: nothing. */
  readonly substitution: Substitution | null;
}

/** Lines that stay bytes: valid UTF-8, each with a single LF, no CR before it. */
export interface ByteRun {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  /** Where `bytes` are; `null`: in memory of their own. */
  readonly page: Page | null;
  /** Place in `bytes` of the next line to use. */
  cursor: number;
  /** Lines used so far. */
  used: number;
}

/** Lines that are searched as one text, in which LF is the only line terminator that JavaScript knows. */
export interface SearchedRun {
  readonly kind: 'searched';
  readonly substitution: Substitution;
  readonly text: string;
  /** The same in UTF-8 where places are the same in both (ASCII), to change or copy; else `null`. */
  readonly bytes: Buffer | null;
  /** Where `bytes` are; `null`: in memory of their own, or nowhere. */
  readonly page: Page | null;
  /** Place in `text` of the next line to use. */
  cursor: number;
  /** Lines used so far. */
  used: number;
  /** Place in `text` of the first match at or after `cursor`; -1: not searched yet; the end of `text`: none. */
  matchAt: number;
  match: RegExpExecArray | null;
}

/** Decoded lines; `null` where the bytes are not valid in the encoding. */
export interface TextRun {
  readonly kind: 'texts';
  readonly substitution: Substitution | null;
  readonly lines: readonly (string | null)[];
  used: number;
}

/** Lines in the form that is cheapest for what is to be done to them. */
export type LineRun = ByteRun | SearchedRun | TextRun;

/** `null` where the text has line terminators within lines, or characters that the pattern would take for two. */
const searchedRun = (
  substitution: Substitution,
  text: string,
  bytes: Buffer | null,
  page: Page | null,
): SearchedRun | null =>
  OTHER_TERMINATORS.some((terminator) => text.includes(terminator)) ||
  (bytes === null && substitution.pattern.isLinear && SURROGATE.test(text))
    ? null
    : { kind: 'searched', substitution, text, bytes, page, cursor: 0, used: 0, matchAt: -1, match: null };

/** Takes the CRs from line ends. */
const withoutFinalCrs = (text: string): string => {
  if (!text.includes('\r')) return text;
  // One CR per line end is nearly all there is, and far cheaper to find.
  const most = text.replaceAll('\r\n', '\n');
  return most.includes('\r\n') ? most.replace(/(?<!\r)\r+\n/g, '\n') : most;
};

/** The same for bytes: Latin-1 text stands for them. */
const bytesWithoutFinalCrs = (bytes: Buffer): Buffer =>
  bytes.includes(CR) ? Buffer.from(withoutFinalCrs(bytes.toString('latin1')), 'latin1') : bytes;

const withoutFinalCr = (line: string): string => {
  let end = line.length;
  while (end > 0 && line.charCodeAt(end - 1) === CR) end--;
  return end === line.length ? line : line.slice(0, end);
};

/** Bytes of each line, without line end. */
const splitBytes = (bytes: Buffer, lineEnd: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const at = lineEndFrom(bytes, lineEnd, start, 0);
    // Half a code unit before the end of the file: what is left is one (undecodable) line.
    const end = at < 0 ? bytes.length - lineEnd.length : at;
    lines.push(bytes.subarray(start, end));
    start = end + lineEnd.length;
  }
  return lines;
};

/** Lines one by one: what fits every format. */
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

/** Gives whole lines the cheapest form in which they mean the same. */
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

/** Bytes of the file that the used lines of a run take; `bytes` are those it was made of. */
export const lengthOfUsed = (run: LineRun, bytes: Buffer, lineEnd: Buffer): number => {
  // Nothing was taken from lines that are still where they were read.
  if (run.kind !== 'texts' && run.page !== null) return run.cursor;
  let end = 0;
  for (let i = 0; i < run.used; i++) {
    const at = lineEndFrom(bytes, lineEnd, end, 0);
    end = at < 0 ? bytes.length : at + lineEnd.length;
  }
  return end;
};

/** True when nothing of the run is left. */
export const isUsedUp = (run: LineRun): boolean =>
  run.kind === 'texts'
    ? run.used >= run.lines.length
    : run.cursor >= (run.kind === 'bytes' ? run.bytes : run.text).length;
