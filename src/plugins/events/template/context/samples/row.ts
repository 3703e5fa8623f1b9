import {
  checkText,
  equals,
  guardedPrint,
  hashKey,
  iterate,
  PyFloat,
  PyTuple,
  repr,
  type SavedKind,
  spend,
  str,
  textOf,
  type Value,
} from '../../../../../template/index.js';
import { type Columns, columnsOf, noColumn } from './table.js';

/**
 * An immutable tuple with named columns. `row.count` is the column if it exists; `row.count(x)` is always
 * the method. Lists and dicts in rows (from JSON) are shared by all events: a template that changes one
 * changes it for all.
 */
export class SampleRow extends PyTuple {
  constructor(
    override readonly layout: Columns,
    items: readonly Value[],
  ) {
    super(items);
  }
  override get typeName(): string {
    return 'Row';
  }
  get columnNames(): readonly string[] {
    return this.layout.names;
  }
  override attribute(name: string): Value {
    const place = this.layout.places.get(name);
    const value = place === undefined ? undefined : this.items[place];
    return value === undefined ? (super.attribute(name) ?? noColumn('the row', this.layout, name)) : value;
  }
  override item(key: Value): Value | undefined {
    const name = textOf(key);
    return name === null ? super.item(key) : this.attribute(name);
  }
  override equals(other: Value): boolean {
    if (!Array.isArray(other)) return super.equals(other);
    return (
      other.length === this.items.length && this.items.every((item, i) => equals(item, other[i] ?? null))
    );
  }
  override repr(): string {
    return guardedPrint(this, 'Row(...)', () => {
      const parts = this.items.map((item, place) => `${this.layout.names[place]}=${repr(item)}`);
      return checkText(`Row(${parts.join(', ')})`);
    });
  }
}

/** Saved as column names and values. */
export const rowKind: SavedKind = {
  name: 'row',
  parts: (value) => (value instanceof SampleRow ? [[...value.columnNames], ...value.items] : undefined),
  make: ([names = null, ...items]) => {
    const columns = columnsOf([...iterate(names)].map(str), true);
    return new SampleRow(
      columns,
      columns.names.map((_, place) => items[place] ?? null),
    );
  },
};

/** Map key of a plain value; equal values (1, 1.0, True) share one. */
export type PlainKey = string | number | bigint | null;

/** `undefined` for other values, and for NaN, which equals nothing. */
export const plainKey = (value: Value): PlainKey | undefined => {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint' || value instanceof PyFloat) {
    return asPlain(value);
  }
  return typeof value === 'number' && !Number.isNaN(value) ? asPlain(value) : undefined;
};

const asPlain = (value: Value): PlainKey | undefined => {
  const key = hashKey(value);
  return typeof key === 'object' && key !== null ? undefined : key;
};

/** Rows by plain value of a column. */
export const groupRows = (rows: readonly SampleRow[], place: number): Map<PlainKey, SampleRow[]> => {
  spend(rows.length);
  const groups = new Map<PlainKey, SampleRow[]>();
  for (const row of rows) {
    const value = row.items[place];
    const key = value === undefined ? undefined : plainKey(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
};
