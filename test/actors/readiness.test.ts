import { describe, expect, test } from '@jest/globals';
import { settle } from '../support/pipelines/scriptedHost.js';
import { makeDaemon } from './daemonParts.js';

const never = new Promise<never>(() => {});

describe('the daemon is ready', () => {
  test('when the facade listens and autostart is over, once', async () => {
    let finish: () => void = () => {};
    const starting = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { steps, facade, clock } = makeDaemon({ autostart: () => starting });
    await settle();
    expect(steps).not.toContain('ready');
    finish();
    await settle();
    expect(steps.at(-1)).toBe('ready');
    facade.fail({ code: 'unavailable', message: 'the listener broke' });
    await settle();
    clock.increment(1_000);
    await settle();
    expect(facade.isOpen()).toBe(true);
    expect(steps.filter((step) => step === 'ready')).toHaveLength(1);
  });

  test('also when autostart throws: the failure is logged, the unit is ready', async () => {
    const { steps, log } = makeDaemon({ autostart: () => Promise.reject(new Error('no thread')) });
    await settle();
    expect(steps.at(-1)).toBe('ready');
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'critical', context: { reason: 'autostart: no thread' } }),
    );
  });

  test('after thirty seconds without those that hang, with a warning', async () => {
    const { steps, clock, log, root } = makeDaemon({ autostart: () => never });
    await settle();
    clock.increment(29_999);
    await settle();
    expect(steps).not.toContain('ready');
    clock.increment(1);
    await settle();
    expect(steps.at(-1)).toBe('ready');
    expect(log).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        message: 'generators are slow to start: ready without them',
      }),
    );
    root.send({ type: 'stop' });
    await settle();
    expect(steps.filter((step) => step === 'ready')).toHaveLength(1);
  });

  test('not when it is stopped before', async () => {
    const { steps, root, ended } = makeDaemon({ autostart: () => never });
    await settle();
    root.send({ type: 'stop' });
    await settle();
    expect(ended).toEqual([null]);
    expect(steps).not.toContain('ready');
  });
});

describe('signs of life', () => {
  /** A daemon whose watchdog sleeps until it is woken. */
  const beating = (every_ms: number | null) => {
    const wakes: (() => void)[] = [];
    const counts = { beats: 0 };
    const daemon = makeDaemon({
      watchdog: {
        every_ms,
        beat: async () => void counts.beats++,
        clock: { sleepMs: () => new Promise((resolve) => void wakes.push(resolve)) },
      },
    });
    return { ...daemon, counts, wake: () => wakes.pop()?.() };
  };

  test('are given from the start on, and while generators drain', async () => {
    const { root, counts, wake, host } = beating(15_000);
    await settle();
    expect(counts.beats).toBe(1);
    root.send({ type: 'stop' });
    await settle();
    expect(host.last().commands).toEqual(['drain']);
    wake();
    await settle();
    expect(counts.beats).toBe(2);
  });

  test('are not sent without a watchdog', async () => {
    const { counts } = beating(null);
    await settle();
    expect(counts.beats).toBe(0);
  });

  test('end with the root actor', async () => {
    const { root, counts, wake } = beating(15_000);
    await settle();
    root.stop();
    wake();
    await settle();
    expect(counts.beats).toBe(1);
  });
});
