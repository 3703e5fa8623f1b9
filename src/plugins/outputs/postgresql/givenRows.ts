const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DOT = 0x2e;
const RETURN = 0x0d;

const TWO_LINES = 'the event has a line end, which COPY takes for the end of a row. Escape it as \\n.';
const JOINS = 'the event ends with a backslash, which joins it to the next row. Double it.';
const OPEN_QUOTE = 'the event leaves a quote open, which joins it to the next row. Close it.';
const END_MARK = 'the event has a line \\., which ends the data of COPY. Change it.';

/** Whether the line from `start` to its line end is the end mark of COPY, which may end with a carriage return. */
const isEndMark = (bytes: Buffer, start: number): boolean =>
  bytes[start] === BACKSLASH &&
  bytes[start + 1] === DOT &&
  bytes[bytes[start + 2] === RETURN ? start + 3 : start + 2] === LINE_FEED;

const textProblem = (bytes: Buffer, start: number, end: number): string | null => {
  if (isEndMark(bytes, start)) return END_MARK;
  if (bytes.indexOf(LINE_FEED, start) < end - 1) return TWO_LINES;
  let at = end - 2;
  while (at >= start && bytes[at] === BACKSLASH) at--;
  return (end - 2 - at) % 2 === 1 ? JOINS : null;
};

/** Line ends inside quotes belong to the row. The server takes a line `\.` for the end even there. */
const csvProblem = (bytes: Buffer, start: number, end: number): string | null => {
  let isQuoted = false;
  let isLineStart = true;
  for (let at = start; at < end - 1; at++) {
    const byte = bytes[at];
    if (isLineStart && isEndMark(bytes, at)) return END_MARK;
    isLineStart = byte === LINE_FEED;
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === LINE_FEED && !isQuoted) return TWO_LINES;
  }
  return isQuoted ? OPEN_QUOTE : null;
};

/** Returns why the event from `start` to `end`, with its line end, is not exactly one row, or null when it is. */
export const rowProblem = (
  bytes: Buffer,
  start: number,
  end: number,
  format: 'text' | 'csv',
): string | null => (format === 'text' ? textProblem(bytes, start, end) : csvProblem(bytes, start, end));
