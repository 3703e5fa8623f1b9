import * as E from 'fp-ts/lib/Either.js';
import { PyDict, repr, typeName, Undefined, type Value } from '../../../../../template/index.js';

/** The engine's limit of a list. */
export const MAX_ROWS = 1_000_000;

/** Data of a sample; every row has a value for each name. */
export interface SampleTable {
  readonly names: readonly string[];
  /** False if the names are `_0`, `_1` ... */
  readonly areNamed: boolean;
  readonly rows: readonly (readonly Value[])[];
}

/** A table, or an error of one sentence with the row. */
type Made = E.Either<string, SampleTable>;

export const unnamedTable = (rows: readonly (readonly Value[])[], width: number): SampleTable => ({
  names: Array.from({ length: width }, (_, place) => placeName(place)),
  areNamed: false,
  rows,
});

const kindOf = (value: Value): string => {
  if (Array.isArray(value)) return 'a list';
  return value instanceof PyDict ? 'an object' : `a value of type ${typeName(value)}`;
};

const quantity = (count: number): string => (count === 1 ? '1 value' : `${count} values`);

const ofLists = (items: readonly Value[], width: number): Made => {
  if (width === 0) return E.left('row 1 is empty: a row needs at least one value');
  const rows: (readonly Value[])[] = [];
  for (const [place, item] of items.entries()) {
    if (!Array.isArray(item)) {
      return E.left(`row ${place + 1} is ${kindOf(item)}, but row 1 is a list: make all rows lists`);
    }
    if (item.length !== width) {
      return E.left(
        `row ${place + 1} has ${quantity(item.length)}, but row 1 has ${width}: give all rows the same length`,
      );
    }
    rows.push(item);
  }
  return E.right(unnamedTable(rows, width));
};

/** Values in the order of the names; an error if the keys differ. */
const valuesOf = (item: PyDict, names: readonly string[], row: number): E.Either<string, Value[]> => {
  const values: Value[] = [];
  for (const name of names) {
    const value = item.get(name);
    if (value === undefined) {
      return E.left(`row ${row} has no key ${repr(name)} of row 1: add it, with null for no value`);
    }
    values.push(value);
  }
  if (item.count === names.length) return E.right(values);
  const known = new Set<Value>(names);
  const extra = [...item.keys()].find((key) => !known.has(key)) ?? null;
  return E.left(
    `row ${row} has a key ${repr(extra)} missing in row 1 (keys: ${listNames(names)}): ` +
      'remove it or add it to all rows',
  );
};

/**
 * Matched by key in any order. Missing and extra keys are errors: null or dropped values would hide
 * mistakes.
 */
const ofObjects = (items: readonly Value[], first: PyDict): Made => {
  const names = [...first.keys()].map(String);
  if (names.length === 0) return E.left('row 1 is an object without keys: a row needs at least one value');
  const rows: Value[][] = [];
  for (const [place, item] of items.entries()) {
    if (!(item instanceof PyDict)) {
      return E.left(`row ${place + 1} is ${kindOf(item)}, but row 1 is an object: make all rows objects`);
    }
    const values = valuesOf(item, names, place + 1);
    if (E.isLeft(values)) return values;
    rows.push(values.right);
  }
  return E.right({ names, areNamed: true, rows });
};

const tooMany = (count: number): string => `${count} rows exceed the limit of ${MAX_ROWS}: use fewer`;

/** Lists, objects or single values, as the first item. */
export const tableOfItems = (items: readonly Value[]): Made => {
  if (items.length > MAX_ROWS) return E.left(tooMany(items.length));
  const [first = null] = items;
  if (Array.isArray(first)) return ofLists(items, first.length);
  if (first instanceof PyDict) return ofObjects(items, first);
  return E.right(
    unnamedTable(
      items.map((item) => [item]),
      1,
    ),
  );
};

/** A list of objects or lists; may be empty. */
export const tableOfDocument = (document: Value): Made => {
  if (!Array.isArray(document)) {
    return E.left(`the file contains ${kindOf(document)}: use a list of objects or a list of lists`);
  }
  const [first] = document;
  if (first === undefined) return E.right(unnamedTable([], 0));
  if (!Array.isArray(first) && !(first instanceof PyDict)) {
    return E.left(
      `row 1 is ${kindOf(first)}: use a list of objects or a list of lists, such as [["a"], ["b"]]`,
    );
  }
  return tableOfItems(document);
};

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
