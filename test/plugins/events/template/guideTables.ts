import { pathOf } from './guideText.js';

/** A table: the words of its head, and its cells. */
export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The part of a page under a heading. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
  readonly tables: readonly Table[];
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

const tablesOf = (lines: readonly string[]): readonly Table[] => {
  const tables: { head: readonly string[]; rows: (readonly string[])[] }[] = [];
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('|') || line.startsWith('|---')) continue;
    if (lines[at + 1]?.startsWith('|---') === true) tables.push({ head: cellsOf(line), rows: [] });
    else tables.at(-1)?.rows.push(cellsOf(line));
  }
  return tables;
};

/** The sections of a page. */
export const sectionsOf = (lines: readonly string[]): readonly Section[] => {
  const starts = lines.flatMap((line, at) => (/^##/.test(line) ? [at] : []));
  return starts.map((from, index) => {
    const own = lines.slice(from + 1, starts[index + 1] ?? lines.length);
    return { heading: lines[from] ?? '', lines: own, tables: tablesOf(own) };
  });
};

/** The section with this title, or about the object at this path. */
export const sectionOf = (sections: readonly Section[], title: string): Section => {
  const found = sections.find(
    ({ heading }) => pathOf(heading) === title || heading.replace(/^#+ /, '') === title,
  );
  if (found === undefined) throw new Error(`no page has a section '${title}'`);
  return found;
};

/** The table of a part whose first column has this head. */
export const tableOf = (section: Section, head: string): Table => {
  const found = section.tables.find((table) => table.head[0] === head);
  if (found === undefined) throw new Error(`${section.heading} has no table of '${head}'`);
  return found;
};

/** Strings in backticks. */
export const spansOf = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/** All strings in backticks of one column. */
export const columnOf = (table: Table, column: number): readonly string[] =>
  table.rows.flatMap((cells) => spansOf(cells[column] ?? ''));

/** The strings in backticks of the line that starts with a word. */
export const listedAfter = (section: Section, word: string): readonly string[] =>
  spansOf(section.lines.find((line) => line.startsWith(word)) ?? '');

/** `choice` of `choice(items)`. */
export const nameOf = (signature: string): string => signature.replace(/\(.*$/s, '');
