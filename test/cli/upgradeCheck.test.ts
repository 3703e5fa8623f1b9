import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { breakingSince } from '../../src/cli/commands/upgradeCheck.js';
import { openState, readStateFormat } from '../../src/daemon/stateFolder.js';
import { fakeIo, fakeServices, folderWith, spate } from './support.js';

const CHANGELOG = `# Changelog

## 1.2.3 (2026-12-01)

### Breaking

- \`b\` instead of \`a\`:
  it is shorter.

### Added

- Not breaking.

## 1.1.0 (2026-11-01)

### Breaking

- Second.

#### Traffic

- Not breaking either.

## 0.1.0

### Breaking

- Old.
`;

const INSTANCE = {
  'spate.yml':
    'server: {}\ngeneration: {}\nlog: {}\npath: {startup: startup.yml, generators_dir: generators, logs: logs, state: state, keyring_cryptfile: k}\n',
  'startup.yml': '- {id: a, path: a/generator.yml}\n',
  'generators/a/generator.yml':
    'input: [static: {count: 1}]\nevent: {template: {mode: all, templates: [{t: {template: t.jinja}}]}}\noutput: [stdout: {}]\n',
  'generators/a/t.jinja': 'x',
};

const check = async (files: Readonly<Record<string, string>>, format?: string) => {
  const cwd = await folderWith({ ...INSTANCE, ...files });
  const folder = await folderWith({ 'CHANGELOG.md': CHANGELOG });
  if (format !== undefined) {
    await mkdir(join(cwd, 'state'));
    if (format !== '') await writeFile(join(cwd, 'state', 'format.json'), format);
  }
  return spate('upgrade-check .', fakeIo({ cwd }), fakeServices({ folder }).services);
};

describe('spate upgrade-check', () => {
  test('an instance of 0.1 left no note of its version: everything breaking since then is listed', async () => {
    const { code, out } = await check({}, '');
    expect(out).toContain('This is Spate 1.2.3, and the instance is spate.yml.\nVersion 0.1.0 used it last.');
    expect(out).toContain('\n- `b` instead of `a`: it is shorter.\n- Second.\n');
    expect(out).toContain('This version can take over.\n');
    expect(out).not.toContain('Old.');
    expect(code).toBe(0);
  });

  test('lists nothing that the last version had already, and nothing for an instance that never ran', async () => {
    expect((await check({}, '{"format":1,"version":"1.1.0"}')).out).not.toContain('Second.');
    expect((await check({}, '{"format":1,"version":"1.2.3"}')).out).toContain('nothing changes');
    expect((await check({})).out).toContain('It has never run');
  });

  test('a newer state folder, and files that no longer are valid, must be mended first', async () => {
    const newer = await check({}, '{"format":2,"version":"9.0.0"}');
    expect(newer.err).toContain('Version 9.0.0 of Spate has used the state folder');
    expect(newer.code).toBe(1);
    const broken = await check({ 'generators/a/generator.yml': 'input: []\n' }, '');
    expect(broken.out).toContain('generators/a/generator.yml');
    expect(broken.out).not.toContain('can take over');
    expect(broken.code).toBe(1);
  });

  test('names a former folder and former fields', async () => {
    const former = await check({ 'scenarios/x.yml': 'phases: []\n' }, '');
    expect(former.err).toContain('warning: scenarios: the next version no longer looks for incidents there');
  });

  test('says where it looked for settings', async () => {
    const cwd = await folderWith({});
    const { err, code } = await spate('upgrade-check .', fakeIo({ cwd }), fakeServices().services);
    expect(err).toContain('has no spate.yml and no settings/spate.yml');
    expect(code).toBe(1);
  });

  test('a changelog without the last version counts as newer as a whole', () => {
    expect(breakingSince(CHANGELOG, '0.0.9')).toHaveLength(3);
    expect(breakingSince(CHANGELOG, '1.2.3')).toEqual([]);
  });
});

describe('the format of a state folder', () => {
  const log = { write: () => undefined, with: () => log };
  const opened = async (format: string | null, version: string | null) => {
    const folder = await folderWith(format === null ? {} : { 'format.json': format });
    const lock = await openState(folder, null, log, version);
    if (E.isRight(lock)) await lock.right.release();
    return { folder, lock, text: await readFile(join(folder, 'format.json'), 'utf8') };
  };

  test('is noted at the start; a single run leaves the version of the service', async () => {
    expect((await opened(null, '1.2.3')).text).toBe('{"format":1,"version":"1.2.3"}\n');
    const former = '{"format":1,"version":"1.0.0"}';
    expect((await opened(former, null)).text).toBe(former);
  });

  test('is refused when it is newer or damaged, and nothing is written or locked', async () => {
    const newer = await opened('{"format":2,"version":"9.0.0"}', '1.2.3');
    expect(newer.lock).toMatchObject({ left: { code: 'newer_state' } });
    expect(newer.text).toBe('{"format":2,"version":"9.0.0"}');
    expect(await readStateFormat(newer.folder)).toMatchObject({ left: { code: 'newer_state' } });
    for (const text of ['', '{}', '{"format":"1"}', '{"format":0}'])
      expect((await opened(text, '1.2.3')).lock).toMatchObject({ left: { code: 'unreadable' } });
    await writeFile(join(newer.folder, 'format.json'), '{"format":1}');
    expect(E.isRight(await openState(newer.folder, null, log, '1.2.3'))).toBe(true);
  });
});
