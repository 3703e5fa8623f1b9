import {
  factsText,
  type WorldDay,
  type WorldDayActivity,
  type WorldDayPart,
} from '../../../domain/worlds/reports.js';

const SECONDS_PER_DAY = 86_400;
const MINUTES_PER_DAY = 1_440;

/** Seconds of a day at a time by the clock of that day; what is before or after the day is at its end. */
export const secondOfDay = (at: string, date: string): number => {
  const day = at.slice(0, 10);
  if (day !== date) return day < date ? 0 : SECONDS_PER_DAY;
  const [hours = 0, minutes = 0, seconds = 0] = at.slice(11, 19).split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
};

/** A stretch of the day in percent of it. */
export interface DayBar {
  readonly part: WorldDayPart;
  readonly left: number;
  readonly width: number;
}

/** One lane for each place or state that a person is in, in the order of their beginnings. */
export const presenceLanes = ({
  parts,
  date,
}: Pick<WorldDay, 'parts' | 'date'>): readonly {
  readonly what: string;
  readonly bars: readonly DayBar[];
}[] => {
  const lanes = new Map<string, DayBar[]>();
  for (const part of parts) {
    const [from, to] = [secondOfDay(part.from, date), secondOfDay(part.to, date)];
    const bar = { part, left: (100 * from) / SECONDS_PER_DAY, width: (100 * (to - from)) / SECONDS_PER_DAY };
    lanes.set(part.what, [...(lanes.get(part.what) ?? []), bar]);
  }
  return [...lanes].map(([what, bars]) => ({ what, bars }));
};

/** What is drawn and listed: what somebody or a machine decided to do, or all that follows from it, too. */
export type ShownActs = 'acts' | 'all';

/** Activities without those that only follow from others. */
export const shownActivities = (
  { activities }: Pick<WorldDay, 'activities'>,
  shown: ShownActs,
): readonly WorldDayActivity[] =>
  shown === 'all' ? activities : activities.filter(({ cause }) => cause === null);

export interface KindLane {
  readonly kind: string;
  readonly count: number;
  /** Path of an SVG that is 1,440 wide and 1 high: a line in each minute in which it happens. */
  readonly marks: string;
}

/** One lane for each kind of activity, the most frequent first. */
export const kindLanes = (activities: readonly WorldDayActivity[], date: string): readonly KindLane[] => {
  const kinds = new Map<string, number[]>();
  for (const { kind, at } of activities) {
    const minute = Math.min(MINUTES_PER_DAY - 1, Math.floor(secondOfDay(at, date) / 60));
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [minute]);
    else known.push(minute);
  }
  return [...kinds]
    .map(([kind, minutes]) => ({
      kind,
      count: minutes.length,
      marks: [...new Set(minutes)].map((minute) => `M${minute + 0.5} 0v1`).join(''),
    }))
    .sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
};

interface DayFilter {
  /** Null for all kinds. */
  readonly kind: string | null;
  /** Null for the whole day. */
  readonly hour: number | null;
  /** Words, all of which are in the kind, host or facts. */
  readonly words: string;
}

/** The activities that a filter leaves. */
export const filteredActivities = (
  activities: readonly WorldDayActivity[],
  date: string,
  { kind, hour, words }: DayFilter,
): readonly WorldDayActivity[] => {
  const wanted = words.toLowerCase().split(/\s+/);
  return activities.filter((one) => {
    if (kind !== null && one.kind !== kind) return false;
    if (hour !== null && Math.floor(secondOfDay(one.at, date) / 3_600) !== hour) return false;
    const text = `${one.kind} ${one.host ?? ''} ${factsText(one.facts)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
};

/** The date some days away; it stays as it is when it is no date. */
export const dateAfter = (date: string, days: number): string => {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : new Date(at + days * 86_400_000).toISOString().slice(0, 10);
};
