import type { FileHandle } from 'node:fs/promises';
import { isJsonObject } from '../../domain/json.js';
import type { StoredLetter } from '../../ports/deadLetters.js';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Begins every letter; inside of one its quotes are escaped, so that it stands nowhere else. */
const BEGINNING = '{"at":"';

const letterOf = (line: string): StoredLetter | null => {
  try {
    const value: unknown = JSON.parse(line);
    if (!isJsonObject(value)) return null;
    const { at, code, reason, event } = value;
    return typeof at === 'string' &&
      typeof code === 'string' &&
      typeof reason === 'string' &&
      typeof event === 'string'
      ? { at, code, reason, event, line }
      : null;
  } catch {
    return null;
  }
};

/** What a line holds: a letter, the rest of one that a crash cut off, or the one behind the other. */
export const readLine = (line: string): { readonly letter: StoredLetter | null; readonly torn: string } => {
  const whole = letterOf(line);
  if (whole !== null) return { letter: whole, torn: '' };
  const last = line.lastIndexOf(BEGINNING);
  const second = last > 0 ? letterOf(line.slice(last)) : null;
  return second === null ? { letter: null, torn: line } : { letter: second, torn: line.slice(0, last) };
};

/** Letters in a row, and how far into the file they go. */
export interface FileRun {
  readonly letters: readonly StoredLetter[];
  /** What holds no letter, line by line. */
  readonly torn: readonly string[];
  /** Bytes from the beginning of the file to the end of the last line. */
  readonly end: number;
}

export interface RunOptions {
  /** Bytes to skip. */
  readonly from: number;
  /** Bytes of the file that count; `null`: all of them. */
  readonly to: number | null;
  /** Most letters and most bytes of the next run; asked before each, 0 letters ends the reading. */
  readonly next: () => { readonly letters: number; readonly bytes: number };
  /** Waits for a writer that may be in the middle of the last line. */
  readonly settle: () => Promise<void>;
}

/** Lines of a file with the offset behind each. The last one may have no end. */
async function* linesOf(
  file: FileHandle,
  { from, to, settle }: Pick<RunOptions, 'from' | 'to' | 'settle'>,
): AsyncGenerator<{ readonly line: string; readonly end: number }> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer[] = [];
  let position = from;
  let hasSettled = false;
  for (;;) {
    const want = Math.min(CHUNK_BYTES, (to ?? Number.POSITIVE_INFINITY) - position);
    const { bytesRead } = want > 0 ? await file.read(chunk, 0, want, position) : { bytesRead: 0 };
    if (bytesRead === 0) {
      if (rest.length === 0) return;
      if (!hasSettled) {
        hasSettled = true;
        await settle();
        continue;
      }
      yield { line: Buffer.concat(rest).toString('utf8'), end: position };
      return;
    }
    hasSettled = false;
    const bytes = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const part = bytes.subarray(start, end);
      const line = rest.length === 0 ? part : Buffer.concat([...rest, part]);
      rest = [];
      start = end + 1;
      yield { line: line.toString('utf8'), end: position + start };
    }
    // The chunk is used again: what is left of it is copied.
    if (start < bytesRead) rest.push(Buffer.from(bytes.subarray(start)));
    position += bytesRead;
  }
}

/** The letters of a file in runs, never more than one run and one line in memory. */
export async function* runsOf(file: FileHandle, options: RunOptions): AsyncGenerator<FileRun> {
  let limit = options.next();
  if (limit.letters <= 0) return;
  let letters: StoredLetter[] = [];
  let torn: string[] = [];
  let end = options.from;
  let bytes = 0;
  for await (const row of linesOf(file, options)) {
    const { letter, torn: cutOff } = readLine(row.line);
    bytes += row.end - end;
    end = row.end;
    if (letter !== null) letters.push(letter);
    if (cutOff.trim() !== '') torn.push(cutOff);
    if (letters.length < limit.letters && bytes < limit.bytes) continue;
    yield { letters, torn, end };
    limit = options.next();
    if (limit.letters <= 0) return;
    [letters, torn, bytes] = [[], [], 0];
  }
  if (end > options.from && bytes > 0) yield { letters, torn, end };
}
