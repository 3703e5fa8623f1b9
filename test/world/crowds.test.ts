import { describe, expect, test } from '@jest/globals';
import { MICROS_PER_MINUTE } from '../../src/domain/time/micros.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';

const MONDAY = (Date.UTC(2026, 2, 2, 10) * 1_000) / MICROS_PER_MINUTE;
const MINUTES = 6;
const PART = 0.3;

const { minute } = makeWorld(DEFAULT_WORLD);
const activities = Array.from({ length: MINUTES }, (_, index) => minute(MONDAY + index)).flat();
const normal = activities.filter(({ truth }) => truth === null);
const acts = normal.filter(({ cause }) => cause === null);

/** From which share on each name is shown. A name with several shares is there several times. */
const sharesOf = (
  given: readonly Activity[],
  nameOf: (activity: Activity) => unknown,
): readonly (number | null)[] => {
  const shares = new Map<unknown, Set<number | null>>();
  for (const activity of given) {
    const name = nameOf(activity);
    const of = shares.get(name) ?? new Set();
    shares.set(name, of.add(activity.shown_from?.share ?? null));
  }
  return [...shares.values()].flatMap((of) => [...of]);
};
const shownOf = (shares: readonly (number | null)[]): number =>
  shares.filter((share) => share !== null && share <= PART).length / shares.length;

describe('the crowds of a world', () => {
  test('have each person whole, with the workstation, from one share on', () => {
    const numberOf = ({ person, host }: Activity): number | null =>
      person?.number ?? (host?.role === 'workstation' ? host.number : null);
    const ofPeople = acts.filter((act) => numberOf(act) !== null);
    expect(ofPeople.every(({ shown_from }) => shown_from?.crowd === 'people')).toBe(true);
    const shares = sharesOf(ofPeople, numberOf);
    expect(shares.length).toBe(new Set(ofPeople.map(numberOf)).size);
    expect(shares.length).toBeGreaterThan(150);
    expect(Math.abs(shownOf(shares) - PART)).toBeLessThan(0.03);
  });

  test.each([
    ['web site', 'request_web', 'visit'],
    ['database', 'use_database', 'connection'],
    ['payment API', 'pay', 'payment'],
  ] as const)('have each visitor of the %s whole', (_, kind, fact) => {
    const visits = acts.filter((act) => act.kind === kind && act.person === null && act.shown_from !== null);
    expect(visits.every(({ shown_from }) => shown_from?.crowd === 'outside')).toBe(true);
    const shares = sharesOf(visits, ({ facts }) => facts[fact]);
    expect(shares.length).toBe(new Set(visits.map(({ facts }) => facts[fact])).size);
    expect(shares.length).toBeGreaterThan(150);
    expect(Math.abs(shownOf(shares) - PART)).toBeLessThan(0.1);
  });

  test('have each stranger whole, whatever is tried', () => {
    const tries = acts.filter(({ kind }) => ['probe', 'connect_vpn', 'try_remotely'].includes(kind));
    const ofStrangers = tries.filter(({ person }) => person === null);
    expect(ofStrangers.length).toBeGreaterThan(300);
    expect(ofStrangers.every(({ shown_from }) => shown_from?.crowd === 'outside')).toBe(true);
    const addresses = new Set(ofStrangers.map(({ facts }) => facts['ip']));
    expect(sharesOf(ofStrangers, ({ facts }) => facts['ip']).length).toBe(addresses.size);
  });

  test('have all that follows from an act with it', () => {
    const byId = new Map(normal.map((activity) => [activity.id, activity]));
    const effects = normal.flatMap((effect) => {
      const cause = effect.cause === null ? undefined : byId.get(effect.cause);
      return cause === undefined ? [] : [[effect, cause] as const];
    });
    expect(effects.length).toBeGreaterThan(10_000);
    expect(effects.filter(([effect, cause]) => effect.shown_from !== cause.shown_from)).toEqual([]);
  });

  test('have no servers, no services and no attacks', () => {
    const attacks = activities.filter(({ truth }) => truth !== null);
    expect(attacks.length).toBeGreaterThan(1_000);
    expect(attacks.filter(({ shown_from }) => shown_from !== null)).toEqual([]);
    const ofServers = acts.filter(({ kind }) => ['report_state', 'run_job', 'report_load'].includes(kind));
    expect(ofServers.length).toBeGreaterThan(50);
    expect(ofServers.filter(({ shown_from }) => shown_from !== null)).toEqual([]);
  });
});
