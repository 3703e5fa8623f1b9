import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { folderSessions } from '../../../src/adapters/files/folderSessions.js';

let root = '';
let folder = '';
let boot = '';
let drawn = 0;
let warnings: string[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'spate-sessions-'));
  folder = join(root, 'state');
  boot = join(root, 'boot_id');
  await mkdir(folder);
  await writeFile(boot, 'first-boot\n');
  drawn = 0;
  warnings = [];
});

afterEach(() => rm(root, { recursive: true, force: true }));

const draw = (): string => {
  drawn += 1;
  return `session-${drawn}`;
};

/** What a process finds that has locked the folder. */
const open = (at = folder) => folderSessions(at, draw, (reason) => warnings.push(reason), boot);

describe('the sessions of a state folder', () => {
  test('are those of the processes before, which are dead', () => {
    const first = open();
    expect(first.former).toEqual([]);
    expect([first.draw(), first.draw()]).toEqual(['session-1', 'session-2']);
    const second = open();
    expect(second.former).toEqual(['session-1', 'session-2']);
    second.draw();
    expect(open().former).toEqual(['session-1', 'session-2', 'session-3']);
    expect(warnings).toEqual([]);
  });

  test('are the last eight', () => {
    const { draw: next } = open();
    for (let i = 0; i < 20; i++) next();
    expect(open().former).toEqual(Array.from({ length: 8 }, (_, i) => `session-${i + 13}`));
  });

  test('stay with a folder that is moved, and are none of a copy: its process may live', async () => {
    open().draw();
    await cp(folder, join(root, 'copy'), { recursive: true });
    expect(open(join(root, 'copy')).former).toEqual([]);
    await rename(folder, join(root, 'moved'));
    expect(open(join(root, 'moved')).former).toEqual(['session-1']);
  });

  test('are none after another boot, or of another machine that shares the folder', async () => {
    open().draw();
    await writeFile(boot, 'another-boot\n');
    const other = open();
    expect(other.former).toEqual([]);
    other.draw();
    await writeFile(boot, 'first-boot\n');
    expect(open().former).toEqual([]);
  });

  test('are none where the kernel names no boot, and nothing is written', async () => {
    await rm(boot);
    expect(open().draw()).toBe('session-1');
    expect(open().former).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each(['', '{', '[]', '{"site":1}', '{"sessions":"x"}'])(
    'are none in a damaged file: %j',
    async (text) => {
      await writeFile(join(folder, 'cluster-sessions.json'), text);
      expect(open().former).toEqual([]);
    },
  );

  test('that cannot be saved are used, with a warning', async () => {
    await mkdir(join(folder, 'cluster-sessions.json'));
    expect(open().draw()).toBe('session-1');
    expect(warnings).toHaveLength(1);
  });
});
