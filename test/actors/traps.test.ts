import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor, fromPromise, type InspectionEvent, setup } from 'xstate';
import { askActors } from '../../actors/ask.js';
import { daemonMachine } from '../../actors/daemon.js';
import { generatorMachine } from '../../actors/generators/generator.js';
import { DEFAULT_POLICY } from '../../actors/generators/supervision.js';
import { laneMachine } from '../../actors/preview/lanes.js';
import { storeLogic } from '../../actors/stores/store.js';
import { textBatch } from '../../src/domain/events/eventBatch.js';
import { NO_TWEAKS } from '../../src/domain/generator.js';
import { readStat } from '../../src/domain/stats/stats.js';
import { DRAIN, runPipeline } from '../../src/pipeline/run.js';
import type { EventProducer } from '../../src/plugins/kit.js';
import { fakeClock } from '../support/clocks/fakeClock.js';
import { inProcessHost } from '../support/pipelines/inProcessHost.js';
import { endlessInput, memoryOutput, partsOf, plainFormatter } from '../support/pipelines/pipelineParts.js';
import { definitionOf, settle } from '../support/pipelines/scriptedHost.js';
import { makeDaemon } from './daemonParts.js';
import { makeSupervisor } from './generators/supervisorParts.js';

const boom = (): never => {
  throw new Error('thrown on purpose');
};

/** Unhandled errors of machines: xstate reports them from a timer, which would end the process. */
const unhandled: unknown[] = [];
const realSetTimeout = globalThis.setTimeout;
const watchUnhandled = (): void => {
  unhandled.length = 0;
  globalThis.setTimeout = ((act: () => void, ...rest: []) =>
    realSetTimeout(
      () => {
        try {
          act();
        } catch (thrown) {
          unhandled.push(thrown);
        }
      },
      ...rest,
    )) as typeof setTimeout;
};
afterEach(() => {
  globalThis.setTimeout = realSetTimeout;
});
const turn = (): Promise<void> => new Promise((resolve) => realSetTimeout(resolve, 5));

describe('trap 1: a throw in an action ends the machine, not the pipeline it invoked', () => {
  test('xstate itself leaves the invoked actor running: this is why there are leases', () => {
    let stopped = 0;
    const machine = setup({
      actors: {
        child: fromPromise(
          ({ signal }) => new Promise(() => signal.addEventListener('abort', () => stopped++)),
        ),
      },
      actions: { boom },
    }).createMachine({ invoke: { src: 'child' }, on: { go: { actions: 'boom' } } });
    const actor = createActor(machine);
    actor.subscribe({ error: () => {} });
    actor.start().send({ type: 'go' });
    expect(actor.getSnapshot().status).toBe('error');
    expect(stopped).toBe(0);
  });

  test.each([
    ['while it starts', false],
    ['while it flows', true],
  ])(
    'a reply that throws %s leaves no pipeline; the generator is visibly failed and can be started',
    async (_, isFlowing) => {
      const { host, add, send, status, failures } = makeSupervisor();
      add('g');
      if (isFlowing) {
        send('generators.start', { id: 'g' });
        await settle();
        host.last().tell({ type: 'running' });
      }
      send('generators.start', { id: 'g' }, boom);
      await settle();
      if (!isFlowing) host.last().tell({ type: 'running' });
      expect(host.alive()).toBe(0);
      expect(host.last().commands).toEqual(['abort']);
      expect(status('g')).toMatchObject({
        phase: 'failed',
        error_code: 'bug',
        reason: expect.stringContaining('on purpose'),
      });
      host.last().tell({ type: 'completed' });
      expect(status('g').phase).toBe('failed');

      const answers = send('generators.start', { id: 'g' });
      await settle();
      host.last().tell({ type: 'running' });
      expect(answers).toEqual([E.right(true)]);
      expect(status('g')).toMatchObject({ phase: 'running', reason: null });
      expect(host.alive()).toBe(1);
      expect(failures).toEqual([]);
    },
  );

  test('open replies of a machine that dies are answered', async () => {
    const { host, add, send } = makeSupervisor();
    add('g');
    send('generators.start', { id: 'g' }, boom);
    const other = send('generators.start', { id: 'g' });
    const end = send('generators.end', { id: 'g' });
    await settle();
    host.last().tell({ type: 'running' });
    expect(other).toMatchObject([{ left: { code: 'bug' } }]);
    expect(end).toMatchObject([{ right: { code: 'bug' } }]);
  });

  test('a clock that throws in an action ends the pipeline too', async () => {
    const clock = fakeClock();
    let isBroken = false;
    const { host, add, send, status } = makeSupervisor({
      clock: { ...clock, monotonicMs: () => (isBroken ? boom() : clock.monotonicMs()) },
    });
    add('g');
    send('generators.start', { id: 'g' });
    await settle();
    isBroken = true;
    host
      .last()
      .tell({ type: 'failed', error: { code: 'host_crashed', message: 'gone' }, isDisplaced: false });
    isBroken = false;
    expect(host.alive()).toBe(0);
    expect(status('g')).toMatchObject({ phase: 'failed', error_code: 'bug' });
  });
});

describe('trap 2: an unhandled error of a child ends its parent', () => {
  interface Invocation {
    readonly src: unknown;
    readonly onError?: unknown;
  }
  interface StateNode {
    readonly invoke?: Invocation | readonly Invocation[];
    readonly states?: Readonly<Record<string, StateNode>>;
  }
  const invocations = (node: StateNode): readonly Invocation[] => [
    ...[node.invoke ?? []].flat(),
    ...Object.values(node.states ?? {}).flatMap(invocations),
  ];
  /** Sources of all invocations below a state that have no `onError`. */
  const unguarded = (node: StateNode): readonly unknown[] =>
    invocations(node)
      .filter(({ onError }) => onError === undefined)
      .map(({ src }) => src);

  const MACHINES: Readonly<Record<string, StateNode>> = {
    'daemon.ts': daemonMachine(makeDaemon().input).config as StateNode,
    'generators/generator.ts': generatorMachine.config as StateNode,
    'stores/store.ts': storeLogic(async () => {}).config as StateNode,
    'preview/lanes.ts': laneMachine.config as StateNode,
  };

  test('the search finds an invocation without onError', () => {
    expect(
      unguarded({ states: { a: { states: { b: { invoke: [{ src: 'x' }, { src: 'y', onError: 'z' }] } } } } }),
    ).toEqual(['x']);
  });

  test('every machine is looked at here', () => {
    const folder = join(import.meta.dirname, '../../actors');
    const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
      (name) => name.endsWith('.ts') && readFileSync(join(folder, name), 'utf8').includes('.createMachine('),
    );
    expect(files.sort()).toEqual(Object.keys(MACHINES).sort());
  });

  test.each(Object.entries(MACHINES))('every invocation of %s has onError', (_, config) => {
    expect(invocations(config).length).toBeGreaterThan(0);
    expect(unguarded(config)).toEqual([]);
  });

  test('a child that rejects does not end the root', async () => {
    const { root, ended, log, facade } = makeDaemon({
      autostart: () => Promise.reject(new Error('thrown on purpose')),
    });
    await settle();
    expect(facade.isOpen()).toBe(true);
    expect(ended).toEqual([]);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'critical', context: { reason: 'autostart: thrown on purpose' } }),
    );
    root.send({ type: 'stop' });
    await settle();
    expect(ended).toHaveLength(1);
  });
});

test('trap 3: a question to a stopped actor is answered "unavailable", to a silent one "timed_out"', async () => {
  const clock = fakeClock();
  const silent = createActor(storeLogic(() => new Promise(() => {}))).start();
  const ask = askActors(() => silent, clock);
  const waiting = ask('settings.read', { stored: false });
  await clock.advanceMs(30_000);
  expect(await waiting).toMatchObject({ left: { code: 'timed_out' } });
  silent.stop();
  expect(await ask('settings.read', { stored: false })).toMatchObject({ left: { code: 'unavailable' } });
});

describe('trap 4: no event passes a mailbox', () => {
  /** Runs a generator with a real pipeline to its end; counts what its actors send each other. */
  const messagesFor = async (events: number): Promise<number> => {
    let messages = 0;
    let left = events;
    const producer: EventProducer = {
      produce: ({ from, to }) => {
        const count = Math.min(left, to - from);
        left -= count;
        return {
          consumed: count,
          events: textBatch(new Array<string>(count).fill('x')),
          failed: 0,
          dropped: 0,
          exhausted: left === 0,
        };
      },
      close: async () => {},
    };
    const host = inProcessHost(({ stats }, { draining, signal, onRunning }) => {
      const output = memoryOutput();
      const { parts } = partsOf({
        inputs: [endlessInput(0, 1)],
        outputs: [output],
        more: { stats, draining, signal },
      });
      return runPipeline({
        ...parts,
        builders: {
          inputs: parts.inputs.map((input) => async () => E.right(input)),
          producer: async () => E.right(producer),
          formatters: [async () => E.right(plainFormatter)],
          outputs: [
            async () =>
              E.right({
                ...output,
                write: async ({ count }) => E.right({ written: count, failed: 0, bytes: 0 }),
              }),
          ],
        },
        outputLog: () => parts.log,
        deadLetters: () => null,
        start: () => ({ now: 0, skipPast: false }),
        checkpoint: null,
        onRunning,
      });
    }, DRAIN);
    const actor = createActor(generatorMachine, {
      inspect: ({ type }: InspectionEvent) => {
        if (type === '@xstate.event') messages++;
      },
      input: {
        id: 'g',
        load: async () => E.right(definitionOf('g')),
        host,
        takeLease: () => new AbortController().signal,
        policy: DEFAULT_POLICY,
        drain_ms: 10_000,
        give_up_ms: 5_000,
        now: () => 0,
        monotonicMs: () => 0,
        random: () => 0,
        tweaks: NO_TWEAKS,
        formerError: null,
      },
    });
    const ended = new Promise<void>((resolve) => {
      actor.subscribe({ next: ({ value }) => value === 'finished' && resolve(), error: () => resolve() });
    });
    actor.start().send({ type: 'start', reply: () => {} });
    await ended;
    const { stats } = actor.getSnapshot().context;
    expect(stats === null ? 0 : readStat(stats, 'produced')).toBe(events);
    actor.stop();
    return messages;
  };

  test('a million events cost as many messages as ten', async () => {
    const few = await messagesFor(10);
    expect(few).toBeGreaterThan(0);
    expect(await messagesFor(1_000_000)).toBe(few);
  });
});

describe('trap 5: many children of one machine cost quadratic time', () => {
  /** What the supervisor's actor system did while so many generators were added and stopped. */
  const workFor = async (count: number) => {
    const work = { events: 0, actors: 0 };
    const supervisor = makeSupervisor({}, ({ type }) => {
      if (type === '@xstate.actor') work.actors++;
      else work.events++;
    });
    for (let n = 0; n < count; n++) supervisor.add(`g${n}`);
    const stopped = supervisor.send('generators.stop_all', null);
    await settle();
    expect(stopped).toEqual([E.right(0)]);
    const list = supervisor.send('generators.list', null);
    expect(list[0]).toMatchObject({ right: { length: count } });
    return work;
  };

  test('generators are no children: the supervisor is alone in its system', async () => {
    expect((await workFor(5_000)).actors).toBe(1);
  });

  test('ten times as many generators are ten times the work, not a hundred times', async () => {
    const few = (await workFor(500)).events;
    const many = (await workFor(5_000)).events;
    expect(few).toBeGreaterThanOrEqual(500);
    expect(many).toBeLessThanOrEqual(11 * few);
  });
});

describe('trap 6: a top-level actor that fails without an error listener ends the process', () => {
  test('xstate reports such an error from a timer', async () => {
    watchUnhandled();
    const actor = createActor(
      setup({ actions: { boom } }).createMachine({ on: { go: { actions: 'boom' } } }),
    );
    actor.subscribe(() => {});
    actor.start().send({ type: 'go' });
    await turn();
    expect(unhandled).toHaveLength(1);
  });

  test('a generator actor that fails does not', async () => {
    watchUnhandled();
    const { add, send, host, status, log } = makeSupervisor();
    add('g');
    send('generators.start', { id: 'g' }, boom);
    await settle();
    host.last().tell({ type: 'running' });
    await turn();
    expect(status('g').phase).toBe('failed');
    expect(unhandled).toEqual([]);
    expect(log).toContainEqual(
      expect.objectContaining({ level: 'critical', message: 'a generator actor failed' }),
    );
  });
});
