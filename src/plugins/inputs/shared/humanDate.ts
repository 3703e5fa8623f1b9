import { type Component, casual } from 'chrono-node';
import type { ReadHuman } from '../../../domain/time/expression.js';
import { MICROS_PER_MS } from '../../../domain/time/micros.js';
import { wallClock } from '../../../domain/time/parseIso.js';

/** What chrono implies for the hour of a date without a time; a date means midnight here. */
const IMPLIED_NOON = 12;

/**
 * Human text by chrono-node: wall-clock values are in the zone, distances such as `2 hours ago` count
 * exactly from `now`. The text must be one date as a whole; a date that is only a part of it is none.
 */
export const readHumanDate: ReadHuman = (text, now, zone) => {
  const timezone = zone.offsetSecondsAt(now) / 60;
  const [found, ...others] = casual.parse(text, { instant: new Date(now / MICROS_PER_MS), timezone });
  if (found === undefined || others.length > 0 || found.text.trim() !== text.trim()) return null;
  const { start } = found;
  if (start.tags().has('result/relativeDateAndTime')) return start.date().getTime() * MICROS_PER_MS;
  const part = (name: Component): number => start.get(name) ?? 0;
  const isDateOnly = !start.isCertain('hour') && part('hour') === IMPLIED_NOON;
  const local = wallClock(
    [part('year'), part('month'), part('day')],
    isDateOnly ? [0, 0, 0] : [part('hour'), part('minute'), part('second')],
    isDateOnly ? 0 : part('millisecond') * 1000,
  );
  return local === null ? null : zone.instantOf(local);
};
