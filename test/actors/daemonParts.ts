import { afterEach } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor, SimulatedClock } from 'xstate';
import { alone } from '../../actors/alone.js';
import { askActors } from '../../actors/ask.js';
import { type DaemonInput, daemonMachine } from '../../actors/daemon.js';
import type { Listener } from '../../actors/facade.js';
import { DEFAULT_POLICY } from '../../actors/generators/supervision.js';
import { globalsFiles } from '../../actors/scenarios/store.js';
import { storeLogic } from '../../actors/stores/store.js';
import { basesInMemory, NO_MEMBERSHIP } from '../../src/daemon/generators.js';
import { noAdmission } from '../../src/daemon/registration.js';
import { failure, type Result, type SpateError } from '../../src/domain/errors.js';
import { DEFAULT_TEMPLATE_LIMITS, NO_TWEAKS } from '../../src/domain/generator.js';
import { NO_HEALTH } from '../../src/domain/stats/health.js';

import { fakeClock } from '../support/clocks/fakeClock.js';
import { memoryLog } from '../support/logs.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { definitionOf, NO_PATCHES, paramsOf, scriptedHost } from '../support/pipelines/scriptedHost.js';

const started: { readonly stop: () => void }[] = [];
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

/** A listener that opens, fails and closes as the test says, and notes what happened in `steps`. */
const scriptedFacade = (steps: string[]) => {
  let result: Promise<Result<Listener>> | null = null;
  let onFailure: (error: SpateError) => void = () => {};
  let open = 0;
  let closing: Promise<void> = Promise.resolve();
  const listener: Listener = {
    url: 'http://127.0.0.1:1',
    close: async () => {
      steps.push('facade closes');
      await closing;
      open = 0;
    },
  };
  return {
    listen: (fail: (error: SpateError) => void): Promise<Result<Listener>> => {
      steps.push('facade opens');
      onFailure = fail;
      if (result !== null) return result;
      open++;
      return Promise.resolve(E.right(listener));
    },
    isOpen: () => open > 0,
    /** From now on listening gives this; `null`: it works. */
    answer: (given: Promise<Result<Listener>> | null) => {
      result = given;
    },
    /** From now on closing waits for this. */
    closeAfter: (given: Promise<void>) => {
      closing = given;
    },
    listener,
    fail: (error: SpateError) => {
      open = 0;
      onFailure(error);
    },
  };
};

const NONE = E.left(failure('bug', 'not asked for'));

/** The root actor with two generators (`a` with autostart, `b` without) and everything around it scripted. */
export const makeDaemon = (more: Partial<DaemonInput> = {}) => {
  const clock = new SimulatedClock();
  const steps: string[] = [];
  const facade = scriptedFacade(steps);
  const { log, lines } = memoryLog();
  const host = scriptedHost((run) => {
    steps.push(`${run.order.definition.params.id} starts`);
    run.tell({ type: 'running' });
  });
  const noStore = storeLogic(async () => {});
  const ask = askActors((actor) => root.system.get(actor), fakeClock());
  const input: DaemonInput = {
    cluster: alone,
    leave: async () => {},
    settings: noStore,
    startup: noStore,
    configs: noStore,
    preview: {
      directories: { readConfig: async () => E.right(''), configPath: (name) => `/${name}/generator.yml` },
      host: () => ({ run: async () => E.right([]), end: () => {}, isAlive: () => true }),
      timezone: () => 'UTC',
      template_limits: () => DEFAULT_TEMPLATE_LIMITS,
      clock: fakeClock(),
      log,
    },
    secrets: noStore,
    scenarios: {
      names: () => new Set(),
      store: globalsFiles(memoryFiles(new Map()), '/state'),
      renameMembers: async () => E.right(null),
      log,
      now: () => 0,
    },
    generators: {
      host,
      load: async (params) => E.right(definitionOf(params.id)),
      patching: NO_PATCHES,
      watch: () => {},
      healthOf: () => NO_HEALTH,
      members: NO_MEMBERSHIP,
      bases: basesInMemory({ now: () => 0, drawSeed: () => 'drawn' }),
      connect: async () => E.right([]),
      admit: noAdmission,
      move: async () => E.right(null),
      policy: DEFAULT_POLICY,
      drain_ms: 10_000,
      give_up_ms: 5_000,
      clock: fakeClock(),
      random: () => 0,
      log,
      shownPath: (path) => path,
    },
    incidents: {
      files: {
        names: async () => E.right([]),
        text: async () => NONE,
        read: async () => NONE,
        draw: async () => NONE,
        truth: async () => NONE,
        write: async () => NONE,
        remove: async () => NONE,
        noteRun: async () => NONE,
        notedRun: async () => null,
      },
      generators: {
        list: async () => NONE,
        shownPath: (path) => path,
        create: async () => NONE,
        start: async () => NONE,
        assign: async () => NONE,
        stop: async () => NONE,
        remove: async () => NONE,
      },
      clock: fakeClock(),
      drawSeed: () => 'drawn',
      log,
      refusal: null,
    },
    isRestart: false,
    facade: { listen: facade.listen },
    watchdog: { every_ms: null, beat: async () => {}, clock: fakeClock() },
    policy: DEFAULT_POLICY,
    monotonicMs: () => clock.now(),
    random: () => 0,
    log,
    register: async () => {
      for (const id of ['a', 'b']) {
        steps.push(`${id} is registered`);
        await ask('generators.add', {
          registration: { params: paramsOf(id), scenarios: [], tweaks: NO_TWEAKS },
        });
      }
      return E.right(null);
    },
    autostart: async () => {
      steps.push('autostart');
      await ask('generators.start', { id: 'a' });
    },
    onListening: (url) => void steps.push(`listens at ${url}`),
    onReady: () => void steps.push('ready'),
    close_ms: 10_000,
    ready_ms: 30_000,
    ...more,
  };
  const root = createActor(daemonMachine(input), { clock });
  const ended: (SpateError | null)[] = [];
  root.subscribe({
    complete: () => ended.push(root.getSnapshot().output?.error ?? null),
    error: (thrown) => ended.push({ code: 'bug', message: String(thrown) }),
  });
  started.push(root.start());
  return { root, input, clock, steps, facade, host, log: lines, ended };
};
