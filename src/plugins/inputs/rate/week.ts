import {
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_SECOND,
  type Micros,
  NEVER,
} from '../../../domain/time/micros.js';
import type { Zone } from '../../../domain/time/zone.js';
import type { RateShape } from './shape.js';

/** A part of a day by the wall clock, in microseconds from midnight. */
interface DayPart {
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

export const ofHours = (weights: readonly number[]): readonly DayPart[] =>
  weights.map((weight, hour) => ({
    start: hour * MICROS_PER_HOUR,
    end: (hour + 1) * MICROS_PER_HOUR,
    from: weight,
    to: weight,
  }));

/** Straight between hours, over midnight too. Hours ascend, from 0 to less than 24. */
export const ofHourLine = (
  rows: readonly { readonly hour: number; readonly factor: number }[],
): readonly DayPart[] => {
  const corners = rows.map(({ hour, factor }) => ({ at: Math.round(hour * MICROS_PER_HOUR), factor }));
  const [first, last] = [corners[0], corners.at(-1)];
  if (first === undefined || last === undefined) return [];
  const night = first.at + MICROS_PER_DAY - last.at;
  const midnight = last.factor + ((first.factor - last.factor) * (MICROS_PER_DAY - last.at)) / night;
  const whole = [
    { at: 0, factor: midnight },
    ...corners.filter(({ at }) => at > 0),
    { at: MICROS_PER_DAY, factor: midnight },
  ];
  return whole.slice(1).map((corner, index) => {
    const before = whole[index] as { readonly at: number; readonly factor: number };
    return { start: before.at, end: corner.at, from: before.factor, to: corner.factor };
  });
};

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Mean factor of a week of seven days of 24 hours. */
export const weekMean = (parts: readonly DayPart[], weekdays: readonly number[]): number =>
  (sum(parts.map(({ start, end, from, to }) => ((from + to) / 2) * (end - start))) / MICROS_PER_DAY) *
  (sum(weekdays) / 7);

/** A zone that knows no next change has none for at least this long. */
const DAYS_WITHOUT_CHANGE = 300;

/** A rate by the wall clock of a zone, with a mean of 1 over a week. */
export const weekly = (parts: readonly DayPart[], weekdays: readonly number[], zone: Zone): RateShape => {
  const scale = 1 / weekMean(parts, weekdays);
  let [from, until, offset, change]: [Micros, Micros, number, Micros] = [0, 0, 0, 0];
  return (at) => {
    if (at < from || at >= until) {
      from = at;
      offset = zone.offsetSecondsAt(at) * MICROS_PER_SECOND;
      change = zone.nextTransition(at) ?? NEVER;
      until = Math.min(change, at + DAYS_WITHOUT_CHANGE * MICROS_PER_DAY);
    }
    const local = at + offset;
    const day = Math.floor(local / MICROS_PER_DAY);
    const time = local - day * MICROS_PER_DAY;
    const part = parts.find(({ end }) => time < end) as DayPart;
    const factor = (weekdays[weekdayOf(day)] as number) * scale;
    const slope = (part.to - part.from) / (part.end - part.start);
    const end = Math.min(at + part.end - time, change);
    return {
      end,
      from: (part.from + slope * (time - part.start)) * factor,
      to: (part.from + slope * (time + end - at - part.start)) * factor,
    };
  };
};
