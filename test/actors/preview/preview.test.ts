import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { type PreviewMessage, previewLogic } from '../../../actors/preview/preview.js';
import { failure, type Result, type SpateError } from '../../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS } from '../../../src/domain/generator.js';
import type { Json } from '../../../src/domain/json.js';
import type { PreviewTask } from '../../../src/domain/preview.js';
import type { PreviewAnswer, PreviewThread } from '../../../src/host/previewHost.js';
import type { PreviewRequests } from '../../../src/messages/preview.js';

import { fakeClock } from '../../support/clocks/fakeClock.js';
import { memoryLog } from '../../support/logs.js';
import { settle } from '../../support/pipelines/scriptedHost.js';

/** A thread that does what the test says. */
interface ScriptedThread extends PreviewThread {
  readonly name: string;
  /** Tasks in the order they came, the last one under way until it is answered. */
  readonly tasks: PreviewTask[];
  readonly answer: (value: Json) => Promise<void>;
  readonly refuse: (error: SpateError) => Promise<void>;
  /** Why it has ended; `null`: it has not. */
  readonly why: () => SpateError | null;
}

const scriptedThread = (name: string): ScriptedThread => {
  const tasks: PreviewTask[] = [];
  let under: ((answer: PreviewAnswer) => void) | null = null;
  let ended: SpateError | null = null;
  const finish = (answer: PreviewAnswer): Promise<void> => {
    under?.(answer);
    under = null;
    return settle();
  };
  return {
    name,
    tasks,
    run: (task) => {
      if (ended !== null) return Promise.resolve(E.left(ended));
      tasks.push(task);
      return new Promise((resolve) => {
        under = resolve;
      });
    },
    end: (why) => {
      ended ??= why;
      under?.(E.left(why));
      under = null;
    },
    isAlive: () => ended === null,
    answer: (value) => finish(E.right([Buffer.from(JSON.stringify(value))])),
    refuse: (error) => finish(E.left(error)),
    why: () => ended,
  };
};

const started: { readonly stop: () => void }[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

const makePreviews = () => {
  const threads: ScriptedThread[] = [];
  /** Directories that do not exist. */
  const missing = new Set<string>();
  /** As a reload of the settings exchanges them. */
  const settings = { template_limits: DEFAULT_TEMPLATE_LIMITS };
  const actor = createActor(previewLogic, {
    input: {
      directories: {
        readConfig: async (name) =>
          missing.has(name) ? E.left(failure('not_found', `there is no "${name}"`)) : E.right(''),
        configPath: (name) => `/generators/${name}/generator.yml`,
      },
      host: (name) => {
        const thread = scriptedThread(name);
        threads.push(thread);
        return thread;
      },
      timezone: () => 'Europe/Berlin',
      template_limits: () => settings.template_limits,
      clock: fakeClock(),
      log: memoryLog().log,
    },
  }).start();
  started.push(actor);
  const ask = <K extends keyof PreviewRequests>(
    type: K,
    payload: PreviewRequests[K]['payload'],
  ): Promise<Result<PreviewRequests[K]['answer']>> =>
    new Promise((reply) => actor.send({ type, payload, reply } as unknown as PreviewMessage));
  const last = (): ScriptedThread => threads.at(-1) as ScriptedThread;
  const event = { script: { path: 'x.js' } };
  const open = async (name: string): Promise<ScriptedThread> => {
    const opened = ask('preview.open', { name, event, files: null, inputs: null, timezone: null });
    await settle();
    await last().answer(null);
    expect(await opened).toEqual(E.right(null));
    return last();
  };
  const produce = (name: string) =>
    ask('preview.produce', { name, timestamps: [{ timestamp: '2026-01-01', tags: [] }] });
  const forget = (name: string): void =>
    actor.send({ type: 'preview.forget', payload: { name }, reply: () => {} });
  return { actor, threads, missing, settings, ask, last, event, open, produce, forget };
};

type Previews = ReturnType<typeof makePreviews>['actor'];

const textOf = async (answer: Result<AsyncIterable<Uint8Array>>): Promise<string> => {
  if (E.isLeft(answer)) return answer.left.code;
  let text = '';
  for await (const chunk of answer.right) text += Buffer.from(chunk).toString();
  return text;
};

const codeOf = (answer: Result<unknown>): string => (E.isLeft(answer) ? answer.left.code : 'right');

const TIMESTAMPS = { inputs: [], size: 1, skip_past: true, timezone: 'UTC', span: null };

describe('previews that keep nothing', () => {
  test('of a directory that does not exist are refused without a thread', async () => {
    const { ask, missing, threads, event } = makePreviews();
    missing.add('web');
    expect(codeOf(await ask('preview.timestamps', { name: 'web', ...TIMESTAMPS }))).toBe('not_found');
    expect(
      codeOf(await ask('preview.open', { name: 'web', event, files: null, inputs: null, timezone: null })),
    ).toBe('not_found');
    expect(codeOf(await ask('preview.release', { name: 'web' }))).toBe('not_found');
    expect(threads).toEqual([]);
  });

  test('are run in the folder of the config, one at a time, on one thread', async () => {
    const { ask, threads, last } = makePreviews();
    const first = ask('preview.timestamps', { name: 'a', ...TIMESTAMPS });
    const second = ask('preview.timestamps', { name: 'b', ...TIMESTAMPS });
    await settle();
    expect(last().tasks).toEqual([{ kind: 'timestamps', directory: '/generators/a', ...TIMESTAMPS }]);
    await last().answer({ total: 0 });
    expect(await textOf(await first)).toBe('{"total":0}');
    await last().answer({ total: 1 });
    expect(await textOf(await second)).toBe('{"total":1}');
    expect(threads).toHaveLength(1);
  });

  test('texts do not wait for timestamps', async () => {
    const { ask, last } = makePreviews();
    void ask('preview.timestamps', { name: 'a', ...TIMESTAMPS });
    const formatted = ask('preview.format', { name: 'a', formatter: { format: 'plain' }, events: ['x'] });
    await settle();
    expect(last().tasks).toMatchObject([{ kind: 'format', timezone: 'Europe/Berlin', events: ['x'] }]);
    await last().answer({ events: ['x'] });
    expect(codeOf(await formatted)).toBe('right');
  });

  test('samples of logs need no directory, and do not wait for texts', async () => {
    const { ask, last } = makePreviews();
    void ask('preview.format', { name: 'a', formatter: { format: 'plain' }, events: ['x'] });
    await settle();
    const sample = { text: 'x', timestamp_pattern: null, timestamp_format: null, timezone: 'UTC' };
    const guessed = ask('preview.log_times', sample);
    await settle();
    const thread = last();
    expect(thread.tasks).toEqual([{ kind: 'log_times', ...sample }]);
    await thread.answer({ lines: 1 });
    expect(await textOf(await guessed)).toBe('{"lines":1}');
  });

  test('learning ends its thread, and does not hold up other previews', async () => {
    const { ask, last, threads } = makePreviews();
    const upload = { file: '/generators/.upload', size_bytes: 1 };
    const task = { name: 'web', seed: null, keep_values: false };
    const learned = ask('preview.learn', { ...task, upload, timezone: null });
    await settle();
    const learner = last();
    expect(learner.tasks).toEqual([
      {
        kind: 'learn',
        ...task,
        file: upload.file,
        timezone: 'Europe/Berlin',
        config_file: 'generator.yml',
      },
    ]);
    const sample = { text: 'x', timestamp_pattern: null, timestamp_format: null, timezone: 'UTC' };
    const guessed = ask('preview.log_times', sample);
    await settle();
    await last().answer({ lines: 1 });
    expect(await textOf(await guessed)).toBe('{"lines":1}');
    await learner.answer({ records: 1 });
    expect(await textOf(await learned)).toBe('{"records":1}');
    expect(threads.map((thread) => thread.isAlive())).toEqual([false, true]);
  });

  test('have the limits of templates that are in force when they are asked for', async () => {
    const { ask, last, open, settings } = makePreviews();
    const reloaded = { ...DEFAULT_TEMPLATE_LIMITS, loop_steps: 10 };
    void ask('preview.format', { name: 'a', formatter: { format: 'plain' }, events: ['x'] });
    await settle();
    const texts = last();
    await texts.answer({ events: ['x'] });
    settings.template_limits = reloaded;
    void ask('preview.format', { name: 'a', formatter: { format: 'plain' }, events: ['x'] });
    await settle();
    // The thread is the one from before the reload.
    expect(texts.tasks).toMatchObject([
      { template_limits: DEFAULT_TEMPLATE_LIMITS },
      { template_limits: reloaded },
    ]);
    expect((await open('web')).tasks).toMatchObject([{ template_limits: reloaded }]);
  });

  test('get a new thread when the last one has ended, also those that waited', async () => {
    const { ask, threads, last } = makePreviews();
    const first = ask('preview.timestamps', { name: 'a', ...TIMESTAMPS });
    const second = ask('preview.timestamps', { name: 'a', ...TIMESTAMPS });
    await settle();
    threads[0]?.end(failure('timed_out', 'it took too long'));
    expect(codeOf(await first)).toBe('timed_out');
    await settle();
    await last().answer({ total: 0 });
    expect(codeOf(await second)).toBe('right');
    expect(threads).toHaveLength(2);
  });
});

describe('event plugins in preview', () => {
  test('have a thread of their own that is kept between calls', async () => {
    const { open, produce, threads } = makePreviews();
    const thread = await open('web');
    expect(thread.tasks).toEqual([
      {
        kind: 'open',
        directory: '/generators/web',
        event: { script: { path: 'x.js' } },
        files: null,
        inputs: null,
        timezone: 'Europe/Berlin',
        template_limits: DEFAULT_TEMPLATE_LIMITS,
      },
    ]);
    for (const n of [1, 2]) {
      const produced = produce('web');
      await settle();
      await thread.answer(n);
      expect(await textOf(await produced)).toBe(String(n));
    }
    expect(threads).toHaveLength(1);
  });

  test('may be asked for another zone than that of the settings', async () => {
    const { ask, last, event } = makePreviews();
    void ask('preview.open', { name: 'web', event, files: null, inputs: null, timezone: 'UTC' });
    await settle();
    expect(last().tasks).toMatchObject([{ timezone: 'UTC' }]);
  });

  test('are refused as not there before the first one and after the last', async () => {
    const { ask, open, produce, threads } = makePreviews();
    expect(codeOf(await produce('web'))).toBe('not_ready');
    expect(codeOf(await ask('preview.release', { name: 'web' }))).toBe('not_ready');
    const thread = await open('web');
    expect(await ask('preview.release', { name: 'web' })).toEqual(E.right(null));
    expect(thread.isAlive()).toBe(false);
    expect(codeOf(await produce('web'))).toBe('not_ready');
    expect(threads).toHaveLength(1);
  });

  test('a new one replaces the earlier one, which ends', async () => {
    const { open, produce } = makePreviews();
    const former = await open('web');
    const next = await open('web');
    expect([former.isAlive(), next.isAlive()]).toEqual([false, true]);
    void produce('web');
    await settle();
    expect(next.tasks.map(({ kind }) => kind)).toEqual(['open', 'produce']);
  });

  test('one that cannot be built leaves the earlier one in place', async () => {
    const { ask, open, produce, last, event } = makePreviews();
    const former = await open('web');
    const opened = ask('preview.open', { name: 'web', event, files: null, inputs: null, timezone: null });
    await settle();
    const failed = last();
    await failed.refuse(failure('plugin_failed', 'no such script'));
    expect(codeOf(await opened)).toBe('plugin_failed');
    expect([former.isAlive(), failed.isAlive()]).toEqual([true, false]);
    void produce('web');
    await settle();
    expect(former.tasks.at(-1)?.kind).toBe('produce');
  });

  test('one that breaks its thread answers all open requests, and is gone', async () => {
    const { open, produce } = makePreviews();
    const thread = await open('web');
    const first = produce('web');
    const second = produce('web');
    await settle();
    thread.end(failure('timed_out', 'it was busy for 10 s'));
    expect([codeOf(await first), codeOf(await second)]).toEqual(['timed_out', 'timed_out']);
    await settle();
    expect(codeOf(await produce('web'))).toBe('not_ready');
  });

  test('one that broke its thread between two calls tells the next caller why', async () => {
    const { open, produce } = makePreviews();
    const thread = await open('web');
    thread.end(failure('plugin_failed', 'thrown in a timer'));
    expect(codeOf(await produce('web'))).toBe('plugin_failed');
    await settle();
    expect(codeOf(await produce('web'))).toBe('not_ready');
  });

  test('a release does not wait for the call that is under way', async () => {
    const { ask, open, produce } = makePreviews();
    await open('web');
    const produced = produce('web');
    await settle();
    expect(await ask('preview.release', { name: 'web' })).toEqual(E.right(null));
    expect(await produced).toMatchObject({
      left: { code: 'wrong_state', message: expect.stringContaining('released') },
    });
  });

  test('a release ends one that is still being built', async () => {
    const { ask, last, event } = makePreviews();
    const opened = ask('preview.open', { name: 'web', event, files: null, inputs: null, timezone: null });
    await settle();
    expect(await ask('preview.release', { name: 'web' })).toEqual(E.right(null));
    expect(codeOf(await opened)).toBe('wrong_state');
    expect(last().isAlive()).toBe(false);
  });

  test('end when their directory is deleted, through the API or by hand', async () => {
    const { open, produce, forget, missing } = makePreviews();
    const [one, two] = [await open('one'), await open('two')];
    forget('one');
    missing.add('two');
    expect(codeOf(await produce('two'))).toBe('not_found');
    expect([one.isAlive(), two.isAlive()]).toEqual([false, false]);
  });

  test('are eight at most: another one is refused until one is released or lost', async () => {
    const { ask, open, threads, event } = makePreviews();
    for (let n = 1; n <= 8; n++) await open(`g${n}`);
    const ninth = await ask('preview.open', { name: 'g9', event, files: null, inputs: null, timezone: null });
    expect(ninth).toMatchObject({ left: { code: 'too_many_requests' } });
    expect(threads).toHaveLength(8);
    await open('g8');
    await ask('preview.release', { name: 'g1' });
    await open('g9');
    threads[1]?.end(failure('plugin_failed', 'lost'));
    await open('g10');
    expect(threads.filter((thread) => thread.isAlive())).toHaveLength(8);
  });

  test('one that cannot be built counts for nothing', async () => {
    const { ask, open, last, event } = makePreviews();
    for (let n = 1; n <= 7; n++) await open(`g${n}`);
    for (let n = 0; n < 3; n++) {
      const opened = ask('preview.open', {
        name: `bad${n}`,
        event,
        files: null,
        inputs: null,
        timezone: null,
      });
      await settle();
      await last().refuse(failure('plugin_failed', 'no such script'));
      expect(codeOf(await opened)).toBe('plugin_failed');
    }
    await open('g8');
  });

  test.each([
    [
      'is about to stop',
      (actor: Previews): void => actor.send({ type: 'preview.end_all', payload: null, reply: () => {} }),
    ],
    ['has stopped', (actor: Previews) => actor.stop()],
  ])('all end when the daemon %s, and open requests are answered', async (_when, stop) => {
    const { actor, ask, open, produce, threads } = makePreviews();
    await open('web');
    const produced = produce('web');
    const previewed = ask('preview.timestamps', { name: 'web', ...TIMESTAMPS });
    await settle();
    stop(actor);
    expect([codeOf(await produced), codeOf(await previewed)]).toEqual(['unavailable', 'unavailable']);
    expect(threads.map((thread) => thread.why()?.code)).toEqual(['unavailable', 'unavailable']);
  });
});
