import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { partAnswers, refusedPart } from '../../../actors/partitions/answers.js';
import { failure, type Result } from '../../../src/domain/errors.js';
import type { GeneratorPhase } from '../../../src/domain/generator.js';
import type { Ask, Requests } from '../../../src/messages/ask.js';

const PARTS = ['g~0', 'g~1', 'g~2'];
const partsOf = (id: string): readonly string[] => (id === 'g' ? PARTS : []);

type Reply = Result<unknown> | undefined;
type Script = (type: string, payload: { readonly id: string }) => Reply | Promise<Reply>;

const status = (phase: GeneratorPhase) => ({
  is_initializing: false,
  is_running: phase === 'running',
  is_ended_up: phase !== 'running' && phase !== 'idle',
  is_ended_up_successfully: phase === 'finished',
  is_stopping: false,
  phase,
  reason: null,
  error_code: null,
  restarts: 0,
});

/** Partitions that answer as scripted, else with the phase `idle` and success. */
const make = (script: Script = () => undefined) => {
  const asked: string[] = [];
  const next = async (type: string, payload: { readonly id: string; readonly ids?: readonly string[] }) => {
    asked.push(`${type.replace('generators.', '')} ${payload.ids?.join() ?? payload.id}`);
    const scripted = await script(type, payload);
    if (scripted !== undefined) return scripted;
    if (type === 'generators.status') return E.right(status('idle'));
    if (type === 'generators.read')
      return E.right({ id: payload.id, checkpoint: false, partition: { index: 0, count: 3 } });
    if (type.startsWith('generators.bulk_') && payload.ids !== undefined)
      return E.right({ running_generator_ids: payload.ids, non_running_generator_ids: [], reasons: {} });
    return E.right(true);
  };
  const answers = partAnswers(next as unknown as Ask, partsOf);
  const ask = async <K extends keyof typeof answers>(type: K, payload: Requests[K]['payload']) =>
    answers[type](payload) as Promise<Result<unknown>> | null;
  return { ask, asked, answers };
};

const NO_GAUGES = {
  ...{ lateness_p50_micros: [0], lateness_p99_micros: [0], delivery_lag_micros: [0] },
  ...{ queue_batches: [0], busy_permille: [0] },
};

describe('requests about a generator with partitions', () => {
  test('of other generators pass unchanged', () => {
    const { answers } = make();
    expect(answers['generators.status']({ id: 'other' })).toBe(null);
    expect(answers['generators.bulk_start']({ ids: ['other'] })).toBe(null);
    expect(answers['dead_letters.list']({ id: 'other' })).toBe(null);
  });

  test('have one series: the sum of those of the partitions', async () => {
    const part = (produced: number): Requests['observe.series']['answer'] => ({
      ...{ from_ms: 0, step_ms: 1_000, covered_ms: [1_000], produced: [produced], written: [0] },
      ...{ failed: [0], dead_lettered: [0], ...NO_GAUGES },
    });
    const { ask, answers } = make((_type, { id }) => E.right(part(Number(id.at(-1)) + 1)));
    const query = { from_ms: null, to_ms: null, last_s: 300, step_s: null };
    expect(await ask('observe.series', { id: 'g', ...query })).toEqual(E.right(part(6)));
    expect(answers['observe.series']({ id: null, ...query })).toBe(null);
    expect(answers['observe.series']({ id: 'other', ...query })).toBe(null);
  });

  test('show one generator: its id, without the partition', async () => {
    const { ask } = make();
    expect(await ask('generators.read', { id: 'g' })).toEqual(E.right({ id: 'g', checkpoint: false }));
  });

  test('start those that a start is for, and name the partition that fails', async () => {
    const failing = make((type, { id }) =>
      type === 'generators.start' && id === 'g~1' ? E.left(failure('output_failed', 'no space')) : undefined,
    );
    expect(await failing.ask('generators.start', { id: 'g' })).toMatchObject({
      left: { code: 'output_failed', message: 'partition 1: no space' },
    });
    const resumed = make((type, { id }) => {
      if (type === 'generators.read') return E.right({ id, checkpoint: true });
      return type === 'generators.status'
        ? E.right(status(id === 'g~0' ? 'finished' : 'stopped'))
        : undefined;
    });
    expect(await resumed.ask('generators.start', { id: 'g' })).toEqual(E.right(true));
    expect(resumed.asked.filter((one) => one.startsWith('start'))).toEqual(['start g~1', 'start g~2']);
  });

  test('restart after all have stopped, unless a stop comes meanwhile', async () => {
    const { ask, asked } = make();
    expect(await ask('generators.restart', { id: 'g' })).toEqual(E.right(true));
    const actions = asked.filter((one) => /^(start|stop) /.test(one));
    expect(actions).toEqual([...PARTS.map((id) => `stop ${id}`), ...PARTS.map((id) => `start ${id}`)]);

    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = make(async (type, { id }) => {
      if (type === 'generators.stop' && id === 'g~2') await held;
      return undefined;
    });
    const restarting = slow.ask('generators.restart', { id: 'g' });
    const stopping = slow.ask('generators.stop', { id: 'g' });
    release();
    expect(await restarting).toMatchObject({ left: { code: 'wrong_state' } });
    expect(E.isRight((await stopping) as Result<unknown>)).toBe(true);
    expect(slow.asked.filter((one) => one.startsWith('start'))).toEqual([]);
  });

  test('patch one partition after the other and write the config once; inputs are refused', async () => {
    const { ask, asked } = make();
    await ask('generators.patch', { id: 'g', sections: { output: [] }, persist: true });
    expect(asked).toEqual(['patch g~0', 'patch g~1', 'patch g~2', 'patch g~0']);
    expect(await ask('generators.patch', { id: 'g', sections: { input: [] }, persist: false })).toMatchObject(
      {
        left: { code: 'wrong_state', message: expect.stringContaining('restart it') },
      },
    );
  });

  test('neither create nor replace it', async () => {
    const { ask, asked } = make();
    expect(await ask('generators.create', { id: 'g', params: {} })).toMatchObject({
      left: { code: 'already_exists' },
    });
    expect(await ask('generators.replace', { id: 'g', params: {} })).toMatchObject({
      left: { code: 'wrong_state' },
    });
    expect(asked).toEqual([]);
  });

  test('in bulk act on all partitions and answer with the ids of the request', async () => {
    const { ask, asked } = make((type, { id }) =>
      type === 'generators.start' && id === 'g~2' ? E.left(failure('invalid', 'wrong')) : undefined,
    );
    expect(await ask('generators.bulk_start', { ids: ['a', 'g', 'b', 'g'] })).toEqual(
      E.right({
        running_generator_ids: ['a', 'b'],
        non_running_generator_ids: ['g'],
        reasons: { g: 'partition 2: wrong' },
      }),
    );
    await ask('generators.bulk_stop', { ids: ['a', 'g'] });
    await ask('generators.delete', { id: 'g' });
    expect(asked.slice(-2)).toEqual(['bulk_stop a,g~0,g~1,g~2', 'bulk_delete g~0,g~1,g~2']);
  });

  test('that nothing answers speak of the generator', async () => {
    const { ask } = make((_type, { id }) =>
      E.left(failure('not_ready', `generator "${id}" has not run yet`)),
    );
    expect(await ask('generators.stats', { id: 'g' })).toMatchObject({
      left: { code: 'not_ready', message: 'generator "g" has not run yet' },
    });
  });

  test('page through the dead letters of one partition after the other', async () => {
    const boxes: Readonly<Record<string, readonly string[]>> = { 'g~0': ['a', 'b', 'c'], 'g~2': ['d', 'e'] };
    const { ask } = make((type, payload) => {
      const {
        id,
        offset = 0,
        limit = 0,
      } = payload as unknown as { id: string; offset?: number; limit?: number };
      const events = boxes[id];
      if (events === undefined) return E.left(failure('not_found', 'there is no such box'));
      if (type === 'dead_letters.list') return E.right([{ output: '1-file', letters: events.length }]);
      const letters = events.slice(offset, offset + limit).map((event) => ({ event }));
      return E.right({ letters, next_offset: offset + limit < events.length ? offset + limit : null });
    });
    for (const limit of [1, 2, 3, 4, 10]) {
      const seen: string[] = [];
      let offset: number | null = 0;
      while (offset !== null) {
        const page: Requests['dead_letters.read']['answer'] = E.getOrElseW(() => {
          throw new Error('no page');
        })(
          (await ask('dead_letters.read', { id: 'g', output: '1-file', offset, limit })) as Result<
            Requests['dead_letters.read']['answer']
          >,
        );
        seen.push(...page.letters.map(({ event }) => event));
        offset = page.next_offset;
      }
      expect([limit, seen.join('')]).toEqual([limit, 'abcde']);
    }
  });
});

describe('a partition by itself', () => {
  test('can be read, and nothing else', () => {
    expect(refusedPart('generators.status', { id: 'g~0' })).toBe(null);
    expect(refusedPart('generators.stop', { id: 'g' })).toBe(null);
    expect(refusedPart('generators.stop', { id: 'g~0' })).toMatchObject({ left: { code: 'not_found' } });
    expect(refusedPart('dead_letters.purge', { id: 'g~0' })).toMatchObject({ left: { code: 'not_found' } });
  });
});
