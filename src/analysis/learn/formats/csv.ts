import { type Cut, cutter } from '../cut.js';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Share of the records that must have as many cells as the header. */
const MIN_SHARE = 0.9;
const MIN_RECORDS = 2;

interface Cell {
  /** Without quotes; inner quotes stay doubled. */
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Cells of a line (RFC 4180); null: a quote is open. */
const cellsOf = (line: string, delimiter: string): readonly Cell[] | null => {
  const cells: Cell[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const end = /"(?:[^"]|"")*"/y;
      end.lastIndex = at;
      const found = end.exec(line)?.[0];
      if (found === undefined) return null;
      cells.push({ text: found.slice(1, -1), isQuoted: true });
      at += found.length;
      if (at < line.length && line[at] !== delimiter) return null;
    } else {
      const next = line.indexOf(delimiter, at);
      const end = next === -1 ? line.length : next;
      cells.push({ text: line.slice(at, end), isQuoted: false });
      at = end;
    }
    if (at >= line.length) return cells;
    at += 1;
    if (at === line.length) return [...cells, { text: '', isQuoted: false }];
  }
};

export interface CsvFormat {
  readonly header: string;
  readonly cut: (record: string) => Cut | null;
}

const isName = ({ text }: Cell): boolean => /^[A-Za-z_@#][\w .:@/()#%-]{0,63}$/.test(text.trim());

/** CSV with a header, if the first record is one; null: it is not CSV. */
export const csvFormat = (records: readonly string[]): CsvFormat | null => {
  const [header, ...rest] = records;
  if (header === undefined || rest.length < MIN_RECORDS) return null;
  for (const delimiter of DELIMITERS) {
    const names = cellsOf(header, delimiter);
    if (names === null || names.length < 2 || !names.every(isName)) continue;
    if (new Set(names.map(({ text }) => text)).size < names.length) continue;
    const fits = rest.filter((record) => cellsOf(record, delimiter)?.length === names.length).length;
    if (fits < rest.length * MIN_SHARE) continue;
    const cut = (record: string): Cut | null => {
      const cells = cellsOf(record, delimiter);
      if (cells === null || cells.length !== names.length || record === header) return null;
      const out = cutter();
      for (const [at, { text, isQuoted }] of cells.entries()) {
        const quote = isQuoted ? '"' : '';
        out.literal((at > 0 ? delimiter : '') + quote);
        out.value(names[at]?.text.trim() ?? '', text);
        out.literal(quote);
      }
      return out.done('');
    };
    return { header, cut };
  }
  return null;
};
