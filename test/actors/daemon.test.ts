import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { SpateError } from '../../src/domain/errors.js';
import { failure } from '../../src/domain/errors.js';
import { settle } from '../support/pipelines/scriptedHost.js';
import { makeDaemon } from './daemonParts.js';

const TAKEN = failure('unavailable', 'port 8080 is taken');
const BROKEN = failure('unavailable', 'the listener broke');

/** A promise and what settles it. */
const later = <A>() => {
  let give: (value: A) => void = () => {};
  const promise = new Promise<A>((resolve) => {
    give = resolve;
  });
  return { promise, give: (value: A) => give(value) };
};

const START = [
  'a is registered',
  'b is registered',
  'facade opens',
  'listens at http://127.0.0.1:1',
  'autostart',
  'a starts',
  'ready',
];

const running = async (more: Parameters<typeof makeDaemon>[0] = {}) => {
  const daemon = makeDaemon(more);
  await settle();
  return daemon;
};

/** Lets every running pipeline drain. */
const drained = async ({ host }: ReturnType<typeof makeDaemon>): Promise<void> => {
  await settle();
  for (const run of host.runs) if (run.commands.includes('drain')) run.tell({ type: 'drained' });
  await settle();
};

describe('start', () => {
  test('generators are registered, the facade listens, those with autostart start: in this order', async () => {
    const { steps, ended } = await running();
    expect(steps).toEqual(START);
    expect(ended).toEqual([]);
  });

  test('the actors are found by name from the first moment on', async () => {
    const found: unknown[] = [];
    const daemon = makeDaemon({
      register: async () => {
        // The machine registers while it starts, before it is returned.
        await Promise.resolve();
        found.push(daemon.root.system.get('generators')?.getSnapshot().status);
        return E.right(null);
      },
    });
    const { root } = daemon;
    await settle();
    expect(found).toEqual(['active']);
    for (const name of ['settings', 'startup', 'configs', 'preview', 'scenarios', 'generators', 'facade']) {
      expect([name, root.system.get(name)?.getSnapshot().status]).toEqual([name, 'active']);
    }
  });

  test('generators start without a server', async () => {
    const { steps } = await running({ facade: { listen: null } });
    const others = START.filter((step) => !step.startsWith('facade') && !step.startsWith('listens'));
    expect(steps).toEqual([...others.slice(0, 2), 'listens at null', ...others.slice(2)]);
  });

  test('a taken port ends the daemon with the reason before any generator starts', async () => {
    const daemon = makeDaemon();
    daemon.facade.answer(Promise.resolve(E.left(TAKEN)));
    await settle();
    expect(daemon.ended).toEqual([TAKEN]);
    expect(daemon.steps).toEqual(['a is registered', 'b is registered', 'facade opens']);
    expect(daemon.host.runs).toHaveLength(0);
    // The caller prints the reason: a line of the log would say it twice.
    expect(daemon.log).toEqual([]);
  });

  test('a listener that throws ends it too, as a bug', async () => {
    const { ended } = await running({ facade: { listen: () => Promise.reject(new Error('no socket')) } });
    expect(ended).toMatchObject([{ code: 'bug', message: expect.stringContaining('no socket') }]);
  });

  test('a registration that rejects ends it as a bug', async () => {
    const { ended, steps } = await running({ register: () => Promise.reject(new Error('no list')) });
    expect(ended).toMatchObject([{ code: 'bug', message: 'registering generators: no list' }]);
    expect(steps).toEqual([]);
  });
});

describe('a facade that dies later', () => {
  test('is opened again after a backoff; generators run on and are not started again', async () => {
    const { facade, clock, steps, host, ended, log } = await running();
    facade.fail(BROKEN);
    await settle();
    expect(facade.isOpen()).toBe(false);
    expect(host.alive()).toBe(1);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'error', context: { reason: BROKEN.message } }),
    );
    clock.increment(249);
    await settle();
    expect(facade.isOpen()).toBe(false);
    clock.increment(1);
    await settle();
    expect(facade.isOpen()).toBe(true);
    expect(steps.filter((step) => !step.startsWith('facade'))).toEqual([
      ...START.filter((step) => !step.startsWith('facade')),
      'listens at http://127.0.0.1:1',
    ]);
    expect(host.runs).toHaveLength(1);
    expect(ended).toEqual([]);
  });

  test('is opened again five times in two minutes, then the daemon ends with the reason', async () => {
    const daemon = await running();
    for (let round = 1; round <= 5; round++) {
      daemon.facade.fail(BROKEN);
      await settle();
      daemon.clock.increment(20_000);
      await settle();
      expect([round, daemon.facade.isOpen()]).toEqual([round, true]);
    }
    daemon.facade.fail(BROKEN);
    await drained(daemon);
    expect(daemon.ended).toEqual([BROKEN]);
    expect(daemon.steps.filter((step) => step === 'facade opens')).toHaveLength(6);
  });

  test('may fail for ever if it does so rarely', async () => {
    const { facade, clock, ended } = await running();
    for (let round = 1; round <= 20; round++) {
      facade.fail(BROKEN);
      await settle();
      clock.increment(60_000);
      await settle();
    }
    expect(facade.isOpen()).toBe(true);
    expect(ended).toEqual([]);
  });

  test('a try that fails again backs off longer, and one that works forgets the error', async () => {
    const daemon = await running();
    const { facade, clock, root, ended } = daemon;
    facade.answer(Promise.resolve(E.left(TAKEN)));
    facade.fail(BROKEN);
    clock.increment(250);
    await settle();
    facade.answer(null);
    clock.increment(499);
    await settle();
    expect(facade.isOpen()).toBe(false);
    clock.increment(1);
    await settle();
    expect(facade.isOpen()).toBe(true);
    root.send({ type: 'stop' });
    await drained(daemon);
    expect(ended).toEqual([null]);
  });
});

describe('stop', () => {
  test('closes the facade first, then drains generators, then ends everything else', async () => {
    const daemon = await running();
    const { root, facade, steps, host, ended } = daemon;
    const closing = later<void>();
    facade.closeAfter(closing.promise);
    root.send({ type: 'stop' });
    root.send({ type: 'stop' });
    await settle();
    expect(steps.slice(START.length)).toEqual(['facade closes']);
    expect(host.last().commands).toEqual([]);
    closing.give();
    await settle();
    expect(host.last().commands).toEqual(['drain']);
    expect(root.system.get('settings')?.getSnapshot().status).toBe('active');
    expect(ended).toEqual([]);
    await drained(daemon);
    expect(ended).toEqual([null]);
    for (const name of ['settings', 'startup', 'configs', 'preview', 'scenarios', 'generators', 'facade']) {
      expect([name, root.system.get(name)?.getSnapshot().status ?? 'gone']).toEqual([name, 'gone']);
    }
  });

  test('a startup list that cannot be used ends the daemon before anything is opened', async () => {
    const error = { code: 'unreadable', message: 'no list' } as const;
    const { ended, steps } = await running({ register: () => Promise.resolve(E.left(error)) });
    expect(ended).toEqual([error]);
    expect(steps).toEqual([]);
  });

  test('while generators are registered: nothing is opened or started', async () => {
    const { promise } = later<E.Either<SpateError, null>>();
    const { root, ended, steps } = await running({ register: () => promise });
    root.send({ type: 'stop' });
    await settle();
    expect(ended).toEqual([null]);
    expect(steps).toEqual([]);
  });

  test('while the facade opens: it closes once open, and nothing starts', async () => {
    const daemon = makeDaemon();
    const { root, facade, steps, ended } = daemon;
    const opening = later<E.Either<typeof TAKEN, typeof facade.listener>>();
    facade.answer(opening.promise);
    await settle();
    root.send({ type: 'stop' });
    await settle();
    expect(ended).toEqual([]);
    opening.give(E.right(facade.listener));
    await drained(daemon);
    expect(ended).toEqual([null]);
    expect(steps).toContain('facade closes');
    expect(steps).not.toContain('autostart');
    expect(steps).not.toContain('listens at http://127.0.0.1:1');
  });

  test('while generators start: those that started are drained', async () => {
    const { promise } = later<void>();
    const daemon = makeDaemon({
      autostart: () => {
        daemon.root.system
          .get('generators')
          ?.send({ type: 'generators.start', payload: { id: 'b' }, reply: () => {} });
        return promise;
      },
    });
    await settle();
    daemon.root.send({ type: 'stop' });
    await settle();
    expect(daemon.host.last().commands).toEqual(['drain']);
    await drained(daemon);
    expect(daemon.ended).toEqual([null]);
  });

  test('while the facade is down: it is not opened again, and the end is no error', async () => {
    const daemon = await running();
    daemon.facade.fail(BROKEN);
    await settle();
    daemon.root.send({ type: 'stop' });
    await drained(daemon);
    daemon.clock.increment(60_000);
    await settle();
    expect(daemon.ended).toEqual([null]);
    expect(daemon.steps.filter((step) => step === 'facade opens')).toHaveLength(1);
  });

  test('a facade that fails or throws while it closes does not stop the stop', async () => {
    const daemon = await running();
    daemon.facade.closeAfter(Promise.reject(new Error('still busy')));
    daemon.root.send({ type: 'stop' });
    daemon.facade.fail(BROKEN);
    await drained(daemon);
    expect(daemon.ended).toEqual([null]);
  });
});
