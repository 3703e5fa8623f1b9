import { describe, expect, test } from '@jest/globals';
import type { ClusterUser } from '../../src/world/activity/cluster/clusterUser.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { CLUSTER_RECIPES } from '../../src/world/attack/cluster.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD, type WorldSpec } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday. */
const MORNING = minuteOf('2026-11-24T09:00:00Z');
const KINDS = ['use_cluster'] as const;

const callsOf = (spec: WorldSpec, from: number, minutes: number): readonly Activity[] => {
  const look = makeWorld(spec).lookAt({ kinds: KINDS });
  return Array.from({ length: minutes }, (_, index) => look(from + index)).flat();
};
const isNormal = ({ truth }: Pick<Activity, 'truth'>): boolean => truth === null;
const userOf = ({ facts }: Pick<Activity, 'facts'>): ClusterUser => facts['user'] as ClusterUser;
const nameOf = (one: Pick<Activity, 'facts'>): string => userOf(one).username;
const what = ({ facts }: Pick<Activity, 'facts'>): string =>
  [facts['verb'], facts['resource'], facts['subresource']].filter((part) => part !== null).join(' ');
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const world = makeWorld(DEFAULT_WORLD);
const all = callsOf(DEFAULT_WORLD, MORNING, 60);
const calls = all.filter(isNormal);
const NODES = world.population.servers.filter(({ role }) => role === 'kubernetes_node');

/** The calls about each pod that is made within what is seen, in order. */
const livesOfPods = (): readonly (readonly Activity[])[] => {
  const lives = new Map<unknown, Activity[]>();
  for (const one of calls) {
    const { uid } = one.facts;
    if (what(one) === 'create pods') lives.set(uid, [one]);
    else lives.get(uid)?.push(one);
  }
  return [...lives.values()];
};

describe('the cluster of a world', () => {
  test('has pods that are made, placed on a node, run there by its kubelet, and deleted', () => {
    const lives = livesOfPods();
    expect(lives.length).toBeGreaterThan(100);
    let deleted = 0;
    for (const life of lives) {
      const [made, bound, ...rest] = life;
      // Who makes a pod for a node needs no scheduler.
      if (made === undefined || nameOf(made).endsWith('-controller') === false) continue;
      if (bound === undefined) continue;
      expect(what(bound)).toBe('create pods binding');
      const node = /"target":\{"kind":"Node","name":"([^"]+)"/.exec(String(bound.facts['body']))?.[1];
      const kubelets = rest.filter((one) => what(one) === 'patch pods status');
      for (const one of kubelets) expect(nameOf(one)).toBe(`system:node:${node}`);
      const whats = rest.map(what);
      const end = whats.indexOf('delete pods');
      if (end < 0) continue;
      deleted++;
      expect(whats.indexOf('patch pods status')).toBeLessThan(end);
    }
    expect(deleted).toBeGreaterThan(50);
  });

  test('tells of a watch when it begins and when it ends, under one number', () => {
    const begun = new Map(
      calls
        .filter(({ facts }) => facts['stage'] === 'ResponseStarted')
        .map((one) => [one.facts['call_id'], one]),
    );
    expect(begun.size).toBeGreaterThan(500);
    let ended = 0;
    for (const { at, facts } of calls) {
      const first = begun.get(facts['call_id']);
      if (facts['stage'] !== 'ResponseComplete' || first === undefined) continue;
      ended++;
      expect(at - first.at).toBeGreaterThan(299e6);
      expect(facts['uri']).toBe(first.facts['uri']);
      const receivedAt = at - (facts['microseconds'] as number);
      expect(receivedAt).toBe(first.at - (first.facts['microseconds'] as number));
    }
    expect(ended).toBeGreaterThan(400);
  });

  test('is used by nodes and their pods from their addresses, and by people at work from where they are', () => {
    const byName = new Map(NODES.map((node) => [node.name, node.ip]));
    const people = new Set<number>();
    let away = 0;
    for (const one of calls) {
      const { ip, node } = one.facts;
      if (typeof node === 'string') expect(ip).toBe(byName.get(node));
      if (nameOf(one).startsWith('system:node:')) expect(ip).toBe(byName.get(nameOf(one).slice(12)));
      const { person } = one;
      if (person === null) continue;
      people.add(person.number);
      expect([nameOf(one), person.is_engineer]).toEqual([person.email, true]);
      const isJump = world.population.servers.some((host) => host.role === 'jump_host' && host.ip === ip);
      if (String(ip).startsWith('198.')) away++;
      else if (!isJump) expect([person.workstation.ip, person.vpn_ip]).toContain(ip);
      const [first] = world.day(person, Math.floor(one.at / 86_400e6));
      expect(first?.from).toBeLessThan(one.at);
    }
    expect(people.size).toBeGreaterThan(15);
    expect(away).toBeLessThan(calls.filter(({ person }) => person !== null).length / 5);
  });

  test('refuses who has no rights or no token, and says why', () => {
    const refused = calls.filter(({ facts }) => facts['refusal'] !== null);
    expect(refused.length / calls.length).toBeGreaterThan(0.01);
    expect(new Set(refused.map(({ facts }) => facts['code']))).toEqual(new Set([401, 403, 404, 409]));
    for (const { facts } of refused) {
      expect(facts['message']).not.toBe('');
      expect(facts['decision']).toBe(
        facts['code'] === 401 ? null : facts['code'] === 403 ? 'forbid' : 'allow',
      );
    }
    const strangers = calls.filter((one) => nameOf(one) === 'system:anonymous');
    expect(strangers.some(({ facts }) => facts['code'] === 403)).toBe(true);
    expect(strangers.every(({ facts }) => facts['code'] !== 200 || facts['resource'] === null)).toBe(true);
  });

  test('has bodies that are JSON, in requests that were allowed', () => {
    const bodies = calls.filter(({ facts }) => facts['body'] !== null);
    expect(bodies.length).toBeGreaterThan(2_000);
    for (const { facts } of bodies) {
      expect(typeof JSON.parse(String(facts['body']))).toBe('object');
      expect([facts['level'], facts['code'] === 403]).toEqual(['Request', false]);
    }
  });

  test('has less to do at night, when nobody is at work, and jobs by the clock at any hour', () => {
    const night = callsOf(DEFAULT_WORLD, minuteOf('2026-11-24T02:00:00Z'), 30).filter(isNormal);
    expect(calls.length / 2).toBeGreaterThan(1.2 * night.length);
    expect(night.filter(({ person }) => person !== null)).toEqual([]);
    const jobs = night.filter((one) => what(one) === 'create jobs');
    expect(jobs.length).toBeGreaterThan(15);
    for (const { at } of jobs) expect(at % 60e6).toBeLessThan(10e6);
  });

  test('is larger with more people, and takes as long for a call', () => {
    const many = callsOf({ ...DEFAULT_WORLD, load: 10 }, MORNING, 10).filter(isNormal);
    const few = calls.filter(({ at }) => at < (MORNING + 10) * 60e6);
    expect(many.length / few.length).toBeGreaterThan(2);
    const took = (given: readonly Activity[]): number =>
      mean(
        given
          .filter((one) => what(one) === 'get secrets')
          .map(({ facts }) => facts['microseconds'] as number),
      );
    expect(took(many) / took(few)).toBeGreaterThan(0.85);
    expect(took(many) / took(few)).toBeLessThan(1.15);
  });

  test('is asked at moments that vary as those of a Poisson process', () => {
    const counts = new Array<number>(3_600).fill(0);
    for (const one of calls)
      if (what(one) === 'create tokenreviews') {
        const second = Math.floor(one.at / 1e6) - MORNING * 60;
        counts[second] = (counts[second] as number) + 1;
      }
    const variance = mean(counts.map((count) => (count - mean(counts)) ** 2));
    expect(variance / mean(counts)).toBeGreaterThan(0.9);
    expect(variance / mean(counts)).toBeLessThan(1.15);
  });

  test('is the same when a minute is entered at once, to those who look at more, and on the day of a person', () => {
    const small = { ...DEFAULT_WORLD, people: 40 };
    const isOf = ({ kind }: Activity): boolean => kind === 'use_cluster';
    const alone = makeWorld(small).lookAt({ kinds: KINDS })(MORNING + 7);
    expect(
      JSON.stringify(
        makeWorld(small)
          .minute(MORNING + 7)
          .filter(isOf),
      ),
    ).toBe(JSON.stringify(alone));
    const user = calls.find(({ person }) => person !== null);
    if (user === undefined || user.person === null) throw new Error('nobody uses the cluster');
    const minute = Math.floor(user.at / 60e6);
    const own = world
      .minutesOf(user.person)(minute)
      .filter((one) => isOf(one) && isNormal(one));
    const among = calls.filter(
      (one) => one.person?.number === user.person?.number && Math.floor(one.at / 60e6) === minute,
    );
    expect(JSON.stringify(own)).toBe(JSON.stringify(among));
  });

  test('has attacks of calls, users and programs that it has without one', () => {
    const kindOf = (one: Pick<Activity, 'facts'>): readonly string[] => [
      `${what(one)} ${String(one.facts['code'])}`,
      nameOf(one).includes('@') ? 'a person' : nameOf(one),
      String(one.facts['agent']),
      String(one.facts['namespace']),
    ];
    const known = new Set(callsOf(DEFAULT_WORLD, MORNING, 180).filter(isNormal).flatMap(kindOf));
    for (const attack of Object.keys(CLUSTER_RECIPES)) {
      const acts = world.campaign(attack, MORNING / 20);
      expect(acts.length).toBeGreaterThan(300);
      expect(acts.flatMap(kindOf).filter((one) => !known.has(one))).toEqual([]);
      const aimed = acts.filter(({ truth }) => truth?.phase !== 'use').length / acts.length;
      expect(aimed).toBeGreaterThan(0.2);
      expect(aimed).toBeLessThan(0.32);
    }
  });
});
