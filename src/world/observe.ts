import { MICROS_PER_MINUTE, MICROS_PER_SECOND, type Micros } from '../domain/time/micros.js';
import { type Activity, type ActivityKind, isOfConnections } from './activity/kinds.js';
import { drawSource, type KeyedDraws } from './draw.js';
import type { HostRole, OperatingSystem, WorldHost } from './population/entities.js';
import { rememberLast } from './remember.js';
import type { World } from './world.js';

/** What a source of logs sees of a world, and how well. */
export interface Selection {
  readonly kinds: readonly ActivityKind[];
  /** Hosts that it sees. Null for any, also for activities outside of the organization. */
  readonly os: OperatingSystem['family'] | null;
  readonly roles: readonly HostRole[] | null;
  /** Names of sites. */
  readonly sites: readonly string[] | null;
  /** Whether it sees, of connections, only those over the VPN. */
  readonly over_vpn?: boolean;
  /** Share of the activities that it sees. */
  readonly seen: number;
  /** Mean of an exponential; no delay is longer than `MAX_DELAY_SECONDS`. */
  readonly delay_seconds: number;
  /** How far its clock is ahead. */
  readonly clock_error_seconds: number;
}

export const MAX_DELAY_SECONDS = 60;

/** What a source sees in a minute of its own clock. */
export interface ObservedMinute {
  /** Observed times, strictly ascending, all within the minute. */
  readonly at: Float64Array;
  /** The activity of each time. */
  readonly activities: readonly Activity[];
  /** How many activities of the world were looked at: what the minute cost. */
  readonly looked: number;
}

export interface Observations {
  /** Minutes are counted from 1970. Each is the same whether or not the ones before were computed. */
  readonly minute: (minute: number) => ObservedMinute;
}

/** Purposes of draws. A world itself draws with small numbers. */
const IS_SEEN = 0xfa01;
const DELAY = 0xfa02;

/** Names a sensor, so that two of them miss and delay different activities (FNV-1a). */
const sensorOf = ({ kinds, os, roles, sites, over_vpn }: Selection): number => {
  const text = JSON.stringify([[...kinds].sort(), os, roles, sites, ...(over_vpn === true ? ['vpn'] : [])]);
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

const isHostOf = ({ os, roles, sites }: Selection): ((host: WorldHost | null) => boolean) => {
  if (os === null && roles === null && sites === null) return () => true;
  return (host) =>
    host !== null &&
    (os === null || host.os.family === os) &&
    (roles === null || roles.includes(host.role)) &&
    (sites === null || sites.includes(host.site.name));
};

/** What people at home open on the internet does not go over the VPN. */
const goesOverVpn = ({ facts }: Activity): boolean =>
  facts['zone'] === 'vpn' && facts['to_zone'] === 'servers';

/** Moves ascending times of one microsecond apart. All stay within the minute, so that no minute depends on another. */
const separate = (at: Float64Array, end: Micros): void => {
  for (let index = 1; index < at.length; index++)
    if ((at[index] as number) <= (at[index - 1] as number)) at[index] = (at[index - 1] as number) + 1;
  let limit = end - 1;
  for (let index = at.length - 1; index >= 0 && (at[index] as number) > limit; index--) at[index] = limit--;
};

/** As they are without delays. */
const isInOrder = (activities: readonly Activity[], at: Float64Array): boolean => {
  for (let index = 1; index < at.length; index++) {
    const gap = (at[index] as number) - (at[index - 1] as number);
    if (gap < 0 || (gap === 0 && (activities[index] as Activity).id < (activities[index - 1] as Activity).id))
      return false;
  }
  return true;
};

/** Sorts times, and returns their activities in the same order. */
const inOrder = (activities: readonly Activity[], at: Float64Array): readonly Activity[] => {
  const pairs = activities.map((activity, index) => [at[index] as number, activity] as const);
  pairs.sort(([one, { id }], [two, other]) => one - two || id - other.id);
  for (const [index, [micros]] of pairs.entries()) at[index] = micros;
  return pairs.map(([, activity]) => activity);
};

interface Timed {
  readonly at: Float64Array;
  readonly activities: readonly Activity[];
}

/** Activities that have times of their own, in order. */
const apart = (found: readonly Activity[], times: readonly Micros[], end: Micros): Timed => {
  const at = Float64Array.from(times);
  const activities = isInOrder(found, at) ? found : inOrder(found, at);
  separate(at, end);
  return { at, activities };
};

/** Adds attacks: each moves to a time that is free, and nothing else does, so that no source depends on what others show. */
const withAttacks = (normal: Timed, attacks: Timed, end: Micros): Timed => {
  if (attacks.at.length === 0) return normal;
  const taken = new Set(normal.at);
  const moved = attacks.at.map((micros) => {
    let at = micros;
    while (taken.has(at)) at++;
    if (at >= end) for (at = end - 1; taken.has(at); ) at--;
    taken.add(at);
    return at;
  });
  const at = Float64Array.from([...normal.at, ...moved]);
  return { activities: inOrder([...normal.activities, ...attacks.activities], at), at };
};

/**
 * Selects, delays and orders the activities of a world as one source sees them; with `isOnly`, some of them, and with
 * `attacks`, of campaigns only those of these. The source looks at the world until the signal aborts.
 */
export const observed = (
  world: World,
  selection: Selection,
  isOnly: ((activity: Activity) => boolean) | null = null,
  attacks: ReadonlySet<string> | null = null,
  until?: AbortSignal,
): Observations => {
  const kinds: ReadonlySet<ActivityKind> = new Set(selection.kinds);
  const isHost = isHostOf(selection);
  const isOverVpn = selection.over_vpn === true;
  const minuteOf = world.lookAt({ kinds: selection.kinds, isOverVpn, attacks }, until);
  const sensor = sensorOf(selection);
  const source = drawSource(world.spec.seed);
  const { seen } = selection;
  const delay = selection.delay_seconds * MICROS_PER_SECOND;
  const error = Math.round(selection.clock_error_seconds * MICROS_PER_SECOND);
  const longest = delay === 0 ? 0 : MAX_DELAY_SECONDS * MICROS_PER_SECOND;
  const draws = (id: number, why: number): KeyedDraws => source.of(sensor, id, why);

  const isSelected = (activity: Activity): boolean => {
    const { id, kind, host, truth } = activity;
    if (!kinds.has(kind) || !isHost(host) || isOnly?.(activity) === false) return false;
    if (truth !== null && attacks?.has(truth.attack) === false) return false;
    if (isOverVpn && isOfConnections(kind) && !goesOverVpn(activity)) return false;
    return seen >= 1 || draws(id, IS_SEEN).next() < seen;
  };

  const timeOf = ({ id, at }: Activity): Micros =>
    at + error + (delay === 0 ? 0 : Math.round(Math.min(longest, draws(id, DELAY).exponential(delay))));

  const compute = (minute: number): ObservedMinute => {
    const begin = minute * MICROS_PER_MINUTE;
    const end = begin + MICROS_PER_MINUTE;
    const found: Activity[] = [];
    const times: Micros[] = [];
    const ofAttacks: Activity[] = [];
    const timesOfAttacks: Micros[] = [];
    let looked = 0;
    const first = Math.floor((begin - error - longest) / MICROS_PER_MINUTE);
    const last = Math.floor((end - 1 - error) / MICROS_PER_MINUTE);
    for (let other = first; other <= last; other++) {
      const activities = minuteOf(other);
      looked += activities.length;
      for (const activity of activities) {
        if (!isSelected(activity)) continue;
        const at = timeOf(activity);
        if (at < begin || at >= end) continue;
        const isNormal = activity.truth === null;
        (isNormal ? found : ofAttacks).push(activity);
        (isNormal ? times : timesOfAttacks).push(at);
      }
    }
    const attacked = apart(ofAttacks, timesOfAttacks, end);
    return { ...withAttacks(apart(found, times, end), attacked, end), looked };
  };

  return { minute: rememberLast(compute, ({ activities }) => activities.length).of };
};
