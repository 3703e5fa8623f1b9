import {
  checkText,
  equals,
  guarded,
  iterate,
  PyTuple,
  repr,
  type SavedKind,
  str,
  textOf,
  type Value,
} from '../../../../../template/index.js';
import { type Columns, columnsOf, noColumn } from './columns.js';

/**
 * An immutable tuple with named columns. `row.count` is the column if it exists; `row.count(x)` is always
 * the method. Lists and dicts in rows (from JSON) are shared by all events: a template that changes one
 * changes it for all.
 */
export class Row extends PyTuple {
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
    return guarded(this, 'Row(...)', () => {
      const parts = this.items.map((item, place) => `${this.layout.names[place]}=${repr(item)}`);
      return checkText(`Row(${parts.join(', ')})`);
    });
  }
}

/** Saved as column names and values. */
export const rowKind: SavedKind = {
  name: 'row',
  parts: (value) => (value instanceof Row ? [[...value.columnNames], ...value.items] : undefined),
  make: ([names = null, ...items]) => {
    const columns = columnsOf([...iterate(names)].map(str), true);
    return new Row(
      columns,
      columns.names.map((_, place) => items[place] ?? null),
    );
  },
};
