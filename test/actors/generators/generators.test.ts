import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../src/domain/errors.js';
import { addGenerated, addTo, addToOutput } from '../../../src/domain/stats/stats.js';
import { definitionOf, settle } from '../../support/pipelines/scriptedHost.js';
import { BAD, CRASH, crashed } from './generatorParts.js';
import { makeSupervisor } from './supervisorParts.js';

/** Adds generators and lets them flow. */
const flowing = async (...ids: readonly string[]) => {
  const supervisor = makeSupervisor();
  for (const id of ids) {
    supervisor.add(id);
    supervisor.send('generators.start', { id });
  }
  await settle();
  for (const run of supervisor.host.runs) run.tell({ type: 'running' });
  const runOf = (id: string) => {
    const run = supervisor.host.runs.findLast(({ order }) => order.definition.params.id === id);
    if (run === undefined) throw new Error(`${id} was not started`);
    return run;
  };
  return { ...supervisor, runOf };
};

describe('registration', () => {
  test('a generator that is added is listed as idle, with the path as people know it', () => {
    const { add, send } = makeSupervisor();
    expect(add('a', ['busy'])).toEqual([E.right(null)]);
    expect(send('generators.list', null)).toMatchObject([
      {
        right: [
          {
            id: 'a',
            path: 'a/generator.yml',
            start_time: null,
            scenarios: ['busy'],
            status: { phase: 'idle' },
          },
        ],
      },
    ]);
  });

  test('an id is taken once', () => {
    const { add, send } = makeSupervisor();
    add('a');
    expect(add('a')).toMatchObject([{ left: { code: 'already_exists' } }]);
    expect(send('generators.list', null)).toMatchObject([{ right: [{ id: 'a' }] }]);
  });

  test.each(['read', 'status', 'stats', 'start', 'stop', 'end'] as const)(
    'generators.%s of an unknown id is not found',
    (name) => {
      const { send } = makeSupervisor();
      expect(send(`generators.${name}`, { id: 'nobody' })).toMatchObject([
        { left: { code: 'not_found', message: expect.stringContaining('nobody') } },
      ]);
    },
  );

  test('counters of a generator that never ran are refused with what to do', () => {
    const { add, send } = makeSupervisor();
    add('a');
    expect(send('generators.stats', { id: 'a' })).toMatchObject([{ left: { code: 'not_ready' } }]);
  });
});

describe('one for one', () => {
  test('a generator that fails disturbs no other', async () => {
    const { runOf, status, send } = await flowing('a', 'b', 'c');
    runOf('b').tell(crashed(BAD));
    expect(['a', 'b', 'c'].map((id) => status(id).phase)).toEqual(['running', 'failed', 'running']);
    expect(runOf('a').commands).toEqual([]);
    addGenerated(runOf('c').order.stats, 0, 3);
    expect(send('generators.stats', { id: 'c' })).toMatchObject([{ right: { total_generated: 3 } }]);
  });

  test('ends are logged: failures with their reason at their level', async () => {
    const { runOf, log } = await flowing('a', 'b', 'c');
    runOf('a').tell(crashed(CRASH));
    runOf('b').tell({ type: 'completed' });
    // A client that asks for a missing file is told mildly; a generator that is down is an error.
    const gone = failure('not_found', 'the config does not exist');
    runOf('c').tell(crashed(gone));
    const told = log.map(({ level, message, context }) => [
      level,
      message,
      context['generator_id'],
      context['reason'],
    ]);
    expect(told).toContainEqual(['error', 'generator failed and will be restarted', 'a', CRASH.message]);
    expect(told).toContainEqual(['info', 'generator has finished', 'b', undefined]);
    expect(told).toContainEqual(['error', 'generator failed', 'c', gone.message]);
  });

  test('generators.end answers when the generator comes to rest, with the error if it failed', async () => {
    const { runOf, send } = await flowing('a', 'b');
    const [a, b] = ['a', 'b'].map((id) => send('generators.end', { id }));
    expect([a, b]).toEqual([[], []]);
    runOf('a').tell({ type: 'completed' });
    runOf('b').tell(crashed(BAD));
    expect([a, b]).toEqual([[E.right(null)], [E.right(BAD)]]);
    expect(send('generators.end', { id: 'b' })).toEqual([E.right(BAD)]);
  });

  test('generators.end does not take a backoff for an end', async () => {
    const { runOf, send } = await flowing('a');
    const end = send('generators.end', { id: 'a' });
    runOf('a').tell(crashed());
    expect(end).toEqual([]);
    send('generators.stop', { id: 'a' });
    expect(end).toHaveLength(1);
  });
});

describe('a start of many', () => {
  test('loads at most one config in a turn of the event loop, so that requests get theirs', async () => {
    let turn = 0;
    const loadedIn: number[] = [];
    const count = 50;
    const { add, send } = makeSupervisor({
      load: async (params, scenarios) => {
        loadedIn.push(turn);
        return E.right(definitionOf(params.id, scenarios));
      },
    });
    for (let n = 0; n < count; n++) {
      add(`g${n}`);
      send('generators.start', { id: `g${n}` });
    }
    for (; loadedIn.length < count && turn < 2 * count; turn++) await settle(1);
    expect(loadedIn).toHaveLength(count);
    // The first begins at once, in the turn of the second.
    expect(new Set(loadedIn).size).toBeGreaterThanOrEqual(count - 1);
  });
});

describe('stop of all', () => {
  test('answers when every generator has ended, from every phase', async () => {
    const supervisor = await flowing('flowing', 'completing', 'failing', 'failed', 'finished', 'backing_off');
    const { runOf, send, add, status } = supervisor;
    add('idle');
    runOf('failed').tell(crashed(BAD));
    runOf('finished').tell({ type: 'completed' });
    runOf('backing_off').tell(crashed());
    add('loading');
    send('generators.start', { id: 'loading' });
    const stopped = send('generators.stop_all', null);
    await settle();
    expect(stopped).toEqual([]);
    runOf('flowing').tell({ type: 'drained' });
    runOf('completing').tell({ type: 'completed' });
    await settle();
    expect(stopped).toEqual([]);
    runOf('failing').tell(crashed(BAD));
    await settle();
    expect(stopped).toEqual([E.right(0)]);
    expect(status('backing_off').phase).toBe('stopped');
    expect(supervisor.host.alive()).toBe(0);
  });

  test('of no generators answers at once', async () => {
    const { send } = makeSupervisor();
    const stopped = send('generators.stop_all', null);
    await settle();
    expect(stopped).toEqual([E.right(0)]);
  });

  test('a machine that dies while it drains does not hold up the others', async () => {
    const { runOf, send, actor, failures } = await flowing('a', 'b');
    // A reply that throws kills the machine that gives it: the next reply of its list is never given.
    send('generators.stop', { id: 'a' }, () => {
      throw new Error('the client is gone');
    });
    const alsoStopping = send('generators.stop', { id: 'a' });
    const stopped = send('generators.stop_all', null);
    runOf('a').tell({ type: 'drained' });
    runOf('b').tell({ type: 'drained' });
    await settle();
    expect(alsoStopping).toMatchObject([{ left: { code: 'bug' } }]);
    expect(stopped).toEqual([E.right(0)]);
    expect(failures).toEqual([]);
    expect(actor.getSnapshot().status).toBe('active');
  });

  test('tells how many events were abandoned by those that ran, and not by those that rested', async () => {
    const supervisor = await flowing('a', 'b', 'before');
    const { runOf, send } = supervisor;
    for (const id of ['a', 'b', 'before']) addTo(runOf(id).order.stats, 'produced', 10);
    runOf('before').tell(crashed(BAD));
    const stopped = send('generators.stop_all', null);
    addToOutput(runOf('a').order.stats, 0, 'written', 4);
    runOf('a').tell({ type: 'drained' });
    addToOutput(runOf('b').order.stats, 0, 'dead_lettered', 10);
    runOf('b').tell({ type: 'drained' });
    await settle();
    expect(stopped).toEqual([E.right(6)]);
    const logged = supervisor.log.filter(({ message }) => message === 'events were abandoned');
    expect(logged.map(({ context }) => [context['generator_id'], context['count']])).toEqual([
      ['before', 10],
      ['a', 6],
    ]);
  });

  test('stopping the supervisor itself ends every pipeline', async () => {
    const { actor, host, runOf } = await flowing('a', 'b');
    actor.stop();
    expect(host.alive()).toBe(0);
    expect(runOf('a').commands).toContain('abort');
  });
});
