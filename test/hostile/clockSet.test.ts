import { afterEach, describe, expect, test } from '@jest/globals';
import { lastValueFrom } from 'rxjs';
import { pipeline } from '../../src/pipeline/pipeline.js';
import { DRAIN } from '../../src/pipeline/run.js';
import { endlessInput, memoryOutput, partsOf } from '../support/pipelines/pipelineParts.js';

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;
const HOUR_MS = 3_600_000;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A live generator of one event a second, after ten seconds. */
const live = async () => {
  const output = memoryOutput();
  const { parts, clock, lines } = partsOf({
    inputs: [endlessInput(START + SECOND, SECOND)],
    outputs: [output],
    more: { isLive: true, batch: { size: 10, delay: 1 } },
  });
  const ended = lastValueFrom(pipeline(parts).flow, { defaultValue: 0 });
  ends.push(async () => {
    parts.draining.abort(DRAIN);
    await clock.advanceMs(1_000);
    await ended;
  });
  await clock.advanceMs(10_500);
  expect(output.events).toHaveLength(10);
  const warnings = () =>
    lines.filter(({ level, message }) => level === 'warning' && message.startsWith('the clock'));
  const told = (name: string): number =>
    Number(warnings().find(({ context }) => name in context)?.context[name]);
  return { output, clock, warnings, told, setWall: (ms: number) => clock.setWall(clock.now() + ms * 1_000) };
};

describe('the clock of the machine is set while a live generator runs', () => {
  test('an hour back: warns once with the wait, is never early, and reports when events continue', async () => {
    const { output, clock, warnings, told, setWall } = await live();
    setWall(-HOUR_MS);
    await clock.advanceMs(11_000);
    expect(warnings()).toMatchObject([
      {
        message: expect.stringContaining('the clock was set back'),
        context: { set_back_seconds: 3_600, hint: expect.stringContaining('correct the clock') },
      },
    ]);
    expect(told('wait_seconds')).toBeGreaterThan(3_580);
    expect(told('wait_seconds')).toBeLessThanOrEqual(3_600);
    for (let at = 11_000; at < HOUR_MS - 1_000; at += 200_000) {
      await clock.advanceMs(Math.min(200_000, HOUR_MS - 1_000 - at));
    }
    expect([output.events.length, warnings().length]).toEqual([10, 1]);
    await clock.advanceMs(3_000);
    expect(output.events.length).toBeGreaterThan(10);
    expect(warnings()).toMatchObject([{}, { message: expect.stringContaining('events continue') }]);
    expect(told('waited_seconds')).toBeGreaterThan(3_580);
  });

  test('back, and corrected a minute later: events continue within seconds, with a warning', async () => {
    const { output, clock, warnings, setWall } = await live();
    setWall(-HOUR_MS);
    await clock.advanceMs(60_000);
    expect(output.events).toHaveLength(10);
    setWall(HOUR_MS);
    await clock.advanceMs(11_000);
    expect(output.events.length).toBeGreaterThanOrEqual(70);
    expect(warnings().map(({ message }) => message)).toEqual([
      expect.stringContaining('set back'),
      expect.stringContaining('events continue'),
    ]);
  });

  test('a minute forward: overdue events are produced at once, with a warning', async () => {
    const { output, clock, warnings, setWall } = await live();
    setWall(60_000);
    await clock.advanceMs(2_000);
    expect(output.events.length).toBeGreaterThanOrEqual(70);
    expect(warnings()).toMatchObject([
      { message: expect.stringContaining('overdue events'), context: { set_forward_seconds: 60 } },
    ]);
  });

  test('in the steps of NTP: no warning', async () => {
    const { output, clock, warnings, setWall } = await live();
    for (let n = 0; n < 20; n++) {
      setWall(n % 2 === 0 ? -400 : 400);
      await clock.advanceMs(1_000);
    }
    expect(output.events.length).toBeGreaterThanOrEqual(29);
    expect(warnings()).toEqual([]);
  });
});
