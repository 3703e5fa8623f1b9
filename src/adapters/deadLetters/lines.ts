import type { FileHandle } from 'node:fs/promises';
import { isJsonObject } from '../../domain/json.js';
import type { StoredDeadLetter } from '../../ports/deadLetters.js';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

/** Start of every letter. Inside a letter quotes are escaped, so it occurs nowhere else. */
const BEGINNING = '{"at":"';

const deadLetterOf = (line: string): StoredDeadLetter | null => {
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

/** Parses a line: a letter, a torn fragment, or a fragment followed by a letter. */
const readLine = (line: string): { readonly deadLetter: StoredDeadLetter | null; readonly torn: string } => {
  const whole = deadLetterOf(line);
  if (whole !== null) return { deadLetter: whole, torn: '' };
  const last = line.lastIndexOf(BEGINNING);
  const second = last > 0 ? deadLetterOf(line.slice(last)) : null;
  return second === null
    ? { deadLetter: null, torn: line }
    : { deadLetter: second, torn: line.slice(0, last) };
};

interface FileRun {
  readonly deadLetters: readonly StoredDeadLetter[];
  /** Lines and fragments that hold no letter. */
  readonly torn: readonly string[];
  /** Offset behind the last line. */
  readonly end: number;
}

export interface LineRunOptions {
  readonly from: number;
  /** End of the valid bytes. Null for the end of the file. */
  readonly to: number | null;
  /** Limits of the next run, read before each; 0 letters ends reading. */
  readonly next: () => { readonly count: number; readonly bytes: number };
}

/** Each line with the offset behind it. The last one may lack a line feed. */
async function* linesOf(
  file: FileHandle,
  { from, to }: Pick<LineRunOptions, 'from' | 'to'>,
): AsyncGenerator<{ readonly line: string; readonly end: number }> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let rest: Buffer[] = [];
  let position = from;
  for (;;) {
    const want = Math.min(CHUNK_BYTES, (to ?? Number.POSITIVE_INFINITY) - position);
    const { bytesRead } = want > 0 ? await file.read(chunk, 0, want, position) : { bytesRead: 0 };
    if (bytesRead === 0) {
      if (rest.length > 0) yield { line: Buffer.concat(rest).toString('utf8'), end: position };
      return;
    }
    const bytes = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      const part = bytes.subarray(start, end);
      const line = rest.length === 0 ? part : Buffer.concat([...rest, part]);
      rest = [];
      start = end + 1;
      yield { line: line.toString('utf8'), end: position + start };
    }
    if (start < bytesRead) rest.push(Buffer.from(bytes.subarray(start)));
    position += bytesRead;
  }
}

/** The letters of a file in runs; holds at most one run and one line in memory. */
export async function* runsOf(file: FileHandle, options: LineRunOptions): AsyncGenerator<FileRun> {
  let limit = options.next();
  if (limit.count <= 0) return;
  let deadLetters: StoredDeadLetter[] = [];
  let torn: string[] = [];
  let end = options.from;
  let bytes = 0;
  for await (const row of linesOf(file, options)) {
    const { deadLetter, torn: cutOff } = readLine(row.line);
    bytes += row.end - end;
    end = row.end;
    if (deadLetter !== null) deadLetters.push(deadLetter);
    if (cutOff.trim() !== '') torn.push(cutOff);
    if (deadLetters.length < limit.count && bytes < limit.bytes) continue;
    yield { deadLetters, torn, end };
    limit = options.next();
    if (limit.count <= 0) return;
    [deadLetters, torn, bytes] = [[], [], 0];
  }
  if (end > options.from && bytes > 0) yield { deadLetters, torn, end };
}
