import { describe, expect, test } from '@jest/globals';
import {
  endedCookie,
  makeSessions,
  SESSION_LIMITS,
  type Sessions,
  sessionCookie,
  sessionIdsOf,
} from '../../../src/http/access/sessions.js';
import { type FakeClock, fakeClock } from '../../support/clocks/fakeClock.js';

const { idle_ms, absolute_ms, max_sessions } = SESSION_LIMITS;

const make = (): { readonly clock: FakeClock; readonly sessions: Sessions } => {
  const clock = fakeClock();
  let drawn = 0;
  return { clock, sessions: makeSessions(clock, () => `token-${drawn++}`) };
};

describe('a session', () => {
  test('lives from its begin to its end', async () => {
    const { sessions } = make();
    const id = sessions.begin('ann');
    expect([sessions.use(id), sessions.use(id)]).toEqual([true, true]);
    await sessions.end(id);
    expect(sessions.use(id)).toBe(false);
    await sessions.end(id);
  });

  test('ends when it is not used', async () => {
    const { clock, sessions } = make();
    const id = sessions.begin('ann');
    await clock.advanceMs(idle_ms - 1);
    expect(sessions.use(id)).toBe(true);
    await clock.advanceMs(idle_ms - 1);
    expect(sessions.use(id)).toBe(true);
    await clock.advanceMs(idle_ms);
    expect([sessions.use(id), sessions.size()]).toEqual([false, 0]);
  });

  test('ends in the end, however much it is used', async () => {
    const { clock, sessions } = make();
    const id = sessions.begin('ann');
    const steps = absolute_ms / (idle_ms / 2);
    for (let i = 1; i < steps; i++) {
      await clock.advanceMs(idle_ms / 2);
      expect(sessions.use(id)).toBe(true);
    }
    await clock.advanceMs(idle_ms / 2);
    expect(sessions.use(id)).toBe(false);
  });

  test('tells those who wait for its end once: at a logout, at its expiry, and when others take its place', async () => {
    const { clock, sessions } = make();
    const over: string[] = [];
    const begun = (name: string): string => {
      const id = sessions.begin('ann');
      sessions.onOver(id, () => over.push(name));
      return id;
    };
    await sessions.end(begun('logout'));
    expect(over).toEqual(['logout']);
    const used = begun('expiry');
    for (let left = absolute_ms; left > 1; left -= idle_ms / 2) {
      expect(sessions.use(used)).toBe(true);
      await clock.advanceMs(Math.min(left - 1, idle_ms / 2));
    }
    expect(over).toEqual(['logout']);
    await clock.advanceMs(idle_ms / 2);
    expect([over, sessions.size()]).toEqual([['logout', 'expiry'], 0]);
    begun('displaced');
    for (let i = 0; i < max_sessions; i++) sessions.begin('ann');
    expect(over).toEqual(['logout', 'expiry', 'displaced']);
  });

  test('tells nobody who has stopped listening, and at once when it is over already', async () => {
    const { clock, sessions } = make();
    const over: string[] = [];
    const id = sessions.begin('ann');
    const stop = sessions.onOver(id, () => over.push('stopped'));
    sessions.onOver(id, () => over.push('listening'));
    stop();
    await clock.advanceMs(idle_ms);
    expect(over).toEqual(['listening']);
    sessions.onOver(id, () => over.push('late'));
    expect(over).toEqual(['listening', 'late']);
  });

  test('ends after a time in which the machine slept, too', () => {
    const { clock, sessions } = make();
    const id = sessions.begin('ann');
    clock.setWall(clock.now() + idle_ms * 1_000);
    expect(sessions.use(id)).toBe(false);
  });

  test('gains no time when the clock is set back', async () => {
    const { clock, sessions } = make();
    const id = sessions.begin('ann');
    clock.setWall(clock.now() - 10 * absolute_ms * 1_000);
    await clock.advanceMs(idle_ms);
    expect(sessions.use(id)).toBe(false);
  });

  test('is not opened by what is kept of it', () => {
    const { sessions } = make();
    const id = sessions.begin('ann');
    expect(sessions.use('')).toBe(false);
    expect(sessions.use(`${id}x`)).toBe(false);
    expect(sessions.use(id)).toBe(true);
  });
});

describe('many sessions', () => {
  test('are at most a hundred: the one that was idle longest ends', () => {
    const { sessions } = make();
    const ids = Array.from({ length: max_sessions }, () => sessions.begin('ann'));
    const [first = '', second = ''] = ids;
    sessions.use(first);
    sessions.begin('ann');
    expect(sessions.size()).toBe(max_sessions);
    expect([sessions.use(first), sessions.use(second)]).toEqual([true, false]);
  });

  test('those that are over make room first', async () => {
    const { clock, sessions } = make();
    const old = Array.from({ length: max_sessions - 1 }, () => sessions.begin('ann'));
    await clock.advanceMs(idle_ms - 1);
    const young = sessions.begin('ann');
    await clock.advanceMs(1);
    sessions.begin('ann');
    expect(sessions.size()).toBe(2);
    expect([sessions.use(young), sessions.use(old[0] ?? '')]).toEqual([true, false]);
  });
});

describe('the cookie', () => {
  test.each<[string | undefined, readonly string[]]>([
    ['session_id=abc', ['abc']],
    ['a=b; session_id=a-_Z9; c=d', ['a-_Z9']],
    ['a=b;session_id="abc"', ['abc']],
    ['session_id=one; session_id=two', ['one', 'two']],
    ['session_id=', ['']],
    ['xsession_id=abc', []],
    ['session_id=a b', []],
    ['session_id=a,b', []],
    ['Session_id=abc', []],
    ['', []],
    [undefined, []],
    [Array(50).fill('session_id=x').join(';'), ['x', 'x', 'x', 'x']],
  ])('%j has the ids %j', (header, expected) => {
    expect(sessionIdsOf(header)).toEqual(expected);
  });

  test('is kept from scripts and foreign pages, and over TLS from plain HTTP', () => {
    expect(sessionCookie('abc', false)).toBe('session_id=abc; Path=/; HttpOnly; SameSite=Lax');
    expect(sessionCookie('abc', true)).toBe('session_id=abc; Path=/; HttpOnly; SameSite=Lax; Secure');
    expect(endedCookie(true)).toBe('session_id=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure');
  });
});
