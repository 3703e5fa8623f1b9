import { CsvError, type Options, parse } from 'csv-parse/sync';
import * as E from 'fp-ts/lib/Either.js';
import { repr } from '../../../../../template/index.js';
import { MAX_ROWS, placeName, type SampleTable, unnamedTable } from './table.js';

export interface CsvStyle {
  readonly header: boolean;
  /** One character. */
  readonly delimiter: string;
  /** One character. */
  readonly quotechar: string;
}

/** The line starts at 1, if known. */
interface CsvProblem {
  readonly line: number | null;
  readonly reason: string;
}

class BadRow extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}

const NEW_LINE = 10;
const RETURN = 13;

/** Line (from 1) of the first row at or after a byte; skips blank lines. */
const lineAt = (bytes: Buffer, start: number): number => {
  let begin = start;
  while (bytes[begin] === NEW_LINE || bytes[begin] === RETURN) begin++;
  let line = 1;
  for (let at = 0; at < begin; at++) {
    const isEnd = bytes[at] === NEW_LINE || (bytes[at] === RETURN && bytes[at + 1] !== NEW_LINE);
    if (isEnd) line++;
  }
  return line;
};

const count = (length: number): string => (length === 1 ? '1 value' : `${length} values`);

const raggedReason = (length: number, width: number, { header, quotechar }: CsvStyle): string =>
  `the row has ${count(length)}, but the ${header ? 'header' : 'first row'} has ${width}: ` +
  `put ${quotechar} around a value that contains the delimiter, a line break or ${quotechar}, and double ${quotechar} inside it`;

/** The parser's code for a quote inside an unquoted value. Python treats it as text. */
const LOOSE_QUOTE = 'INVALID_OPENING_QUOTE';

const quoteReason = (code: string, { quotechar }: CsvStyle): string =>
  code === 'CSV_QUOTE_NOT_CLOSED'
    ? `a value starts with ${quotechar} that is never closed: close it`
    : `text follows the closing ${quotechar} of a value: write ${quotechar}${quotechar} for ${quotechar} inside a value`;

/** Handling of quotes inside unquoted values. */
type LooseQuotes = 'refused' | 'passed over' | 'taken as text';

const isLoose = (thrown: unknown): boolean =>
  thrown instanceof CsvError && String(thrown.code) === LOOSE_QUOTE;

/** Rows of equal length. Throws `BadRow`, or `CsvError` for quotes. */
const readRows = (bytes: Buffer, style: CsvStyle, looseQuotes: LooseQuotes): string[][] => {
  const isCheck = looseQuotes === 'passed over';
  let end = 0;
  let width: number | null = null;
  const options: Options = {
    delimiter: style.delimiter,
    quote: style.quotechar,
    escape: style.quotechar,
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: looseQuotes === 'taken as text',
    skip_records_with_error: isCheck,
    on_skip: (error) => {
      if (error !== undefined && !isLoose(error)) throw error;
      return undefined;
    },
    on_record: (record: string[], { bytes: recordEnd, records }) => {
      if (isCheck) return null;
      const start = end;
      end = recordEnd;
      width ??= record.length;
      if (record.length !== width) throw new BadRow(start, raggedReason(record.length, width, style));
      if (records > MAX_ROWS + Number(style.header)) {
        throw new BadRow(start, `more than ${MAX_ROWS} rows: use fewer`);
      }
      return record;
    },
  };
  return parse(bytes, options);
};

/**
 * `readRows` with loose quotes as text. That mode also accepts text after a closing quote: rule it out
 * first. Files without loose quotes are parsed once.
 */
const readAllRows = (bytes: Buffer, style: CsvStyle): string[][] => {
  try {
    return readRows(bytes, style, 'refused');
  } catch (thrown) {
    if (!isLoose(thrown)) throw thrown;
    readRows(bytes, style, 'passed over');
    return readRows(bytes, style, 'taken as text');
  }
};

/** An empty name becomes `_N`; duplicates are errors. */
const namesOf = (header: readonly string[]): E.Either<string, readonly string[]> => {
  const names = header.map((name, place) => (name === '' ? placeName(place) : name));
  const places = new Map<string, number>();
  for (const [place, name] of names.entries()) {
    const before = places.get(name);
    if (before !== undefined) {
      return E.left(
        `columns ${before + 1} and ${place + 1} of the header are both named ${repr(name)}: ` +
          'give each column a unique name (an empty name becomes _0, _1 ...)',
      );
    }
    places.set(name, place);
  }
  return E.right(names);
};

const tableOf = (rows: readonly (readonly string[])[], isHeader: boolean): E.Either<string, SampleTable> => {
  const [first, ...rest] = rows;
  if (first === undefined) return E.right(unnamedTable([], 0));
  if (!isHeader) return E.right(unnamedTable(rows, first.length));
  return E.map((names: readonly string[]): SampleTable => ({ names, areNamed: true, rows: rest }))(
    namesOf(first),
  );
};

const problemOf = (thrown: unknown, bytes: Buffer, style: CsvStyle): CsvProblem => {
  if (thrown instanceof BadRow) return { line: lineAt(bytes, thrown.at), reason: thrown.message };
  if (!(thrown instanceof CsvError)) throw thrown;
  // The parser's line count is wrong after a quoted CRLF; its offset is the end of the value before.
  const at = thrown['bytes'];
  return {
    line: typeof at === 'number' ? lineAt(bytes, at) : null,
    reason: quoteReason(thrown.code, style),
  };
};

/**
 * RFC 4180, UTF-8 without BOM. LF, CRLF or CR; blank lines are skipped; quoted line ends and blanks are
 * kept.
 */
export const readCsv = (bytes: Buffer, style: CsvStyle): E.Either<CsvProblem, SampleTable> => {
  try {
    const table = tableOf(readAllRows(bytes, style), style.header);
    return E.mapLeft((reason: string): CsvProblem => ({ line: lineAt(bytes, 0), reason }))(table);
  } catch (thrown) {
    return E.left(problemOf(thrown, bytes, style));
  }
};
