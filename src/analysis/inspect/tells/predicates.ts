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

/** How many events of a class have each code, in the order of their first ones. */
type CodeCounts = ReadonlyMap<number, number>;

const countCodes = ({ codes, cells }: EventColumn, events: readonly number[]): CodeCounts => {
  const counts = new Uint32Array(cells.length + 1);
  const order: number[] = [];
  for (const event of events) {
    const code = codes[event] as number;
    if (counts[code] === 0) order.push(code);
    counts[code] = (counts[code] as number) + 1;
  }
  return new Map(order.map((code) => [code, counts[code] as number]));
};

/** Keys with at least a twentieth of one class; `keyOf` returns undefined for a code without one. */
const frequent = <K>(
  classes: readonly { readonly events: number; readonly counts: CodeCounts }[],
  keyOf: (code: number) => K | undefined,
): ReadonlySet<K> => {
  const found = new Set<K>();
  for (const { events, counts } of classes) {
    const sums = new Map<K, number>();
    for (const [code, count] of counts) {
      const key = keyOf(code);
      if (key !== undefined) sums.set(key, (sums.get(key) ?? 0) + count);
    }
    for (const [key, sum] of sums) if (sum >= events * MIN_SHARE) found.add(key);
  }
  return found;
};

/** Limits between the tenths of all values. */
const limitsOf = (values: Float64Array): readonly number[] => {
  const sorted = values.toSorted();
  const limits = TENTHS.map((share) => sorted[Math.floor(share * sorted.length)] as number);
  return [...new Set(limits)].filter((limit) => limit < (sorted.at(-1) as number));
};

/** The numbers of events that have one. */
const valuesOf = (numbers: Float64Array, { attack, normal }: Classes): Float64Array => {
  const values = new Float64Array(numbers.length);
  let count = 0;
  for (const events of [attack, normal])
    for (const event of events) {
      const value = numbers[event] as number;
      if (!Number.isNaN(value)) values[count++] = value;
    }
  return values.subarray(0, count);
};

/** `at most` each of the limits of a number that events have; NaN where one has none. */
const thresholds = (path: string, classes: Classes, numbers: Float64Array): readonly Predicate[] => {
  const known = valuesOf(numbers, classes);
  if (known.length === 0) return [];
  return limitsOf(known).map((limit) => ({
    text: `${path} is at most ${limit}`,
    path,
    isArtifact: false,
    events: eventSet(numbers.length, (event) => (numbers[event] as number) <= limit),
  }));
};

/** Rank correlation of numbers with their order (Spearman); NaN for less than two. */
const orderliness = (values: Float64Array): number => {
  const count = values.length;
  // Equal values count as falling: a number that is nearly always 0 is no clock.
  const byValue = Uint32Array.from(values.keys()).sort(
    (a, b) => (values[a] as number) - (values[b] as number) || b - a,
  );
  const squares = byValue.reduce((sum, place, rank) => sum + (place - rank) ** 2, 0);
  return 1 - (6 * squares) / (count * (count * count - 1));
};

/** Orderliness from which on a number grows with the time. */
const CLOCK = 0.99;
/** Enough for a number whose new values grow with the time: that of a connection comes again while it is open. */
const LASTING_CLOCK = 0.9;

/** Whether a number grows with the time, as that of an event or of a connection: all that it tells is when an event was. */
const isClock = (numbers: Float64Array): boolean => {
  const values = numbers.filter((value) => !Number.isNaN(value));
  const isInOrder = orderliness(Float64Array.from(new Set(values))) >= CLOCK;
  return orderliness(values) >= (isInOrder ? LASTING_CLOCK : CLOCK);
};

/** Hour, and what follows the second, in texts such as `2026-03-02T09:00:00.25Z`. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ](\d\d):\d\d:\d\d(\.\d+)?/;

const timesOf = (column: EventColumn): readonly Predicate[] => {
  const parts = column.cells.map(({ text }) => ISO_TIME.exec(text));
  if (parts.every((part) => part === null)) return [];
  const hours = [...new Set(parts.flatMap((part) => part?.[1] ?? []))];
  return [
    about(column, 'has a fraction of a second', (code) => Number(parts[code - 1]?.[2] ?? 0) > 0),
    ...(hours.length > 1
      ? hours.map((hour) => about(column, `is in the hour ${hour}`, (code) => parts[code - 1]?.[1] === hour))
      : []),
  ];
};

/** Something about the value of a field; `isIt` is asked once a code. */
const about = (
  { path, codes, cells }: EventColumn,
  text: string,
  isIt: (code: number) => boolean,
): Predicate => {
  const isTrue = new Uint8Array(cells.length + 1);
  for (let code = 0; code <= cells.length; code++) isTrue[code] = Number(isIt(code));
  return {
    text: `${path} ${text}`,
    path,
    isArtifact: true,
    events: eventSet(codes.length, (event) => isTrue[codes[event] as number] === 1),
  };
};

const ofColumn = (column: EventColumn, classes: Classes): readonly Predicate[] => {
  const { codes, cells } = column;
  const counted = [classes.attack, classes.normal].map((events) => ({
    events: events.length,
    counts: countCodes(column, events),
  }));
  const lengthOf = (code: number): number | undefined => {
    const cell = cells[code - 1];
    return cell?.type === 'string' ? cell.length : undefined;
  };
  const isPartial = codes.includes(0);
  const values = frequent(counted, (code) => code || undefined);
  const lengths = frequent(counted, lengthOf);
  // A value tells its length: only where values differ, lengths tell more.
  const hasLengths = cells.length > values.size && new Set(cells.map(({ length }) => length)).size > 1;
  const numbers = numbersOf(column);
  return [
    ...(isPartial ? [about(column, 'is there', (code) => code > 0)] : []),
    ...(cells.length > 1 || isPartial
      ? [...values].map((value) =>
          about(column, `is ${shown(cells[value - 1] as Cell)}`, (code) => code === value),
        )
      : []),
    ...(hasLengths
      ? [...lengths].map((length) =>
          about(column, `has ${length} characters`, (code) => lengthOf(code) === length),
        )
      : []),
    ...timesOf(column),
    ...(numbers === null || isClock(numbers) ? [] : thresholds(column.path, classes, numbers)),
  ];
};

/** One number an event, NaN where it has none; null where no event has one. */
const numbersOf = ({ codes, cells }: EventColumn): Float64Array | null => {
  if (!cells.some(isNumber)) return null;
  const values = cells.map((cell) => (isNumber(cell) ? Number(cell.text) : Number.NaN));
  const numberOf = [Number.NaN, ...values.map((value) => (Number.isFinite(value) ? value : Number.NaN))];
  const numbers = new Float64Array(codes.length);
  for (let event = 0; event < codes.length; event++)
    numbers[event] = numberOf[codes[event] as number] as number;
  return numbers;
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
  const lengths = new Float64Array(events);
  for (const { codes, cells } of own) {
    const lengthOf = [0, ...cells.map(({ length }) => length)];
    for (let event = 0; event < events; event++)
      lengths[event] = (lengths[event] as number) + (lengthOf[codes[event] as number] as number);
  }
  const gaps = Float64Array.from(times, (at, event) =>
    event === 0 ? Number.NaN : (at - (times[event - 1] as number)) / 1_000,
  );
  return [
    ...own.flatMap((column) => ofColumn(column, classes)),
    ...thresholds(LENGTH, classes, lengths),
    ...thresholds(GAP, classes, gaps),
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
