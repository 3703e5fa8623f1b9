import { MICROS_PER_HOUR } from '../../../domain/time/micros.js';
import { fitted, visible } from '../show.js';
import { type Bits, eventSet } from './bits.js';
import type { Cell, EventColumn, EventTable } from './table.js';

/** Something that is true of an event or not. */
export interface Predicate {
  /** In words, such as `/event/action is "login"`. */
  readonly text: string;
  /** The field that it is about. */
  readonly path: string;
  /** Whether an artifact shows itself in it: a number below a limit may be what the attack is about. */
  readonly isArtifact: boolean;
  readonly events: Bits;
}

/** Two sets of events that are to be told apart. */
export interface Classes {
  readonly attack: readonly number[];
  readonly normal: readonly number[];
}

/** Share of a class from which on a value or a length is tried. */
const MIN_SHARE = 0.05;
const MAX_SHOWN_CHARS = 40;
const TENTHS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

const isNumber = ({ type }: Cell): boolean => type === 'integer' || type === 'number';

const shown = (cell: Cell): string =>
  cell.type === 'string' ? `"${fitted(visible(cell.text), MAX_SHOWN_CHARS)}"` : cell.text;

/** Keys with at least a twentieth of one class; `keyOf` returns undefined for an event without one. */
const frequent = <K>(classes: Classes, keyOf: (event: number) => K | undefined): ReadonlySet<K> => {
  const found = new Set<K>();
  for (const events of [classes.attack, classes.normal]) {
    const counts = new Map<K, number>();
    for (const event of events) {
      const key = keyOf(event);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, count] of counts) if (count >= events.length * MIN_SHARE) found.add(key);
  }
  return found;
};

/** Limits between the tenths of all values. */
const limitsOf = (values: readonly number[]): readonly number[] => {
  const sorted = values.toSorted((a, b) => a - b);
  const limits = TENTHS.map((share) => sorted[Math.floor(share * sorted.length)] as number);
  return [...new Set(limits)].filter((limit) => limit < (sorted.at(-1) as number));
};

/** `at most` each of the limits of a number that events have; undefined where one has none. */
const thresholds = (
  path: string,
  classes: Classes,
  events: number,
  numberOf: (event: number) => number | undefined,
): readonly Predicate[] => {
  const values = [...classes.attack, ...classes.normal].flatMap((event) => numberOf(event) ?? []);
  if (values.length === 0) return [];
  return limitsOf(values).map((limit) => ({
    text: `${path} is at most ${limit}`,
    path,
    isArtifact: false,
    events: eventSet(events, (event) => (numberOf(event) ?? Number.POSITIVE_INFINITY) <= limit),
  }));
};

/** Rank correlation with the order of events (Spearman) from which on a number is a clock. */
const CLOCK_CORRELATION = 0.99;

/** Whether a number grows with the time, as that of an event or of a connection: all that it tells is when an event was. */
const isClock = (events: number, numberOf: (event: number) => number | undefined): boolean => {
  const values: number[] = [];
  for (let event = 0; event < events; event++) {
    const value = numberOf(event);
    if (value !== undefined) values.push(value);
  }
  const count = values.length;
  // Equal values count as falling: a number that is nearly always 0 is no clock.
  const byValue = values
    .map((_, place) => place)
    .sort((a, b) => (values[a] as number) - (values[b] as number) || b - a);
  const squares = byValue.reduce((sum, place, rank) => sum + (place - rank) ** 2, 0);
  return 1 - (6 * squares) / (count * (count * count - 1)) >= CLOCK_CORRELATION;
};

/** Hour, and what follows the second, in texts such as `2026-03-02T09:00:00.25Z`. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ](\d\d):\d\d:\d\d(\.\d+)?/;

const timesOf = (column: EventColumn, events: number): readonly Predicate[] => {
  const parts = column.cells.map(({ text }) => ISO_TIME.exec(text));
  if (parts.every((part) => part === null)) return [];
  const partOf = (event: number) => parts[(column.codes[event] ?? 0) - 1];
  const has = (text: string, isIt: (event: number) => boolean): Predicate => ({
    text: `${column.path} ${text}`,
    path: column.path,
    isArtifact: true,
    events: eventSet(events, isIt),
  });
  const hours = [...new Set(parts.flatMap((part) => part?.[1] ?? []))];
  return [
    has('has a fraction of a second', (event) => Number(partOf(event)?.[2] ?? 0) > 0),
    ...(hours.length > 1
      ? hours.map((hour) => has(`is in the hour ${hour}`, (event) => partOf(event)?.[1] === hour))
      : []),
  ];
};

const ofColumn = (column: EventColumn, classes: Classes, events: number): readonly Predicate[] => {
  const { path, codes, cells } = column;
  const about = (text: string, isIt: (event: number) => boolean): Predicate => ({
    text: `${path} ${text}`,
    path,
    isArtifact: true,
    events: eventSet(events, isIt),
  });
  const codeOf = (event: number): number => codes[event] as number;
  const cellOf = (event: number): Cell | undefined => cells[codeOf(event) - 1];
  const lengthOf = (event: number): number | undefined => {
    const cell = cellOf(event);
    return cell?.type === 'string' ? cell.length : undefined;
  };
  const numberOf = (event: number): number | undefined => {
    const cell = cellOf(event);
    const value = cell !== undefined && isNumber(cell) ? Number(cell.text) : Number.NaN;
    return Number.isFinite(value) ? value : undefined;
  };
  const isPartial = codes.includes(0);
  const values = frequent(classes, (event) => codeOf(event) || undefined);
  const lengths = frequent(classes, lengthOf);
  // A value tells its length: only where values differ, lengths tell more.
  const hasLengths = cells.length > values.size && new Set(cells.map(({ length }) => length)).size > 1;
  return [
    ...(isPartial ? [about('is there', (event) => codeOf(event) > 0)] : []),
    ...(cells.length > 1 || isPartial
      ? [...values].map((code) =>
          about(`is ${shown(cells[code - 1] as Cell)}`, (event) => codeOf(event) === code),
        )
      : []),
    ...(hasLengths
      ? [...lengths].map((length) => about(`has ${length} characters`, (event) => lengthOf(event) === length))
      : []),
    ...timesOf(column, events),
    ...(isClock(events, numberOf) ? [] : thresholds(path, classes, events, numberOf)),
  ];
};

/** Names of what is no field; no pointer and no name of a pair begins so. */
const GAP = '(ms since the event before)';
const LENGTH = '(length of all values)';
const TIME = '(time of the event)';

/** Everything that is tried to tell two classes of events apart; `isTried` says which fields may be used. */
export const predicatesOf = (
  { columns, times }: EventTable,
  classes: Classes,
  isTried: (path: string) => boolean,
): readonly Predicate[] => {
  const events = times.length;
  const own = columns.filter(({ path }) => isTried(path));
  // The whole event would tell the length of its label.
  const lengthOf = (event: number): number =>
    own.reduce((sum, { codes, cells }) => sum + (cells[(codes[event] as number) - 1]?.length ?? 0), 0);
  const lengths = times.map((_, event) => lengthOf(event));
  return [
    ...own.flatMap((column) => ofColumn(column, classes, events)),
    ...thresholds(LENGTH, classes, events, (event) => lengths[event]),
    ...thresholds(GAP, classes, events, (event) =>
      event === 0 ? undefined : ((times[event] as number) - (times[event - 1] as number)) / 1_000,
    ),
    {
      text: `${TIME} has a fraction of a second`,
      path: TIME,
      isArtifact: true,
      events: eventSet(events, (event) => (times[event] as number) % 1_000_000 !== 0),
    },
    ...[...new Set(times.map((at) => Math.floor(at / MICROS_PER_HOUR) % 24))].map((hour) => ({
      text: `${TIME} is in the hour ${hour} of UTC`,
      path: TIME,
      isArtifact: true,
      events: eventSet(
        events,
        (event) => Math.floor((times[event] as number) / MICROS_PER_HOUR) % 24 === hour,
      ),
    })),
  ];
};
