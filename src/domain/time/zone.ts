import { MICROS_PER_DAY, MICROS_PER_MS, MICROS_PER_SECOND, type Micros } from './micros.js';
import { zoneLinks } from './zoneLinks.js';

/** A time zone of the IANA data that Node carries, with the lookups that the data plane needs. */
export interface Zone {
  /** IANA name as it was given, exact case. */
  readonly id: string;
  /** Offset from UTC in whole seconds that is in force at the instant; cached, cheap. */
  readonly offsetSecondsAt: (micros: Micros) => number;
  /**
   * The instants at which a wall clock of this zone shows the given local time (microseconds as if the
   * wall clock were UTC): one normally, two (earlier first) in a repeated hour, none in a gap.
   */
  readonly instantsOf: (localMicros: number) => readonly Micros[];
  /**
   * The single instant meant by a wall-clock time: the first of two in a repeated hour; in a gap the
   * first instant after the gap.
   */
  readonly instantOf: (localMicros: number) => Micros;
  /** First instant after `micros` at which the offset changes, or `null` if none within 400 days. */
  readonly nextTransition: (micros: Micros) => Micros | null;
}

const SECONDS_PER_DAY = 86_400;
/** Days whose offsets are kept per zone; then the cache starts anew. */
const MAX_CACHED_DAYS = 4_096;
/** Shorter than any two changes of a zone are apart (3.99 days: Freetown, 1939), so that no pair is stepped over. */
const TRANSITION_STEP_DAYS = 3;
const TRANSITION_REACH_DAYS = 400;

/** Offsets of one UTC day: `before` until `changeAt` (epoch seconds), `after` from there. */
interface DayOffsets {
  readonly before: number;
  readonly after: number;
  readonly changeAt: number;
}

/** Reads the offset at whole epoch seconds from Intl: exact, slow. */
const offsetReader = (id: string): ((seconds: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: id,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (seconds) => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(seconds * 1000)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds;
  };
};

/** First second in `(from, to]` with another offset than `from` has; the offset changes once between. */
const findChange = (read: (seconds: number) => number, from: number, to: number): number => {
  const before = read(from);
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (read(middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

const makeZone = (id: string): Zone => {
  const read = offsetReader(id);
  const days = new Map<number, DayOffsets>();
  let lastDay = Number.NaN;
  let last: DayOffsets = { before: 0, after: 0, changeAt: 0 };

  const readDay = (day: number): DayOffsets => {
    const start = day * SECONDS_PER_DAY;
    const before = read(start);
    const after = read(start + SECONDS_PER_DAY);
    const changeAt = before === after ? start : findChange(read, start, start + SECONDS_PER_DAY);
    if (days.size >= MAX_CACHED_DAYS) days.clear();
    const offsets = { before, after, changeAt };
    days.set(day, offsets);
    return offsets;
  };

  const offsetAtSecond = (second: number): number => {
    const day = Math.floor(second / SECONDS_PER_DAY);
    if (day !== lastDay) {
      last = days.get(day) ?? readDay(day);
      lastDay = day;
    }
    return second < last.changeAt ? last.before : last.after;
  };
  const offsetSecondsAt = (micros: Micros): number => offsetAtSecond(Math.floor(micros / MICROS_PER_SECOND));

  const instantsOf = (localMicros: number): readonly Micros[] => {
    const earlier = offsetSecondsAt(localMicros - MICROS_PER_DAY);
    const later = offsetSecondsAt(localMicros + MICROS_PER_DAY);
    const offsets = earlier === later ? [earlier] : [earlier, later];
    return offsets
      .map((offset) => localMicros - offset * MICROS_PER_SECOND)
      .filter((instant, index) => offsetSecondsAt(instant) === offsets[index])
      .sort((a, b) => a - b);
  };

  const nextTransition = (micros: Micros): Micros | null => {
    const from = Math.floor(micros / MICROS_PER_SECOND);
    const offset = offsetAtSecond(from);
    for (let days = 0; days < TRANSITION_REACH_DAYS; days += TRANSITION_STEP_DAYS) {
      const start = from + days * SECONDS_PER_DAY;
      const end = start + TRANSITION_STEP_DAYS * SECONDS_PER_DAY;
      if (offsetAtSecond(end) !== offset) return findChange(offsetAtSecond, start, end) * MICROS_PER_SECOND;
    }
    return null;
  };

  return {
    id,
    offsetSecondsAt,
    instantsOf,
    nextTransition,
    instantOf: (localMicros) => {
      const [first] = instantsOf(localMicros);
      if (first !== undefined) return first;
      // In a gap: the change lies between the local time read with the offset after and before it.
      const after = offsetSecondsAt(localMicros + MICROS_PER_DAY);
      const beforeChange = localMicros - after * MICROS_PER_SECOND - MICROS_PER_MS;
      return nextTransition(beforeChange) ?? localMicros - after * MICROS_PER_SECOND;
    },
  };
};

/** UTC: no lookups at all. */
export const utc: Zone = {
  id: 'UTC',
  offsetSecondsAt: () => 0,
  instantsOf: (localMicros) => [localMicros],
  instantOf: (localMicros) => localMicros,
  nextTransition: () => null,
};

const listed: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'));

/**
 * Intl accepts names in any case and gives links back as the name of their target, so the exact case is
 * looked up: in its own list, or in the table of names that it accepts and does not list.
 */
const isKnown = (id: string): boolean => {
  if (listed.has(id)) return true;
  if (!zoneLinks.has(id)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: id });
    return true;
  } catch {
    return false;
  }
};

const zones = new Map<string, Zone>([['UTC', utc]]);

/** The zone with this IANA name, exact case; `null` when there is none. One object per name. */
export const zoneOf = (id: string): Zone | null => {
  const known = zones.get(id);
  if (known !== undefined) return known;
  if (!isKnown(id)) return null;
  const zone = makeZone(id);
  zones.set(id, zone);
  return zone;
};
