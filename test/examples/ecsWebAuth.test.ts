import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventsOf } from './eventsOf.js';

interface EcsEvent {
  readonly '@timestamp': string;
  readonly event: {
    readonly kind: string;
    readonly category: readonly string[];
    readonly type: readonly string[];
    readonly action: string;
    readonly outcome: string;
    readonly duration?: number;
    readonly start?: string;
    readonly reason?: string;
  };
  readonly host: { readonly name: string };
  readonly url?: { readonly domain: string; readonly path: string };
  readonly http?: {
    readonly request: { readonly method: string; readonly referrer?: string };
    readonly response: { readonly status_code: number; readonly body: { readonly bytes: number } };
  };
  readonly user?: {
    readonly id: string;
    readonly name: string;
    readonly roles: readonly string[];
    readonly target?: { readonly id: string };
  };
  readonly source: { readonly ip: string };
  readonly user_agent: { readonly original: string };
  readonly labels?: { readonly session_id: string };
}

/** What each event of a session must share with its login. */
const identity = ({ user, source, user_agent }: EcsEvent): unknown => ({
  id: user?.id,
  name: user?.name,
  roles: user?.roles,
  source,
  user_agent,
});

interface Replayed {
  readonly most_open: number;
  /** Events in a session, by action. */
  readonly actions: Readonly<Record<string, number>>;
  /** Sessions in the order in which they were ended for want of room, each with those open before it. */
  readonly expired: readonly { readonly id: string; readonly oldest: string | undefined }[];
}

/** Tracks sessions by their events; fails on use of a closed session or by another user. */
const replay = (events: readonly EcsEvent[]): Replayed => {
  const open = new Map<string, EcsEvent>();
  const used = new Set<string>();
  const actions: Record<string, number> = {};
  const expired: { id: string; oldest: string | undefined }[] = [];
  let most_open = 0;
  for (const event of events) {
    const id = event.labels?.session_id;
    if (id === undefined) continue;
    const { action, start } = event.event;
    actions[action] = (actions[action] ?? 0) + 1;
    if (action === 'user-login') {
      expect(used).not.toContain(id);
      used.add(id);
      open.set(id, event);
    }
    const login = open.get(id);
    expect(login).toBeDefined();
    if (login !== undefined) expect(identity(event)).toEqual(identity(login));
    if (event.event.type.includes('end')) {
      if (action === 'session-expired') expired.push({ id, oldest: [...open.keys()][0] });
      expect(start).toBe(login?.['@timestamp']);
      const ns = (Date.parse(event['@timestamp']) - Date.parse(start ?? '')) * 1_000_000;
      expect(event.event.duration).toBe(ns);
      open.delete(id);
    }
    most_open = Math.max(most_open, open.size);
  }
  return { most_open, actions, expired };
};

describe('the web and auth log of the example', () => {
  let events: readonly EcsEvent[] = [];
  beforeAll(async () => {
    events = await eventsOf<EcsEvent>('ecs-web-auth', 2_000);
  });
  const requests = (): readonly EcsEvent[] => events.filter(({ http }) => http !== undefined);

  test('is 2,000 lines of JSON with the fields that ECS wants of every event', () => {
    expect(events).toHaveLength(2_000);
    for (const { event, host, '@timestamp': at } of events) {
      expect(Date.parse(at)).not.toBeNaN();
      expect(event).toMatchObject({ kind: 'event', action: expect.stringMatching(/^[a-z-]+$/) });
      expect(['success', 'failure']).toContain(event.outcome);
      expect(event.category.length * event.type.length).toBeGreaterThan(0);
      expect(host.name).toBe('web-1');
    }
  });

  test('has sessions: what happens in one comes after its login, before its end, from the same user, address and browser', () => {
    const { actions, expired, most_open } = replay(events);
    expect(actions['user-login']).toBeGreaterThan(100);
    expect(actions['user-logout']).toBeGreaterThan(50);
    expect(actions['page-view']).toBeGreaterThan(700);
    expect(actions['api-call']).toBeGreaterThan(200);
    expect(expired).toEqual([]);
    expect(most_open).toBeLessThanOrEqual(200);
  });

  test('keeps at most the sessions it is told to: the oldest ends', async () => {
    const { expired, most_open } = replay(
      await eventsOf<EcsEvent>('ecs-web-auth', 1_000, { max_sessions: 7 }),
    );
    expect(most_open).toBe(7);
    expect(expired.length).toBeGreaterThan(10);
    expect(expired.map(({ id }) => id)).toEqual(expired.map(({ oldest }) => oldest));
  });

  test('takes its parameters', async () => {
    const params = { host: 'edge "7"', domain: 'other.example', known_share: 0 };
    const others = await eventsOf<EcsEvent>('ecs-web-auth', 300, params);
    expect(new Set(others.map(({ host }) => host.name))).toEqual(new Set(['edge "7"']));
    const asked = others.filter(({ url }) => url !== undefined);
    expect(new Set(asked.map(({ url }) => url?.domain))).toEqual(new Set(['other.example']));
    expect(asked.every(({ labels }) => labels === undefined)).toBe(true);
  });

  test('has requests with a status that fits outcome and body, and times above zero', () => {
    const statuses = new Set<number>();
    for (const { http, event } of requests()) {
      const { status_code = 0, body } = http?.response ?? {};
      statuses.add(status_code);
      expect(event.outcome).toBe(status_code < 400 ? 'success' : 'failure');
      expect(Number.isSafeInteger(event.duration)).toBe(true);
      expect(event.duration).toBeGreaterThanOrEqual(1_000_000);
      expect(event.duration).toBeLessThanOrEqual(30_000_000_000);
      const isEmpty = status_code === 304 || http?.request.method === 'HEAD';
      expect(body?.bytes === 0).toBe(isEmpty);
    }
    expect([...statuses]).toEqual(expect.arrayContaining([200, 302, 304, 401, 404]));
  });

  test('follows each session through the site: the referrer is its page before', () => {
    const last = new Map<string, string>();
    let followed = 0;
    for (const { labels, url, http, event } of requests()) {
      const id = labels?.session_id ?? '';
      const referrer = http?.request.referrer;
      expect(referrer).toBe(last.get(id));
      if (referrer !== undefined) followed++;
      if (id !== '' && event.action === 'page-view') last.set(id, `https://${url?.domain}${url?.path}`);
    }
    expect(followed).toBeGreaterThan(500);
  });

  test('refuses only anonymous visitors of pages that need a login', () => {
    for (const { labels, url, http } of requests()) {
      const needsLogin = /^\/(?:cart|account|api\/v1\/orders)/.test(url?.path ?? '');
      const isRefused = [302, 401].includes(http?.response.status_code ?? 0);
      expect(isRefused).toBe(needsLogin && labels === undefined);
    }
  });

  test('has failed logins: most in runs from one address that guesses names', async () => {
    const text = await readFile(
      join(import.meta.dirname, '..', '..', 'generators', 'ecs-web-auth', 'samples', 'users.csv'),
      'utf8',
    );
    const known = text.split('\n').map((line) => line.split(',')[1] ?? '');
    const failed = events.filter(({ event }) => event.action === 'user-login' && event.outcome === 'failure');
    const guesses = failed.filter(({ event }) => event.reason === 'unknown user');
    const slips = failed.filter(({ event }) => event.reason === 'wrong password');
    expect(guesses.length + slips.length).toBe(failed.length);
    expect(guesses.length).toBeGreaterThan(slips.length);
    expect(slips.every(({ user }) => known.includes(user?.name ?? '-'))).toBe(true);
    expect(guesses.every(({ source }) => source.ip.startsWith('198.51.100.'))).toBe(true);
    const attackers = new Set(guesses.map(({ source }) => source.ip));
    expect(attackers.size).toBeLessThan(guesses.length / 4);
  });

  test('lets only admins act on others', () => {
    const acts = events.filter(({ event }) => event.category.includes('iam'));
    expect(acts.length).toBeGreaterThan(5);
    for (const { user } of acts) {
      expect(user?.roles).toEqual(['admin']);
      expect(user?.target?.id).toMatch(/^u-1\d\d$/);
    }
  });
});
