import { parseIso } from '../../domain/time/iso.js';
import { MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../domain/time/zone.js';
import type { WorldActivity } from '../../domain/worlds/reports.js';
import { ACTIVITY_KINDS, type ActivityKind, ALL_ACTIVITY_KINDS } from '../activity/kinds.js';
import type { Site } from '../population/entities.js';
import type { WorldSpec } from '../spec.js';
import type { World } from '../world.js';
import { byNumber } from './contents.js';

/** The day that is looked at unless another one is asked for: a Tuesday of an ordinary week. */
export const USUAL_DAY = '2026-03-10';

/** Lets others have a turn: called between minutes, each of which is computed at once. */
export type Pause = () => Promise<void>;

export const zoneOfSite = ({ time_zone }: Site): Zone => zoneOf(time_zone) ?? utc;

/** The site with most people: its clock is that of the organization. */
export const mainSite = ({ organization: { sites } }: WorldSpec): Site =>
  sites.reduce((largest, site) => (site.weight > largest.weight ? site : largest));

/** The minute in which a time is, counted from 1970. */
export const minuteOf = (at: Micros): number => Math.floor(at / MICROS_PER_MINUTE);

/**
 * Minutes of each hour that the busiest one is found with, and those of it that are measured. Many people differ less
 * from minute to minute, and take longer. A minute also computes the one before, which one in a row has already.
 */
const MINUTES = {
  few: { most: 100, probed: [30, 31], measured: [25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36] },
  many: { probed: [30], measured: [29, 30, 31, 32] },
} as const;

const NO_ATTACKS: ReadonlySet<string> = new Set();

/** Measures how much happens on the usual day without attacks, and of which kinds in its busiest hour. */
export const worldActivity = async (world: World, pause: Pause): Promise<WorldActivity> => {
  const { spec, population } = world;
  const { probed, measured } = population.size <= MINUTES.few.most ? MINUTES.few : MINUTES.many;
  const site = mainSite(spec);
  const midnight = parseIso(`${USUAL_DAY}T00:00:00`, zoneOfSite(site)) ?? 0;
  const normalMinute = world.lookAt({ kinds: ALL_ACTIVITY_KINDS, attacks: NO_ATTACKS });
  const counts = new Map<ActivityKind, number>();
  const count = async (hour: number, offsets: readonly number[], isByKind = false): Promise<number> => {
    let sum = 0;
    for (const offset of offsets) {
      await pause();
      const activities = normalMinute(minuteOf(midnight + hour * MICROS_PER_HOUR) + offset);
      sum += activities.length;
      if (isByKind) for (const { kind } of activities) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    return sum / offsets.length;
  };
  const hours: number[] = [];
  for (let hour = 0; hour < 24; hour++) hours.push(await count(hour, probed));
  const busiest_hour = hours.indexOf(Math.max(...hours));
  const per_minute = await count(busiest_hour, measured, true);
  const rateOf = (kind: ActivityKind): number => (counts.get(kind) ?? 0) / measured.length;
  return {
    site: site.name,
    time_zone: site.time_zone,
    date: USUAL_DAY,
    hours,
    busiest_hour,
    per_minute,
    groups: Object.entries(ACTIVITY_KINDS).map(([group, kinds]) => ({
      group,
      kinds: kinds
        .map((kind) => [kind, rateOf(kind)] as const)
        .filter(([, rate]) => rate > 0)
        .sort(byNumber)
        .map(([kind, rate]) => ({ kind, per_minute: rate })),
    })),
  };
};
