import * as E from 'fp-ts/lib/Either.js';
import { type ActorRefFrom, assign, fromPromise, setup } from 'xstate';
import { failure, type Result, type SpateError, thrownError } from '../src/domain/errors.js';
import { backoffMs } from '../src/domain/waiting.js';

import type { Log } from '../src/ports/log.js';
import type { alone } from './alone.js';
import { type FacadeInput, type FacadeNews, facadeLogic } from './facade.js';
import { type GeneratorsInput, generatorsLogic } from './generators/generators.js';
import { hasBudget, type RestartPolicy, recentRestarts } from './generators/supervision.js';
import type { IncidentsInput } from './incidents/incident.js';
import { incidentsLogic } from './incidents/incidents.js';
import { type PreviewInput, previewLogic } from './preview/preview.js';
import { type ScenariosInput, scenariosLogic } from './scenarios/scenarios.js';
import type { storeLogic } from './stores/store.js';
import { type Ping, type WatchdogInput, watchdogLogic } from './watchdog.js';

type Store = ReturnType<typeof storeLogic>;

export interface DaemonInput {
  readonly settings: Store;
  readonly startup: Store;
  readonly configs: Store;
  readonly preview: PreviewInput;
  readonly secrets: Store;
  readonly scenarios: ScenariosInput;
  readonly generators: GeneratorsInput;
  readonly incidents: IncidentsInput;
  readonly facade: FacadeInput;
  readonly watchdog: WatchdogInput;
  /** Drives this node of a cluster; of a service that runs alone, it does nothing. */
  readonly cluster: typeof alone;
  /** Gives generators to other nodes before the stop. Total. */
  readonly leave: () => Promise<void>;
  /** Restarts of the facade. */
  readonly policy: RestartPolicy;
  readonly monotonicMs: () => number;
  readonly random: () => number;
  readonly log: Log;
  /** Returns an error when the startup list cannot be used. Rejects only on a bug. */
  readonly register: () => Promise<Result<null>>;
  /** Called once the facade listens. */
  readonly autostart: () => Promise<void>;
  readonly onListening: (url: string | null) => void;
  /** True after a restart: an address that is still taken is retried. */
  readonly isRestart: boolean;
  /** Called once, when the facade listens and no generator with autostart is still starting. */
  readonly onReady: () => void;
  /** `onReady` waits this long for generators: one that hangs must not hold up systemd. */
  readonly ready_ms: number;
  /** Deadline of open requests when the daemon stops. */
  readonly close_ms: number;
}

interface DaemonContext {
  readonly input: DaemonInput;
  readonly error: SpateError | null;
  readonly abandoned: number;
  readonly facadeRestartsMs: readonly number[];
  /** True once the facade has listened: generators start only once. */
  readonly isStarted: boolean;
  readonly isReady: boolean;
}

type DaemonEvent =
  | { readonly type: 'stop' }
  /** Listens with the settings now in force. After an error, the former listener stays. */
  | { readonly type: 'reopen'; readonly reply: (answer: Result<null>) => void }
  | FacadeNews
  | Ping;

type GeneratorsRef = ActorRefFrom<typeof generatorsLogic>;
type FacadeRef = ActorRefFrom<typeof facadeLogic>;

const thrownIn = (what: string) =>
  assign<DaemonContext, { type: string; error?: unknown }, undefined, DaemonEvent, never>(
    ({ context, event }) => {
      const error = thrownError(what, event.error);
      context.input.log.write('critical', 'a part of the daemon failed', { reason: error.message });
      return { error };
    },
  );

/** An actor that lives as long as the root and stops it when it fails. */
const part = <const Name extends string>(name: Name) => ({
  src: name,
  systemId: name,
  onError: { target: 'stopped' as const, actions: thrownIn(name) },
});

/** The root actor: registers generators, opens the facade, starts generators; stops in reverse. */
export const daemonMachine = (input: DaemonInput) =>
  setup({
    types: {
      context: {} as DaemonContext,
      events: {} as DaemonEvent,
      output: {} as { readonly error: SpateError | null; readonly abandoned: number },
    },
    actors: {
      settings: input.settings,
      startup: input.startup,
      configs: input.configs,
      preview: previewLogic,
      secrets: input.secrets,
      scenarios: scenariosLogic,
      generators: generatorsLogic,
      incidents: incidentsLogic,
      facade: facadeLogic,
      watchdog: watchdogLogic,
      cluster: input.cluster,
      register: fromPromise(() => input.register()),
      autostart: fromPromise(() => input.autostart()),
      stopAll: fromPromise(async ({ input: ref }: { input: GeneratorsRef }) => {
        await input.leave();
        return new Promise<number>((resolve) =>
          ref.send({
            type: 'generators.stop_all',
            payload: null,
            reply: (answer) => resolve(E.isRight(answer) ? answer.right : 0),
          }),
        );
      }),
      closeFacade: fromPromise(
        ({ input: ref }: { input: FacadeRef | undefined }) =>
          new Promise<void>((resolve) => {
            if (ref === undefined) return resolve();
            ref.send({ type: 'close', deadline_ms: input.close_ms, reply: resolve });
          }),
      ),
    },
    actions: {
      noteFacadeFailure: assign(({ context, event }) => {
        if (event.type !== 'facade.failed') return {};
        const now = input.monotonicMs();
        // A failed start is reported by its caller.
        if (context.isStarted || input.isRestart) {
          input.log.write('error', 'the HTTP service failed', { reason: event.error.message });
        }
        return {
          error: event.error,
          facadeRestartsMs: [...recentRestarts(input.policy, context.facadeRestartsMs, now), now],
        };
      }),
      forgetError: assign({ error: null }),
      announce: ({ event }) => {
        if (event.type === 'facade.listening') input.onListening(event.url);
      },
      announceReady: assign(({ context }) => {
        if (!context.isReady) input.onReady();
        return { isReady: true };
      }),
      noteSlowStart: () => input.log.write('warning', 'generators are slow to start: ready without them'),
      forwardReopen: ({ event, self }) => {
        if (event.type !== 'reopen') return;
        const facade = self.system.get('facade') as FacadeRef;
        facade.send({ type: 'reopen', deadline_ms: input.close_ms, reply: event.reply });
      },
      // It opens with the settings then in force.
      acceptReopen: ({ event }) => {
        if (event.type === 'reopen') event.reply(E.right(null));
      },
      declineReopen: ({ event }) => {
        if (event.type === 'reopen')
          event.reply(E.left(failure('unavailable', 'the HTTP service is closing')));
      },
      answerPing: ({ event }) => {
        if (event.type === 'ping') event.reply();
      },
    },
    guards: {
      isStarted: ({ context }) => context.isStarted,
      // At the first start, a taken port is for a person to solve.
      mayReopen: ({ context }) =>
        (context.isStarted || input.isRestart) &&
        hasBudget(input.policy, context.facadeRestartsMs, input.monotonicMs()),
    },
    delays: {
      ready: () => input.ready_ms,
      reopen: ({ context }) =>
        backoffMs(input.policy, Math.max(1, context.facadeRestartsMs.length), input.random()),
    },
  }).createMachine({
    id: 'daemon',
    context: { input, error: null, abandoned: 0, facadeRestartsMs: [], isStarted: false, isReady: false },
    on: { ping: { actions: 'answerPing' }, reopen: { actions: 'declineReopen' } },
    output: ({ context: { error, abandoned } }) => ({ error, abandoned }),
    initial: 'alive',
    states: {
      alive: {
        invoke: [
          part('settings'),
          part('startup'),
          part('configs'),
          { ...part('preview'), input: input.preview },
          part('secrets'),
          { ...part('scenarios'), input: input.scenarios },
          { ...part('generators'), input: input.generators },
          { ...part('incidents'), input: input.incidents },
          { ...part('watchdog'), input: input.watchdog },
          part('cluster'),
        ],
        initial: 'registering',
        onDone: 'stopped',
        states: {
          registering: {
            invoke: {
              src: 'register',
              onDone: [
                { guard: ({ event }) => E.isRight(event.output), target: 'serving' },
                {
                  target: 'stoppingGenerators',
                  actions: assign(({ event: { output } }) =>
                    E.isLeft(output) ? { error: output.left } : {},
                  ),
                },
              ],
              onError: { target: 'stoppingGenerators', actions: thrownIn('registering generators') },
            },
            on: { stop: 'stoppingGenerators' },
          },
          serving: {
            invoke: {
              src: 'facade',
              systemId: 'facade',
              input: input.facade,
              onError: { target: 'stoppingGenerators', actions: thrownIn('facade') },
            },
            initial: 'opening',
            on: {
              stop: '.closing',
              reopen: { actions: 'forwardReopen' },
              'facade.listening': { actions: 'announce' },
              'facade.failed': [
                { guard: 'mayReopen', target: 'facadeDown', actions: 'noteFacadeFailure' },
                { target: 'stoppingGenerators', actions: 'noteFacadeFailure' },
              ],
            },
            states: {
              opening: {
                on: {
                  'facade.listening': [
                    { guard: 'isStarted', target: 'open', actions: ['forgetError', 'announce'] },
                    { target: 'starting', actions: ['announce', assign({ isStarted: true })] },
                  ],
                },
              },
              starting: {
                invoke: {
                  src: 'autostart',
                  onDone: 'open',
                  onError: { target: 'open', actions: thrownIn('autostart') },
                },
                after: { ready: { actions: ['noteSlowStart', 'announceReady'] } },
              },
              open: { entry: 'announceReady' },
              closing: {
                invoke: {
                  src: 'closeFacade',
                  input: ({ self }) => self.system.get('facade') as FacadeRef | undefined,
                  onDone: '#daemon.alive.stoppingGenerators',
                  onError: '#daemon.alive.stoppingGenerators',
                },
                on: { stop: {}, reopen: { actions: 'declineReopen' }, 'facade.failed': {} },
              },
            },
          },
          facadeDown: {
            on: {
              stop: { target: 'stoppingGenerators', actions: 'forgetError' },
              reopen: { actions: 'acceptReopen' },
            },
            after: { reopen: 'serving' },
          },
          stoppingGenerators: {
            invoke: {
              src: 'stopAll',
              input: ({ self }) => self.system.get('generators') as GeneratorsRef,
              onDone: { target: 'ended', actions: assign(({ event }) => ({ abandoned: event.output })) },
              onError: 'ended',
            },
          },
          ended: { type: 'final' },
        },
      },
      stopped: { type: 'final' },
    },
  });
