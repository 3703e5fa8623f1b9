import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { statsOf } from '../../../actors/generators/report.js';
import { DEFAULT_POLICY } from '../../../actors/generators/supervision.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import {
  addGenerated,
  addTo,
  addToOutput,
  FATES,
  readOutputStat,
  type Stats,
} from '../../../src/domain/stats/stats.js';
import { definitionOf, settle } from '../../support/pipelines/scriptedHost.js';
import { BAD, CRASH, crashed, LOAD_ERROR, makeGenerator } from './generatorParts.js';

type Generator = ReturnType<typeof makeGenerator>;

const flowing = async (generator: Generator): Promise<Generator> => {
  generator.start();
  await settle();
  generator.host.last().tell({ type: 'running' });
  return generator;
};

/** Lets the backoff pass and the pipeline of the restart run. */
const restart = async (generator: Generator, delay_ms: number): Promise<void> => {
  generator.clock.increment(delay_ms);
  await settle();
  generator.host.last().tell({ type: 'running' });
};

describe('start', () => {
  test('is idle at first and stops at once when it does not run', () => {
    const generator = makeGenerator();
    expect(generator.phase()).toBe('idle');
    expect(generator.stop()).toEqual([E.right(null)]);
    expect(generator.phase()).toBe('idle');
  });

  test('answers true only when the pipeline runs, not when it is loaded or opening', async () => {
    const generator = makeGenerator();
    const answers = generator.start();
    expect(generator.phase()).toBe('loading');
    await settle();
    expect(generator.host.runs).toHaveLength(1);
    expect(generator.status()).toMatchObject({ phase: 'running', is_initializing: true, is_running: false });
    expect(answers).toEqual([]);
    generator.host.last().tell({ type: 'running' });
    expect(answers).toEqual([E.right(true)]);
    expect(generator.status()).toMatchObject({ is_initializing: false, is_running: true, reason: null });
  });

  test('each start during the start is answered at its end, later ones at once', async () => {
    const generator = makeGenerator();
    const answers = [generator.start(), generator.start()];
    await settle();
    answers.push(generator.start());
    generator.host.last().tell({ type: 'running' });
    answers.push(generator.start());
    expect(answers).toEqual([0, 1, 2, 3].map(() => [E.right(true)]));
    expect(generator.host.runs).toHaveLength(1);
  });

  test('answers and shows the load error; the next start loads again', async () => {
    let isBroken = true;
    const generator = makeGenerator({
      load: async () => (isBroken ? E.left(LOAD_ERROR) : E.right(definitionOf('g'))),
    });
    const answers = generator.start();
    await settle();
    expect(answers).toEqual([E.left(LOAD_ERROR)]);
    expect(generator.status()).toMatchObject({ phase: 'failed', reason: LOAD_ERROR.message });
    expect(generator.host.runs).toHaveLength(0);
    isBroken = false;
    await flowing(generator);
    expect(generator.status()).toMatchObject({ phase: 'running', reason: null, error_code: null });
  });

  test('a load that rejects is a bug that is shown, not the end of the machine', async () => {
    const generator = makeGenerator({ load: () => Promise.reject(new Error('disk on fire')) });
    const answers = generator.start();
    await settle();
    expect(answers).toMatchObject([
      { left: { code: 'bug', message: expect.stringContaining('disk on fire') } },
    ]);
    expect(generator.phase()).toBe('failed');
    expect(generator.failures).toEqual([]);
  });

  test('a pipeline that fails while it opens answers the failure', async () => {
    const generator = makeGenerator();
    const answers = generator.start();
    await settle();
    generator.host.last().tell(crashed(BAD));
    expect(answers).toEqual([E.left(BAD)]);
    expect(generator.phase()).toBe('failed');
  });

  test('each start has fresh counters and a fresh start time', async () => {
    const generator = await flowing(makeGenerator());
    const first = generator.actor.getSnapshot().context;
    generator.host.last().tell({ type: 'completed' });
    generator.clock.increment(5_000);
    await flowing(generator);
    const second = generator.actor.getSnapshot().context;
    expect(second.stats).not.toBe(first.stats);
    expect((second.startedAt ?? 0) - (first.startedAt ?? 0)).toBe(5_000_000);
    expect(generator.host.last().order.stats).toBe(second.stats);
  });
});

describe('end', () => {
  test('a pipeline that completes is finished, and can be started again', async () => {
    const generator = await flowing(makeGenerator());
    generator.host.last().tell({ type: 'completed' });
    expect(generator.status()).toMatchObject({
      phase: 'finished',
      is_ended_up: true,
      is_ended_up_successfully: true,
    });
    expect(generator.stop()).toEqual([E.right(null)]);
    await flowing(generator);
    expect(generator.phase()).toBe('running');
  });

  test('one that completes before it ever said it runs answers true', async () => {
    const generator = makeGenerator();
    const answers = generator.start();
    await settle();
    generator.host.last().tell({ type: 'completed' });
    expect(answers).toEqual([E.right(true)]);
  });

  test('counters stay readable after the end', async () => {
    const generator = await flowing(makeGenerator());
    const { stats } = generator.host.last().order;
    addGenerated(stats, 0, 7);
    addToOutput(stats, 0, 'written', 5);
    generator.host.last().tell({ type: 'completed' });
    generator.clock.increment(2_000);
    const { context } = generator.actor.getSnapshot();
    expect(statsOf(context, context.input.now())).toMatchObject({
      total_generated: 7,
      total_written: 5,
      uptime: 2,
      input_eps: 3.5,
      output: [{ plugin_name: 'stdout', plugin_id: 1, written: 5 }],
    });
  });

  test('late events of an ended pipeline change nothing', async () => {
    const generator = await flowing(makeGenerator());
    const old = generator.host.last();
    old.tell({ type: 'completed' });
    old.tell(crashed());
    expect(generator.phase()).toBe('finished');
    await flowing(generator);
    old.tell(crashed());
    old.tell({ type: 'drained' });
    expect(generator.phase()).toBe('running');
    expect(generator.host.runs).toHaveLength(2);
  });

  test('a pipeline ends when the machine leaves its state, and its lease is not reused', async () => {
    const generator = await flowing(makeGenerator());
    generator.host.last().tell(crashed(BAD));
    expect(generator.host.last().commands).toEqual(['abort']);
    await flowing(generator);
    expect(generator.leases).toHaveLength(2);
    expect(generator.leases.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    expect(generator.host.alive()).toBe(1);
  });
});

describe('restart', () => {
  test('a failure that a restart cannot help is failed at once, with its reason', async () => {
    const generator = await flowing(makeGenerator());
    generator.host.last().tell(crashed(BAD));
    expect(generator.status()).toMatchObject({ phase: 'failed', reason: BAD.message, error_code: BAD.code });
    generator.clock.increment(3_600_000);
    await settle();
    expect(generator.host.runs).toHaveLength(1);
  });

  test('backs off exponentially with half of the wait random, and gives up after five restarts', async () => {
    const generator = await flowing(makeGenerator());
    const waits = [
      { random: 0, ms: 250 },
      { random: 0.5, ms: 750 },
      { random: 0.999, ms: 1_999 },
      { random: 0, ms: 2_000 },
      { random: 0.25, ms: 5_000 },
    ];
    for (const [index, { random, ms }] of waits.entries()) {
      generator.randoms.push(random);
      generator.host.last().tell(crashed());
      expect(generator.status()).toMatchObject({
        phase: 'backing_off',
        is_initializing: true,
        reason: CRASH.message,
        restarts: index + 1,
      });
      generator.clock.increment(ms - 1);
      expect(generator.phase()).toBe('backing_off');
      generator.clock.increment(1);
      expect(generator.phase()).toBe('loading');
      await settle();
      generator.host.last().tell({ type: 'running' });
      expect(generator.status()).toMatchObject({ phase: 'running', reason: null });
    }
    generator.host.last().tell(crashed());
    expect(generator.status()).toMatchObject({ phase: 'failed', reason: CRASH.message });
    expect(generator.host.runs).toHaveLength(6);
  });

  test('a start by hand refills an exhausted restart budget', async () => {
    const policy = { ...DEFAULT_POLICY, max_restarts: 1 };
    const generator = await flowing(makeGenerator({ policy }));
    generator.host.last().tell(crashed());
    await restart(generator, 500);
    generator.host.last().tell(crashed());
    expect(generator.phase()).toBe('failed');
    await flowing(generator);
    generator.host.last().tell(crashed());
    expect(generator.phase()).toBe('backing_off');
  });

  test('a minute of flow refills the budget', async () => {
    const policy = { ...DEFAULT_POLICY, max_restarts: 1, window_ms: 3_600_000 };
    const generator = await flowing(makeGenerator({ policy }));
    generator.host.last().tell(crashed());
    await restart(generator, 500);
    generator.clock.increment(policy.stable_ms - 1);
    expect(generator.status().restarts).toBe(1);
    generator.clock.increment(1);
    expect(generator.status().restarts).toBe(0);
    generator.host.last().tell(crashed());
    expect(generator.phase()).toBe('backing_off');
  });

  test('restarts older than the window do not count', async () => {
    const policy = { ...DEFAULT_POLICY, max_restarts: 1, window_ms: 10_000, stable_ms: 3_600_000 };
    const generator = await flowing(makeGenerator({ policy }));
    generator.host.last().tell(crashed());
    await restart(generator, 500);
    generator.clock.increment(10_000);
    generator.host.last().tell(crashed());
    expect(generator.status()).toMatchObject({ phase: 'backing_off', restarts: 1 });
  });

  test('a displaced generator restarts uncharged, however often', async () => {
    const generator = await flowing(makeGenerator({ policy: { ...DEFAULT_POLICY, max_restarts: 0 } }));
    for (let round = 0; round < 20; round++) {
      generator.host.last().tell(crashed({ code: 'displaced', message: 'a mate fell' }, true));
      expect(generator.status()).toMatchObject({ phase: 'backing_off', restarts: 0 });
      await restart(generator, 500);
    }
    expect(generator.phase()).toBe('running');
  });

  test('a load that fails at a restart is failed, and no further try is made', async () => {
    const loads: Result<ReturnType<typeof definitionOf>>[] = [E.right(definitionOf('g'))];
    const generator = makeGenerator({ load: async () => loads.shift() ?? E.left(LOAD_ERROR) });
    await flowing(generator);
    generator.host.last().tell(crashed());
    generator.clock.increment(500);
    await settle();
    expect(generator.status()).toMatchObject({ phase: 'failed', error_code: 'invalid' });
  });

  test('a start while it backs off does not wait for the backoff', async () => {
    const generator = await flowing(makeGenerator());
    generator.host.last().tell(crashed());
    const answers = generator.start();
    expect(generator.phase()).toBe('loading');
    await settle();
    generator.host.last().tell({ type: 'running' });
    expect(answers).toEqual([E.right(true)]);
    generator.clock.increment(60_000);
    await settle();
    expect(generator.host.runs).toHaveLength(2);
  });
});

describe('stop', () => {
  test('drains: nothing is answered before the pipeline has drained', async () => {
    const generator = await flowing(makeGenerator());
    const answers = [generator.stop(), generator.stop()];
    expect(generator.host.last().commands).toEqual(['drain']);
    expect(generator.status()).toMatchObject({ phase: 'draining', is_running: true, is_stopping: true });
    expect(answers).toEqual([[], []]);
    generator.host.last().tell({ type: 'drained' });
    expect(answers).toEqual([[E.right(null)], [E.right(null)]]);
    expect(generator.status()).toMatchObject({ phase: 'stopped', is_ended_up_successfully: true });
  });

  test('a start while it drains is refused', async () => {
    const generator = await flowing(makeGenerator());
    generator.stop();
    expect(generator.start()).toMatchObject([{ left: { code: 'wrong_state' } }]);
    generator.host.last().tell({ type: 'drained' });
    await flowing(generator);
    expect(generator.phase()).toBe('running');
  });

  test('after the deadline everything in flight is given up and reported', async () => {
    const generator = await flowing(makeGenerator());
    const answers = generator.stop();
    generator.clock.increment(9_999);
    expect(generator.phase()).toBe('draining');
    generator.clock.increment(1);
    expect(generator.status()).toMatchObject({ phase: 'draining', is_stopping: true });
    expect(generator.host.last().commands).toEqual(['drain', 'giveUp']);
    const { stats } = generator.host.last().order;
    addTo(stats, 'produced', 9);
    addToOutput(stats, 0, 'dead_lettered', 9);
    generator.host.last().tell({ type: 'drained' });
    expect(generator.status()).toMatchObject({
      phase: 'failed',
      error_code: 'timed_out',
      reason: expect.stringMatching(
        /did not drain within 10 s; everything in flight was written or dead-lettered/,
      ),
    });
    expect(answers).toEqual([E.right(null)]);
  });

  test('the reason after the deadline counts events whose writes failed', async () => {
    const generator = await flowing(makeGenerator());
    generator.stop();
    generator.clock.increment(10_000);
    const { stats } = generator.host.last().order;
    addTo(stats, 'produced', 9);
    addToOutput(stats, 0, 'written', 4);
    addToOutput(stats, 0, 'write_failed', 3);
    addToOutput(stats, 0, 'format_failed', 2);
    generator.host.last().tell({ type: 'drained' });
    const { reason } = generator.status();
    expect(reason).toMatch(/did not drain within 10 s; 5 events of this run could not be written/);
    expect(reason).not.toMatch(/everything|abandoned/);
  });

  test('a pipeline that still does not end is aborted, and its events are abandoned', async () => {
    const generator = await flowing(makeGenerator());
    const answers = generator.stop();
    const { stats } = generator.host.last().order;
    addTo(stats, 'produced', 9);
    addToOutput(stats, 0, 'written', 4);
    generator.clock.increment(10_000);
    generator.clock.increment(4_999);
    expect(answers).toEqual([]);
    generator.clock.increment(1);
    expect(generator.host.last().commands).toEqual(['drain', 'giveUp', 'abort']);
    expect(generator.status()).toMatchObject({
      phase: 'failed',
      reason: expect.stringContaining('5 events were abandoned'),
    });
    expect(answers).toEqual([E.right(null)]);
    // A thread that still runs counts in memory that is no longer read.
    addToOutput(stats, 0, 'written', 5);
    const closed = generator.actor.getSnapshot().context.stats as Stats;
    expect([readOutputStat(closed, 0, 'written'), readOutputStat(closed, 0, 'abandoned')]).toEqual([4, 5]);
  });

  test.each([
    ['completes', { type: 'completed' }, 'finished'],
    ['drains', { type: 'drained' }, 'stopped'],
    ['fails for good', crashed(BAD), 'failed'],
    ['crashes and is started again', crashed(), 'backing_off'],
    ['is displaced by a thread mate', crashed(CRASH, true), 'backing_off'],
  ] as const)('a run that %s closes its account', async (_how, end, phase) => {
    const generator = await flowing(makeGenerator());
    const { stats } = generator.host.last().order;
    addTo(stats, 'produced', 100);
    addToOutput(stats, 0, 'written', 60);
    addToOutput(stats, 0, 'write_failed', 3);
    generator.host.last().tell(end);
    expect(generator.phase()).toBe(phase);
    const closed = generator.actor.getSnapshot().context.stats as Stats;
    expect(FATES.map((fate) => readOutputStat(closed, 0, fate))).toEqual([60, 0, 3, 0, 37, 0, 0, 0]);
  });

  test('a pipeline that completes while it drains is finished', async () => {
    const generator = await flowing(makeGenerator());
    const answers = generator.stop();
    generator.host.last().tell({ type: 'completed' });
    expect(generator.phase()).toBe('finished');
    expect(answers).toEqual([E.right(null)]);
  });

  test.each([[crashed()], [crashed(CRASH, true)]])(
    'a failure while it drains is recorded and not restarted: %j',
    async (failed) => {
      const generator = await flowing(makeGenerator());
      const answers = generator.stop();
      generator.host.last().tell(failed);
      expect(generator.status()).toMatchObject({ phase: 'failed', reason: CRASH.message });
      expect(answers).toEqual([E.right(null)]);
      generator.clock.increment(60_000);
      await settle();
      expect(generator.host.runs).toHaveLength(1);
    },
  );

  test('while it loads: stopped at once, the start is refused, and the loaded definition does not run', async () => {
    const generator = makeGenerator();
    const starting = generator.start();
    expect(generator.stop()).toEqual([E.right(null)]);
    expect(starting).toMatchObject([{ left: { code: 'wrong_state' } }]);
    await settle();
    expect(generator.phase()).toBe('stopped');
    expect(generator.host.runs).toHaveLength(0);
  });

  test('while it opens: drains, the start hears why, and a late "running" does not revive it', async () => {
    const generator = makeGenerator();
    const starting = generator.start();
    await settle();
    const stopping = generator.stop();
    expect(starting).toMatchObject([{ left: { code: 'wrong_state' } }]);
    generator.host.last().tell({ type: 'running' });
    expect(generator.phase()).toBe('draining');
    generator.host.last().tell({ type: 'drained' });
    expect(stopping).toEqual([E.right(null)]);
    expect(generator.status()).toMatchObject({ phase: 'stopped', reason: null });
  });

  test('while it backs off: stopped at once and not restarted', async () => {
    const generator = await flowing(makeGenerator());
    generator.host.last().tell(crashed());
    expect(generator.stop()).toEqual([E.right(null)]);
    expect(generator.phase()).toBe('stopped');
    generator.clock.increment(60_000);
    await settle();
    expect(generator.host.runs).toHaveLength(1);
  });

  test('when it has failed: answered at once, the failure stays visible', async () => {
    const generator = await flowing(makeGenerator());
    generator.host.last().tell(crashed(BAD));
    expect(generator.stop()).toEqual([E.right(null)]);
    expect(generator.status()).toMatchObject({ phase: 'failed', reason: BAD.message });
  });
});

describe('patch', () => {
  const PATCHED = definitionOf('g', ['patched']);
  const loading = () => {
    const loads: number[] = [];
    const generator = makeGenerator({
      load: async () => {
        loads.push(loads.length);
        return E.right(definitionOf('g'));
      },
    });
    return { generator, loads: () => loads.length };
  };

  test('goes to the pipeline; its answer puts the patch in force', async () => {
    const { generator } = loading();
    await flowing(generator);
    const answers = generator.patch(PATCHED);
    await settle();
    expect(generator.host.last().commands).toEqual(['patch']);
    expect(answers).toEqual([E.right(null)]);
    expect(generator.actor.getSnapshot().context.definition).toBe(PATCHED);
  });

  test('that the pipeline refuses changes nothing', async () => {
    const { generator } = loading();
    await flowing(generator);
    generator.host.last().patchError = BAD;
    const answers = generator.patch(PATCHED);
    await settle();
    expect(answers).toEqual([E.left(BAD)]);
    expect(generator.actor.getSnapshot().context.definition).not.toBe(PATCHED);
  });

  test('survives an automatic restart, not a start by hand', async () => {
    const { generator, loads } = loading();
    await flowing(generator);
    generator.patch(PATCHED);
    await settle();
    generator.host.last().tell(crashed());
    await restart(generator, 250);
    expect(generator.host.last().order.definition).toBe(PATCHED);
    expect(loads()).toBe(1);
    generator.host.last().tell({ type: 'completed' });
    await flowing(generator);
    expect(generator.host.last().order.definition).not.toBe(PATCHED);
    expect(loads()).toBe(2);
  });

  test.each([
    ['before it runs', async () => makeGenerator(), /does not run/],
    [
      'while it opens',
      async () => {
        const generator = makeGenerator();
        generator.start();
        await settle();
        return generator;
      },
      /still starting/,
    ],
  ])('%s is refused', async (_, made, why) => {
    const generator = await made();
    expect(generator.patch(PATCHED)).toMatchObject([
      { left: { code: 'wrong_state', message: expect.stringMatching(why) } },
    ]);
  });
});

describe('an output that is not there yet', () => {
  const REFUSED = failure('output_failed', 'nobody listens');

  test('is waited for without limit, ever more patiently; once it ran the budget counts again', async () => {
    const generator = makeGenerator();
    generator.start();
    await settle();
    for (let attempt = 1; attempt <= 40; attempt++) {
      generator.host.last().tell(crashed(REFUSED));
      expect(generator.status()).toMatchObject({ phase: 'backing_off', reason: REFUSED.message });
      generator.clock.increment(30_000);
      await settle();
      expect(generator.host.runs).toHaveLength(attempt + 1);
    }
    generator.host.last().tell({ type: 'running' });
    expect(generator.status()).toMatchObject({ phase: 'running', is_running: true, reason: null });
  });

  test('ends a single run at once', async () => {
    const generator = makeGenerator({ policy: { ...DEFAULT_POLICY, max_restarts: 0 } });
    generator.start();
    await settle();
    generator.host.last().tell(crashed(REFUSED));
    expect(generator.phase()).toBe('failed');
  });
});

describe('a system without free file descriptors, processes or memory', () => {
  const SHORT = failure('exhausted', 'EMFILE: too many open files');

  test('is waited for without limit, when the config is read and while events flow', async () => {
    let isShort = true;
    const generator = makeGenerator({
      load: async () => (isShort ? E.left(SHORT) : E.right(definitionOf('g'))),
    });
    const answers = generator.start();
    await settle();
    expect(answers).toEqual([E.left(SHORT)]);
    for (let attempt = 1; attempt <= 20; attempt++) {
      expect(generator.status()).toMatchObject({ phase: 'backing_off', error_code: 'exhausted' });
      generator.clock.increment(30_000);
      await settle();
    }
    isShort = false;
    generator.clock.increment(30_000);
    await settle();
    for (let attempt = 1; attempt <= 20; attempt++) {
      generator.host.last().tell({ type: 'running' });
      expect(generator.phase()).toBe('running');
      generator.host.last().tell(crashed(SHORT));
      expect(generator.phase()).toBe('backing_off');
      generator.clock.increment(30_000);
      await settle();
    }
  });

  test('ends a single run at once', async () => {
    const generator = makeGenerator({
      policy: { ...DEFAULT_POLICY, max_restarts: 0 },
      load: async () => E.left(SHORT),
    });
    generator.start();
    await settle();
    expect(generator.phase()).toBe('failed');
  });
});

describe('a start', () => {
  const startsOver = (generator: Generator): boolean => generator.host.last().order.tweaks.starts_over;

  test('after the end begins the stream again; every other start resumes it', async () => {
    const generator = await flowing(makeGenerator());
    expect(startsOver(generator)).toBe(false);
    generator.host.last().tell({ type: 'completed' });
    await flowing(generator);
    expect(startsOver(generator)).toBe(true);
    generator.host.last().tell(crashed());
    await restart(generator, 250);
    expect(startsOver(generator)).toBe(false);
    generator.stop();
    generator.host.last().tell({ type: 'drained' });
    await flowing(generator);
    expect(startsOver(generator)).toBe(false);
  });
});
