import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { loadSettings } from '../../src/config/settings/settings.js';
import { makePasswordCheck, tokenHash } from '../../src/http/access/password.js';
import { fakeIo, spate } from './support.js';

const hashOf = async (io: Parameters<typeof fakeIo>[0]) => spate('hash-password', fakeIo(io));

test.each([
  ['standard input, without its line feed', { input: 'correct horse\n' }],
  ['a prompt that asks twice', { hidden: ['correct horse', 'correct horse'] }],
])('makes a hash that server.auth.password takes, from %s', async (_, io) => {
  const { code, out } = await hashOf(io);
  expect(code).toBe(0);
  expect(out).toMatch(/^scrypt\$\d+\$\d+\$\d+\$\S+\n$/);
  expect(out).not.toContain('horse');
  const text = `server: {auth: {user: ann, password: '${out.trim()}'}}
generation: {}
log: {}
path: {logs: l, startup: s.yml, generators_dir: g, keyring_cryptfile: k}
`;
  const settings = loadSettings(text, '/spate.yml');
  const stored = E.isRight(settings) ? settings.right.server.accounts[0]?.password : undefined;
  const check = makePasswordCheck(stored ?? '');
  if (E.isLeft(check)) throw new Error(check.left.message);
  expect([await check.right('correct horse'), await check.right('wrong')]).toEqual(['right', 'wrong']);
});

test('salts: the same password has another hash each time', async () => {
  const [one, two] = [await hashOf({ input: 'a' }), await hashOf({ input: 'a' })];
  expect(one.out).not.toBe(two.out);
});

test.each([
  ['an empty password', { input: '\n' }, 'spate: the password must not be empty\n'],
  ['two that differ', { hidden: ['a', 'b'] }, 'spate: the two passwords differ\n'],
  ['no terminal at all', {}, 'spate: the password is missing: give it on standard input\n'],
])('refuses %s', async (_, io, message) => {
  const { code, out, err } = await hashOf(io);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toContain(message);
});

test('makes a token with its hash, another one each time', async () => {
  const [one, two] = [
    await spate('hash-password --token', fakeIo()),
    await spate('hash-password --token', fakeIo()),
  ];
  expect(one.code).toBe(0);
  const [, token = '', hash = ''] =
    /^token: (spate_\S{43})\nhash: (sha256\$[0-9a-f]{64})\n$/.exec(one.out) ?? [];
  expect(tokenHash(token)).toBe(hash);
  expect(two.out).not.toBe(one.out);
});
