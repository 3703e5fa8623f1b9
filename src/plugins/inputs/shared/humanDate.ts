import type { Component } from 'chrono-node/en';
import type { ReadHuman } from '../../../domain/time/expression.js';
import { MICROS_PER_MINUTE, MICROS_PER_MS } from '../../../domain/time/micros.js';
import { wallClock } from '../../../domain/time/parseIso.js';
import { utc } from '../../../domain/time/zone.js';
import { lateRequire } from '../../shared/lateRequire.js';

/** The English locale alone: the whole of chrono takes four times as long to load. */
const chrono = lateRequire<typeof import('chrono-node/en')>('chrono-node/en');

/** What chrono implies for the hour of a date without a time; a date means midnight here. */
const IMPLIED_NOON = 12;

/**
 * Human text by chrono-node: wall-clock values are in the zone unless the text names another one (`10:00
 * UTC`), distances such as `2 hours ago` count exactly from `now`. The text must be one date as a whole: a
 * date that is only a part of it is none, nor is a range.
 */
export const readHumanDate: ReadHuman = (text, now, zone) => {
  const timezone = zone.offsetSecondsAt(now) / 60;
  const [found, ...others] = chrono().casual.parse(text, {
    instant: new Date(now / MICROS_PER_MS),
    timezone,
  });
  if (found === undefined || others.length > 0 || found.text.trim() !== text.trim()) return null;
  const { start, end } = found;
  if (end) return null;
  if (start.tags().has('result/relativeDateAndTime')) return start.date().getTime() * MICROS_PER_MS;
  const part = (name: Component): number => start.get(name) ?? 0;
  const isDateOnly = !start.isCertain('hour') && part('hour') === IMPLIED_NOON;
  const local = wallClock(
    [part('year'), part('month'), part('day')],
    isDateOnly ? [0, 0, 0] : [part('hour'), part('minute'), part('second')],
    isDateOnly ? 0 : part('millisecond') * 1000,
  );
  if (local === null) return null;
  return start.isCertain('timezoneOffset')
    ? local - part('timezoneOffset') * MICROS_PER_MINUTE
    : zone.instantOf(local);
};

/** A fixed moment of a leap year, so that every day of the calendar can be meant by a text without a year. */
const ANY_TIME = Date.UTC(2024, 0, 15, 12) * 1000;

/** True when the text means some date or time, whatever the zone and the moment. */
export const isHumanDate = (text: string): boolean => readHumanDate(text, ANY_TIME, utc) !== null;
