import { MICROS_PER_MINUTE } from '../../src/domain/time/micros.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import type { HostRole, Person, WorldHost } from '../../src/world/population/entities.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';
import type { World } from '../../src/world/world.js';

/** 2026-03-02T09:00:00Z, a whole minute. */
export const WORLD_START = Date.UTC(2026, 2, 2, 9) * 1000;
export const FIRST_MINUTE = WORLD_START / MICROS_PER_MINUTE;

const FIRST = makeWorld(DEFAULT_WORLD).population.person(0);
const HAMBURG = { ...FIRST.site, name: 'hamburg' };
export const ADA: Person = {
  ...FIRST,
  user: 'ada',
  site: HAMBURG,
  workstation: { ...FIRST.workstation, site: HAMBURG },
};

export const hostAt = (
  name: string,
  role: HostRole,
  family: 'windows' | 'linux',
  site = 'hamburg',
): WorldHost => ({
  ...ADA.workstation,
  name,
  role,
  os: { ...ADA.workstation.os, family },
  site: { ...ADA.site, name: site },
});

/** An activity some microseconds after the start. */
export const activityAt = (micros: number, id: number, more: Partial<Activity> = {}): Activity => ({
  id,
  at: WORLD_START + micros,
  kind: 'logon',
  person: ADA,
  host: ADA.workstation,
  session: 'S1',
  facts: {},
  cause: null,
  truth: null,
  shown_from: null,
  ...more,
});

export const attack = (name: string): Activity['truth'] => ({
  attack: name,
  campaign: 1,
  phase: 'access',
  technique: 'T1110.003',
});

/** A world of given activities, in any order; `asked` are the minutes that were computed. */
export const worldWith = (activities: readonly Activity[]): World & { readonly asked: number[] } => {
  const asked: number[] = [];
  const sorted = [...activities].sort((one, two) => one.at - two.at);
  const minute: World['minute'] = (number) => {
    asked.push(number);
    return sorted.filter(({ at }) => Math.floor(at / MICROS_PER_MINUTE) === number);
  };
  return {
    spec: DEFAULT_WORLD,
    population: { size: 1, person: () => ADA, servers: [] },
    asked,
    minute,
    lookAt: () => minute,
    minutesOf: () => minute,
    day: () => [],
    campaign: () => [],
    attacks: { spray: 'One password, many accounts.', theft: 'Somebody takes files.' },
  };
};
