import type { Component } from 'chrono-node/en';
import type { ReadHuman } from '../../../domain/time/expression.js';
import { wallClock } from '../../../domain/time/iso.js';
import { MICROS_PER_MINUTE, MICROS_PER_MS } from '../../../domain/time/micros.js';
import { utc } from '../../../domain/time/zone.js';
import { lateRequire } from '../../shared/lateRequire.js';

/** English only: all of chrono takes four times as long to load. */
const chrono = lateRequire<typeof import('chrono-node/en')>('chrono-node/en');

/** Hour that chrono implies for a date without time; here a date means midnight. */
const IMPLIED_NOON = 12;

/**
 * Parses human text with chrono-node. Wall-clock values use the zone unless the text names one (`10:00 UTC`);
 * distances such as `2 hours ago` are exact from `now`. The whole text must be one date, not a range.
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

/** In a leap year, so that 29 February without a year is valid. */
const ANY_TIME = Date.UTC(2024, 0, 15, 12) * 1000;

export const isHumanDate = (text: string): boolean => readHumanDate(text, ANY_TIME, utc) !== null;
