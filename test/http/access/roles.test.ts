import { describe, expect, test } from '@jest/globals';
import { roleOf } from '../../../src/contract/roles.js';
import { mayDo, ROLES, type Role } from '../../../src/domain/access/roles.js';
import type { NoteChange } from '../../../src/domain/audit.js';
import type { Auth } from '../../../src/http/access/auth.js';
import { tokenHash } from '../../../src/http/access/password.js';
import { CONTRACT, startServer, type TestServer } from '../support.js';

const tokenOf = (role: Role): string => `spate_${role}`;

/** A user and a token of each role. */
const AUTH: Auth = {
  kind: 'accounts',
  accounts: ROLES.flatMap((role) => [
    { user: role, role, password: `pw-${role}`, token: null },
    { user: `${role}-token`, role, password: null, token: tokenHash(tokenOf(role)) },
  ]),
};

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

const withServer = async (
  use: (server: TestServer) => Promise<void>,
  noteChange: NoteChange = () => {},
): Promise<void> => {
  const server = await startServer({ auth: AUTH, noteChange });
  try {
    await use(server);
  } finally {
    await server.server.stop(0);
  }
};

/** Sends a request without a body; the status after the gate does not matter here. */
const send = async (
  { url }: TestServer,
  { method, path }: { readonly method: string; readonly path: string },
  headers: Record<string, string>,
) => {
  const address = `${url}/api${path.replace(/\{\w+\}/g, 'x')}`;
  const gone = new AbortController();
  const answer = await fetch(address, { method: method.toUpperCase(), headers, signal: gone.signal });
  const text =
    answer.headers.get('content-type')?.includes('event-stream') === true ? '' : await answer.text();
  gone.abort();
  return { status: answer.status, text };
};

describe.each(ROLES)('a client with the role %s', (role) => {
  test('passes every operation that its role allows, and no other', async () => {
    await withServer(async (server) => {
      for (const row of CONTRACT.routes) {
        const before = server.owner.asked.length;
        const { status, text } = await send(server, row, bearer(tokenOf(role)));
        const needed = row.isOpen === true ? 'read' : roleOf(row);
        const isRefused = status === 403 && text.includes('needs the role');
        expect({ id: row.id, isRefused }).toEqual({ id: row.id, isRefused: !mayDo(role, needed) });
        if (!isRefused) continue;
        expect(JSON.parse(text)).toEqual({
          detail: `This needs the role ${needed}; ${role}-token has ${role}. Roles are in server.users of the settings.`,
          code: 'forbidden',
        });
        expect(server.owner.asked).toHaveLength(before);
      }
    });
  });
});

test('a session has the role of its user', async () => {
  await withServer(async (server) => {
    for (const role of ROLES) {
      const login = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: basic(role, `pw-${role}`),
      });
      const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
      const headers = { cookie, origin: server.url, 'sec-fetch-site': 'same-origin' };
      const me = await fetch(`${server.url}/api/auth/me`, { headers });
      expect(await me.json()).toBe(role);
      const start = await send(server, { method: 'post', path: '/generators/x/start' }, headers);
      expect(start.status === 403).toBe(role === 'read');
    }
  });
});

test.each([
  ['the password of another user', basic('read', 'pw-admin')],
  ['the hash of a token', bearer(tokenHash(tokenOf('admin')))],
  ['a token as a password', basic('admin-token', tokenOf('admin'))],
  ['no user at all', basic('', '')],
  ['a token that nobody has', bearer('spate_x')],
])('%s is refused', async (_, headers) => {
  await withServer(async (server) => {
    const { status } = await send(server, { method: 'get', path: '/generators/' }, headers);
    expect(status).toBe(401);
    expect(server.owner.asked).toEqual([]);
  });
});

test('a refusal for a role is in the audit trail with who it was', async () => {
  const noted: Parameters<NoteChange>[0][] = [];
  let onSecond = (): void => {};
  const areBoth = new Promise<void>((resolve) => {
    onSecond = resolve;
  });
  const check = async (server: TestServer): Promise<void> => {
    await send(server, { method: 'delete', path: '/secrets/x' }, bearer(tokenOf('read')));
    await send(server, { method: 'delete', path: '/secrets/x' }, basic('operate', 'pw-operate'));
    // The entries follow the answers.
    await areBoth;
    expect(noted.map(({ user, status }) => [user, status])).toEqual([
      ['read-token', 403],
      ['operate', 403],
    ]);
  };
  await withServer(check, (entry) => {
    if (noted.push(entry) === 2) onSecond();
  });
});

test('guesses of tokens are limited', async () => {
  await withServer(async (server) => {
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++)
      statuses.push(
        (await send(server, { method: 'get', path: '/generators/' }, bearer(`guess-${i}`))).status,
      );
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    // The right token of a client is no guess.
    expect(
      (await send(server, { method: 'get', path: '/generators/' }, bearer(tokenOf('read')))).status,
    ).toBe(200);
  });
});

test('an operation that changes something needs more than read, also one that nobody has listed', () => {
  const changing = CONTRACT.routes.filter(
    ({ method, id }) => method !== 'get' && roleOf({ id, method }) === 'read',
  );
  expect(changing.map(({ id }) => id)).toEqual(['normalizeDateTime']);
  expect(roleOf({ id: 'somethingNew', method: 'delete' })).toBe('admin');
});

test('the OpenAPI document says what each operation needs', () => {
  const { paths } = CONTRACT.openapi() as unknown as {
    readonly paths: Record<string, Record<string, { readonly 'x-required-role'?: string }>>;
  };
  expect(paths['/scenarios/{name}/globals']?.['patch']?.['x-required-role']).toBe('operate');
  expect(paths['/secrets/{name}']?.['get']?.['x-required-role']).toBe('admin');
  expect(paths['/health']?.['get']?.['x-required-role']).toBeUndefined();
});

test.each(['renameGenerator', 'renameScenario', 'renameSecret'])('%s needs the role admin', (id) => {
  const row = CONTRACT.routes.find((one) => one.id === id);
  expect(row === undefined ? null : roleOf(row)).toBe('admin');
});
