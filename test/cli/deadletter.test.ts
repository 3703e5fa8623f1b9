import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { deadletter } from '../../src/cli/commands/deadletter/group.js';
import { fakeIo, fakeServices, folderWith, spate } from './support.js';

const lineOf = (event: string, at = '2026-11-20T19:05:09+00:00', reason = 'no route to host'): string =>
  JSON.stringify({ at, code: 'output_failed', reason, event });

/** A state folder with letters: `boxes` maps `shop/1-file` to the lines of its file. */
const stateWith = async (boxes: Readonly<Record<string, readonly string[]>>): Promise<string> => {
  const folder = await folderWith({});
  for (const [name, lines] of Object.entries(boxes)) {
    await mkdir(join(folder, 'dead-letters', name), { recursive: true });
    const text = lines.map((line) => `${line}\n`).join('');
    await writeFile(join(folder, 'dead-letters', name, '00000001.jsonl'), text);
  }
  return folder;
};

const run = async (line: string, options: Parameters<typeof fakeIo>[0] = {}) => spate(line, fakeIo(options));

describe('spate deadletter', () => {
  test.each(['deadletter --help', 'deadletter -h', 'help deadletter', 'deadletter help'])(
    '%s lists its commands',
    async (line) => {
      const { code, out, err } = await run(line);
      expect([code, err]).toEqual([0, '']);
      for (const { name, summary } of deadletter.commands) {
        expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
      }
    },
  );

  test('help of one of them is the same in each spelling', async () => {
    const shown = await run('deadletter show --help');
    expect(shown.out).toContain('usage: spate deadletter show GENERATOR[/OUTPUT] [options]');
    expect(await run('help deadletter show')).toEqual(shown);
    expect(await run('deadletter help show')).toEqual(shown);
  });

  test('all commands of the group begin with its name', () => {
    for (const { name } of deadletter.commands) expect(name).toMatch(/^deadletter [a-z]+$/);
  });

  test.each([
    ['deadletter', /^Shows, resends and removes dead letters[\s\S]*usage: spate deadletter COMMAND/],
    [
      'deadletter lsit',
      /^spate deadletter: unknown command 'lsit'\. Did you mean 'list'\?\nTry 'spate deadletter --help'\.\n$/,
    ],
    ['deadletter --halp', /^spate deadletter: unknown option '--halp'\. Did you mean '--help'\?/],
    [
      'deadletter list',
      /^spate deadletter list: give the settings with -c FILE, or the state folder with --state DIR\.\n/,
    ],
    ['deadletter show --state x', /^spate deadletter show: GENERATOR\[\/OUTPUT\] is missing\.\n/],
    ['deadletter show --state x --json --events a', /give --json or --events, not both/],
    [
      'deadletter resend --state x a',
      /^spate deadletter resend: --state alone does not name the config. Add --path FILE/,
    ],
    ['deadletter purge --state x', /name GENERATOR\[\/OUTPUT\], or give --all/],
    ['deadletter purge --state x --all a', /name GENERATOR\[\/OUTPUT\], or give --all/],
    ['deadletter purge --state x --all --older-than 3', /--older-than is wrong: '3' is not a span/],
  ])('spate %s is wrong usage', async (line, message) => {
    const { code, out, err } = await run(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });
});

describe('spate deadletter list', () => {
  test('says how many letters there are, since when, and why', async () => {
    const state = await stateWith({
      'shop/2-clickhouse': [
        lineOf('a', '2026-11-20T19:05:09.500000+00:00'),
        lineOf('b'),
        lineOf('c', '2026-11-20T20:00:00+00:00', 'bad \u001b[31m column'),
      ],
      'shop/1-file': [],
      'visits/1-file': [lineOf('ü'), '{"at":"20'],
    });
    const { code, out } = await run(`deadletter list --state ${state}`);
    expect(code).toBe(0);
    expect(out).toBe(`generator  output        letters       size  oldest                     newest
shop       2-clickhouse        3  306 bytes  2026-11-20T19:05:09+00:00  2026-11-20T20:00:00+00:00
  2 x output_failed: no route to host
  1 x output_failed: bad \\u001b[31m column
visits     1-file              1  109 bytes  2026-11-20T19:05:09+00:00  2026-11-20T19:05:09+00:00
  1 x output_failed: no route to host
  1 torn line (left by a crash)
`);
    const json = await run(`deadletter list --json --state ${state} shop/2`);
    expect(JSON.parse(json.out)).toMatchObject([
      {
        generator: 'shop',
        output: '2-clickhouse',
        letters: 3,
        oldest: '2026-11-20T19:05:09+00:00',
        newest: '2026-11-20T20:00:00+00:00',
        reasons: [{ code: 'output_failed', reason: 'no route to host', letters: 2 }, { letters: 1 }],
      },
    ]);
  });

  test('takes the state folder from the settings', async () => {
    const state = await stateWith({ 'shop/1-file': [lineOf('a')] });
    const settings = `server: {}\ngeneration: {}\nlog: {}
path: {logs: logs, startup: s.yml, generators_dir: g, keyring_cryptfile: k, state: ${state}}\n`;
    const folder = await folderWith({ 'spate.yml': settings });
    const { code, out } = await run('deadletter list -c spate.yml', { cwd: folder });
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('shop') });
  });

  test('of nothing says so', async () => {
    expect(await run('deadletter list --state nowhere')).toMatchObject({
      code: 0,
      out: 'There are no dead letters.\n',
    });
    const named = await run('deadletter list --state nowhere shop');
    expect(named).toMatchObject({ code: 1, out: '' });
    expect(named.err).toContain('There are no dead letters of "shop" in /nowhere/dead-letters');
  });
});

describe('spate deadletter show', () => {
  const events = Array.from({ length: 30 }, (_, n) => `event ${n}`);

  test('shows when, why and what, twenty letters unless told', async () => {
    const state = await stateWith({ 'shop/1-file': events.map((event) => lineOf(event)) });
    const few = await run(`deadletter show --state ${state} shop --limit 1`);
    expect(few.out).toBe('2026-11-20T19:05:09+00:00 output_failed: no route to host\n    event 0\n');
    expect(few.err).toBe('spate: the first 1 letters; --limit N shows more.\n');
    const { out } = await run(`deadletter show --state ${state} shop/1-file --events`);
    expect(out).toBe(
      events
        .slice(0, 20)
        .map((event) => `${event}\n`)
        .join(''),
    );
    const all = await run(`deadletter show --state ${state} shop/1 --json --limit 30`);
    expect(all).toMatchObject({
      code: 0,
      err: '',
      out: events.map((event) => `${lineOf(event)}\n`).join(''),
    });
  });

  test('finds letters by their reason and steers no terminal', async () => {
    const odd = lineOf('two\nlines \u001b[2J', undefined, 'Disk FULL');
    const state = await stateWith({ 'shop/1-file': [lineOf('a'), odd, lineOf('b')] });
    const { out } = await run(`deadletter show --state ${state} shop --reason full`);
    expect(out).toBe('2026-11-20T19:05:09+00:00 output_failed: Disk FULL\n    two\n    lines \\u001b[2J\n');
    const none = await run(`deadletter show --state ${state} shop --reason nothing`);
    expect(none).toMatchObject({ code: 0, out: '', err: 'spate: no letters match.\n' });
  });
});

describe('spate deadletter purge', () => {
  const shown = async (state: string): Promise<readonly string[]> =>
    (await run(`deadletter show --state ${state} shop --events`)).out.split('\n').slice(0, -1);

  test('asks a person, and does nothing without a yes', async () => {
    const state = await stateWith({
      'shop/1-file': [lineOf('a'), lineOf('b')],
      'visits/1-file': [lineOf('c')],
    });
    const no = await run(`deadletter purge --state ${state} --all`, { answer: '' });
    expect(no).toMatchObject({ code: 1, out: '' });
    expect(no.err).toBe(
      'Remove 3 letters of shop/1-file, visits/1-file permanently? [y/N] spate: nothing was removed.\n',
    );
    const unattended = await run(`deadletter purge --state ${state} shop`);
    expect(unattended).toMatchObject({ code: 2 });
    expect(unattended.err).toContain('--yes');
    expect(await shown(state)).toEqual(['a', 'b']);
    const yes = await run(`deadletter purge --state ${state} shop`, { answer: 'y' });
    expect(yes).toMatchObject({ code: 0 });
    expect(yes.err).toContain('shop/1-file: 2 letters removed\n');
    expect(await shown(state)).toEqual([]);
    expect((await run(`deadletter list --state ${state} visits`)).out).toContain('visits');
  });

  test('removes by age and by reason', async () => {
    const { clock, services } = fakeServices();
    clock.setWall(Date.parse('2026-11-21T19:00:00Z') * 1_000);
    const state = await stateWith({
      'shop/1-file': [
        lineOf('old', '2026-11-19T00:00:00+00:00'),
        lineOf('old other', '2026-11-19T00:00:00+00:00', 'other'),
        lineOf('new', '2026-11-21T18:59:00+00:00'),
        lineOf('who knows', 'yesterday'),
      ],
    });
    const purge = (more: string) =>
      spate(`deadletter purge --state ${state} shop --yes ${more}`, fakeIo(), services);
    expect((await purge('--older-than 1d --reason route')).err).toBe(
      'shop/1-file: 1 letter removed, 3 stay\n',
    );
    expect(await shown(state)).toEqual(['old other', 'new', 'who knows']);
    expect((await purge('--older-than 1d')).err).toBe('shop/1-file: 1 letter removed, 2 stay\n');
    expect((await purge('--older-than 10s')).err).toBe('shop/1-file: 1 letter removed, 1 stays\n');
    expect((await purge('')).err).toBe('shop/1-file: 1 letter removed\n');
    expect(await readdir(join(state, 'dead-letters', 'shop', '1-file'))).toEqual([]);
  });
});

test('the former name of resend works and warns', async () => {
  const { code, err } = await run('deadletter replay --state x a');
  expect(code).toBe(2);
  expect(err).toMatch(
    /^spate: 'spate deadletter replay' is now 'spate deadletter resend'\. .*\nspate deadletter resend: --state alone/,
  );
});

describe('spate deadletter resend', () => {
  test('refuses what no config knows, and says what to do', async () => {
    const state = await stateWith({ 'shop/1-file': [lineOf('a')] });
    const settings = `server: {}\ngeneration: {}\nlog: {}
path: {logs: logs, startup: startup.yml, generators_dir: g, keyring_cryptfile: k, state: ${state}}\n`;
    const folder = await folderWith({ 'spate.yml': settings, 'startup.yml': '- {id: other, path: x.yml}' });
    const { code, err } = await run('deadletter resend -c spate.yml shop', { cwd: folder });
    expect(code).toBe(1);
    expect(err).toMatch(/startup\.yml lists no generator "shop"\. .*--path FILE.*purge/);
  });
});
