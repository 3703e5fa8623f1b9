import { showCount } from '../../domain/text/shown.js';
/** Escapes control characters, which would drive the terminal. Keeps tabs. */
export const escapeControls = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) =>
    character === '\t' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Lines with aligned columns. `numbers`: indexes of columns aligned to the right. */
export const alignedLines = (
  rows: readonly (readonly string[])[],
  numbers: ReadonlySet<number> = new Set(),
): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, i) => (numbers.has(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
};

/** Keeps a digit of small values: `3.2`, `312`. */
export const showRough = (value: number): string =>
  value < 100 ? String(Math.round(value * 10) / 10) : showCount(value);
