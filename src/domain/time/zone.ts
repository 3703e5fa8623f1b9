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
/** Offsets are looked up and kept for so many days at once: about a year, so a millennium is a thousand of them. */
const DAYS_OF_SPAN = 366;
const SPAN_SECONDS = DAYS_OF_SPAN * SECONDS_PER_DAY;
/** Shorter than any two changes of a zone are apart (3.99 days: Freetown, 1939), so that no pair is stepped over. */
const TRANSITION_STEP_DAYS = 3;
const TRANSITION_REACH_DAYS = 400;

/** Offsets of a span: `offsets[i]` from `starts[i]` (epoch seconds) until the next of `starts`. */
interface SpanOffsets {
  readonly starts: readonly number[];
  readonly offsets: readonly number[];
}

/** What `longOffset` ends with: `GMT-00:44:30`, seconds only where they are not 0, `GMT` alone for no offset. */
const LONG_OFFSET = /GMT(?:([+-])(\d+):(\d+):?(\d*))?$/;

/** Reads the offset at whole epoch seconds from Intl: exact, slow, and three times slower by the parts of a date. */
const offsetReader = (id: string): ((seconds: number) => number) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = LONG_OFFSET.exec(format.format(at * 1000)) ?? [];
    const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return sign === '-' ? -size : size;
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

/** Reads a span from Intl, once: slow, about a millisecond. */
const readSpan = (read: (seconds: number) => number, from: number): SpanOffsets => {
  const starts = [from];
  let before = read(from);
  const offsets = [before];
  for (let days = 0; days < DAYS_OF_SPAN; days += TRANSITION_STEP_DAYS) {
    const start = from + days * SECONDS_PER_DAY;
    const end = start + TRANSITION_STEP_DAYS * SECONDS_PER_DAY;
    const after = read(end);
    if (after === before) continue;
    starts.push(findChange(read, start, end));
    offsets.push(after);
    before = after;
  }
  return { starts, offsets };
};

const makeZone = (id: string): Zone => {
  const read = offsetReader(id);
  const spans = new Map<number, SpanOffsets>();
  /** The stretch that was asked for last, and its offset: most questions follow each other closely. */
  let [lastFrom, lastTo, lastOffset] = [Number.NaN, Number.NaN, 0];

  const spanOf = (index: number): SpanOffsets => {
    const known = spans.get(index);
    if (known !== undefined) return known;
    const made = readSpan(read, index * SPAN_SECONDS);
    spans.set(index, made);
    return made;
  };

  const offsetAtSecond = (second: number): number => {
    if (second >= lastFrom && second < lastTo) return lastOffset;
    const index = Math.floor(second / SPAN_SECONDS);
    const { starts, offsets } = spanOf(index);
    let at = starts.length - 1;
    while (at > 0 && (starts[at] ?? 0) > second) at--;
    lastFrom = starts[at] ?? 0;
    lastTo = starts[at + 1] ?? (index + 1) * SPAN_SECONDS;
    lastOffset = offsets[at] ?? 0;
    return lastOffset;
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
    const reach = from + TRANSITION_REACH_DAYS * SECONDS_PER_DAY;
    for (let index = Math.floor(from / SPAN_SECONDS); index * SPAN_SECONDS <= reach; index++) {
      const { starts } = spanOf(index);
      for (let at = 1; at < starts.length; at++) {
        const start = starts[at] ?? 0;
        if (start > from) return start <= reach ? start * MICROS_PER_SECOND : null;
      }
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
