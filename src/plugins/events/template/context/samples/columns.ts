import { repr, Undefined } from '../../../../../template/index.js';

/** Names listed in messages. */
const MAX_PRINTED_NAMES = 20;

/** Column names, shared by a sample, its rows and parts. */
export interface Columns {
  readonly names: readonly string[];
  readonly places: ReadonlyMap<string, number>;
  /** False if the columns are `_0`, `_1` ... */
  readonly areNamed: boolean;
}

/** Names must differ. */
export const columnsOf = (names: readonly string[], areNamed: boolean): Columns => ({
  names,
  places: new Map(names.map((name, place) => [name, place])),
  areNamed,
});

export const placeName = (place: number): string => `_${place}`;

/** As templates write them. */
export const listNames = (names: readonly string[]): string => {
  if (names.length === 0) return 'it has none';
  const shown = names.slice(0, MAX_PRINTED_NAMES).map(repr).join(', ');
  const rest = names.length - MAX_PRINTED_NAMES;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
};

/** Undefined, with the list of columns. */
export const noColumn = (owner: string, columns: Columns, name: string): Undefined =>
  new Undefined(() => `${owner} has no column ${repr(name)} (columns: ${listNames(columns.names)})`);
