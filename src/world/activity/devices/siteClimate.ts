/** What devices of a site measure all alike: weather, people at work, load, water and traffic, by its clock. */
import { MICROS_PER_DAY, MICROS_PER_MINUTE, type Micros } from '../../../domain/time/micros.js';
import type { DrawSource } from '../../draw.js';
import type { Site } from '../../population/entities.js';
import { bump, HOURS_PER_WEEK, solarHours, weekendAt } from '../../schedule/week.js';

const WHY_WEATHER = 646;
const HOURS_PER_DAY = 24;
const DAYS_PER_YEAR = 365.25;

/** All of them are 0 to 1, but for temperatures. */
export interface SiteClimate {
  /** Outside, in degrees. */
  readonly outside: number;
  /** How much the sun is up: -1 to 1. */
  readonly sun: number;
  readonly occupancy: number;
  readonly load: number;
  readonly water: number;
  readonly traffic: number;
  /** Difference of the air pressure from the usual one, in hPa. */
  readonly pressure: number;
  /** Hours at full load, and of most water, since 1970. */
  readonly loadHours: number;
  readonly waterHours: number;
}

const occupancyAt = (hours: number): number =>
  0.03 + 0.97 * bump(hours % HOURS_PER_DAY, 12.8, 4) * (1 - 0.8 * weekendAt(hours));
const loadAtHour = (hours: number): number => 0.25 + 0.7 * occupancyAt(hours);
const waterAtHour = (hours: number): number => {
  const hour = hours % HOURS_PER_DAY;
  return 0.15 + 0.5 * (bump(hour, 7.5, 1.6) + 0.8 * bump(hour, 19, 2.2)) * (1 - 0.3 * weekendAt(hours));
};
const trafficAtHour = (hours: number): number => {
  const hour = hours % HOURS_PER_DAY;
  return 0.1 + 0.8 * (bump(hour, 8, 1.5) + bump(hour, 17.5, 1.9)) * (1 - 0.6 * weekendAt(hours));
};

/** How much has been used since Monday at the begin of each hour of a week, at a rate by the hour. */
const sumsOf = (rateAt: (hours: number) => number): readonly number[] => {
  const sums = [0];
  for (let hour = 0; hour < HOURS_PER_WEEK; hour++) sums.push((sums[hour] as number) + rateAt(hour + 0.5));
  return sums;
};
const LOAD_SUMS = sumsOf(loadAtHour);
const WATER_SUMS = sumsOf(waterAtHour);

/** What has been used since the first Monday: it only rises. */
const usedAt = (sums: readonly number[], hours: number): number => {
  const weeks = Math.floor(hours / HOURS_PER_WEEK);
  const hour = hours - weeks * HOURS_PER_WEEK;
  const whole = Math.floor(hour);
  const [from, to] = [sums[whole] as number, sums[whole + 1] as number];
  return weeks * (sums[HOURS_PER_WEEK] as number) + from + (to - from) * (hour - whole);
};

/** What the site is like at a moment; computed once a minute of each. */
export const climatesOf = (
  draws: DrawSource,
  sites: readonly Site[],
): ((site: Site, at: Micros) => SiteClimate) => {
  const last = new Map<Site, readonly [minute: number, SiteClimate]>();
  const weather = (site: number, day: number): readonly [warm: number, pressure: number] => {
    const own = draws.of(site, day, WHY_WEATHER);
    return [3 * own.normal(), 7 * own.normal()];
  };
  const climateAt = (site: Site, at: Micros): SiteClimate => {
    const days = at / MICROS_PER_DAY;
    const day = Math.floor(days);
    const index = sites.indexOf(site);
    const [before, after] = [weather(index, day), weather(index, day + 1)];
    const past = (days - day) ** 2 * (3 - 2 * (days - day));
    const between = (a: number, b: number): number => a + (b - a) * past;
    const hours = solarHours(site.longitude, at);
    const week = hours % HOURS_PER_WEEK;
    const sun = Math.cos(((week - 15) / HOURS_PER_DAY) * 2 * Math.PI);
    const season = Math.cos(((days - 200) / DAYS_PER_YEAR) * 2 * Math.PI) * Math.sign(site.latitude);
    return {
      outside: 24 - Math.abs(site.latitude) / 4 + 8 * season + 4 * sun + between(before[0], after[0]),
      sun,
      occupancy: occupancyAt(week),
      load: loadAtHour(week),
      water: waterAtHour(week),
      traffic: trafficAtHour(week),
      pressure: between(before[1], after[1]),
      loadHours: usedAt(LOAD_SUMS, hours),
      waterHours: usedAt(WATER_SUMS, hours),
    };
  };
  return (site, at) => {
    const minute = Math.floor(at / MICROS_PER_MINUTE);
    const known = last.get(site);
    if (known?.[0] === minute) return known[1];
    const made = climateAt(site, minute * MICROS_PER_MINUTE);
    last.set(site, [minute, made]);
    return made;
  };
};
