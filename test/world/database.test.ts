import { describe, expect, test } from '@jest/globals';
import type { DatabaseConnection } from '../../src/world/activity/database/connection.js';
import { DATABASE_PROGRAMS, databaseClientOf } from '../../src/world/activity/database/programs.js';
import type { Activity } from '../../src/world/activity/kinds.js';
import { DATABASE_RECIPES } from '../../src/world/attack/database.js';
import { makeWorld } from '../../src/world/makeWorld.js';
import { DEFAULT_WORLD, type WorldSpec } from '../../src/world/spec.js';

const minuteOf = (text: string): number => Date.parse(text) / 60_000;
/** A Tuesday. */
const MORNING = minuteOf('2026-11-24T09:00:00Z');
const KINDS = ['use_database', 'keep_database'] as const;

const linesOf = (spec: WorldSpec, from: number, minutes: number): readonly Activity[] => {
  const look = makeWorld(spec).lookAt({ kinds: KINDS });
  return Array.from({ length: minutes }, (_, index) => look(from + index)).flat();
};
const isNormal = ({ truth }: Activity): boolean => truth === null;
const connectionOf = ({ facts }: Activity): DatabaseConnection => facts['connection'] as DatabaseConnection;
const isUse = ({ kind }: Activity): boolean => kind === 'use_database';
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const world = makeWorld(DEFAULT_WORLD);
const all = linesOf(DEFAULT_WORLD, MORNING, 60);
const lines = all.filter(isNormal);

/** The lines of each connection that begins within what is seen. */
const connectionsIn = (given: readonly Activity[]): readonly (readonly Activity[])[] => {
  const found = new Map<DatabaseConnection, Activity[]>();
  for (const line of given.filter(isUse)) {
    const known = found.get(connectionOf(line));
    if (known !== undefined) known.push(line);
    else if (line.facts['action'] === 'connection-received') found.set(connectionOf(line), [line]);
  }
  return [...found.values()];
};
const actionsOf = (connection: readonly Activity[]): readonly unknown[] =>
  connection.map(({ facts }) => facts['action']);
/** Those that are over. */
const wholeIn = (given: readonly Activity[]) =>
  connectionsIn(given).filter((connection) => actionsOf(connection).at(-1) === 'disconnection');

describe('the database of a world', () => {
  test('has connections that begin, say who it is, do something and end, with lines that are counted', () => {
    const whole = wholeIn(lines);
    expect(whole.length).toBeGreaterThan(500);
    for (const connection of whole) {
      expect(actionsOf(connection).slice(0, 2)).toEqual(['connection-received', 'connection-authorized']);
      expect(connection.map(({ facts }) => facts['line'])).toEqual(connection.map((_, index) => index + 1));
      expect(new Set(connection.map(({ session }) => session)).size).toBe(1);
    }
    const refused = connectionsIn(lines).filter((one) => actionsOf(one).at(-1) === 'authentication-failed');
    expect(refused.length).toBeGreaterThan(20);
    for (const connection of refused) expect(connection).toHaveLength(2);
  });

  test('has no statement that takes longer than its connection has had since the line before', () => {
    let slow = 0;
    for (const connection of wholeIn(lines))
      connection.forEach(({ at, facts }, index) => {
        const before = connection[index - 1];
        // What waited for a lock or wrote a file began before the line that says so.
        const previous = String(before?.facts['action']);
        if (before === undefined || previous.startsWith('lock-') || previous === 'temporary-file') return;
        const ms = facts['milliseconds'] as number;
        if (ms > 1_000) slow++;
        expect((at - before.at) / 1_000).toBeGreaterThan(ms - 0.01);
      });
    expect(slow).toBeGreaterThan(50);
  });

  test('is used by programs from servers of their role, and by people at work from where they are', () => {
    const roles = new Map(DATABASE_PROGRAMS.map(({ application, role }) => [application, role]));
    const people = new Set<number>();
    for (const line of lines.filter(({ facts }) => facts['action'] === 'connection-authorized')) {
      const { application, ip, user } = connectionOf(line);
      const { person } = line;
      if (person === null) {
        const servers = world.population.servers.filter(({ role }) => role === roles.get(application));
        expect(servers.map((server) => server.ip)).toContain(ip);
        continue;
      }
      people.add(person.number);
      expect([user, application]).toEqual([person.user, databaseClientOf(person)?.application]);
      expect([person.workstation.ip, person.vpn_ip]).toContain(ip);
      const [first] = world.day(person, Math.floor(line.at / 86_400e6));
      expect(first?.from).toBeLessThan(line.at);
    }
    expect(people.size).toBeGreaterThan(20);
  });

  test('is used more with more people, and its connections last as long as before', () => {
    const more = linesOf({ ...DEFAULT_WORLD, load: 4 }, MORNING, 30).filter(isNormal);
    const few = lines.filter(({ at }) => at < (MORNING + 30) * 60e6);
    expect(more.length / few.length).toBeGreaterThan(3);
    expect(more.length / few.length).toBeLessThan(4.5);
    const lengthOf = (given: readonly Activity[]): number =>
      mean(
        wholeIn(given)
          .filter(([first]) => connectionOf(first as Activity).application === 'shop-api')
          .map((one) => ((one.at(-1) as Activity).at - (one[0] as Activity).at) / 1e6),
      );
    expect(lengthOf(more) / lengthOf(few)).toBeGreaterThan(0.85);
    expect(lengthOf(more) / lengthOf(few)).toBeLessThan(1.15);
  });

  test('has less to do at night, and begins of connections that vary as those of visitors do', () => {
    const night = linesOf(DEFAULT_WORLD, minuteOf('2026-11-24T03:00:00Z'), 20).filter(isNormal);
    expect(night.length).toBeGreaterThan(500);
    expect(lines.length / 3).toBeGreaterThan(1.5 * night.length);
    const counts = new Array<number>(3_600).fill(0);
    for (const { at, facts } of lines)
      if (
        facts['action'] === 'connection-authorized' &&
        connectionOf({ facts } as Activity).application === 'shop-web'
      ) {
        const second = Math.floor(at / 1e6) - MORNING * 60;
        counts[second] = (counts[second] as number) + 1;
      }
    const variance = mean(counts.map((count) => (count - mean(counts)) ** 2));
    expect(variance / mean(counts)).toBeGreaterThan(0.9);
    expect(variance / mean(counts)).toBeLessThan(1.15);
  });

  test('has a checkpoint in each five minutes, which ends before the next one', () => {
    const own = lines.filter(({ kind }) => kind === 'keep_database');
    const checkpoints = own.filter(({ facts }) => facts['by'] === 'checkpointer');
    const actions = checkpoints.map(({ facts }) => facts['action']);
    expect(actions.filter((one) => one === 'checkpoint-starting')).toHaveLength(12);
    for (const [index, action] of actions.entries()) expect(action).not.toBe(actions[index - 1]);
    const numbers = checkpoints.map(({ facts }) => facts['line'] as number);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
    expect(own.length).toBeGreaterThan(100);
  });

  test('is the same when a minute is entered at once, to those who look at more, and on the day of a person', () => {
    const small = { ...DEFAULT_WORLD, people: 40 };
    const isOf = ({ kind }: Activity): boolean => (KINDS as readonly string[]).includes(kind);
    const alone = makeWorld(small).lookAt({ kinds: KINDS })(MORNING + 7);
    const whole = makeWorld(small);
    expect(JSON.stringify(whole.minute(MORNING + 7).filter(isOf))).toBe(JSON.stringify(alone));
    const user = linesOf(DEFAULT_WORLD, MORNING, 3).find(
      ({ person, truth }) => person !== null && truth === null,
    );
    if (user === undefined || user.person === null) throw new Error('nobody uses the database');
    const minute = Math.floor(user.at / 60e6);
    const own = world
      .minutesOf(user.person)(minute)
      .filter((one) => isOf(one) && isNormal(one));
    const among = all.filter(
      (one) =>
        isNormal(one) && one.person?.number === user.person?.number && Math.floor(one.at / 60e6) === minute,
    );
    expect(JSON.stringify(own)).toBe(JSON.stringify(among));
  });

  test('has attacks of lines that it has without one', () => {
    const textOf = ({ facts }: Pick<Activity, 'facts'>): string =>
      `${String(facts['action'])} ${String(facts['code'])} ${String(facts['statement']).replaceAll(/\d+/g, '#')}`;
    const known = new Set(linesOf(DEFAULT_WORLD, MORNING, 240).filter(isNormal).map(textOf));
    for (const attack of Object.keys(DATABASE_RECIPES)) {
      const acts = world.campaign(attack, MORNING / 20);
      expect(acts.length).toBeGreaterThan(200);
      expect(acts.filter((act) => !known.has(textOf(act))).length / acts.length).toBeLessThan(0.02);
    }
  });
});
