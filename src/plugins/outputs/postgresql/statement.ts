/** Parts of a dotted name; dots in double quotes do not separate. */
const partsOf = (name: string): readonly string[] => name.match(/"(?:[^"]|"")*"|[^."]+/g) ?? [];

/** A name in double quotes; quoted names stay unchanged. */
export const identifier = (name: string): string =>
  /^"(?:[^"]|"")+"$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

/** `schema.table` with quotes. A name whose quotes do not pair is one name. */
export const tableName = (name: string): string => {
  const parts = partsOf(name);
  return (parts.join('.') === name ? parts : [name]).map(identifier).join('.');
};

/** `columns` empty: all columns of the table. */
export const copyStatement = (table: string, columns: readonly string[], format: 'text' | 'csv'): string => {
  const list = columns.length === 0 ? '' : ` (${columns.map(identifier).join(', ')})`;
  return `COPY ${tableName(table)}${list} FROM STDIN WITH (FORMAT ${format}, ENCODING 'UTF8')`;
};
