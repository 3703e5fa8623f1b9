import { afterEach, describe, expect, test } from '@jest/globals';
import type { Auth } from '../../../src/http/access/auth.js';
import { hashPassword } from '../../../src/http/access/password.js';
import { GUESS_LIMITS } from '../../../src/http/access/rateLimit.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';
import { oneUser, startServer, type TestServer } from '../support.js';

const running: TestServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ server }) => server.stop(1_000)));
});

const AUTH: Auth = oneUser('ann', 'right');

const start = async (auth: Auth = AUTH) => {
  const clock = fakeClock();
  const server = await startServer({ auth, clock });
  running.push(server);
  const call = (path: string, method: string, headers: Record<string, string>) =>
    fetch(`${server.url}/api${path}`, { method, headers });
  const guessAs = (user: string, password: string, path = '/auth/login', method = 'POST') =>
    call(path, method, { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` });
  const guess = (password: string, path?: string, method?: string) => guessAs('ann', password, path, method);
  return { ...server, clock, guess, guessAs, call };
};

const count = <A>(values: readonly A[], value: A): number => values.filter((each) => each === value).length;

describe('a client that guesses', () => {
  test('gets ten guesses, then has to wait', async () => {
    const { guess } = await start();
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await guess(`guess ${i}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(20).fill(429)]);
    const refused = await guess('once more');
    expect(refused.headers.get('retry-after')).toBe(String(GUESS_LIMITS.refill_ms / 1_000));
    expect(await refused.json()).toEqual({
      detail: expect.stringContaining('Try again in 10 seconds'),
      code: 'too_many_requests',
    });
  });

  test('does not learn the right password while waiting, and has it after', async () => {
    const { guess, clock } = await start();
    for (let i = 0; i < 10; i++) await guess(`guess ${i}`);
    expect((await guess('right')).status).toBe(429);
    await clock.advanceMs(GUESS_LIMITS.refill_ms);
    expect((await guess('right')).status).toBe(200);
  });

  test('gets no more guesses on other endpoints', async () => {
    const { guess } = await start();
    for (let i = 0; i < 10; i++) await guess(`guess ${i}`, '/generators/', 'GET');
    expect((await guess('guess', '/auth/login')).status).toBe(429);
    expect((await guess('guess', '/nothing', 'GET')).status).toBe(429);
  });

  test('gets at most the queue of checks for concurrent guesses', async () => {
    const salt = Buffer.from('0123456789abcdef');
    const { guess } = await start(oneUser('ann', await hashPassword('right', salt, { N: 16, r: 1, p: 1 })));
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => guess(`guess ${i}`)));
    const judged = count(
      answers.map(({ status }) => status),
      401,
    );
    expect(judged).toBeGreaterThanOrEqual(GUESS_LIMITS.burst);
    expect(judged).toBeLessThanOrEqual(GUESS_LIMITS.burst + 16);
  });

  test('does not fill the log', async () => {
    const { guess, log } = await start();
    for (let i = 0; i < 100; i++) await guess(`guess ${i}`);
    expect(log.lines).toHaveLength(11);
    expect(log.lines.at(-2)).toEqual({
      level: 'warning',
      message: 'too many wrong credentials from a client: it has to wait',
    });
  });
});

describe('others at the same address', () => {
  test('keep their sessions', async () => {
    const { guess, call } = await start();
    const cookie = ((await guess('right')).headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    for (let i = 0; i < 20; i++) await guess(`guess ${i}`);
    expect((await call('/auth/me', 'GET', { cookie })).status).toBe(200);
  });

  test('are not locked out by a program that repeats an old password', async () => {
    const { guess, log } = await start();
    for (let i = 0; i < 50; i++) expect((await guess('old', '/generators/', 'GET')).status).toBe(401);
    expect((await guess('right')).status).toBe(200);
    expect(log.lines.filter(({ level }) => level === 'warning')).toHaveLength(1);
  });

  test('are not locked out by guesses with other names, however many', async () => {
    const { guess, guessAs } = await start();
    const statuses: number[] = [];
    for (let i = 0; i < 30; i++) statuses.push((await guessAs(`user${i % 3}`, `guess ${i}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(20).fill(429)]);
    expect((await guess('right')).status).toBe(200);
    for (let i = 0; i < 10; i++) expect((await guess(`guess ${i}`)).status).toBe(401);
    expect((await guess('right')).status).toBe(429);
  });

  test('who have the right password spend nothing', async () => {
    const { guess } = await start();
    for (let i = 0; i < 50; i++) expect((await guess('right', '/generators/', 'GET')).status).toBe(200);
  });
});
