import { compileRegex } from '../../../../regex/regex.js';
import { counted } from '../../../parts/numbers.js';

export interface FileSearch {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** A line with matches. */
export interface FoundLine {
  /** From 1. */
  readonly line: number;
  /** The line, or a part of a long one around its first match. */
  readonly shown: string;
  /** Where matches begin and end in `shown`. */
  readonly marks: readonly (readonly [from: number, to: number])[];
}

export interface FoundFile {
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** A text that is searched; null when the file is not text, too large for the editor, or cannot be read. */
export interface SearchedText {
  readonly path: string;
  readonly text: string | null;
}

export interface SearchResult {
  readonly files: readonly FoundFile[];
  readonly matches: number;
  /** What was not searched or is not shown, in words. */
  readonly leftOut: readonly string[];
}

/** Files that one search reads, and characters of all of them. */
export const MAX_SEARCHED_FILES = 300;
export const MAX_SEARCHED_LENGTH = 8_000_000;
/** Lines of a file and of a search that are shown. */
const MAX_LINES_OF_FILE = 100;
const MAX_LINES = 500;
/** Characters of a line that are looked at, and those that are shown of it. */
const MAX_LINE_LENGTH = 10_000;
const SHOWN_LENGTH = 200;
/** Characters that are shown before the first match of a long line. */
const SHOWN_BEFORE = 40;

/** Where matches of a line begin and end. Null when the search of the line was given up. */
type Matcher = (line: string) => readonly (readonly [number, number])[] | null;

const plainMatcher = ({ text, isCaseSensitive }: FileSearch): Matcher => {
  const folded = (any: string): string => (isCaseSensitive ? any : any.toLowerCase());
  const wanted = folded(text);
  return (line) => {
    const found: [number, number][] = [];
    const lower = folded(line);
    // A few letters change their length: then the places would be wrong.
    const where = lower.length === line.length ? lower : line;
    for (let at = where.indexOf(wanted); at >= 0; at = where.indexOf(wanted, at + wanted.length))
      found.push([at, at + wanted.length]);
    return found;
  };
};

/** The engine of templates, whose time is bounded: that of a browser hangs on some patterns. */
const regexMatcher = ({ text, isCaseSensitive }: FileSearch): Matcher | string => {
  const regex = compileRegex(text, { ignoresCase: !isCaseSensitive });
  if (typeof regex === 'string') return regex;
  return (line) => {
    const found: [number, number][] = [];
    for (let from = 0; from <= line.length; ) {
      const spans = regex.search(line, from);
      if (regex.gaveUp) return null;
      const [begin = -1, end = -1] = spans ?? [];
      if (begin < 0) break;
      if (end > begin) found.push([begin, end]);
      from = Math.max(end, begin + 1);
    }
    return found;
  };
};

/** Returns why a search is no search, in words, or what finds matches. */
export const lineMatcher = (search: FileSearch): Matcher | string =>
  search.isRegex ? regexMatcher(search) : plainMatcher(search);

const shownLine = (line: string, number: number, marks: FoundLine['marks']): FoundLine => {
  const first = marks[0]?.[0] ?? 0;
  const from = line.length <= SHOWN_LENGTH ? 0 : Math.max(0, first - SHOWN_BEFORE);
  const part = line.slice(from, from + SHOWN_LENGTH);
  const before = from > 0 ? '…' : '';
  const shift = before.length - from;
  return {
    line: number,
    shown: `${before}${part}${from + SHOWN_LENGTH < line.length ? '…' : ''}`,
    marks: marks
      .map(([begin, end]) => [begin + shift, Math.min(end + shift, before.length + part.length)] as const)
      .filter(([begin, end]) => begin < end),
  };
};

/** Searches texts by line. */
export const searchTexts = (texts: readonly SearchedText[], matcher: Matcher): SearchResult => {
  const files: FoundFile[] = [];
  const unread: string[] = [];
  let [matches, lineCount, hidden, cut, gaveUp] = [0, 0, 0, 0, 0];
  for (const { path, text } of texts) {
    if (text === null) {
      unread.push(path);
      continue;
    }
    const lines: FoundLine[] = [];
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      if (line.length > MAX_LINE_LENGTH) cut += 1;
      const marks = matcher(line.slice(0, MAX_LINE_LENGTH));
      if (marks === null) gaveUp += 1;
      if (marks === null || marks.length === 0) continue;
      matches += marks.length;
      if (lines.length >= MAX_LINES_OF_FILE || lineCount >= MAX_LINES) hidden += 1;
      else {
        lines.push(shownLine(line, index + 1, marks));
        lineCount += 1;
      }
    }
    if (lines.length > 0) files.push({ path, lines });
  }
  return {
    files,
    matches,
    leftOut: [
      ...(unread.length > 0
        ? [`${counted(unread.length, 'file')} not searched, not text or too large: ${namesOf(unread)}.`]
        : []),
      ...(hidden > 0 ? [`${counted(hidden, 'more line')} with matches not shown.`] : []),
      ...(cut > 0
        ? [`Of ${counted(cut, 'long line')}, only the first ${MAX_LINE_LENGTH} characters were searched.`]
        : []),
      ...(gaveUp > 0 ? [`The pattern takes too long for ${counted(gaveUp, 'line')}: simplify it.`] : []),
    ],
  };
};

const MAX_NAMES = 3;

const namesOf = (paths: readonly string[]): string =>
  paths.length <= MAX_NAMES
    ? paths.join(', ')
    : `${paths.slice(0, MAX_NAMES).join(', ')} and ${paths.length - MAX_NAMES} more`;

/** Requests for files at a time. */
const AT_ONCE = 6;

/** The texts of files, as far as the limits go. `read` returns null for a file that is not text. */
export const readTexts = async (
  paths: readonly string[],
  read: (path: string) => Promise<string | null>,
): Promise<{ readonly texts: readonly SearchedText[]; readonly leftOut: readonly string[] }> => {
  const texts: SearchedText[] = [];
  let length = 0;
  const within = paths.slice(0, MAX_SEARCHED_FILES);
  for (let from = 0; from < within.length && length < MAX_SEARCHED_LENGTH; from += AT_ONCE) {
    const some = within.slice(from, from + AT_ONCE);
    const found = await Promise.all(
      some.map(async (path) => ({ path, text: await read(path).catch(() => null) })),
    );
    texts.push(...found);
    length += found.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  }
  const rest = paths.slice(texts.length);
  if (rest.length === 0) return { texts, leftOut: [] };
  return {
    texts,
    leftOut: [`${counted(rest.length, 'file')} beyond the limits not searched: ${namesOf(rest)}.`],
  };
};
