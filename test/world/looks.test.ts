import { describe, expect, test } from '@jest/globals';
import type { ActivityKind } from '../../src/world/activity/kinds.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';

const SMALL = { ...DEFAULT_WORLD, people: 30 };
/** A Tuesday morning. */
const MORNING = Date.parse('2026-11-24T08:00:00Z') / 60_000;

const kindsIn = (activities: readonly { readonly kind: ActivityKind }[]): ReadonlySet<ActivityKind> =>
  new Set(activities.map(({ kind }) => kind));

describe('a world with several sources', () => {
  test('makes nothing more for a source that has ended', () => {
    const world = makeWorld(SMALL);
    const ending = new AbortController();
    const own = world.lookAt({ kinds: ['logon'] });
    const other = world.lookAt({ kinds: ['dns_query'] }, ending.signal);
    expect(kindsIn(other(MORNING))).toEqual(new Set(['logon', 'dns_query']));
    ending.abort();
    expect(kindsIn(own(MORNING + 2))).toEqual(new Set(['logon']));
  });

  test('makes nothing for a source that had ended before it looked', () => {
    const world = makeWorld(SMALL);
    world.lookAt({ kinds: ['dns_query'] }, AbortSignal.abort());
    expect(kindsIn(world.lookAt({ kinds: ['logon'] })(MORNING))).toEqual(new Set(['logon']));
  });

  test('shows one that goes on the same as before, and as alone', () => {
    const alone = makeWorld(SMALL).lookAt({ kinds: ['logon'] });
    const world = makeWorld(SMALL);
    const ending = new AbortController();
    const own = world.lookAt({ kinds: ['logon'] });
    world.lookAt({ kinds: ['connection', 'meter_flow'] }, ending.signal);
    for (const minute of [0, 1, 2, 3, 4, 5]) {
      if (minute === 3) ending.abort();
      expect(own(MORNING + minute).filter(({ kind }) => kind === 'logon')).toEqual(alone(MORNING + minute));
    }
  });

  test('goes on for the second of two that look at the same, when the first has ended', () => {
    const world = makeWorld(SMALL);
    const ending = new AbortController();
    world.lookAt({ kinds: ['logon'] }, ending.signal);
    const second = world.lookAt({ kinds: ['logon'] });
    world.lookAt({ kinds: ['dns_query'] });
    ending.abort();
    expect(kindsIn(second(MORNING))).toEqual(new Set(['logon', 'dns_query']));
  });

  test('shows a source that comes back all that it missed', () => {
    const world = makeWorld(SMALL);
    const attacks = new Set(['beaconing']);
    const kinds: readonly ActivityKind[] = ['connection'];
    const expected = makeWorld(SMALL).lookAt({ kinds, attacks })(MORNING);
    const ending = new AbortController();
    world.lookAt({ kinds, attacks }, ending.signal)(MORNING);
    const none = world.lookAt({ kinds, attacks: new Set() });
    ending.abort();
    expect(none(MORNING + 3).some(({ truth }) => truth !== null)).toBe(false);
    expect(world.lookAt({ kinds, attacks })(MORNING)).toEqual(expected);
  });

  test('keeps no minutes once nobody looks', () => {
    const world = makeWorld(SMALL);
    const ending = new AbortController();
    const first = world.lookAt({ kinds: ['logon'] }, ending.signal)(MORNING);
    ending.abort();
    const again = world.lookAt({ kinds: ['logon'] })(MORNING);
    expect(again).toEqual(first);
    expect(again).not.toBe(first);
  });
});
