import { describe, expect, test } from '@jest/globals';
import type { Activity } from '../../src/world/activity/kinds.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';

/** A Monday morning. */
const FROM = Date.parse('2026-03-02T09:00:00Z') / 60_000;
const world = makeWorld({ ...DEFAULT_WORLD, people: 100 });
const activities: readonly Activity[] = Array.from({ length: 40 }, (_, minute) =>
  world.minute(FROM + minute),
).flat();
const byId = new Map(activities.map((one) => [one.id, one]));
const people = new Map(
  Array.from({ length: world.population.size }, (_, number) => {
    const person = world.population.person(number);
    return [person.user, person];
  }),
);

describe('a Windows domain in a world', () => {
  test('gives an account the same identifier wherever it is named, and that of its person', () => {
    const rids = new Map<string, number>();
    for (const { facts } of activities)
      for (const [account, rid] of [
        [facts['account'], facts['rid']],
        [facts['target'], facts['target_rid']],
      ]) {
        if (typeof account !== 'string' || typeof rid !== 'number') continue;
        expect([account, rid]).toEqual([account, rids.get(account) ?? rid]);
        rids.set(account, rid);
      }
    expect(rids.size).toBeGreaterThan(50);
    for (const [account, rid] of rids) expect(people.get(account)?.rid ?? rid).toBe(rid);
    const ofDomain = [...rids].filter(([, rid]) => rid > 0);
    expect(new Set(ofDomain.map(([, rid]) => rid)).size).toBe(ofDomain.length);
  });

  test('has a check of every NTLM password, right or wrong', () => {
    const checked = new Set(
      activities.flatMap(({ kind, cause }) => (kind === 'ntlm' && cause !== null ? [cause] : [])),
    );
    const last = (activities.at(-1) as Activity).at - 60e6;
    for (const { id, kind, at, cause, facts, host } of activities) {
      if (facts['package'] !== 'NTLM' || host?.os.family !== 'windows' || at > last) continue;
      if (cause === null || !byId.has(cause)) continue;
      expect(checked.has(kind === 'logon_failed' ? cause : id)).toBe(true);
    }
  });

  test('has logons from outside without an attack, and files that are opened after the logon only', () => {
    const isOutside = (ip: unknown): boolean => String(ip).startsWith('198.');
    const normal = activities.filter(({ truth }) => truth === null);
    for (const kind of ['logon', 'logon_failed'])
      expect(normal.some((one) => one.kind === kind && isOutside(one.facts['ip']))).toBe(true);
    const begun = new Map<string, number>();
    for (const { kind, session, at } of activities) {
      if (session === null) continue;
      if (kind === 'logon') begun.set(session, at);
      if (kind === 'share_access' && at > FROM * 60e6 + 60e6) expect(begun.has(session)).toBe(true);
    }
  });
});
