import { describe, expect, test } from '@jest/globals';
import { MICROS_PER_MS } from '../../../../../src/domain/time/micros.js';
import {
  isRetryableStatus,
  MAX_PAUSE_MS,
  makePause,
  plainReply,
  retryAfterMs,
  statusError,
} from '../../../../../src/plugins/outputs/shared/http/replies.js';
import { fakeClock } from '../../../../support/clocks/fakeClock.js';

describe('a status', () => {
  test.each([
    [true, [408, 425, 429, 500, 502, 503, 504, 507, 599]],
    [false, [200, 204, 301, 307, 400, 401, 403, 404, 405, 409, 410, 411, 413, 414, 415, 422, 431, 451]],
  ])('may pass: %s', (isRetryable, statuses) => {
    for (const status of statuses) {
      expect([status, isRetryableStatus(status)]).toEqual([status, isRetryable]);
      const error = statusError({ status, headers: {}, text: '' });
      expect(error).toMatchObject({ isRetryable, origin: `HTTP status ${status}`, code: status });
      expect(error.remedy).toMatch(/\.$/);
    }
  });

  test('a caller may decide otherwise', () => {
    expect(statusError({ status: 400, headers: {}, text: 'x' }, true).isRetryable).toBe(true);
    expect(statusError({ status: 503, headers: {}, text: 'x' }, false).isRetryable).toBe(false);
  });

  test('a redirect names its target', () => {
    const headers = { location: 'https://b.example.org/' };
    expect(statusError({ status: 301, headers, text: '<html>moved</html>' })).toMatchObject({
      what: 'the server redirects to https://b.example.org/',
      remedy: expect.stringContaining('Redirects are not followed'),
    });
  });
});

test.each([
  ['  two\n  lines ', 'two lines'],
  [
    '<html>\r\n<head><title>503 Service Unavailable</title></head><body>..</body></html>',
    '503 Service Unavailable',
  ],
  ['', ''],
])('the text of the reply %j is shown as %j', (text, shown) => {
  expect(plainReply(text)).toBe(shown);
});

describe('Retry-After', () => {
  const now_ms = Date.UTC(2025, 0, 1);

  test.each([
    ['0', 0],
    ['3', 3_000],
    [' 12 ', 12_000],
    ['3600', MAX_PAUSE_MS],
    ['Wed, 01 Jan 2025 00:00:20 GMT', 20_000],
    ['Wed, 01 Jan 2025 05:00:00 GMT', MAX_PAUSE_MS],
    ['Tue, 31 Dec 2024 00:00:00 GMT', 0],
    ['soon', 0],
    ['', 0],
    [undefined, 0],
  ])('%j is %d ms', (header, ms) => {
    expect(retryAfterMs(header, now_ms)).toBe(ms);
  });

  test('holds requests back for as long as the server asked', async () => {
    const clock = fakeClock(now_ms * MICROS_PER_MS);
    const pause = makePause(clock);
    const signal = new AbortController().signal;
    await pause.over(signal);
    pause.note('5');
    pause.note('2');
    pause.note(undefined);
    let isOver = false;
    const waiting = pause.over(signal).then(() => {
      isOver = true;
    });
    await clock.advanceMs(4_999);
    expect(isOver).toBe(false);
    await clock.advanceMs(1);
    await waiting;
    await pause.over(signal);
  });

  test('a wait ends with the signal, and continues in the next attempt', async () => {
    const clock = fakeClock();
    const pause = makePause(clock);
    pause.note('5');
    const ending = new AbortController();
    const waiting = pause.over(ending.signal);
    ending.abort();
    await waiting;
    let isOver = false;
    void pause.over(new AbortController().signal).then(() => {
      isOver = true;
    });
    await clock.advanceMs(4_000);
    expect(isOver).toBe(false);
    await clock.advanceMs(1_000);
    expect(isOver).toBe(true);
  });
});
