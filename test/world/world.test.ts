import { describe, expect, test } from '@jest/globals';
import type { Activity, ActivityKind } from '../../src/world/activity/kinds.js';
import { ACTIVITY_KINDS, ALL_ACTIVITY_KINDS } from '../../src/world/activity/kinds.js';
import { GUESSED_ACCOUNTS, SERVICE_ACCOUNTS } from '../../src/world/activity/linux/programs.js';
import { routersOf } from '../../src/world/activity/routers/flows.js';
import { RULES } from '../../src/world/activity/rules/rules.js';
import { ACTS_PER_MINUTE } from '../../src/world/attack/campaigns.js';
import { CAMPAIGN_MINUTES } from '../../src/world/attack/names.js';
import { RECIPES } from '../../src/world/attack/recipes.js';
import { checkActivities } from '../../src/world/check.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { MADE_UP_HOST, type Person, type WorldHost } from '../../src/world/population/entities.js';
import { DEFAULT_WORLD, MAX_WORLD_PEOPLE } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday. */
const MORNING = minuteOf('2026-11-24T06:00:00Z');
const SMALL = { ...DEFAULT_WORLD, people: 30 };

const range = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index);

const activitiesOf = (
  world: ReturnType<typeof makeWorld>,
  from: number,
  count: number,
): readonly Activity[] => range(from, count).flatMap((minute) => world.minute(minute));

const NO_ATTACKS = {};
/** Twelve hours without attacks: these take most of the time. */
const day = activitiesOf(makeWorld(SMALL, RULES, NO_ATTACKS), MORNING, 720);
/** A few campaigns of each attack, by day. */
const attacked = activitiesOf(makeWorld(SMALL), MORNING + 240, 90);

describe('a world', () => {
  test('is the same at any minute, entered at once or reached from the start', () => {
    const run = makeWorld(SMALL);
    const texts = new Map(range(MORNING, 60).map((minute) => [minute, JSON.stringify(run.minute(minute))]));
    for (const minute of [59, 3, 12, 41, 0, 27, 15, 50].map((offset) => MORNING + offset))
      expect(JSON.stringify(makeWorld(SMALL).minute(minute))).toBe(texts.get(minute));
  });

  test('is the same to those who look at some of its kinds only', () => {
    const minutes = range(MORNING + 90, 4);
    const whole = makeWorld(SMALL);
    const all = minutes.flatMap((minute) => whole.minute(minute));
    const some: readonly (readonly ActivityKind[])[] = [
      ...Object.values(ACTIVITY_KINDS),
      ...(['logon', 'special_privileges', 'process_start', 'file_created', 'connection'] as const).map(
        (kind) => [kind],
      ),
    ];
    for (const kinds of some) {
      const seen = minutes.flatMap(makeWorld(SMALL).lookAt({ kinds }));
      expect(JSON.stringify(seen)).toBe(JSON.stringify(all.filter(({ kind }) => kinds.includes(kind))));
    }
  });

  test('is the same to those who look at connections over the VPN only, and makes no others for them', () => {
    const kinds: readonly ActivityKind[] = [
      'vpn_start',
      'vpn_failed',
      'keep_vpn',
      'connection',
      'report_load',
    ];
    const minutes = range(MORNING + 150, 25);
    const whole = makeWorld(SMALL);
    const isOver = ({ kind, facts }: Activity): boolean =>
      kind !== 'connection' || (facts['zone'] === 'vpn' && facts['to_zone'] === 'servers');
    const all = minutes.flatMap((minute) => whole.minute(minute)).filter(({ kind }) => kinds.includes(kind));
    const made = minutes.flatMap(makeWorld(SMALL).lookAt({ kinds, isOverVpn: true }));
    const over = made.filter(isOver);
    expect(JSON.stringify(over)).toBe(JSON.stringify(all.filter(isOver)));
    // Some of these are of an attack, and some of nobody's.
    expect(over.filter(({ kind, truth }) => kind === 'connection' && truth === null).length).toBeGreaterThan(
      50,
    );
    expect(over.filter(({ kind, truth }) => kind === 'connection' && truth !== null).length).toBeGreaterThan(
      50,
    );
    expect(made.length).toBeLessThan(over.length * 1.5);
    expect(all.length).toBeGreaterThan(over.length * 2.5);
  });

  test('makes all connections as soon as somebody else looks at them', () => {
    const world = makeWorld(SMALL);
    const kinds: readonly ActivityKind[] = ['connection'];
    const few = world.lookAt({ kinds, isOverVpn: true })(MORNING + 150).length;
    const all = world.lookAt({ kinds })(MORNING + 150);
    expect(all.length).toBeGreaterThan(few);
    expect(world.lookAt({ kinds, isOverVpn: true })(MORNING + 150)).toBe(all);
  });

  test('makes of campaigns those that somebody looks at, and the rest of the world is the same', () => {
    const kinds: readonly ActivityKind[] = ['process_start', 'connection'];
    const minutes = range(MORNING + 150, 25);
    const all = minutes.flatMap(makeWorld(SMALL).lookAt({ kinds }));
    const world = makeWorld(SMALL);
    const ofNone = minutes.flatMap(world.lookAt({ kinds, attacks: new Set(['none']) }));
    expect(JSON.stringify(ofNone)).toBe(JSON.stringify(all.filter(({ truth }) => truth === null)));
    const shown = all.filter(({ truth }) => truth === null || truth.attack === 'ransomware');
    expect(shown.length).toBeGreaterThan(ofNone.length);
    const ofOne = minutes.flatMap(world.lookAt({ kinds, attacks: new Set(['ransomware']) }));
    expect(JSON.stringify(ofOne)).toBe(JSON.stringify(shown));
    expect(JSON.stringify(minutes.flatMap(world.lookAt({ kinds })))).toBe(JSON.stringify(all));
  });

  test('has each device of the network report its load once a minute', () => {
    const reports = day.filter(({ kind }) => kind === 'report_load');
    const devices = new Set(reports.map(({ host, facts }) => host?.role ?? facts['router']));
    const routers = routersOf(DEFAULT_WORLD.organization.sites).map(({ router }) => router);
    expect(devices).toEqual(new Set(['firewall', 'vpn_gateway', ...routers]));
    expect(reports).toHaveLength(devices.size * 720);
  });

  test('shows a kind to whoever looks at it later', () => {
    const world = makeWorld(SMALL);
    const first = world.lookAt({ kinds: ['dns_query'] });
    const before = first(MORNING + 120);
    const second = world.lookAt({ kinds: ['logon', 'dns_query'] });
    expect(new Set(second(MORNING + 120).map(({ kind }) => kind))).toEqual(new Set(['logon', 'dns_query']));
    expect(first(MORNING + 120).filter(({ kind }) => kind === 'dns_query')).toEqual(before);
  });

  test('is another one with another seed', () => {
    const [one, other] = [7, 8].map((seed) => makeWorld({ ...SMALL, seed }));
    expect(one?.population.person(0).user).not.toBe(other?.population.person(0).user);
  });

  test('has no effect without its cause, and no cause without its effects, in order of time', () => {
    for (const some of [day, attacked]) {
      expect(some.length).toBeGreaterThan(100_000);
      expect(checkActivities(some)).toEqual([]);
      expect(some.every(({ at }, index) => index === 0 || at >= (some[index - 1] as Activity).at)).toBe(true);
    }
  });

  test('has the same activities of a person when only those are made', () => {
    for (const [attacks, among, from, count] of [
      [NO_ATTACKS, day, MORNING, 300],
      [undefined, attacked, MORNING + 240, 90],
    ] as const) {
      const world = makeWorld(SMALL, RULES, attacks);
      const end = (from + count) * 60e6;
      for (const number of [0, 17]) {
        const minutes = world.minutesOf(world.population.person(number));
        const alone = range(from, count).flatMap(minutes);
        expect(alone.length).toBeGreaterThan(100);
        const theirs = among.filter(({ at, person }) => at < end && person?.number === number);
        // The objects of a population lead to many others: texts are compared faster.
        expect(JSON.stringify(alone)).toBe(JSON.stringify(theirs));
      }
    }
  });

  const rows = Object.entries(RULES).flatMap(([kind, those]) =>
    those.map(({ effect }, index) => [kind as ActivityKind, effect, index] as const),
  );
  /** The first cause of each pair of kinds. */
  const firstOf = new Map<string, Activity>();
  const byId = new Map(day.map((one) => [one.id, one]));
  for (const { kind, cause } of byId.values()) {
    const from = cause === null ? undefined : byId.get(cause);
    const pair = `${from?.kind} leads to ${kind}`;
    if (from !== undefined && !firstOf.has(pair)) firstOf.set(pair, from);
  }
  test.each(rows)('%s leads to %s: without that rule the check fails', (kind, effect, index) => {
    const found = firstOf.get(`${kind} leads to ${effect}`);
    // A day of 30 people has each of them.
    expect(found).toBeDefined();
    const minute = Math.floor((found as Activity).at / 60e6);
    const kinds = [kind, effect];
    const during = day.filter(({ at }) => at >= minute * 60e6 && at < (minute + 3) * 60e6);
    const problemsOf = (some: readonly Activity[]): string =>
      // The last activity shows how long the check looks for effects.
      checkActivities([...some, ...during.slice(-1)])
        .map(({ message }) => message)
        .join('\n');
    expect(problemsOf(during.filter((one) => kinds.includes(one.kind)))).not.toContain(
      `it led to ${effect} `,
    );
    const without = { ...RULES, [kind]: RULES[kind]?.filter((_, one) => one !== index) };
    const seen = range(minute, 3).flatMap(makeWorld(SMALL, without, NO_ATTACKS).lookAt({ kinds }));
    expect(problemsOf(seen)).toContain(`it led to ${effect} `);
  });

  test('has each of its kinds within a day', () => {
    const seen = new Set(day.map(({ kind }) => kind));
    expect(ALL_ACTIVITY_KINDS.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});

describe('the people of a world', () => {
  const world = makeWorld({ ...DEFAULT_WORLD, people: 1_000 });
  const people = range(0, 1_000).map(world.population.person);

  test('have names, addresses and hosts of their own', () => {
    for (const key of ['user', 'email', 'full_name', 'rid', 'vpn_ip'] as const)
      expect(new Set(people.map((person) => person[key])).size).toBe(1_000);
    const hosts = [...people.map(({ workstation }) => workstation), ...world.population.servers];
    for (const key of ['name', 'ip', 'id', 'mac', 'number'] as const)
      expect(new Set(hosts.map((host) => host[key])).size).toBe(hosts.length);
    expect(hosts.filter(({ name }) => !MADE_UP_HOST.test(name))).toEqual([]);
  });

  test('are first those of the staff, and nobody who is made up has anything of theirs', () => {
    const taken = world.population.person(5);
    const plain = { first_name: null, last_name: null, department: null, title: null, site: null };
    const staff = [
      { ...plain, user: 'ada.byron', email: null, host: 'ZH-1', ip: '172.16.0.9', site: 'zurich' },
      { ...plain, user: taken.user, email: null, host: null, ip: taken.workstation.ip, department: 'it' },
      { ...plain, user: 'jdoe', email: people[8]?.email ?? '', host: null, ip: null },
    ];
    const { population } = makeWorld({ ...DEFAULT_WORLD, people: 1_000, staff });
    const all = range(0, 1_000).map(population.person);
    expect(all[0]).toMatchObject({
      ...{ user: 'ada.byron', full_name: 'Ada Byron', email: 'ada.byron@corp.example.com' },
      ...{ workstation: { name: 'ZH-1', fqdn: 'zh-1.corp.example.com', ip: '172.16.0.9' } },
      site: { name: 'zurich' },
    });
    expect(all[1]).toMatchObject({ user: taken.user, is_admin: true });
    expect(all[2]).toMatchObject({ full_name: 'Jdoe', last_name: '', email: people[8]?.email });
    for (const key of ['user', 'email'] as const)
      expect(new Set(all.map((person) => person[key])).size).toBe(1_000);
    for (const key of ['name', 'ip'] as const)
      expect(new Set(all.map(({ workstation }) => workstation[key])).size).toBe(1_000);
    // Whoever has nothing of theirs is as before.
    expect(all[400]).toEqual(people[400]);
  });

  test('are those whom every activity names, at hosts that exist', () => {
    const known = new Set<Person | WorldHost>([
      ...people,
      ...people.map(({ workstation }) => workstation),
      ...world.population.servers,
    ]);
    const users = new Set(people.map(({ user }) => user));
    const addresses = new Set(
      [...known].flatMap((one) => ('ip' in one ? [one.ip] : [one.vpn_ip, one.home.ip])),
    );
    // Printers and phones are in 10.200.0.0/16, devices from 10.210.0.0/16 on. Strangers and scanners try accounts that are not there, and are told so.
    const others: ReadonlySet<string> = new Set([...SERVICE_ACCOUNTS, ...GUESSED_ACCOUNTS]);
    const ofMachines = /^(?:svc-|ext-\d+$|root$|SYSTEM$|(?:LOCAL|NETWORK) SERVICE$|administrator$|.*\$$)/;
    const isUnknown = ({ reason, status }: Activity['facts']): boolean =>
      reason === 'unknown_user' || status === '0xc0000064';
    const isNamed = (account: string, facts: Activity['facts']): boolean =>
      users.has(account) || others.has(account) || ofMachines.test(account) || isUnknown(facts);
    const strangers = activitiesOf(world, MORNING + 180, 3).filter(({ person, host, facts }) => {
      const { account, ip, to } = facts;
      return !(
        (person === null || known.has(person)) &&
        (host === null || known.has(host)) &&
        (typeof account !== 'string' || isNamed(account, facts)) &&
        (typeof ip !== 'string' || !/^10\.(?!200\.|2[1-3]\d\.)/.test(ip) || addresses.has(ip)) &&
        (to === null || typeof to !== 'object' || known.has(to as WorldHost))
      );
    });
    expect(strangers).toEqual([]);
  });

  test('work by day and on weekdays, as long at any load', () => {
    const lengths = (load: number): number => {
      const one = makeWorld({ ...DEFAULT_WORLD, load });
      const spans = range(0, Math.min(400, one.population.size)).flatMap((number) => {
        const [first] = one.day(one.population.person(number), 20_781);
        return first === undefined ? [] : [(first.to - first.from) / 3.6e9];
      });
      return spans.reduce((sum, hours) => sum + hours, 0) / spans.length;
    };
    expect(Math.abs(lengths(1) - 8.6)).toBeLessThan(0.3);
    expect(Math.abs(lengths(20) / lengths(1) - 1)).toBeLessThan(0.03);
    const count = (text: string): number =>
      world.minute(minuteOf(text)).filter(({ person }) => person !== null).length;
    expect(count('2026-11-24T10:00:00Z')).toBeGreaterThan(5 * count('2026-11-24T01:00:00Z'));
    expect(count('2026-11-24T10:00:00Z')).toBeGreaterThan(3 * count('2026-11-28T10:00:00Z'));
  });

  test('act at random moments: the seconds of an hour vary as those of a Poisson process, with all microseconds', () => {
    const look = makeWorld({ ...DEFAULT_WORLD, people: 1_000 }).lookAt({ kinds: ['use_application'] });
    const acts = range(MORNING + 240, 30).flatMap(look);
    const counts = new Array<number>(1_800).fill(0);
    for (const { at } of acts) {
      const second = Math.floor(at / 1e6) - (MORNING + 240) * 60;
      counts[second] = (counts[second] as number) + 1;
    }
    const mean = acts.length / counts.length;
    const variance = counts.reduce((sum, one) => sum + (one - mean) ** 2, 0) / counts.length;
    expect(variance / mean).toBeGreaterThan(0.9);
    expect(variance / mean).toBeLessThan(1.15);
    expect(acts.filter(({ at }) => at % 1_000 === 0).length).toBeLessThan(acts.length / 100);
  });
});

describe('the attacks of a world', () => {
  test('stay as they are, whatever others there are', () => {
    const { dga, mfa_fatigue, root_shell } = RECIPES;
    const [some, more] = [dga, root_shell].map((first) =>
      activitiesOf(makeWorld(SMALL, RULES, { first, mfa_fatigue, last: first }), MORNING + 300, 20)
        .filter(({ truth }) => truth?.attack === 'mfa_fatigue')
        .map(({ at, kind, facts }) => JSON.stringify([at, kind, facts])),
    );
    expect(some?.length).toBeGreaterThan(20);
    expect(some).toEqual(more);
  });

  test('have room in every minute of the largest world', () => {
    const largest = makeWorld({ ...DEFAULT_WORLD, people: MAX_WORLD_PEOPLE });
    const number = (text: string): number => Math.floor(minuteOf(text) / CAMPAIGN_MINUTES);
    for (const attack of Object.keys(largest.attacks))
      for (const at of ['2026-11-24T10:00:00Z', '2026-11-24T14:00:00Z', '2026-11-25T02:00:00Z']) {
        const minutes = new Map<number, number>();
        for (const act of largest.campaign(attack, number(at))) {
          const minute = Math.floor(act.at / 60_000_000);
          minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
        }
        expect([attack, at, Math.max(...minutes.values()) <= ACTS_PER_MINUTE]).toEqual([attack, at, true]);
      }
  });

  test('have the kinds of normal activities, and one truth from act to effect', () => {
    const normal = new Set(day.map(({ kind }) => kind));
    const attacks = attacked.filter(({ truth }) => truth !== null);
    expect(new Set(attacks.map(({ truth }) => truth?.attack))).toEqual(
      new Set(Object.keys(makeWorld(SMALL).attacks)),
    );
    expect([...new Set(attacks.map(({ kind }) => kind))].filter((kind) => !normal.has(kind))).toEqual([]);
    expect(attacks.every(({ truth }) => /^T\d{4}(?:\.\d{3})?$/.test(truth?.technique ?? ''))).toBe(true);
  });
});
