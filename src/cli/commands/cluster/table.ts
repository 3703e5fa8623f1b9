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
