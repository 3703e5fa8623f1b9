import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { loadSettings } from '../../src/config/settings/settings.js';
import { makePasswordCheck } from '../../src/http/access/password.js';
import { eventually, freePort, type Program, runProgram } from '../support/instance.js';
import { TINY } from '../support/library.js';
import { type FakeIoOptions, fakeIo, fakeServices, folderWith, spate } from './support.js';

const make = async (line: string | readonly string[], io: FakeIoOptions = {}) => {
  const cwd = await folderWith({});
  const done = await spate(
    ['new', ...(typeof line === 'string' ? line.split(' ') : line)],
    fakeIo({ cwd, ...io }),
    fakeServices({ library: await tiny() }).services,
  );
  return { ...done, cwd };
};

const tiny = (): Promise<string> => folderWith({ ...TINY });

const settingsOf = async (folder: string) => {
  const file = join(folder, 'spate.yml');
  const read = loadSettings(await readFile(file, 'utf8'), file);
  if (E.isLeft(read)) throw new Error(read.left.message);
  return read.right;
};

let program: Program | null = null;

afterEach(async () => {
  program?.child.kill('SIGTERM');
  await program?.exited;
  program = null;
});

describe('spate new', () => {
  test('makes an instance whose files are all valid, and says how to go on', async () => {
    const { code, out, cwd } = await make('shop');
    expect(code).toBe(0);
    expect(out).toContain('  spate run -c shop/spate.yml\n  open http://127.0.0.1:9474\n');
    expect(readdirSync(join(cwd, 'shop')).sort()).toEqual([
      '.gitignore',
      'generators',
      'spate.yml',
      'startup.yml',
    ]);
    const checked = await spate('validate shop', fakeIo({ cwd }));
    expect(checked.err + checked.out).toContain('3 files are valid');
    const config = await readFile(join(cwd, 'shop/generators/first/generator.yml'), 'utf8');
    expect(config).toMatch(/^# yaml-language-server: \$schema=\.\.\/generator\.schema\.json\n/);
    const schema = await readFile(join(cwd, 'shop/generators/generator.schema.json'), 'utf8');
    expect(JSON.parse(schema)).toHaveProperty('$id', 'urn:spate-events:schema:generator');
    expect(checked.code).toBe(0);
  });

  test('begins with a generator of the library, in a scenario of its name', async () => {
    const { code, cwd } = await make('soc --from web-tiny --port 9500');
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'soc', 'startup.yml'), 'utf8')).toContain('scenarios: [web-tiny]');
    expect(existsSync(join(cwd, 'soc', 'generators', 'web-tiny', 'page.jinja'))).toBe(true);
    expect(existsSync(join(cwd, 'soc', 'generators', 'generator.schema.json'))).toBe(true);
    expect((await settingsOf(join(cwd, 'soc'))).server.port).toBe(9500);
    expect(await spate('validate soc', fakeIo({ cwd }))).toMatchObject({ code: 0 });
  });

  test('takes an empty folder, also the working directory', async () => {
    const { code, out, cwd } = await make('.');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('spate run -c spate.yml') });
    expect(existsSync(join(cwd, 'spate.yml'))).toBe(true);
  });

  test('stores the hash of a password, never the password', async () => {
    const { cwd } = await make(['x', '--auth', 'ann: b'], { input: 'correct horse\n' });
    const text = await readFile(join(cwd, 'x', 'spate.yml'), 'utf8');
    expect(text).not.toContain('horse');
    const [auth] = (await settingsOf(join(cwd, 'x'))).server.accounts;
    expect(auth?.user).toBe('ann: b');
    const check = makePasswordCheck(auth?.password ?? '');
    if (E.isLeft(check)) throw new Error(check.left.message);
    expect(await check.right('correct horse')).toBe('right');
  });

  test('shows its files to nobody but their owner and group', async () => {
    const { cwd } = await make('x');
    expect(statSync(join(cwd, 'x')).mode & 0o007).toBe(0);
  });
});

describe('spate new refuses', () => {
  test.each([
    ['an unknown library generator, with a suggestion', 'x --from web-tini', "Did you mean 'web-tiny'?"],
    ['a name that leads elsewhere', 'x --from ../web-tiny', '--from'],
    ['an empty password', 'x --auth ann', 'the password must not be empty'],
  ])('%s, and makes nothing', async (_, line, message) => {
    const { code, err, cwd } = await make(line, { input: '' });
    expect(code).toBe(1);
    expect(err).toContain(message);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('a folder that holds something, and leaves it as it is', async () => {
    const cwd = await folderWith({ 'x/mine.txt': 'mine' });
    const { code, err } = await spate('new x', fakeIo({ cwd }));
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringContaining('x is not empty: it holds mine.txt.'),
    });
    expect(readdirSync(join(cwd, 'x'))).toEqual(['mine.txt']);
  });

  test('a file, and a folder below one', async () => {
    const cwd = await folderWith({ x: 'mine' });
    expect((await spate('new x', fakeIo({ cwd }))).err).toContain('x is a file');
    expect((await spate('new x/y', fakeIo({ cwd }))).err).toContain('x/y is a file, or below one');
  });
});

test('a new instance runs: its first event is written, and the API answers', async () => {
  const cwd = await folderWith({});
  const port = await freePort();
  const made = runProgram(['new', 'shop', '--port', String(port)], { cwd });
  expect(await made.exited).toEqual({ code: 0, signal: null });
  program = runProgram(['run', '-c', 'shop/spate.yml'], { cwd });
  const events = join(cwd, 'shop', 'generators', 'first', 'out', 'events.log');
  const first = await eventually(async () => {
    const text = await readFile(events, 'utf8').catch(() => '');
    return text.includes('\n') ? text.split('\n')[0] : null;
  }, 'a first event');
  expect(Object.keys(JSON.parse(first ?? '') as object)).toEqual(['time', 'user', 'action']);
  const health = await fetch(`http://127.0.0.1:${port}/api/health`);
  expect(health.status).toBe(200);
});

test('with --service it writes the unit of the new instance', async () => {
  const cwd = await folderWith({});
  const units = join(cwd, 'units');
  await mkdir(units);
  const env = { SYSTEMD_UNIT_PATH: units, HOME: cwd };
  const { out } = await spate('new shop --service user', fakeIo({ cwd, env }));
  expect(out).toContain('Created shop');
  expect(await readFile(join(units, 'spate.service'), 'utf8')).toContain(join(cwd, 'shop', 'spate.yml'));
});
