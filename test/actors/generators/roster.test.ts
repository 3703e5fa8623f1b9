import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { GeneratorMove, GeneratorsInput, Members } from '../../../actors/generators/generators.js';
import { failure, type Result } from '../../../src/domain/errors.js';

import { NO_TWEAKS } from '../../../src/domain/generator.js';
import { definitionOf, paramsOf, settle } from '../../support/pipelines/scriptedHost.js';
import { BAD, crashed } from './generatorParts.js';
import { makeSupervisor } from './supervisorParts.js';

const NO_FILE = failure('not_found', 'there is no generator config');

/** Takes every generator but those whose path is `nowhere`. */
const admit: GeneratorsInput['admit'] = async (id, { path }) =>
  path === 'nowhere' ? E.left(NO_FILE) : E.right({ ...paramsOf(id), path: `/generators/${String(path)}` });

/** A promise that the test settles. */
const gate = () => {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

const PARAMS = { path: 'a/generator.yml' };

/** Generators that flow. */
const flowing = async (ids: readonly string[], more: Partial<GeneratorsInput> = {}) => {
  const supervisor = makeSupervisor({ admit, ...more });
  const runOf = (id: string) => {
    const run = supervisor.host.runs.findLast(({ order }) => order.definition.params.id === id);
    if (run === undefined) throw new Error(`${id} was not started`);
    return run;
  };
  for (const id of ids) {
    supervisor.add(id);
    supervisor.send('generators.start', { id });
  }
  await settle();
  for (const id of ids) runOf(id).tell({ type: 'running' });
  const idsNow = (): readonly string[] => {
    const [listed] = supervisor.send('generators.list', null) as readonly Result<
      readonly { readonly id: string }[]
    >[];
    return listed !== undefined && E.isRight(listed) ? listed.right.map(({ id }) => id) : [];
  };
  return { ...supervisor, runOf, idsNow };
};

describe('a generator is registered', () => {
  test('under its id, not started', async () => {
    const { send, status, idsNow } = await flowing([]);
    const created = send('generators.create', { id: 'a', params: PARAMS });
    await settle();
    expect(created).toEqual([E.right(null)]);
    expect(idsNow()).toEqual(['a']);
    expect(status('a').phase).toBe('idle');
    expect(send('generators.read', { id: 'a' })).toMatchObject([
      { right: { id: 'a', path: 'a/generator.yml' } },
    ]);
  });

  test('never twice, not by two requests at the same time either', async () => {
    const { send, idsNow } = await flowing(['old']);
    const answers = ['old', 'new', 'new'].map((id) => send('generators.create', { id, params: PARAMS }));
    await settle();
    expect(answers).toMatchObject([
      [{ left: { code: 'already_exists' } }],
      [{ right: null }],
      [{ left: { code: 'already_exists' } }],
    ]);
    expect(idsNow()).toEqual(['old', 'new']);
  });

  test('only with a config that is there', async () => {
    const { send, idsNow } = await flowing([]);
    const created = send('generators.create', { id: 'a', params: { path: 'nowhere' } });
    await settle();
    expect(created).toEqual([E.left(NO_FILE)]);
    expect(idsNow()).toEqual([]);
  });

  test('not after the supervisor has stopped', async () => {
    const admitted = gate();
    const { send, actor, host } = await flowing([], {
      admit: async (id) => {
        await admitted.opened;
        return E.right(paramsOf(id));
      },
    });
    const created = send('generators.create', { id: 'a', params: PARAMS });
    actor.stop();
    admitted.open();
    await settle();
    expect(created).toMatchObject([{ left: { code: 'unavailable' } }]);
    expect(host.alive()).toBe(0);
  });
});

describe('a generator is replaced', () => {
  test('only while it does not run', async () => {
    const { send, runOf, status } = await flowing(['a']);
    const running = send('generators.replace', { id: 'a', params: { path: 'b.yml' } });
    await settle();
    expect(running).toMatchObject([
      { left: { code: 'wrong_state', message: expect.stringContaining('stop it first') } },
    ]);
    runOf('a').tell(crashed(BAD));
    expect(status('a').phase).toBe('failed');
    const failed = send('generators.replace', { id: 'a', params: { path: 'b.yml' } });
    await settle();
    expect(failed).toEqual([E.right(null)]);
    expect(status('a')).toMatchObject({ phase: 'idle', reason: null });
    expect(send('generators.read', { id: 'a' })).toMatchObject([{ right: { path: 'b.yml' } }]);
  });

  test('not while it backs off, and not when it was started in the meantime', async () => {
    const admitted = gate();
    const { send, runOf } = await flowing(['a', 'b'], {
      admit: async (id) => {
        await admitted.opened;
        return E.right(paramsOf(id));
      },
    });
    runOf('a').tell(crashed());
    const backingOff = send('generators.replace', { id: 'a', params: PARAMS });
    runOf('b').tell({ type: 'completed' });
    const started = send('generators.replace', { id: 'b', params: PARAMS });
    send('generators.start', { id: 'b' });
    admitted.open();
    await settle();
    expect([backingOff, started]).toMatchObject([
      [{ left: { code: 'wrong_state' } }],
      [{ left: { code: 'wrong_state' } }],
    ]);
    send('generators.stop', { id: 'a' });
  });

  test('an unknown one is not found', async () => {
    const { send } = await flowing([]);
    const replaced = send('generators.replace', { id: 'a', params: PARAMS });
    await settle();
    expect(replaced).toMatchObject([{ left: { code: 'not_found' } }]);
  });
});

describe('a generator is deleted', () => {
  test('once it has stopped, and then it is gone', async () => {
    const { send, runOf, idsNow, status, host } = await flowing(['a', 'b']);
    const deleted = send('generators.delete', { id: 'a' });
    await settle();
    expect(deleted).toEqual([]);
    expect(status('a').phase).toBe('draining');
    runOf('a').tell({ type: 'drained' });
    await settle();
    expect(deleted).toEqual([E.right(null)]);
    expect(idsNow()).toEqual(['b']);
    expect(host.alive()).toBe(1);
  });

  test.each(['idle', 'finished', 'failed', 'backing_off', 'loading'])(
    'at once when it is %s',
    async (phase) => {
      const never = new Promise<never>(() => {});
      const { send, runOf, idsNow, add, status } = await flowing(
        phase === 'idle' || phase === 'loading' ? [] : ['a'],
        {
          ...(phase === 'loading' ? { load: () => never } : {}),
        },
      );
      if (phase === 'idle' || phase === 'loading') add('a');
      if (phase === 'loading') send('generators.start', { id: 'a' });
      if (phase === 'finished') runOf('a').tell({ type: 'completed' });
      if (phase === 'failed') runOf('a').tell(crashed(BAD));
      if (phase === 'backing_off') runOf('a').tell(crashed());
      expect(status('a').phase).toBe(phase);
      const deleted = send('generators.delete', { id: 'a' });
      await settle();
      expect(deleted).toEqual([E.right(null)]);
      expect(idsNow()).toEqual([]);
    },
  );

  test('once: a second delete waits and then finds nothing', async () => {
    const { send, runOf } = await flowing(['a']);
    const first = send('generators.delete', { id: 'a' });
    const second = send('generators.delete', { id: 'a' });
    await settle();
    expect([first, second]).toEqual([[], []]);
    runOf('a').tell({ type: 'drained' });
    await settle();
    expect(first).toEqual([E.right(null)]);
    expect(second).toMatchObject([{ left: { code: 'not_found' } }]);
  });

  test('from then on it is not started, restarted, replaced or registered', async () => {
    const { send, runOf, host } = await flowing(['a']);
    send('generators.delete', { id: 'a' });
    const refused = [
      send('generators.start', { id: 'a' }),
      send('generators.restart', { id: 'a' }),
      send('generators.replace', { id: 'a', params: PARAMS }),
      send('generators.create', { id: 'a', params: PARAMS }),
    ];
    await settle();
    expect(refused).toMatchObject([
      [{ left: { code: 'wrong_state' } }],
      [{ left: { code: 'wrong_state' } }],
      [{ left: { code: 'wrong_state' } }],
      [{ left: { code: 'already_exists' } }],
    ]);
    const stopped = send('generators.stop', { id: 'a' });
    runOf('a').tell({ type: 'drained' });
    await settle();
    expect(stopped).toEqual([E.right(null)]);
    expect(host.runs).toHaveLength(1);
    const again = send('generators.create', { id: 'a', params: PARAMS });
    await settle();
    expect(again).toEqual([E.right(null)]);
  });

  test('a request for its end is answered at its end', async () => {
    const { send, add } = await flowing([]);
    add('a');
    const end = send('generators.end', { id: 'a' });
    send('generators.delete', { id: 'a' });
    await settle();
    expect(end).toEqual([E.right(null)]);
  });
});

describe('a generator is renamed', () => {
  const moves: GeneratorMove[] = [];
  const move: GeneratorsInput['move'] = async (given) => {
    moves.push(given);
    return E.right(null);
  };

  test('at rest, with its parameters, and starts under its new id only', async () => {
    const { send, add, status, idsNow, host } = await flowing([], { move });
    add('a', ['shop']);
    const renamed = send('generators.rename', { id: 'a', to: 'b' });
    await settle();
    expect(renamed).toEqual([E.right(null)]);
    expect(moves.splice(0)).toEqual([{ id: 'a', to: 'b', parts: [['a', 'b']] }]);
    expect(idsNow()).toEqual(['b']);
    expect(send('generators.read', { id: 'b' })).toMatchObject([
      { right: { id: 'b', path: 'a/generator.yml' } },
    ]);
    expect(send('generators.start', { id: 'a' })).toMatchObject([{ left: { code: 'not_found' } }]);
    send('generators.start', { id: 'b' });
    await settle();
    host.last().tell({ type: 'running' });
    expect(status('b').phase).toBe('running');
    expect(host.last().order.definition.params.id).toBe('b');
  });

  test('not while it runs, not when it is unknown, and not to an id that is registered', async () => {
    const { send, add, idsNow } = await flowing(['busy'], { move });
    add('idle');
    for (const [id, to, code] of [
      ['busy', 'new', 'wrong_state'],
      ['nobody', 'new', 'not_found'],
      ['idle', 'busy', 'already_exists'],
      ['idle', 'idle', 'already_exists'],
    ] as const) {
      const refused = send('generators.rename', { id, to });
      await settle();
      expect(refused).toMatchObject([{ left: { code } }]);
    }
    expect(moves).toEqual([]);
    expect(idsNow()).toEqual(['busy', 'idle']);
  });

  test.each([
    ['fails', async () => E.left(NO_FILE), NO_FILE.code],
    ['throws', () => Promise.reject(new Error('no disk')), 'bug'],
  ])('not when moving its state %s: it stays as it was', async (_, failing, code) => {
    const { send, add, status, idsNow } = await flowing([], { move: failing });
    add('a');
    const renamed = send('generators.rename', { id: 'a', to: 'b' });
    await settle();
    expect(renamed).toMatchObject([{ left: { code } }]);
    expect(idsNow()).toEqual(['a']);
    send('generators.start', { id: 'a' });
    await settle();
    expect(status('a').phase).toBe('running');
  });

  test('while nothing else gets one of its two ids', async () => {
    const { opened, open } = gate();
    const { send, add, idsNow } = await flowing([], { move: () => opened.then(() => E.right(null)) });
    add('a');
    add('c');
    const renamed = send('generators.rename', { id: 'a', to: 'b' });
    const refused = [
      send('generators.start', { id: 'a' }),
      send('generators.start', { id: 'b' }),
      send('generators.restart', { id: 'a' }),
      send('generators.replace', { id: 'b', params: PARAMS }),
      send('generators.rename', { id: 'a', to: 'd' }),
      send('generators.create', { id: 'a', params: PARAMS }),
      send('generators.create', { id: 'b', params: PARAMS }),
      send('generators.rename', { id: 'c', to: 'b' }),
    ];
    const deleted = send('generators.delete', { id: 'b' });
    await settle();
    expect(refused.map(([answer]) => answer)).toMatchObject([
      ...Array.from({ length: 5 }, () => ({ left: { code: 'wrong_state' } })),
      ...Array.from({ length: 3 }, () => ({ left: { code: 'already_exists' } })),
    ]);
    expect([renamed, deleted]).toEqual([[], []]);
    open();
    await settle();
    // The delete waited for its turn.
    expect([renamed, deleted]).toEqual([[E.right(null)], [E.right(null)]]);
    expect(idsNow()).toEqual(['c']);
  });

  test('with all its partitions', async () => {
    const { send, idsNow } = await flowing([], { move });
    for (const index of [0, 1]) {
      const params = { ...paramsOf(`a~${index}`), partition: { index, count: 2 } };
      send('generators.add', { registration: { params, scenarios: [], tweaks: NO_TWEAKS } });
    }
    const renamed = send('generators.rename', { id: 'a', to: 'b' });
    await settle();
    expect(renamed).toEqual([E.right(null)]);
    expect(moves.splice(0)).toMatchObject([
      {
        parts: [
          ['a~0', 'b~0'],
          ['a~1', 'b~1'],
        ],
      },
    ]);
    expect(idsNow()).toEqual(['b~0', 'b~1']);
    expect(send('generators.read', { id: 'b~1' })).toMatchObject([
      { right: { partition: { index: 1, count: 2 } } },
    ]);
  });
});

describe('a restart', () => {
  test('stops, then starts, and answers once it runs', async () => {
    const { send, runOf, host } = await flowing(['a']);
    const restarted = send('generators.restart', { id: 'a' });
    expect(runOf('a').commands).toEqual(['drain']);
    runOf('a').tell({ type: 'drained' });
    await settle();
    expect(restarted).toEqual([]);
    expect(host.runs).toHaveLength(2);
    runOf('a').tell({ type: 'running' });
    await settle();
    expect(restarted).toEqual([E.right(true)]);
  });

  test('starts what does not run, and says why a start failed', async () => {
    let isBad = false;
    const load: GeneratorsInput['load'] = async ({ id }) => (isBad ? E.left(BAD) : E.right(definitionOf(id)));
    const { send, add, runOf } = await flowing([], { load });
    add('a');
    const idle = send('generators.restart', { id: 'a' });
    await settle();
    runOf('a').tell({ type: 'running' });
    await settle();
    expect(idle).toEqual([E.right(true)]);
    isBad = true;
    const bad = send('generators.restart', { id: 'a' });
    runOf('a').tell({ type: 'drained' });
    await settle();
    expect(bad).toEqual([E.left(BAD)]);
  });

  test('twice at the same time is one', async () => {
    const { send, runOf, host } = await flowing(['a']);
    const both = [send('generators.restart', { id: 'a' }), send('generators.restart', { id: 'a' })];
    runOf('a').tell({ type: 'drained' });
    await settle();
    runOf('a').tell({ type: 'running' });
    await settle();
    expect(both).toEqual([[E.right(true)], [E.right(true)]]);
    expect(host.runs).toHaveLength(2);
  });

  test.each(['stop', 'delete', 'stop_all'] as const)(
    'that is still stopping gives way to a %s after it',
    async (verb) => {
      const { send, runOf, host } = await flowing(['a']);
      const restarted = send('generators.restart', { id: 'a' });
      const stopped = send(`generators.${verb}`, { id: 'a' });
      runOf('a').tell({ type: 'drained' });
      await settle();
      expect(restarted).toMatchObject([{ left: { code: 'wrong_state' } }]);
      expect(stopped).toEqual([E.right(verb === 'stop_all' ? 0 : null)]);
      expect(host.runs).toHaveLength(1);
    },
  );
});

describe('several at once', () => {
  const NAMES = Array.from({ length: 1_000 }, (_, n) => `g${n}`);

  test('a thousand start, restart, stop and go side by side', async () => {
    const { send, add, host, idsNow } = await flowing([]);
    for (const id of NAMES) add(id);
    const started = send('generators.bulk_start', { ids: NAMES });
    // Each loads in a turn of its own.
    await settle(1_020);
    expect(host.runs).toHaveLength(1_000);
    expect(started).toEqual([]);
    for (const run of host.runs) run.tell({ type: 'running' });
    await settle();
    const all = { running_generator_ids: NAMES, non_running_generator_ids: [], reasons: {} };
    expect(started).toEqual([E.right(all)]);
    const [stats] = send('generators.stats_running', null);
    expect(stats !== undefined && E.isRight(stats) && stats.right).toHaveLength(1_000);

    const restarted = send('generators.bulk_restart', { ids: NAMES });
    for (const run of host.runs.slice(0, 1_000)) run.tell({ type: 'drained' });
    await settle(1_020);
    for (const run of host.runs.slice(1_000)) run.tell({ type: 'running' });
    await settle();
    expect(restarted).toEqual([E.right(all)]);

    const stopped = send('generators.bulk_stop', { ids: NAMES.slice(0, 500) });
    const deleted = send('generators.bulk_delete', { ids: NAMES });
    for (const run of host.runs.slice(1_000)) run.tell({ type: 'drained' });
    await settle();
    expect([stopped, deleted]).toEqual([[E.right(null)], [E.right(null)]]);
    expect(idsNow()).toEqual([]);
    expect(host.alive()).toBe(0);
  });

  test('each id counts once, unknown ones do not run, and failed ones have a reason', async () => {
    const load: GeneratorsInput['load'] = async ({ id }) =>
      id === 'bad' ? E.left(BAD) : E.right(definitionOf(id));
    const { send, add, runOf } = await flowing(['a'], { load });
    for (const id of ['b', 'bad']) add(id);
    const started = send('generators.bulk_start', { ids: ['b', 'nobody', 'a', 'bad', 'b'] });
    await settle();
    runOf('b').tell({ type: 'running' });
    await settle();
    expect(started).toEqual([
      E.right({
        running_generator_ids: ['b', 'a'],
        non_running_generator_ids: ['nobody', 'bad'],
        reasons: { nobody: 'there is no generator "nobody"', bad: BAD.message },
      }),
    ]);
  });

  test('stop and delete leave unknown ids out', async () => {
    const { send, add } = await flowing([]);
    add('a');
    for (const verb of ['stop', 'delete'] as const) {
      const answered = send(`generators.bulk_${verb}`, { ids: ['nobody', 'a'] });
      await settle();
      expect(answered).toEqual([E.right(null)]);
    }
  });

  test('counters are those of the running generators', async () => {
    const { send, add, runOf } = await flowing(['a', 'b']);
    add('idle');
    runOf('b').tell({ type: 'completed' });
    expect(send('generators.stats_running', null)).toMatchObject([{ right: [{ id: 'a' }] }]);
  });
});

describe('membership', () => {
  test('is read at each start, reported until the generator is at rest, and listed', async () => {
    const told: string[] = [];
    let next: readonly string[] = ['one'];
    const members: Members = {
      atStart: () => next,
      joined: (id, scenarios) => void told.push(`${id} joins ${scenarios.join()}`),
      left: (id) => void told.push(`${id} leaves`),
    };
    const load: GeneratorsInput['load'] = async ({ id }, scenarios) => E.right(definitionOf(id, scenarios));
    const { send, runOf } = await flowing(['a'], { members, load });
    const scenariosOf = () => {
      const [listed] = send('generators.list', null);
      return listed !== undefined && E.isRight(listed) ? listed.right : [];
    };
    expect(runOf('a').order.definition.scenarios).toEqual(['one']);
    next = ['two'];
    expect(scenariosOf()).toMatchObject([{ scenarios: ['one'] }]);
    runOf('a').tell({ type: 'completed' });
    expect(scenariosOf()).toMatchObject([{ scenarios: ['two'] }]);
    send('generators.start', { id: 'a' });
    await settle();
    expect(runOf('a').order.definition.scenarios).toEqual(['two']);
    expect(told).toEqual(['a joins one', 'a leaves', 'a joins two']);
  });
});
