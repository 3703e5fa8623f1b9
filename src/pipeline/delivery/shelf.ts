import { type Micros, NEVER } from '../../domain/time/micros.js';

/** Most events that an output holds, and their characters; then the next one due goes before its time. */
const MAX_EVENTS = 10_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

export interface HeldEvent {
  /** It comes behind the events up to this number. Null when a time decides. */
  readonly dueOrdinal: number | null;
  /** It comes behind the events up to this time: late, or made in a silence. Null when it is out of order. */
  readonly dueMicros: Micros | null;
  readonly ordinal: number;
  /** Its timestamp. Null when that is not known. */
  readonly micros: Micros | null;
  /** Sequence number of its batch. */
  readonly sequence: number;
  readonly producedAtMs: number;
  readonly text: string;
}

/** Held events, by what they wait for. */
export interface Shelf {
  readonly add: (event: HeldEvent) => void;
  /** Those due before an event with this number and time, in the order they were made. */
  readonly take: (ordinal: number, micros: Micros) => readonly HeldEvent[];
  /** Those that there is no room for: the next ones due. */
  readonly overflow: () => readonly HeldEvent[];
  /** All, in the order they were made. */
  readonly takeAll: () => readonly HeldEvent[];
  /** When the next late event is due. */
  readonly nextTime: () => Micros;
}

type DueOf = (event: HeldEvent) => number;

/** Ascending by `dueOf`, equal ones in the order they came. */
const sorted = (dueOf: DueOf) => {
  const events: HeldEvent[] = [];
  return {
    events,
    next: (): number => {
      const [first] = events;
      return first === undefined ? NEVER : dueOf(first);
    },
    add: (event: HeldEvent): void => {
      const due = dueOf(event);
      let [low, high] = [0, events.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (dueOf(events[middle] as HeldEvent) <= due) low = middle + 1;
        else high = middle;
      }
      events.splice(low, 0, event);
    },
    /** Removes those due before this. */
    before: (limit: number): HeldEvent[] => {
      let end = 0;
      while (end < events.length && dueOf(events[end] as HeldEvent) < limit) end++;
      return events.splice(0, end);
    },
  };
};

const inOrder = (events: HeldEvent[]): readonly HeldEvent[] => events.sort((a, b) => a.ordinal - b.ordinal);

const NONE: readonly HeldEvent[] = Object.freeze([]);

export const makeShelf = (max_events = MAX_EVENTS, max_characters = MAX_CHARACTERS): Shelf => {
  const byNumber = sorted(({ dueOrdinal }) => dueOrdinal ?? NEVER);
  const byTime = sorted(({ dueMicros }) => dueMicros ?? NEVER);
  let characters = 0;
  const left = (events: readonly HeldEvent[]): readonly HeldEvent[] => {
    for (const { text } of events) characters -= text.length;
    return events;
  };
  const count = (): number => byNumber.events.length + byTime.events.length;

  return {
    add: (event) => {
      (event.dueOrdinal === null ? byTime : byNumber).add(event);
      characters += event.text.length;
    },
    take: (ordinal, micros) => {
      if (byNumber.next() >= ordinal && byTime.next() >= micros) return NONE;
      return left(inOrder([...byNumber.before(ordinal), ...byTime.before(micros)]));
    },
    overflow: () => {
      const over: HeldEvent[] = [];
      while (count() > 0 && (count() > max_events || characters > max_characters)) {
        // Places are few: an event out of order would be due first.
        const first = (byNumber.events.shift() ?? byTime.events.shift()) as HeldEvent;
        left([first]);
        over.push(first);
      }
      return over;
    },
    takeAll: () => left(inOrder([...byNumber.events.splice(0), ...byTime.events.splice(0)])),
    nextTime: byTime.next,
  };
};
