import type { Random } from '../../../../../domain/random.js';
import {
  asIndex,
  callMethodOf,
  checkItems,
  equals,
  type Kwargs,
  type Methods,
  methodOf,
  methods,
  needIndex,
  PySlice,
  raise,
  rawMethods,
  repr,
  sliceItems,
  spend,
  TemplateObject,
  textOf,
  type Value,
} from '../../../../../template/index.js';
import { groupRows, type PlainKey, plainKey, SampleRow } from './row.js';
import { type Columns, columnsOf, listNames, noColumn, type SampleTable } from './table.js';
import { drawPlace, type Weights, weightsOf } from './weights.js';

/** Values copied per step. */
const COPIED_PER_STEP = 64;

/**
 * A data set: rows, columns by name, random picks. Immutable: lists, weights and `where` results are cached.
 * A name reads the column before the method; a call is always the method.
 */
export class Sample extends TemplateObject {
  /** By column index. */
  private readonly lists: (readonly Value[] | undefined)[] = [];
  private readonly weights: (Weights | undefined)[] = [];
  private readonly parts: (Map<PlainKey, Sample | SampleRow[]> | undefined)[] = [];
  private nothing: Sample | null = null;

  constructor(
    /** For messages. */
    readonly name: string,
    readonly columns: Columns,
    readonly rows: readonly SampleRow[],
    private readonly random: Random,
  ) {
    super();
  }
  get typeName(): string {
    return 'Sample';
  }
  override get isConstant(): boolean {
    return true;
  }
  /** For docs; templates do not see it. */
  get methodNames(): readonly string[] {
    return [...SAMPLE_METHODS.keys()];
  }
  override attribute(name: string): Value {
    const place = this.columns.places.get(name);
    if (place !== undefined) return this.column(place);
    if (name === 'columns') return [...this.columns.names];
    return methodOf(SAMPLE_METHODS, this, name) ?? noColumn(this.shown, this.columns, name);
  }
  override get methodTable(): ReadonlyMap<string, unknown> | undefined {
    return SAMPLE_METHODS;
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const result = callMethodOf(SAMPLE_METHODS, this, name, args, kwargs);
    return result === undefined ? super.callMethod(name, args, kwargs) : result;
  }
  override item(key: Value): Value | undefined {
    if (key instanceof PySlice) {
      spend(this.rows.length / COPIED_PER_STEP);
      return sliceItems<Value>(this.rows, key);
    }
    const index = asIndex(key);
    if (index !== undefined) return this.rows[index < 0 ? index + this.rows.length : index];
    const name = textOf(key);
    return name === null ? undefined : this.attribute(name);
  }
  override iterator(): Iterator<Value> {
    return this.rows[Symbol.iterator]();
  }
  override elements(): readonly Value[] {
    return this.rows;
  }
  override size(): number {
    return this.rows.length;
  }
  override repr(): string {
    return `Sample(rows=${this.rows.length}, columns=${repr([...this.columns.names])})`;
  }
  /** Equal to a list or sample of equal rows. */
  override equals(other: Value): boolean {
    if (other === this) return true;
    const theirs = other instanceof Sample ? other.rows : Array.isArray(other) ? other : null;
    return (
      theirs !== null &&
      theirs.length === this.rows.length &&
      this.rows.every((row, i) => equals(row, theirs[i] ?? null))
    );
  }
  override hashKey(): never {
    return raise('TypeError', "unhashable type: 'Sample'");
  }

  /** If empty: the fallback, or ValueError without one. */
  pick(fallback: Value | undefined): Value {
    return this.rows[this.anyPlace()] ?? this.whenEmpty('pick', 'pick(none)', fallback);
  }
  /** With repeats. */
  pickSome(count: Value): Value[] {
    return this.draw(count, () => () => this.anyPlace());
  }
  pickByWeight(column: Value, fallback: Value | undefined): Value {
    if (this.rows.length === 0)
      return this.whenEmpty('weighted_pick', 'weighted_pick(column, none)', fallback);
    return this.rows[drawPlace(this.weightsIn(column, 'weighted_pick'), this.random)] ?? null;
  }
  pickSomeByWeight(column: Value, count: Value): Value[] {
    return this.draw(count, () => {
      const weights = this.weightsIn(column, 'weighted_pick_n');
      return () => drawPlace(weights, this.random);
    });
  }
  /** Rows equal in all conditions; a string never equals a number. */
  where(conditions: Kwargs | null): Sample {
    let found: Sample = this;
    for (const [name, value] of conditions ?? []) {
      found = found.whereEqual(this.placeOf(name, 'where'), value);
    }
    return found;
  }

  private get shown(): string {
    return `sample ${repr(this.name)}`;
  }
  /** A copy: templates may change it. */
  private column(place: number): Value[] {
    this.lists[place] ??= this.rows.map((row) => row.items[place] ?? null);
    const list = this.lists[place];
    spend(list.length / COPIED_PER_STEP);
    return list.slice();
  }
  private placeOf(name: string, method: string): number {
    return (
      this.columns.places.get(name) ??
      raise(
        'ValueError',
        `${method}: ${this.shown} has no column ${repr(name)} (columns: ${listNames(this.columns.names)})`,
      )
    );
  }
  private anyPlace(): number {
    return this.rows.length === 0 ? -1 : this.random.integer(0, this.rows.length - 1);
  }
  private whenEmpty(method: string, example: string, fallback: Value | undefined): Value {
    if (fallback !== undefined) return fallback;
    return raise('ValueError', `${method}: ${this.shown} has no rows: give a default, as in ${example}`);
  }
  /** `prepare` runs only if something is drawn. */
  private draw(count: Value, prepare: () => () => number): Value[] {
    const times = needIndex(count);
    if (times <= 0 || this.rows.length === 0) return [];
    checkItems(times);
    const place = prepare();
    return Array.from({ length: times }, () => this.rows[place()] ?? null);
  }
  private weightsIn(column: Value, method: string): Weights {
    const name = textOf(column);
    if (name === null) {
      return raise('TypeError', `${method}: give the column by name, not as ${repr(column)}`);
    }
    if (!this.columns.areNamed) {
      return raise(
        'ValueError',
        `${method}: ${this.shown} has no column names: add them (header: true for CSV, objects for JSON and items)`,
      );
    }
    const place = this.placeOf(name, method);
    this.weights[place] ??= weightsOf(
      this.rows.map((row) => row.items[place] ?? null),
      `column ${repr(name)} of ${this.shown}`,
    );
    return this.weights[place];
  }
  private whereEqual(place: number, value: Value): Sample {
    const key = plainKey(value);
    if (key === undefined) {
      spend(this.rows.length);
      return this.partOf(this.rows.filter((row) => equals(row.items[place] ?? null, value)));
    }
    this.parts[place] ??= groupRows(this.rows, place);
    const parts = this.parts[place];
    const known = parts.get(key);
    if (known instanceof Sample) return known;
    if (known === undefined) {
      this.nothing ??= this.partOf([]);
      return this.nothing;
    }
    const part = this.partOf(known);
    parts.set(key, part);
    return part;
  }
  private partOf(rows: readonly SampleRow[]): Sample {
    return new Sample(this.name, this.columns, rows, this.random);
  }
}

/** The optional last argument; `before`: arguments in front of it. */
const withDefault = (
  method: string,
  before: readonly string[],
  args: readonly Value[],
  kwargs: Kwargs | null,
): (Value | undefined)[] => {
  const names = [...before, 'default'];
  if (args.length > names.length) {
    return raise('TypeError', `${method}() takes at most ${names.length} arguments (${args.length} given)`);
  }
  for (const key of kwargs?.keys() ?? []) {
    const place = names.indexOf(key);
    if (place < 0) return raise('TypeError', `${method}() got an unexpected keyword argument '${key}'`);
    if (place < args.length) {
      return raise('TypeError', `${method}() got multiple values for argument '${key}'`);
    }
  }
  return names.map((name, place) => args[place] ?? (args[place] === null ? null : kwargs?.get(name)));
};

const needed = (method: string, name: string, value: Value | undefined): Value =>
  value === undefined ? raise('TypeError', `${method}() missing required argument: '${name}'`) : value;

const SAMPLE_METHODS: Methods<Sample> = new Map([
  ...methods<Sample>({
    'pick_n(n)': (self, count) => self.pickSome(count),
    'weighted_pick_n(column, n)': (self, column, count) => self.pickSomeByWeight(column, count),
  }),
  ...rawMethods<Sample>({
    pick: (self, args, kwargs) => {
      // Fast path: no arguments.
      if (args.length === 0 && kwargs === null) return self.pick(undefined);
      const [fallback] = withDefault('pick', [], args, kwargs);
      return self.pick(fallback);
    },
    weighted_pick: (self, args, kwargs) => {
      const [column, fallback] =
        args.length === 1 && kwargs === null
          ? [args[0]]
          : withDefault('weighted_pick', ['column'], args, kwargs);
      return self.pickByWeight(needed('weighted_pick', 'column', column), fallback);
    },
    where: (self, args, kwargs) =>
      args.length > 0
        ? raise('TypeError', "where() takes named conditions only, as in where(column='value')")
        : self.where(kwargs),
  }),
]);

export const sampleOf = (name: string, table: SampleTable, random: Random): Sample => {
  const columns = columnsOf(table.names, table.areNamed);
  return new Sample(
    name,
    columns,
    table.rows.map((values) => new SampleRow(columns, values)),
    random,
  );
};
