import {
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import type { Activity, ActivityKind } from '../kinds.js';
import { type Past, rememberPast } from '../past.js';
import type { LookedAt, Scribe, Surroundings } from '../scribe.js';
import { ACTIVE_SECONDS, flowFacts, isMetered, routersOf, scanMs } from './flows.js';

/** Purposes of draws of routers: what a connection carries when, and when a router tells how it is. */
const WHY = { parts: 490, load: 491 } as const;

/** A connection is followed for so many minutes at most. */
const MOST_MINUTES = 20;

/** Kinds that long connections inside come from. Nothing else is made to find those of the past. */
const MADE = new Set<ActivityKind>(['administer', 'use_share', 'connection']);
export const LONG_CONNECTIONS: LookedAt = {
  ...{ kinds: new Set<ActivityKind>(['connection']), made: MADE, madeOverVpn: MADE, attacks: null },
};

/** The connections that routers may tell of in a minute, with those of attacks. */
export const rememberLong = (look: (minute: number) => readonly Activity[]): Past =>
  rememberPast(look, MOST_MINUTES, (one) => one.kind === 'connection' && isMetered(one));

interface Part {
  readonly at: Micros;
  readonly began_at: Micros;
  readonly milliseconds: number;
  /** Share of all that the connection carries. */
  readonly share: number;
  readonly part: number;
  readonly isLast: boolean;
}

/** The parts of a connection whose records come within a minute. */
const partsWithin = ({ draws }: Surroundings, connection: Activity, from: Micros): readonly Part[] => {
  const { at: since, id, facts } = connection;
  const seconds = Math.min(facts['seconds'] as number, (MOST_MINUTES - 2) * ACTIVE_SECONDS);
  const count = Math.ceil(seconds / ACTIVE_SECONDS);
  const late = Math.round(scanMs(id) * MICROS_PER_MS);
  const own = draws.of(0, id, WHY.parts);
  const found: Part[] = [];
  const weights = Array.from({ length: count }, () => own.lognormal(1, 0.8));
  const whole = weights.reduce((sum, one) => sum + one, 0);
  for (let part = 0; part < count; part++) {
    const end = Math.min(seconds, (part + 1) * ACTIVE_SECONDS);
    const at = since + Math.round(end * MICROS_PER_SECOND) + late;
    if (at < from || at >= from + MICROS_PER_MINUTE) continue;
    found.push({
      at,
      began_at: since + part * ACTIVE_SECONDS * MICROS_PER_SECOND,
      milliseconds: Math.round((end - part * ACTIVE_SECONDS) * 1_000),
      share: (weights[part] as number) / whole,
      part,
      isLast: part === count - 1,
    });
  }
  return found;
};

/** Writes the records of a minute about connections inside that last, and how each router is. */
export const meterMinute = (
  scribe: Scribe,
  world: Surroundings,
  long: readonly Activity[],
  from: Micros,
): void => {
  scribe.from('routers');
  const base = { person: null, host: null, session: null, truth: null } as const;
  for (const [number, facts] of routersOf(world.population.sites).entries()) {
    const at = from + Math.floor(world.draws.of(number, from, WHY.load).next() * MICROS_PER_MINUTE);
    scribe.act({ ...base, kind: 'report_load', at, facts });
  }
  if (!scribe.isWanted('meter_flow')) return;
  for (const connection of long) {
    const { host, truth, facts } = connection;
    for (const { share, at, isLast, ...part } of partsWithin(world, connection, from))
      for (const is_back of [false, true]) {
        const carried = (what: string): number =>
          Math.max(1, Math.round((facts[is_back ? `${what}_in` : `${what}_out`] as number) * share));
        scribe.act({
          ...{ kind: 'meter_flow', at: is_back ? at + 200 : at, person: null, host, session: null, truth },
          facts: flowFacts(connection, world, {
            ...{ ...part, is_back, bytes: 40 + carried('bytes'), packets: carried('packets') },
            end: isLast ? 'over' : 'active',
          }),
        });
      }
  }
};
