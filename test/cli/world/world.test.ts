import { describe, expect, test } from '@jest/globals';
import type { Activity } from '../../../src/world/activity/kinds.js';
import { ALL_ACTIVITY_KINDS } from '../../../src/world/activity/kinds.js';
import { makeWorld } from '../../../src/world/makeWorld.js';
import { DEFAULT_WORLD } from '../../../src/world/spec.js';
import { fakeIo, folderWith, spate } from '../support.js';

/** Few people, so that a day takes no time. */
const SMALL = { seed: 3, people: 12 };
const SMALL_FILE = 'seed: 3\npeople: 12\n';
const DATE = '2026-03-10';

const world = makeWorld({ ...DEFAULT_WORLD, ...SMALL });
const person = world.population.person(0);

const inFolder = async (line: string | readonly string[], files: Readonly<Record<string, string>> = {}) => {
  const cwd = await folderWith({ 'worlds/small.yml': SMALL_FILE, ...files });
  return spate(line, fakeIo({ cwd }));
};

interface DayReport {
  readonly person: { readonly user: string };
  readonly time_zone: string;
  readonly parts: readonly { readonly from: string; readonly to: string; readonly what: string }[];
  readonly activities: readonly (Pick<Activity, 'id' | 'kind' | 'cause'> & { readonly at: string })[];
}

/** Runs a command once for all tests that look at what it prints: a day of a world takes a while. */
const onceFor = (run: () => ReturnType<typeof inFolder>): (() => ReturnType<typeof inFolder>) => {
  let running: ReturnType<typeof inFolder> | null = null;
  return () => {
    running ??= run();
    return running;
  };
};

describe('spate world show', () => {
  const shown = onceFor(() => inFolder('world show worlds/small.yml'));

  test('says who and what is in the world of a file', async () => {
    const { code, out, err } = await shown();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^worlds\/small\.yml, seed 3, 12 people\ndomain corp\.example\.com, CORP\nsites\n/);
    expect(out).toMatch(/\n {2}workstation +12\n/);
    for (const role of new Set(world.population.servers.map((host) => host.role)))
      expect(out).toContain(`  ${role} `);
    for (const name of Object.keys(world.attacks)) expect(out).toContain(`  ${name} `);
    expect(out).toMatch(
      /\nabout [\d.,]+ activities a minute in the busiest hour of a Tuesday, from \d\d:00 in hamburg\n/,
    );
  });

  test('people of all sites and departments add up, and kinds are those of the vocabulary', async () => {
    const { out } = await shown();
    const rowsOf = (title: string): readonly (readonly [string, number])[] => {
      const [, below = ''] = out.split(`${title}\n`);
      return [...below.split(/\n(?! )/)[0]!.matchAll(/^ {2}(\S+) +([\d.,]+)/gm)].map(
        ([, name = '', count = '']) => [name, Number(count.replaceAll(',', ''))],
      );
    };
    for (const title of ['\nsites', '\ndepartments'])
      expect(rowsOf(title).reduce((sum, [, count]) => sum + count, 0)).toBe(12);
    const kinds = ['acts', 'network'].flatMap((group) => rowsOf(`\n${group} a minute`));
    expect(kinds.length).toBeGreaterThan(1);
    for (const [kind] of kinds) expect(ALL_ACTIVITY_KINDS).toContain(kind);
  });

  test.each([
    [
      'a problem of the file with its line',
      'worlds/bad.yml',
      'spate: worlds/bad.yml:2:9: people: must be at least 1.\n',
    ],
    ['a file that is not there', 'worlds/none.yml', 'worlds/none.yml'],
  ])('tells %s', async (_, path, message) => {
    const { code, out, err } = await inFolder(`world show ${path}`, { 'worlds/bad.yml': '\npeople: 0\n' });
    expect(out).toBe('');
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(message);
  });
});

describe('spate world day', () => {
  const dayOf = async (asked: string, ...more: readonly string[]) =>
    inFolder(['world', 'day', asked, 'worlds/small.yml', '--date', DATE, ...more]);
  const text = onceFor(() => dayOf('0'));
  const json = onceFor(() => dayOf(person.user, '--json'));
  const reportOf = async () => JSON.parse((await json()).out) as DayReport;

  test('lists parts of the day and every activity by time', async () => {
    const { code, out, err } = await text();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const [first = '', ...lines] = out.trimEnd().split('\n');
    expect(first).toContain(
      `(${person.user}), ${person.title}, ${person.department}, ${person.site.city}: ${DATE}`,
    );
    const { activities } = await reportOf();
    const shown = lines.slice(lines.indexOf('') + 1).filter((line) => line !== '');
    expect(shown).toHaveLength(activities.length);
    for (const [index, { at, kind }] of activities.entries())
      expect(shown[index]).toMatch(new RegExp(`^${at.slice(11, 19)}  ${kind} `));
  });

  test('JSON, here by user name, has the same activities as the world, with local times', async () => {
    const report = await reportOf();
    expect(report.person.user).toBe(person.user);
    expect(report.time_zone).toBe(person.site.time_zone);
    const times = report.activities.map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(report.activities.length).toBeGreaterThan(0);
    for (const { at } of report.activities) expect(at.slice(0, 10)).toBe(DATE);
    const [{ id, at } = { id: -1, at: '' }] = report.activities;
    const minute = world.minute(Math.floor(Date.parse(at) / 60_000));
    expect(minute.map((activity) => activity.id)).toContain(id);
  });

  test('a wide line is cut where there is a terminal', async () => {
    const cwd = await folderWith({ 'worlds/small.yml': SMALL_FILE });
    const io = fakeIo({ cwd, terminals: ['stdout'], columns: 40 });
    const { out } = await spate(`world day 0 worlds/small.yml --date ${DATE}`, io);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
  });

  test('nobody of that name, and no person of that number', async () => {
    const wrong = await dayOf(`${person.user}x`);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain(`worlds/small.yml has nobody with the user name '${person.user}x'.`);
    expect((await dayOf('12')).err).toBe(
      'spate: worlds/small.yml has no person 12: its 12 people are numbered from 0 to 11.\n',
    );
  });

  test.each(['yesterday', '2026-02-30', '2026-03-10T10:00'])('--date %s is refused', async (date) => {
    const { code, err } = await spate(['world', 'day', '0', '--date', date]);
    expect(code).toBe(2);
    expect(err).toContain(`spate world day: --date must be a day such as 2026-03-10, not "${date}".`);
  });
});

describe('spate world check', () => {
  test('says how many activities it checked', async () => {
    const { code, out, err } = await inFolder('world check worlds/small.yml --minutes 5');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^worlds\/small\.yml, seed 3, 12 people: checked [\d,]+ activit(y|ies) of 5 minutes from 2026-03-10T09:00:00Z, no problem\n$/,
    );
  });

  test('begins where it is told', async () => {
    const { out } = await inFolder('world check worlds/small.yml --minutes 1 --start 2026-01-05T08:30:00Z');
    expect(out).toContain('of 1 minute from 2026-01-05T08:30:00Z');
    expect(await inFolder('world check --start soon')).toMatchObject({
      code: 2,
      err: expect.stringContaining(
        '--start must be an ISO 8601 time such as 2026-03-10T10:00:00Z, not "soon"',
      ),
    });
  });

  test('without a file it checks the default world', async () => {
    const { code, out } = await spate('world check --minutes 1');
    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^the default world, seed 7, 200 people: /),
    });
  });

  test('takes a day at most', async () => {
    expect((await spate('world check --minutes 1441')).err).toContain('--minutes must be an integer 1..1440');
  });
});
