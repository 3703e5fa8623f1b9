import type { JsonSink, JsonType } from '../../../domain/jsonWalk.js';
import type { Micros } from '../../../domain/time/micros.js';
import { readCef, readJsonEvent, readPairs } from '../read.js';

/** More fields, and deeper ones, are left out. */
const MAX_COLUMNS = 1_000;
const MAX_DEPTH = 32;
/** Characters of a value that are told apart; longer ones differ by their length, too. */
const MAX_VALUE_CHARS = 200;
/** Values of one field in one event, such as the items of an array, that are read. */
const MAX_VALUES = 16;

/** A value as events have it. */
export interface Cell {
  readonly type: JsonType;
  /** Cut at 200 characters; several values of one event are joined by commas. */
  readonly text: string;
  readonly length: number;
}

/** A field over all events. */
export interface EventColumn {
  /** JSON pointer, or the name of a pair. */
  readonly path: string;
  /** One number an event: 0 where the event lacks the field, else its place in `cells`, from 1. */
  readonly codes: readonly number[];
  /** The different values. */
  readonly cells: readonly Cell[];
}

/** Events as columns. */
export interface EventTable {
  readonly columns: readonly EventColumn[];
  readonly times: readonly Micros[];
}

interface GrowingColumn {
  readonly path: string;
  readonly codes: number[];
  readonly cells: Cell[];
  readonly known: Map<string, number>;
}

interface Container {
  readonly path: string;
  readonly isArray: boolean;
}

/** A segment of a JSON pointer. */
const segment = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Collects events as columns. Memory grows with the number of events, fields and different values. */
export const eventTable = () => {
  const columns = new Map<string, GrowingColumn>();
  const times: Micros[] = [];
  /** Values of the event that is read. */
  const found = new Map<string, { type: JsonType; text: string; length: number; count: number }>();

  const note = (path: string, type: JsonType, text: string): void => {
    const before = found.get(path);
    if (before === undefined) {
      found.set(path, { type, text: text.slice(0, MAX_VALUE_CHARS), length: text.length, count: 1 });
    } else if (before.count < MAX_VALUES) {
      before.text = `${before.text},${text}`.slice(0, MAX_VALUE_CHARS);
      before.length += text.length + 1;
      before.count++;
    }
  };

  const stack: Container[] = [];
  let name = '';
  const pathOfNext = (): string => {
    const parent = stack.at(-1);
    if (parent === undefined) return '';
    return parent.isArray ? `${parent.path}[*]` : parent.path + segment(name);
  };
  const sink: JsonSink = {
    name: (next) => {
      name = next;
    },
    open: (isArray) => void stack.push({ path: pathOfNext(), isArray }),
    close: () => void stack.pop(),
    scalar: (type, text) => {
      if (stack.length <= MAX_DEPTH) note(pathOfNext(), type, text);
    },
  };

  const columnOf = (path: string): GrowingColumn | null => {
    const known = columns.get(path);
    if (known !== undefined) return known;
    if (columns.size >= MAX_COLUMNS) return null;
    const made: GrowingColumn = { path, codes: [], cells: [], known: new Map() };
    columns.set(path, made);
    return made;
  };

  const store = (event: number): void => {
    for (const [path, { type, text, length }] of found) {
      const column = columnOf(path);
      if (column === null) continue;
      const key = `${type} ${length} ${text}`;
      const code = column.known.get(key) ?? column.cells.push({ type, text, length });
      column.known.set(key, code);
      while (column.codes.length < event) column.codes.push(0);
      column.codes.push(code);
    }
  };

  return {
    add: (at: Micros, text: string): void => {
      found.clear();
      stack.length = 0;
      if (!readJsonEvent(text, sink) && !readCef(text, note)) readPairs(text, note);
      store(times.length);
      times.push(at);
    },
    table: (): EventTable => ({
      columns: [...columns.values()].map(({ path, codes, cells }) => {
        while (codes.length < times.length) codes.push(0);
        return { path, codes, cells };
      }),
      times,
    }),
  };
};
