import { isAscii, isUtf8 } from 'node:buffer';
import type { StrictDecoder } from '../shared/decoder.js';
import { lineEndFrom } from './lineReader.js';

const CR = 13;

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
  /** Lines will be searched, so bytes are of use only where they can be searched like text. */
  readonly isSearched: boolean;
}

/** Lines that stay bytes: valid UTF-8, each with a single LF, no CR before it. */
export interface ByteRun {
  readonly kind: 'bytes';
  readonly bytes: Buffer;
  /** Only for lines to be searched: the same as text, one character per byte (ASCII, without CR). */
  readonly text: string;
  /** Place in `bytes` of the next line to use. */
  cursor: number;
  /** Lines used so far. */
  used: number;
  /** Place in `text` of the first match at or after `cursor`; -1: not searched yet; infinite: none. */
  matchAt: number;
  match: RegExpExecArray | null;
}

/** Decoded lines; `null` where the bytes are not valid in the encoding. */
export interface TextRun {
  readonly kind: 'texts';
  readonly lines: readonly (string | null)[];
  used: number;
}

export type Run = ByteRun | TextRun;

const byteRun = (bytes: Buffer, isSearched: boolean): ByteRun => ({
  kind: 'bytes',
  bytes,
  text: isSearched ? bytes.toString('latin1') : '',
  cursor: 0,
  used: 0,
  matchAt: -1,
  match: null,
});

/** Takes the CRs from line ends. Byte for byte: Latin-1 text stands for the bytes. */
const withoutFinalCrs = (bytes: Buffer): Buffer => {
  if (!bytes.includes(CR)) return bytes;
  // One CR per line end is nearly all there is, and far cheaper to find.
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n');
  return Buffer.from(text.includes('\r\n') ? text.replace(/(?<!\r)\r+\n/g, '\n') : text, 'latin1');
};

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

const textRun = (bytes: Buffer, format: LineFormat): TextRun => {
  const decoded = format.isStateless ? format.decode(bytes) : null;
  if (decoded !== null) {
    const lines = decoded.split('\n');
    lines.pop();
    const texts = decoded.includes('\r') ? lines.map(withoutFinalCr) : lines;
    return { kind: 'texts', lines: texts, used: 0 };
  }
  const lines = splitBytes(bytes, format.lineEnd).map((line) => {
    const text = format.decode(line);
    return text === null ? null : withoutFinalCr(text);
  });
  return { kind: 'texts', lines, used: 0 };
};

/** Gives whole lines the cheapest form in which they mean the same. */
export const runOf = (bytes: Buffer, format: LineFormat): Run => {
  const isPlain = format.keepsAscii && isAscii(bytes);
  if (!format.isSearched) {
    if (isPlain || (format.isUtf8 && isUtf8(bytes))) return byteRun(withoutFinalCrs(bytes), false);
    return textRun(bytes, format);
  }
  if (!isPlain) return textRun(bytes, format);
  const lines = withoutFinalCrs(bytes);
  return lines.includes(CR) ? textRun(bytes, format) : byteRun(lines, true);
};

/** Bytes of the file that the first `count` lines of a run take. */
export const lengthOfLines = (bytes: Buffer, lineEnd: Buffer, count: number): number => {
  let end = 0;
  for (let i = 0; i < count; i++) {
    const at = lineEndFrom(bytes, lineEnd, end, 0);
    end = at < 0 ? bytes.length : at + lineEnd.length;
  }
  return end;
};

/** True when nothing of the run is left. */
export const isUsedUp = (run: Run): boolean =>
  run.kind === 'bytes' ? run.cursor >= run.bytes.length : run.used >= run.lines.length;
