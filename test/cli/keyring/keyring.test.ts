import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type FakeIoOptions, fakeIo, folderWith, spate } from '../support.js';

const PASSWORD = 'correct horse';

/** Runs `spate keyring ...` in a folder, with the keyring `k.json` of it. */
const makeTool = async (files: Readonly<Record<string, string>> = {}) => {
  const folder = await folderWith(files);
  const env = { SPATE_KEYRING_FILE: 'k.json', SPATE_KEYRING_PASSWORD: PASSWORD, HOME: folder };
  const run = (line: string, options: FakeIoOptions = {}) =>
    spate(`keyring ${line}`, fakeIo({ cwd: folder, env, ...options }));
  return { folder, env, run };
};

describe('spate keyring', () => {
  test('keeps secrets from set to remove', async () => {
    const { folder, run } = await makeTool();
    const none = `No secrets in ${join(folder, 'k.json')}\n`;
    expect(await run('list')).toEqual({ code: 0, out: '', err: none });
    expect(await run('set b', { input: 'value b\n' })).toEqual({
      code: 0,
      out: '',
      err: `Stored 'b' in ${join(folder, 'k.json')}\n`,
    });
    expect((await run('set a', { input: 'old value' })).code).toBe(0);
    expect((await run('set a', { input: 'value a\n\n' })).err).toMatch(/^Replaced 'a' in /);
    expect((await run('list')).out).toBe('a\nb\n');
    expect(await run('get a')).toEqual({ code: 0, out: 'value a\n\n', err: '' });
    expect((await run('rename b c')).err).toMatch(/^Renamed 'b' to 'c' in /);
    expect((await run('get c')).out).toBe('value b\n');
    expect((await run('remove a')).err).toMatch(/^Removed 'a' from /);
    expect((await run('list')).out).toBe('c\n');
  });

  test('lists names without a password', async () => {
    const { run } = await makeTool();
    await run('set a', { input: 'value a' });
    expect(await run('list', { env: { SPATE_KEYRING_FILE: 'k.json' } })).toEqual({
      code: 0,
      out: 'a\n',
      err: '',
    });
  });

  test.each([
    ['get x', {}, /secret 'x' is not in the keyring .*k\.json/],
    ['remove x', {}, /secret 'x' is not in the keyring/],
    ['rename x y', {}, /secret 'x' is not in the keyring/],
    ['rename a a', {}, /secret 'a' is already in the keyring .*k\.json/],
    ['rename a a/b', {}, /new name of a secret must consist of/],
    ['get a', { SPATE_KEYRING_PASSWORD: 'wrong' }, /the password of the keyring .*k\.json is wrong\.?\n/],
    [
      'get a',
      { SPATE_KEYRING_PASSWORD: '' },
      /k\.json needs its password: give --password-file, set SPATE_KEYRING_PASSWORD, or /,
    ],
    [
      'get a',
      { SPATE_KEYRING_PASSWORD: '', SPATE_KEYRING_PASSWORD_FILE: 'none' },
      /none \(from SPATE_KEYRING_PASSWORD_FILE\) does not exist/,
    ],
    ['set a/b', {}, /name of a secret must consist of/],
    ['set a', {}, /value of secret 'a' must not be empty/],
    [
      'rotate',
      {},
      /the new password is missing: set SPATE_KEYRING_NEW_PASSWORD, or give --new-password-file/,
    ],
    ['list --file a --settings b', {}, /--file or --settings, not both/],
    ['list --settings none.yml', {}, /cannot read .*none\.yml/],
  ])('%s with %j is refused with exit code 1 and a reason', async (line, env, reason) => {
    const tool = await makeTool();
    await tool.run('set a', { input: 'value a' });
    const result = await tool.run(line, { env: { ...tool.env, ...env }, input: '' });
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toMatch(reason);
  });

  test('refuses a value on the command line, and does not show it', async () => {
    const { run } = await makeTool();
    const { code, err } = await run('set a hunter2', { input: '' });
    expect(code).toBe(1);
    expect(err).toMatch(/a value on the command line is visible to other users/);
    expect(err).not.toContain('hunter2');
  });

  test('takes a value from a file, exactly but for one line end', async () => {
    const pem = '-----BEGIN KEY-----\nMIIE\n-----END KEY-----\n';
    const { folder, run } = await makeTool({ 'server.key': pem });
    expect((await run('set key --value-file server.key')).code).toBe(0);
    expect((await run('get key')).out).toBe(pem);
    await writeFile(join(folder, 'bytes'), Buffer.from([0xff, 0xfe]));
    expect((await run('set b --value-file bytes')).err).toMatch(/is not UTF-8/);
    await writeFile(join(folder, 'large'), 'x'.repeat(65_537));
    expect((await run('set b --value-file large')).err).toMatch(/must not be longer than 65536 bytes/);
    expect((await run('set b --value-file -', { input: 'from stdin' })).code).toBe(0);
    expect((await run('get b')).out).toBe('from stdin\n');
  });

  test('asks a person for the value, unseen', async () => {
    const { run } = await makeTool();
    const { code, err } = await run('set a', { hidden: ['typed value'] });
    expect([code, err]).toEqual([0, expect.stringMatching(/^Value of a: \nStored 'a'/)]);
    expect((await run('get a')).out).toBe('typed value\n');
  });

  test('warns that a short value is rarely masked', async () => {
    const { run } = await makeTool();
    expect((await run('set a', { input: 'abc' })).err).toMatch(/too short to be masked/);
  });

  test.each(['file', 'option', 'credential'])('takes the password from a %s', async (where) => {
    const { folder, run } = await makeTool({ pw: `${PASSWORD}\n`, 'spate-keyring-password': PASSWORD });
    await run('set a', { input: 'value a' });
    const base = { SPATE_KEYRING_FILE: 'k.json' };
    const ways = {
      file: { env: { ...base, SPATE_KEYRING_PASSWORD_FILE: join(folder, 'pw') }, option: '' },
      option: { env: { ...base, SPATE_KEYRING_PASSWORD: 'wrong' }, option: '--password-file pw' },
      credential: { env: { ...base, CREDENTIALS_DIRECTORY: folder }, option: '' },
    };
    const { env, option } = ways[where as keyof typeof ways];
    expect(await run(`get a ${option}`, { env })).toMatchObject({ code: 0, out: 'value a\n' });
  });

  test('asks a person for the password, twice for a new keyring and once later', async () => {
    const { run } = await makeTool();
    const env = { SPATE_KEYRING_FILE: 'k.json' };
    const differing = await run('set a', { env, input: 'value a', hidden: ['one password', 'another'] });
    expect([differing.code, differing.err]).toEqual([1, expect.stringMatching(/the two passwords differ/)]);
    const made = await run('set a', { env, input: 'value a', hidden: ['one password', 'one password'] });
    expect(made.err).toMatch(
      /^Password for the new keyring: \nPassword for the new keyring, once more: \nStored/,
    );
    const read = await run('get a', { env, hidden: ['one password'] });
    expect(read).toEqual({ code: 0, out: 'value a\n', err: 'Password of the keyring: \n' });
  });

  test('rotates: the old password is wrong then', async () => {
    const { env, run } = await makeTool({ new: 'a new password\n' });
    await run('set a', { input: 'value a' });
    expect((await run('rotate --new-password-file new')).err).toMatch(/^Changed the password of /);
    expect((await run('get a')).err).toMatch(/is wrong/);
    const newEnv = { ...env, SPATE_KEYRING_PASSWORD: 'a new password' };
    expect((await run('get a', { env: newEnv })).out).toBe('value a\n');
    const again = { ...newEnv, SPATE_KEYRING_NEW_PASSWORD: PASSWORD };
    expect((await run('rotate', { env: again })).code).toBe(0);
    expect((await run('get a')).out).toBe('value a\n');
  });

  test('rotates by hand: a wrong old password is told before a new one is asked for', async () => {
    const { run } = await makeTool();
    const env = { SPATE_KEYRING_FILE: 'k.json' };
    await run('set a', { input: 'value a' });
    const wrong = await run('rotate', { env, hidden: ['wrong', 'x', 'x'] });
    expect(wrong.err).toMatch(/^Password of the keyring: \nspate: the password .* is wrong/);
    const right = await run('rotate', { env, hidden: [PASSWORD, 'new password', 'new password'] });
    expect(right.err).toMatch(/New password, once more: \nChanged the password/);
    expect((await run('get a', { env, hidden: ['new password'] })).out).toBe('value a\n');
  });

  test('finds the keyring of an instance by its settings, else that of the person', async () => {
    const settings =
      'server: {}\ngeneration: {}\nlog: {}\npath: {logs: l, startup: s.yml, generators_dir: g, keyring_cryptfile: keys/k}\n';
    const { folder, run } = await makeTool({ 'etc/spate.yml': settings });
    await run('set a --settings etc/spate.yml', { input: 'value a' });
    expect(await readFile(join(folder, 'etc/keys/k'), 'utf8')).toMatch(/"spate-keyring"/);
    const env = { SPATE_KEYRING_PASSWORD: PASSWORD, HOME: folder };
    expect((await run('set b', { env, input: 'value b' })).err).toContain(
      join(folder, '.config/spate/keyring.json'),
    );
    const xdg = { ...env, XDG_CONFIG_HOME: join(folder, 'xdg') };
    expect((await run('set b', { env: xdg, input: 'value b' })).err).toContain(
      join(folder, 'xdg/spate/keyring.json'),
    );
    expect((await run('list --file etc/keys/k', { env })).out).toBe('a\n');
  });
});
