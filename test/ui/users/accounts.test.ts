import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { parse } from 'yaml';
import { settingsShape } from '../../../src/config/settings/shape.js';
import type { AuditEntry } from '../../../src/domain/audit.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { tokenHash } from '../../../src/http/access/password.js';
import { decodeStored } from '../../../src/schema/index.js';
import {
  accountRows,
  accountsIn,
  accountYaml,
  drawTokenText,
  hasAdmin,
  isTokenHash,
  lastSeen,
  ownSecretOf,
  passwordHome,
  removalFlaw,
  storedToken,
  userNameFlaw,
  withAccount,
  withoutAccount,
} from '../../../src/ui/pages/users/accounts.js';

const HASH = `sha256$${'a'.repeat(64)}`;

/** Settings with every default, as the service reads them back. */
const settingsWith = (server: JsonObject): JsonObject => {
  const decoded = decodeStored(settingsShape, { server, generation: {}, log: {}, path: PATHS });
  if (E.isLeft(decoded)) throw new Error(JSON.stringify(decoded.left));
  return decoded.right as JsonObject;
};
const PATHS = {
  logs: 'logs',
  startup: 'startup.yml',
  generators_dir: 'generators',
  keyring_cryptfile: 'keyring',
  state: 'state',
};

const OPEN = settingsWith({});
const TEAM = settingsWith({
  auth: { user: 'ann', password: '********' },
  users: {
    ben: { role: 'operate', password: '${secrets.user_ben}' },
    prometheus: { role: 'read', token: HASH },
  },
});

const isValid = (settings: JsonObject): boolean => E.isRight(decodeStored(settingsShape, settings));

test('the users of settings are that of server.auth and those of server.users', () => {
  expect(accountsIn(OPEN)).toEqual([]);
  expect(accountsIn(TEAM)).toEqual([
    { name: 'ann', role: 'admin', kind: 'password', credential: '********' },
    { name: 'ben', role: 'operate', kind: 'password', credential: '${secrets.user_ben}' },
    { name: 'prometheus', role: 'read', kind: 'token', credential: HASH },
  ]);
});

test('rows tell what a restart adds, changes and takes away', () => {
  const stored = withAccount(
    withAccount(withoutAccount(withoutAccount(TEAM, 'ben'), 'prometheus'), {
      name: 'prometheus',
      role: 'operate',
      password: null,
      token: HASH,
    }),
    { name: 'cem', role: 'admin', password: 'x', token: null },
  );
  expect(isValid(stored)).toBe(true);
  expect(accountRows(TEAM, stored).map(({ name, state }) => [name, state])).toEqual([
    ['ann', 'in use'],
    ['prometheus', 'changed'],
    ['cem', 'added'],
    ['ben', 'removed'],
  ]);
});

describe('adding', () => {
  test('the first admin makes the user of server.auth, so that the service asks for credentials', () => {
    const next = withAccount(OPEN, { name: 'ann', role: 'admin', password: 'x', token: null });
    expect(accountsIn(next)).toEqual([{ name: 'ann', role: 'admin', kind: 'password', credential: 'x' }]);
    expect(next['server']).toMatchObject({ auth: { user: 'ann', password: 'x' }, users: {} });
    expect(isValid(next)).toBe(true);
  });

  test('another one leaves those that are there', () => {
    const next = withAccount(TEAM, { name: 'ci', role: 'operate', password: null, token: HASH });
    expect(accountsIn(next).slice(0, 3)).toEqual(accountsIn(TEAM));
    expect(accountsIn(next).at(-1)).toEqual({ name: 'ci', role: 'operate', kind: 'token', credential: HASH });
    expect(isValid(next)).toBe(true);
  });

  test('refuses names that the settings refuse, and names that are taken', () => {
    expect(userNameFlaw('', TEAM)).toMatch(/must have/);
    expect(userNameFlaw('a:b', TEAM)).toMatch(/colons/);
    expect(userNameFlaw('ann', TEAM)).toBe('There is a user of this name.');
    expect(userNameFlaw('ben', TEAM)).toBe('There is a user of this name.');
    expect(userNameFlaw('dora', TEAM)).toBeNull();
  });

  test('a typed password goes to the keyring under a free name; hashes and placeholders stay', () => {
    expect(passwordHome('ben.m', 'a long one', ['user_ben_m', 'other'])).toEqual({
      kind: 'keyring',
      secret: 'user_ben_m_2',
      password: '${secrets.user_ben_m_2}',
    });
    for (const typed of ['scrypt$16384$8$1$AAAA$BBBB', '${secrets.mine}'])
      expect(passwordHome('ben', typed, [])).toEqual({ kind: 'settings', password: typed });
  });

  test('lines to paste are those of a settings file, whatever the name is', () => {
    const added = { name: 'a "b": {c}', role: 'read', password: null, token: HASH } as const;
    expect(parse(accountYaml(added))).toEqual({
      server: { users: { [added.name]: { role: 'read', token: HASH } } },
    });
    expect(parse(accountYaml({ ...added, password: '${secrets.x}', token: null }))).toEqual({
      server: { users: { [added.name]: { role: 'read', password: '${secrets.x}' } } },
    });
  });
});

describe('removing', () => {
  test('takes one user, also that of server.auth', () => {
    const next = withoutAccount(TEAM, 'ben');
    expect(accountsIn(next).map(({ name }) => name)).toEqual(['ann', 'prometheus']);
    const other = withoutAccount(TEAM, 'ann');
    expect(accountsIn(other).map(({ name }) => name)).toEqual(['ben', 'prometheus']);
    expect([isValid(next), isValid(other)]).toEqual([true, true]);
  });

  test('leaves nobody locked out', () => {
    expect(removalFlaw(TEAM, 'ann', 'ann')).toMatch(/yourself/);
    expect(removalFlaw(TEAM, 'ann', null)).toMatch(/No admin/);
    expect(removalFlaw(TEAM, 'ben', 'ann')).toBeNull();
    const alone = withAccount(OPEN, { name: 'ann', role: 'admin', password: 'x', token: null });
    expect(removalFlaw(alone, 'ann', null)).toBeNull();
  });

  test('an admin whose credential is a token does not count: it cannot sign in', () => {
    expect(hasAdmin(settingsWith({ users: { ci: { role: 'admin', token: HASH } } }))).toBe(false);
    expect(hasAdmin(settingsWith({ users: { ann: { role: 'admin', password: 'x' } } }))).toBe(true);
  });

  test('takes along only a secret that the page has made', () => {
    expect(ownSecretOf('${secrets.user_ben_2}')).toBe('user_ben_2');
    expect(ownSecretOf('${secrets.api_password}')).toBeNull();
    expect(ownSecretOf('********')).toBeNull();
  });
});

test('tokens have 256 bits of their own, and their hash is what the service compares', async () => {
  const tokens = Array.from({ length: 50 }, drawTokenText);
  expect(new Set(tokens).size).toBe(50);
  for (const token of tokens) {
    expect(token).toMatch(/^spate_[\w-]{43}$/);
    expect(Buffer.from(token.slice('spate_'.length), 'base64url')).toHaveLength(32);
    const hash = await storedToken(token);
    expect(hash).toBe(tokenHash(token));
    expect(isTokenHash(hash)).toBe(true);
  }
  expect(isTokenHash(HASH.toUpperCase())).toBe(false);
});

describe('last changes', () => {
  const entry = (user: string | null, at: string, status = 200): AuditEntry => ({
    at,
    user,
    client: '::1',
    operation: 'startGenerator',
    target: '/generators/web/start',
    status,
  });

  /** Reads pages of a trail and counts them. */
  const trailOf = (entries: readonly AuditEntry[]) => {
    let reads = 0;
    return {
      reads: () => reads,
      read: async ({ offset, limit }: { readonly offset: number; readonly limit: number }) => {
        reads++;
        const end = offset + limit;
        return { entries: entries.slice(offset, end), next_offset: entries.length > end ? end : null };
      },
    };
  };

  test('are the newest of each, without sign-ins with wrong credentials; language models count as their user', async () => {
    const { read } = trailOf([
      entry('ann', '5', 401),
      entry('ann (mcp)', '4'),
      entry('ben', '3', 403),
      entry('ann', '2'),
      entry(null, '1'),
    ]);
    const seen = await lastSeen(['ann', 'ben', 'cem'], read);
    expect([seen.get('ann')?.at, seen.get('ben')?.at, seen.get('cem')]).toEqual(['4', '3', undefined]);
  });

  test('are looked for in no more pages than it takes, and in four at most', async () => {
    const noise = Array.from({ length: 3_000 }, (_, index) => entry('ann', String(index)));
    const first = trailOf([entry('ben', 'now'), ...noise]);
    await lastSeen(['ann', 'ben'], first.read);
    expect(first.reads()).toBe(1);
    const later = trailOf([...noise.slice(0, 600), entry('ben', 'then'), ...noise]);
    expect((await lastSeen(['ben'], later.read)).get('ben')?.at).toBe('then');
    expect(later.reads()).toBe(2);
    const never = trailOf(noise);
    expect((await lastSeen(['ben'], never.read)).has('ben')).toBe(false);
    expect(never.reads()).toBe(4);
  });
});
