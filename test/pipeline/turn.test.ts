import { describe, expect, test } from '@jest/globals';
import { makeTurn } from '../../src/pipeline/turn.js';

/** A clock that is looked at, and moves `event_ms` with each event; the events until the turn is spent. */
const turnsOf = (event_ms: (event: number) => number) => {
  let now = 0;
  let looks = 0;
  let event = 0;
  const turn = makeTurn({
    monotonicMs: () => {
      looks++;
      return now;
    },
  });
  return () => {
    turn.begin();
    const before = { now, looks, event };
    do now += event_ms(event++);
    while (!turn.isSpent());
    return { took_ms: now - before.now, looks: looks - before.looks, events: event - before.event };
  };
};

describe('a turn of production', () => {
  test('of fast events is over within a fraction of a millisecond, with a look at the clock for sixteen of them', () => {
    const next = turnsOf(() => 0.001);
    next();
    const { took_ms, looks, events } = next();
    expect(took_ms).toBeGreaterThanOrEqual(10);
    expect(took_ms).toBeLessThan(10.02);
    expect(looks).toBeLessThan(events / 15);
  });

  test('of slow events looks at the clock for each of them', () => {
    const next = turnsOf(() => 4);
    expect(next().events).toBe(3);
    expect(next().events).toBe(3);
  });

  test('in which events become slow goes on for sixteen of them at most, once', () => {
    const next = turnsOf((event) => (event < 100 ? 0.001 : 5));
    expect(next().took_ms).toBeLessThanOrEqual(16 * 5 + 0.1);
    expect(next().took_ms).toBeCloseTo(10);
  });
});
