import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type {
  WorldActivity,
  WorldAttack,
  WorldContents,
  WorldDay,
  WorldPeople,
} from '../../../src/domain/worlds/reports.js';
import { fakeIo, spate } from '../../cli/support.js';
import { type Instance, makeInstance } from '../../support/instance.js';

const DATE = '2026-03-10';

const inWorld = (path: string) =>
  `input: [world: {path: ${path}, kinds: [logon]}]\nevent: {script: {path: ../produce.mjs}}\noutput: [stdout: {}]\n`;

describe('worlds', () => {
  let instance: Instance;
  beforeAll(async () => {
    instance = await makeInstance({
      startup: `- {id: logons, path: logons/generator.yml, autostart: false}
- {id: again, path: logons/generator.yml, autostart: false}
- {id: elsewhere, path: elsewhere/generator.yml, autostart: false}
`,
      generators: {
        'produce.mjs': "export const produce = () => 'x';\n",
        'logons/generator.yml': inWorld('../../worlds/small.yml'),
        'elsewhere/generator.yml': inWorld('small.yml'),
        'elsewhere/small.yml': 'people: 2\n',
      },
      worlds: {
        'small.yml': 'seed: 3\npeople: 30\n',
        'broken.yml': '\npeople: 0\n',
        'notes.txt': 'no world\n',
      },
    });
    await instance.start();
  });
  afterAll(() => instance.remove());

  const read = async <A>(path: string): Promise<A> => {
    const { status, body } = await instance.api('GET', path);
    expect({ status, body: status === 200 ? null : body }).toEqual({ status: 200, body: null });
    return body as A;
  };
  const command = async (line: string): Promise<string> => {
    const { code, out } = await spate(line, fakeIo({ cwd: instance.folder }));
    expect(code).toBe(0);
    return out;
  };

  test('are the files beside the generators, with their size, flaws and generators', async () => {
    expect(await read('/worlds/')).toEqual([
      {
        name: 'broken',
        people: null,
        hosts: null,
        error: 'worlds/broken.yml:2:9  people  must be at least 1.',
        used_by: [],
      },
      // The other generator names a file of its own with the same name.
      { name: 'small', people: 30, hosts: 54, error: null, used_by: ['again', 'logons'] },
    ]);
  });

  test('say who and what is in them, as `spate world show` does', async () => {
    const contents = await read<WorldContents>('/worlds/small');
    const shown = await command('world show worlds/small.yml');
    expect(shown).toContain(`domain ${contents.domain}, ${contents.netbios}\n`);
    for (const { name, people } of [...contents.sites, ...contents.departments])
      expect(shown).toMatch(new RegExp(`^ {2}${name} +${people}\\b`, 'm'));
    expect(contents.hosts.reduce((sum, { count }) => sum + count, 0)).toBe(54);
    for (const { role, count } of contents.hosts)
      expect(shown).toMatch(new RegExp(`^ {2}${role} +${count}$`, 'm'));
    for (const { name } of contents.attacks) expect(shown).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(shown).toContain(`${contents.attacks.length} attacks\n`);
  });

  test('tell the campaign of each attack at a time: steps in order, who is in it and where', async () => {
    const at = (time: string): Promise<WorldContents> => read(`/worlds/small?at=${encodeURIComponent(time)}`);
    const { attacks, campaign_minutes } = await at(`${DATE}T10:00:00Z`);
    expect(campaign_minutes).toBe(20);
    for (const { steps, name } of attacks) {
      expect([name, steps.length]).not.toEqual([name, 0]);
      const times = steps.map(({ from }) => Date.parse(from));
      expect(times).toEqual([...times].sort((a, b) => a - b));
      // A campaign begins in its twenty minutes and is over by the end of the next.
      expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse(`${DATE}T10:00:00Z`));
      expect(Math.max(...steps.map(({ to }) => Date.parse(to)))).toBeLessThan(
        Date.parse(`${DATE}T10:40:00Z`),
      );
      for (const { technique } of steps) expect(technique).toMatch(/^T\d{4}(\.\d{3})?$/);
    }
    const guess = (found: readonly WorldAttack[]) =>
      found.find(({ name }) => name === 'brute_force')?.steps[0];
    const first = guess(attacks);
    expect(first?.kinds).toContain('try_password');
    expect(first?.acts).toBeGreaterThan(10);
    // The account that is guessed is that of a person.
    expect(first?.people.length).toBeGreaterThan(0);
    expect(first?.hosts.length).toBeGreaterThan(0);
    expect(guess((await at(`${DATE}T10:19:59Z`)).attacks)).toEqual(first);
    expect(guess((await at(`${DATE}T10:20:00Z`)).attacks)).not.toEqual(first);
  });

  test('measure how much happens: by the hour, and by kind in the busiest one', async () => {
    const { hours, busiest_hour, per_minute, groups } = await read<WorldActivity>('/worlds/small/activity');
    expect(hours).toHaveLength(24);
    expect(hours[busiest_hour]).toBe(Math.max(...hours));
    // At night there are only machines and mail.
    expect(hours[3]).toBeLessThan(hours[10] ?? 0);
    const rates = groups.flatMap(({ kinds }) => kinds.map((kind) => kind.per_minute));
    expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(per_minute, 6);
  });

  test('have people, who are found by words and come in pages', async () => {
    const all = await read<WorldPeople>('/worlds/small/people?limit=500');
    expect(all.total).toBe(30);
    expect(all.items.map(({ number }) => number)).toEqual(Array.from({ length: 30 }, (_, number) => number));
    const page = await read<WorldPeople>('/worlds/small/people?offset=10&limit=3');
    expect(page).toEqual({ total: 30, items: all.items.slice(10, 13) });
    const [, , someone] = all.items;
    const found = await read<WorldPeople>(
      `/worlds/small/people?search=${someone?.department}+${someone?.user.toUpperCase()}`,
    );
    expect(found.items).toEqual([someone]);
    expect(await read('/worlds/small/people?search=nobody+at+all')).toEqual({ total: 0, items: [] });
  });

  test('show the day of a person as `spate world day` does, by number and by name', async () => {
    const day = await read<WorldDay>(`/worlds/small/people/2/day?date=${DATE}`);
    expect(day.activities.length).toBeGreaterThan(100);
    expect(day).toEqual(JSON.parse(await command(`world day 2 worlds/small.yml --date ${DATE} --json`)));
    expect(await read(`/worlds/small/people/${day.person.user}/day?date=${DATE}`)).toEqual(day);
  });

  test('without a date it is today by the clock of their site', async () => {
    const day = await read<WorldDay>('/worlds/small/people/0/day');
    const today = (): string =>
      new Intl.DateTimeFormat('sv-SE', { timeZone: day.time_zone, dateStyle: 'short' }).format(Date.now());
    expect(day.date).toBe(today());
  });

  test.each([
    ['/worlds/none', 404, 'there is no world \\"none\\"'],
    ['/worlds/broken', 422, 'must be at least 1'],
    ['/worlds/small/people/30/day', 404, 'small has no person 30'],
    ['/worlds/small/people/nobody/day', 404, "small has nobody with the user name 'nobody'"],
    ['/worlds/small/people/0/day?date=2026-02-30', 422, 'must be a date, like 2026-03-10'],
    ['/worlds/..%2Fspate', 422, 'name'],
  ])('%s is refused with %i', async (path, status, words) => {
    const answer = await instance.api('GET', path);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
  });

  test('are read again when their file has changed, and none is no error', async () => {
    await writeFile(join(instance.folder, 'worlds', 'small.yml'), 'seed: 4\npeople: 8\n');
    expect(await read('/worlds/small')).toMatchObject({ seed: 4, people: 8 });
    expect(await read('/worlds/small/people')).toMatchObject({ total: 8 });
    await rm(join(instance.folder, 'worlds'), { recursive: true });
    expect(await read('/worlds/')).toEqual([]);
  });
});
