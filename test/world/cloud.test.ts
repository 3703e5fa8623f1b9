import { describe, expect, test } from '@jest/globals';
import type { CloudPrincipal } from '../../src/world/activity/cloud/principals.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { CLOUD_RECIPES } from '../../src/world/attack/cloud.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';

/** A Monday morning. */
const FROM = Date.parse('2026-03-02T09:00:00Z') / 60_000;
const KINDS = ['sso_access', 'sso_factor', 'cloud_sign_in', 'cloud_call'] as const;
const make = () => makeWorld({ ...DEFAULT_WORLD, people: 100 });
const world = make();
const minutes = Array.from({ length: 60 }, (_, minute) => world.lookAt({ kinds: KINDS })(FROM + minute));
const activities: readonly Activity[] = minutes.flat();
const byId = new Map(activities.map((one) => [one.id, one]));
const isIn = (kind: Activity['kind']) => activities.filter((one) => one.kind === kind && one.truth === null);
const grantsOf = ({ facts }: Activity): CloudPrincipal | null => facts['grants'] as CloudPrincipal | null;
const principalOf = ({ facts }: Activity): CloudPrincipal => facts['principal'] as CloudPrincipal;

describe('the cloud of a world', () => {
  test('lets a person in who opened its console and answered the second factor, from the same address', () => {
    const signIns = isIn('cloud_sign_in').filter(({ cause }) => byId.has(cause ?? -1));
    expect(signIns.length).toBeGreaterThan(5);
    for (const { cause, person, at, facts } of signIns) {
      const factor = byId.get(cause ?? -1) as Activity;
      expect([factor.kind, factor.facts['step'], factor.person]).toEqual(['sso_factor', 'accepted', person]);
      expect(factor.at).toBeLessThan(at);
      const { access } = facts['client'] as { readonly access: { readonly ip: string } };
      expect(access.ip).toBe(factor.facts['ip']);
    }
    const refused = isIn('sso_factor').filter(({ facts }) => facts['step'] === 'denied');
    const causes = new Set(signIns.map(({ cause }) => cause));
    expect(refused.filter(({ id }) => causes.has(id))).toEqual([]);
  });

  test('has no call of a session before the session was given', () => {
    const given = new Map<string, number>();
    for (const one of activities) {
      const key = grantsOf(one)?.access_key_id ?? null;
      if (key !== null && grantsOf(one)?.since !== null) given.set(key, one.at);
    }
    let seen = 0;
    for (const one of isIn('cloud_call')) {
      const granted = given.get(principalOf(one).access_key_id ?? '');
      if (granted === undefined) continue;
      seen++;
      expect(one.at).toBeGreaterThan(granted);
    }
    expect(seen).toBeGreaterThan(300);
  });

  test('goes on at the console for some minutes after the sign-in', () => {
    const since = new Map(isIn('cloud_sign_in').map((one) => [grantsOf(one)?.access_key_id, one.at]));
    const later = isIn('cloud_call').filter((one) => {
      const begin = since.get(principalOf(one).access_key_id);
      return begin !== undefined && one.at - begin > 3 * 60e6;
    });
    expect(later.length).toBeGreaterThan(50);
  });

  test('is the same when a minute is entered at once, and on the day of a person', () => {
    expect(make().lookAt({ kinds: KINDS })(FROM + 40)).toEqual(minutes[40]);
    const caller = isIn('cloud_call').find(({ person }) => person !== null)?.person;
    if (caller === undefined || caller === null) throw new Error('nobody calls');
    const own = world.minutesOf(caller);
    const known: ReadonlySet<string> = new Set(KINDS);
    for (const minute of [20, 21, 22, 40])
      expect(own(FROM + minute).filter(({ kind }) => known.has(kind))).toEqual(
        minutes[minute]?.filter(({ person }) => person?.number === caller.number),
      );
  });

  test('works at any hour, and more by day', () => {
    const at = (time: string): number => {
      const from = Date.parse(time) / 60_000;
      const some = Array.from({ length: 10 }, (_, minute) => world.lookAt({ kinds: KINDS })(from + minute));
      return some.flat().filter(({ kind, truth }) => kind === 'cloud_call' && truth === null).length;
    };
    const night = at('2026-03-04T01:00:00Z');
    expect(night).toBeGreaterThan(300);
    expect(at('2026-03-04T09:30:00Z')).toBeGreaterThan(1.2 * night);
  });

  test('has attacks of calls that it has without one', () => {
    const names = new Set(isIn('cloud_call').map(({ facts }) => facts['call']));
    for (const attack of Object.keys(CLOUD_RECIPES)) {
      const acts = world.campaign(attack, FROM / 20);
      expect(acts.length).toBeGreaterThan(40);
      const calls = acts.flatMap(({ facts }) => (facts['calls'] as readonly string[] | undefined) ?? []);
      const share = calls.filter((call) => names.has(call)).length / calls.length;
      expect(share).toBeGreaterThan(0.9);
    }
  });
});
