import { describe, expect, test } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { pipeline } from '../../src/pipeline/pipeline.js';
import { makeTurn } from '../../src/pipeline/produce.js';
import { echoProducer, listInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

/** Turns on a clock that counts its readings and advances by `event_ms` with each event. */
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
  test('of fast events ends within a fraction of a millisecond, with one clock reading for sixteen of them', () => {
    const next = turnsOf(() => 0.001);
    next();
    const { took_ms, looks, events } = next();
    expect(took_ms).toBeGreaterThanOrEqual(10);
    expect(took_ms).toBeLessThan(10.02);
    expect(looks).toBeLessThan(events / 15);
  });

  test('of slow events reads the clock for each of them', () => {
    const next = turnsOf(() => 4);
    expect(next().events).toBe(3);
    expect(next().events).toBe(3);
  });

  test('with events that become slow continues for at most sixteen of them, once', () => {
    const next = turnsOf((event) => (event < 100 ? 0.001 : 5));
    expect(next().took_ms).toBeLessThanOrEqual(16 * 5 + 0.1);
    expect(next().took_ms).toBeCloseTo(10);
  });
});

describe('a pipeline at full speed', () => {
  test('yields every 10 ms, however short the calls of the event plugin are', async () => {
    const { parts } = partsOf({
      inputs: [listInput(Array.from({ length: 100 }, (_, i) => i))],
      outputs: [memoryOutput()],
    });
    let now = 0;
    const turns = [0];
    const clock = {
      ...parts.clock,
      monotonicMs: () => now,
      yieldTurn: async () => void turns.push(now),
    };
    const producer = {
      ...echoProducer,
      produce: (request: Parameters<typeof echoProducer.produce>[0]) => {
        now += 2;
        return echoProducer.produce({ ...request, to: request.from + 1 });
      },
    };
    await lastValueFrom(pipeline({ ...parts, clock, producer }).flow);
    const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(15);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(12);
  });
});
