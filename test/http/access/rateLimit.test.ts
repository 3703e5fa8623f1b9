import { describe, expect, test } from '@jest/globals';
import {
  clientOf,
  GUESS_LIMITS,
  type GuessLimiter,
  guessLimiter,
} from '../../../src/http/access/rateLimit.js';
import { fakeClock } from '../../support/clocks/fakeClock.js';

/** Guesses that are judged when a client tries as often as it can; each is a new one. */
const tryAll = (limiter: GuessLimiter, client: string, count: number, prefix = ''): number => {
  let judged = 0;
  for (let i = 0; i < count; i++) {
    const guess = `${prefix}${i}`;
    if (limiter.mayGuess(client, guess) !== 'yes') continue;
    judged += 1;
    limiter.wrong(client, guess);
  }
  return judged;
};

describe('wrong guesses', () => {
  test('ten are judged, then the client waits', () => {
    const limiter = guessLimiter(fakeClock());
    expect(tryAll(limiter, 'a', 100)).toBe(GUESS_LIMITS.burst);
    expect(limiter.mayGuess('a', 'new')).toBe(GUESS_LIMITS.refill_ms);
  });

  test('the last of them is told', () => {
    const limiter = guessLimiter(fakeClock());
    const told = Array.from({ length: 10 }, (_, i) => limiter.wrong('a', String(i)));
    expect(told).toEqual([...Array<boolean>(9).fill(false), true]);
  });

  test('after the wait there is one more, not ten', async () => {
    const clock = fakeClock();
    const limiter = guessLimiter(clock);
    tryAll(limiter, 'a', 10);
    await clock.advanceMs(GUESS_LIMITS.refill_ms - 1);
    expect(limiter.mayGuess('a', 'new')).toBe(1);
    await clock.advanceMs(1);
    expect(tryAll(limiter, 'a', 100, 'later ')).toBe(1);
  });

  test('one client can make some 8,650 guesses in a day', async () => {
    const clock = fakeClock();
    const limiter = guessLimiter(clock);
    let judged = 0;
    for (let minute = 0; minute < 24 * 60; minute++) {
      judged += tryAll(limiter, 'a', 20, `${minute} `);
      await clock.advanceMs(60_000);
    }
    expect(judged).toBe(GUESS_LIMITS.burst + 6 * (24 * 60 - 1));
  });

  test('another client is not concerned', () => {
    const limiter = guessLimiter(fakeClock());
    tryAll(limiter, 'a', 100);
    expect(limiter.mayGuess('b', 'new')).toBe('yes');
  });

  test('repeating a wrong guess is free: an old script locks out no one', () => {
    const limiter = guessLimiter(fakeClock());
    limiter.wrong('a', 'old password');
    for (let i = 0; i < 1_000; i++) expect(limiter.mayGuess('a', 'old password')).toBe('known');
    expect(limiter.mayGuess('a', 'another')).toBe('yes');
  });

  test('what was wrong is known again while the client waits', () => {
    const limiter = guessLimiter(fakeClock());
    tryAll(limiter, 'a', 100);
    expect(limiter.mayGuess('a', '9')).toBe('known');
  });
});

describe('many clients', () => {
  const limits = { ...GUESS_LIMITS, max_clients: 50 };

  test('the table does not grow without end, and neither does the number of guesses', () => {
    const limiter = guessLimiter(fakeClock(), limits);
    let judged = 0;
    for (let i = 0; i < 1_000; i++) judged += tryAll(limiter, `10.0.0.${i}`, 20, `${i} `);
    expect(limiter.size()).toBeLessThanOrEqual(limits.max_clients + 1);
    expect(judged).toBe((limits.max_clients + 1) * limits.burst);
  });

  test('who has its whole budget back makes room', async () => {
    const clock = fakeClock();
    const limiter = guessLimiter(clock, limits);
    for (let i = 0; i < limits.max_clients; i++) limiter.wrong(String(i), 'x');
    await clock.advanceMs(limits.refill_ms);
    limiter.wrong('new', 'x');
    expect(limiter.size()).toBe(1);
  });

  test('a client that waits is not forgotten for a new one', () => {
    const limiter = guessLimiter(fakeClock(), limits);
    tryAll(limiter, 'attacker', 100);
    for (let i = 0; i < 1_000; i++) limiter.wrong(String(i), 'x');
    expect(limiter.mayGuess('attacker', 'new')).toBe(limits.refill_ms);
  });
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  [undefined, 'unknown'],
])('%s is the client %s', (address, expected) => {
  expect(clientOf(address)).toBe(expected);
});
