import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { SEARCHING } from '../../../../src/domain/events/timestampBatch.js';
import type { Json } from '../../../../src/domain/json.js';
import { MICROS_PER_MINUTE, MICROS_PER_SECOND } from '../../../../src/domain/time/micros.js';
import { checkWorldNames, worldPlugin } from '../../../../src/plugins/inputs/world/plugin.js';
import { worldInput } from '../../../../src/plugins/inputs/world/worldInput.js';
import type { Input } from '../../../../src/plugins/kit.js';
import { buildInput } from '../../../support/pipelines/inputs.js';
import { activityAt, attack, WORLD_START, worldWith } from '../../../support/worlds.js';

const SELECTION = {
  kinds: ['logon'] as const,
  os: null,
  roles: null,
  sites: null,
  seen: 1,
  delay_seconds: 0,
  clock_error_seconds: 0,
};

/** One activity every 10 s for ten minutes. */
const world = worldWith(
  Array.from({ length: 60 }, (_, index) => activityAt(index * 10 * MICROS_PER_SECOND, index)),
);

const inputOf = (more: Partial<Parameters<typeof worldInput>[0]> = {}): Input =>
  worldInput({
    world,
    selection: SELECTION,
    anomaly: 'none',
    from: WORLD_START,
    end: WORLD_START + 10 * MICROS_PER_MINUTE,
    ...more,
  });

/** Seconds after the start. */
const secondsOf = (input: Input, most = 1_000, step = 7): readonly number[] => {
  const found: number[] = [];
  const out = new Float64Array(step);
  while (found.length < most) {
    const count = input.fill(out.subarray(0, Math.min(step, most - found.length)));
    if (count === SEARCHING) continue;
    if (count === 0) break;
    found.push(...out.subarray(0, count));
  }
  return found.map((micros) => (micros - WORLD_START) / MICROS_PER_SECOND);
};

describe('timestamps', () => {
  test('are those of the activities, from the start until before the end', () => {
    const second = (count: number): number => WORLD_START + count * MICROS_PER_SECOND;
    expect(secondsOf(inputOf({ from: second(10), end: second(130) }))).toEqual(
      Array.from({ length: 12 }, (_, index) => (index + 1) * 10),
    );
    expect(secondsOf(inputOf({ from: second(11), end: second(31) }))).toEqual([20, 30]);
    expect(secondsOf(inputOf({ from: second(11), end: second(11) }))).toEqual([]);
  });

  test('are with `attack_only` those of the whole campaigns of an attack, whatever the globals say', async () => {
    const hour = { start: '2026-03-02T09:05:00Z', end: '2026-03-02T10:05:00Z' };
    const attack = { kinds: ['process_start'], anomaly: 'ransomware', attack_only: true };
    const input = await buildInput(worldPlugin, { people: 60, ...attack, ...hour });
    if (typeof input === 'string') throw new Error(input);
    const times = secondsOf(input).map((seconds) => WORLD_START + seconds * MICROS_PER_SECOND);
    const truths = times.map((at) => input.activities?.at(Math.round(at))?.truth);
    expect(truths.length).toBeGreaterThan(20);
    expect(new Set(truths.map((truth) => truth?.attack))).toEqual(new Set(['ransomware']));
    // One begins between 09:20 and 09:25, the one before too early, the one after too late to end.
    const campaigns = new Set(truths.map((truth) => truth?.campaign));
    expect([...campaigns]).toEqual([Date.parse('2026-03-02T09:20:00Z') / 60_000 / 20]);
    expect(input.activities?.isFixed).toBe(true);
  });

  test('are, when nobody else changes the globals, those of the attacks that have been shown so far', () => {
    const minute = MICROS_PER_MINUTE / MICROS_PER_SECOND;
    const both = [attack('spray'), attack('theft')].flatMap((truth, index) =>
      Array.from({ length: 3 }, (_, at) =>
        activityAt(at * MICROS_PER_MINUTE + index + 1, at * 2 + index, { truth }),
      ),
    );
    let shown = 'none';
    const input = inputOf({ world: worldWith(both), attackNow: () => shown });
    expect(input.fill(new Float64Array(9))).toBe(0);
    const other = inputOf({ world: worldWith(both), attackNow: () => shown });
    shown = 'spray';
    expect(secondsOf(other, 1)).toEqual([1e-6]);
    shown = 'theft';
    expect(secondsOf(other, 3)).toEqual([2e-6, minute + 1e-6, minute + 2e-6]);
    expect(other.activities?.at(WORLD_START + 1)?.truth?.attack).toBe('spray');
  });

  test('go on after a restore, in any place, also with another start', () => {
    const all = secondsOf(inputOf());
    expect(all).toHaveLength(60);
    for (const used of [0, 1, 6, 7, 31, 60]) {
      const input = inputOf();
      const before = secondsOf(input, used);
      const state = JSON.parse(JSON.stringify(input.snapshot())) as Json;
      const resumed = inputOf({ from: WORLD_START + 999, end: WORLD_START + 1_000 });
      resumed.restore(state);
      expect([...before, ...secondsOf(resumed)]).toEqual(all);
    }
  });

  test('of a rare kind are searched for in pieces, so that other work gets a turn', () => {
    const rare = worldWith([activityAt(3 * 24 * 60 * MICROS_PER_MINUTE, 1)]);
    const input = inputOf({ world: rare, end: WORLD_START + 7 * 24 * 60 * MICROS_PER_MINUTE });
    const out = new Float64Array(4);
    const answers: number[] = [];
    do answers.push(input.fill(out));
    while (answers.at(-1) === SEARCHING);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.at(-1)).toBe(1);
    expect(input.searchedTo?.()).toBe((out[0] as number) + 1);
  });

  test('have their activity, in order and out of it', () => {
    const activities = inputOf().activities;
    const idAt = (seconds: number): number | undefined =>
      activities?.at(WORLD_START + seconds * MICROS_PER_SECOND)?.id;
    expect([0, 10, 20, 590, 30, 31, 60].map(idAt)).toEqual([0, 1, 2, 59, 3, undefined, 6]);
    expect(activities?.kinds).toEqual(['logon']);
  });
});

describe('parameters', () => {
  test.each<readonly [object, RegExp]>([
    [{}, /kinds is required/],
    [{ kinds: [] }, /kinds must have at least 1/],
    [{ kinds: ['logon_faild'] }, /kinds\[0\] must be one of \d+ names/],
    [{ kinds: ['logon'], people: 0 }, /people must be/],
    [{ kinds: ['logon'], load: 0 }, /load must be/],
    [{ kinds: ['logon'], where: { os: 'mac' } }, /where\.os must be one of windows, linux/],
    [{ kinds: ['logon'], where: { roles: ['printer'] } }, /where\.roles\[0\]/],
    [{ kinds: ['logon'], sensor: { seen: 2 } }, /sensor\.seen/],
    [{ kinds: ['logon'], sensor: { delay: 61 } }, /sensor\.delay/],
    [{ kinds: ['logon'], sensor: { clock_error: -61 } }, /sensor\.clock_error/],
    [{ kinds: ['logon'], start: '2026-01-02', end: '2026-01-01' }, /end/],
  ])('%j are refused', async (params, reason) => {
    expect(await buildInput(worldPlugin, params)).toMatch(reason);
  });

  test('name sites and attacks of the world, and errors say where and what there is', () => {
    const problemOf = (params: Parameters<typeof checkWorldNames>[0]) => {
      const checked = checkWorldNames(params, world);
      return E.isLeft(checked) ? checked.left.issues?.[0] : null;
    };
    const where = { os: null, roles: null, over_vpn: false, sites: ['hamburg', 'zurch'] };
    expect(problemOf({ where, anomaly: 'none' })).toMatchObject({
      path: ['where', 'sites', 1],
      hint: "Did you mean 'zurich'?",
    });
    expect(problemOf({ where: null, anomaly: 'sprai' })).toMatchObject({
      path: ['anomaly'],
      hint: "Did you mean 'spray'?",
    });
    expect(problemOf({ where: null, anomaly: 'theft' })).toBeNull();
  });
});
