import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tightenState } from '../../src/adapters/files/privateFiles.js';
import { eventually, type Instance, makeInstance, runProgram } from '../support/instance.js';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-modes-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

const modeOf = (path: string): string => (fs.lstatSync(path).mode & 0o777).toString(8);

/** Permissions of a folder and its content. */
const modesIn = (folder: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = { '.': modeOf(folder) };
  for (const name of fs.readdirSync(folder, { recursive: true }) as string[]) {
    found[name] = modeOf(join(folder, name));
  }
  return found;
};

const expectPrivate = (folder: string): void => {
  for (const [name, mode] of Object.entries(modesIn(folder))) {
    const isFolder = fs.lstatSync(join(folder, name)).isDirectory();
    expect(`${name} ${mode}`).toBe(`${name} ${isFolder ? '700' : '600'}`);
  }
};

const DAEMON = {
  settings: 'checkpoint: true, retry: {attempts: 1}',
  startup: '- {id: g, path: g/generator.yml, scenarios: [shop], live_mode: false}\n',
  generators: {
    'g/generator.yml': `
input: [static: {count: 20}]
event: {script: {path: produce.mjs}}
output: [file: {path: /dev/full}]
`,
    'g/produce.mjs': "export const produce = ({ globals }) => 'event ' + globals.increment('n');",
  },
};

const fullRun = async (instance: Instance): Promise<void> => {
  await instance.start();
  await eventually(async () => {
    const { body } = await instance.api('GET', '/generators/g/status');
    return (body as { readonly phase: string }).phase === 'finished' ? true : null;
  }, 'the end of the generator');
  await instance.api('PATCH', '/scenarios/shop/globals', { sale: 20 });
  await instance.kill('SIGTERM');
};

describe('the files in path.state', () => {
  test('are readable by the owner only after a full run, those of earlier versions included', async () => {
    const instance = await makeInstance(DAEMON);
    const state = join(instance.folder, 'state');
    try {
      await fullRun(instance);
      const files = Object.keys(modesIn(state));
      expect(files).toEqual(
        expect.arrayContaining([
          'checkpoints/g.json',
          'dead-letters/g/1-file/00000001.jsonl',
          'globals/shop.json',
          'globals/shop.journal',
        ]),
      );
      expectPrivate(state);
      for (const name of files) fs.chmodSync(join(state, name), 0o755);
      await fullRun(instance);
      expectPrivate(state);
    } finally {
      await instance.remove();
    }
  });

  test('are private after spate generate --state too', async () => {
    const folder = newFolder();
    for (const [name, text] of Object.entries(DAEMON.generators)) {
      fs.writeFileSync(join(folder, name.slice(2)), text);
    }
    const more = ['--id', 'g', '--live-mode', 'false', '--retry.attempts', '1', '--state', 'deep/state'];
    await runProgram(['generate', '--path', folder, ...more], { cwd: folder }).exited;
    const state = join(folder, 'deep', 'state');
    expect(Object.keys(modesIn(state))).toContain('dead-letters/g/1-file/00000001.jsonl');
    expectPrivate(state);
  });
});

describe('tightening a state folder', () => {
  test('leaves files of others and targets of links alone', async () => {
    const folder = newFolder();
    const outside = join(newFolder(), 'outside');
    fs.writeFileSync(outside, '', { mode: 0o644 });
    fs.mkdirSync(join(folder, 'globals'), { mode: 0o755 });
    fs.writeFileSync(join(folder, 'globals', 'a.json'), '', { mode: 0o644 });
    fs.symlinkSync(outside, join(folder, 'globals', 'link'));
    fs.writeFileSync(join(folder, 'spate.yml'), '', { mode: 0o644 });
    fs.chmodSync(folder, 0o755);
    await tightenState(folder);
    const { '.': own, globals, 'globals/a.json': file, 'spate.yml': other } = modesIn(folder);
    expect([own, globals, file, other]).toEqual(['755', '700', '600', '644']);
    expect(modeOf(outside)).toBe('644');
  });

  test('of a missing folder does nothing', async () => {
    await expect(tightenState(join(newFolder(), 'none'))).resolves.toBeUndefined();
  });
});
