import { repr, Undefined } from '../../../../../template/index.js';

/** Longer lists of column names are cut in messages. */
const MAX_PRINTED_NAMES = 20;

/** Names of the columns of a sample: made once, shared by the sample, its rows and its parts. */
export interface Columns {
  readonly names: readonly string[];
  /** Place of each column by its name. */
  readonly places: ReadonlyMap<string, number>;
  /** False where the data gave no names, so that they are `_0`, `_1` and so on. */
  readonly areNamed: boolean;
}

/** Columns by their names, which must differ. */
export const columnsOf = (names: readonly string[], areNamed: boolean): Columns => ({
  names,
  places: new Map(names.map((name, place) => [name, place])),
  areNamed,
});

/** Name of a column that has none. */
export const placeName = (place: number): string => `_${place}`;

/** The column names for a message, as templates would write them. */
export const listNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'it has none';
  const shown = names.slice(0, MAX_PRINTED_NAMES).map(repr).join(', ');
  const rest = names.length - MAX_PRINTED_NAMES;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
};

/** What reading a column that is not there gives: undefined, with a reason that says which there are. */
export const noColumn = (owner: string, columns: Columns, name: string): Undefined =>
  new Undefined(() => `${owner} has no column ${repr(name)} (columns: ${listNames(columns.names)})`);
