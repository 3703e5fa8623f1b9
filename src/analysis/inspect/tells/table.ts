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
  readonly codes: Uint32Array;
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
  /** Codes by type, then by text; a longer text has its length before it, which no shorter one has room for. */
  readonly known: Map<JsonType, Map<string, number>>;
  /** The values of the event that is read, and how many they are. */
  now: { type: JsonType; text: string; length: number; count: number };
}

/** Where values of JSON events stand. Pointers are joined once: an event has the places of those before it. */
interface Place {
  readonly path: string;
  readonly below: Map<string, Place>;
  items: Place | null;
  /** Undefined before its first value, null when there is no room for it. */
  column: GrowingColumn | null | undefined;
}

/** More places are made anew for each value, as names that are different in every event would fill the memory. */
const MAX_PLACES = 10_000;

/** A segment of a JSON pointer. */
const segment = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const places = () => {
  let made = 0;
  const place = (path: string): Place => ({ path, below: new Map(), items: null, column: undefined });
  return {
    root: place(''),
    itemsOf: (of: Place): Place => {
      of.items ??= place(`${of.path}[*]`);
      return of.items;
    },
    memberOf: (of: Place, name: string): Place => {
      const known = of.below.get(name);
      if (known !== undefined) return known;
      const member = place(of.path + segment(name));
      if (made++ < MAX_PLACES) of.below.set(name, member);
      return member;
    },
  };
};

/** Collects events as columns. Memory grows with the number of events, fields and different values. */
export const eventTable = () => {
  const columns = new Map<string, GrowingColumn>();
  const times: Micros[] = [];
  /** Columns with a value in the event that is read. */
  const found: GrowingColumn[] = [];

  const columnOf = (path: string): GrowingColumn | null => {
    const known = columns.get(path);
    if (known !== undefined) return known;
    if (columns.size >= MAX_COLUMNS) return null;
    const now = { type: 'null', text: '', length: 0, count: 0 } as const;
    const made: GrowingColumn = { path, codes: [], cells: [], known: new Map(), now };
    columns.set(path, made);
    return made;
  };

  const note = (column: GrowingColumn | null, type: JsonType, text: string): void => {
    if (column === null) return;
    const { now } = column;
    if (now.count === 0) {
      column.now = { type, text: text.slice(0, MAX_VALUE_CHARS), length: text.length, count: 1 };
      found.push(column);
    } else if (now.count < MAX_VALUES) {
      now.text = `${now.text},${text}`.slice(0, MAX_VALUE_CHARS);
      now.length += text.length + 1;
      now.count++;
    }
  };
  const notePair = (name: string, type: JsonType, text: string): void => note(columnOf(name), type, text);

  const { root, itemsOf, memberOf } = places();
  /** Containers around the value that is read next. */
  const stack: { readonly place: Place; readonly isArray: boolean }[] = [];
  let name = '';
  const nextPlace = (): Place => {
    const parent = stack.at(-1);
    if (parent === undefined) return root;
    // Nothing is noted there, however deep it goes.
    if (stack.length > MAX_DEPTH) return parent.place;
    return parent.isArray ? itemsOf(parent.place) : memberOf(parent.place, name);
  };
  const sink: JsonSink = {
    name: (next) => {
      name = next;
    },
    open: (isArray) => void stack.push({ place: nextPlace(), isArray }),
    close: () => void stack.pop(),
    scalar: (type, text) => {
      if (stack.length > MAX_DEPTH) return;
      const place = nextPlace();
      if (place.column === undefined) place.column = columnOf(place.path);
      note(place.column, type, text);
    },
  };

  const codeOf = ({ known, cells, now: { type, text, length } }: GrowingColumn): number => {
    const ofType = known.get(type) ?? new Map<string, number>();
    if (ofType.size === 0) known.set(type, ofType);
    const key = length <= MAX_VALUE_CHARS ? text : `${length} ${text}`;
    const before = ofType.get(key);
    if (before !== undefined) return before;
    const code = cells.push({ type, text, length });
    ofType.set(key, code);
    return code;
  };

  return {
    add: (at: Micros, text: string): void => {
      found.length = 0;
      stack.length = 0;
      if (!readJsonEvent(text, sink) && !readCef(text, notePair)) readPairs(text, notePair);
      for (const column of found) {
        while (column.codes.length < times.length) column.codes.push(0);
        column.codes.push(codeOf(column));
        column.now.count = 0;
      }
      times.push(at);
    },
    table: (): EventTable => ({
      columns: [...columns.values()].map(({ path, codes, cells }) => {
        const all = new Uint32Array(times.length);
        all.set(codes);
        return { path, codes: all, cells };
      }),
      times,
    }),
  };
};
