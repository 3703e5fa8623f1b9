import * as E from 'fp-ts/lib/Either.js';
import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate';
import { ERRORS, failure, type Result, type SpateError, thrownError } from '../../src/domain/errors.js';
import type { GeneratorDefinition, RunTweaks } from '../../src/domain/generator.js';
import { abandonedBy, closedStats, lostBy, makeStats, type Stats } from '../../src/domain/stats/stats.js';
import type { Micros } from '../../src/domain/time/micros.js';
import { backoffMs } from '../../src/domain/waiting.js';
import type { PipelineHost, PipelinePatch } from '../../src/host/port.js';

import { type PipelineInput, type PipelineNews, pipelineLogic } from './pipeline.js';
import { hasBudget, type RestartPolicy, recentRestarts } from './supervision.js';

/** All functions are total. */
export interface GeneratorInput {
  readonly id: string;
  /** Reads the config; called at every start. */
  readonly load: (startsOver: boolean) => Promise<Result<GeneratorDefinition>>;
  /** Adds what changes at each start to a definition that a patch made. Undefined when nothing changes. */
  readonly rebase?: (
    patched: Result<GeneratorDefinition>,
    startsOver: boolean,
  ) => Promise<Result<GeneratorDefinition>>;
  readonly host: PipelineHost;
  /** Takes the lease and ends the pipeline that held it. */
  readonly takeLease: () => AbortSignal;
  readonly policy: RestartPolicy;
  /** Deadline of draining; then what is in flight is given up. */
  readonly drain_ms: number;
  /** Deadline of moving it to the dead letters. */
  readonly give_up_ms: number;
  readonly now: () => Micros;
  readonly monotonicMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly tweaks: RunTweaks;
  /** Failure of the machine before this one. */
  readonly formerError: SpateError | null;
}

type StartReply = (answer: Result<true>) => void;
type StopReply = (answer: Result<null>) => void;

export interface GeneratorContext {
  readonly input: GeneratorInput;
  readonly definition: GeneratorDefinition | null;
  readonly stats: Stats | null;
  readonly startedAt: Micros | null;
  readonly error: SpateError | null;
  readonly restartsMs: readonly number[];
  /** Definition from the file at the last start. */
  readonly loaded: GeneratorDefinition | null;
  /** Definition after a patch: automatic restarts use it, other starts read the file. */
  readonly patched: GeneratorDefinition | null;
  /** The next run ignores its checkpoint. */
  readonly startsOver: boolean;
  readonly starting: readonly StartReply[];
  readonly stopping: readonly StopReply[];
}

type GeneratorEvent =
  | { readonly type: 'start'; readonly reply: StartReply }
  | { readonly type: 'stop'; readonly reply: StopReply }
  | { readonly type: 'patch'; readonly patch: PipelinePatch; readonly reply: StopReply }
  | PipelineNews;

type LoadInput = Pick<GeneratorContext, 'input' | 'patched' | 'startsOver'>;

const definitionOf = async ({
  input,
  patched,
  startsOver,
}: LoadInput): Promise<Result<GeneratorDefinition>> => {
  if (patched === null) return input.load(startsOver);
  return input.rebase?.(E.right(patched), startsOver) ?? E.right(patched);
};

const NO_STATS = makeStats(0, 0);

const notDrained = ({ input: { id, drain_ms }, stats }: GeneratorContext): SpateError => {
  const abandoned = stats === null ? 0 : abandonedBy(stats);
  const lost = stats === null ? 0 : lostBy(stats);
  const fates: string[] = [];
  if (abandoned > 0)
    fates.push(`${abandoned} events were abandoned: look for a stalled reader or a slow destination`);
  if (lost > 0)
    fates.push(
      `${lost} events of this run could not be written and are not in the dead letters: the log says why`,
    );
  const fate = fates.join('; ') || 'everything in flight was written or dead-lettered';
  return failure('timed_out', `generator "${id}" did not drain within ${drain_ms / 1000} s; ${fate}`);
};

const notLoaded = (thrown: unknown): SpateError => thrownError('loading threw', thrown);

/** Whether the system lacked something, for which Spate waits without a limit. */
const isShort = ({ input }: GeneratorContext, { code }: SpateError): boolean =>
  code === 'exhausted' && input.policy.max_restarts > 0;

/** Every action, guard and input is total: a throw would end the machine but not its pipeline. */
export const generatorMachine = setup({
  types: {
    input: {} as GeneratorInput,
    context: {} as GeneratorContext,
    events: {} as GeneratorEvent,
  },
  actors: {
    load: fromPromise(({ input }: { input: LoadInput }) => definitionOf(input)),
    pipeline: pipelineLogic,
  },
  actions: {
    awaitStart: assign(({ context, event }) =>
      event.type === 'start' ? { starting: [...context.starting, event.reply] } : {},
    ),
    awaitStop: assign(({ context, event }) =>
      event.type === 'stop' ? { stopping: [...context.stopping, event.reply] } : {},
    ),
    answerRunning: ({ event }) => {
      if (event.type === 'start') event.reply(E.right(true));
    },
    answerStopped: ({ event }) => {
      if (event.type === 'stop') event.reply(E.right(null));
    },
    answerStillDraining: ({ event }) => {
      if (event.type !== 'start') return;
      event.reply(
        E.left(failure('wrong_state', 'the generator is stopping: start it again when it has ended')),
      );
    },
    settleStarts: enqueueActions(({ context, enqueue }) => {
      const answer: Result<true> = context.error === null ? E.right(true) : E.left(context.error);
      for (const reply of context.starting) reply(answer);
      enqueue.assign({ starting: [] });
    }),
    settleStops: enqueueActions(({ context, enqueue }) => {
      for (const reply of context.stopping) reply(E.right(null));
      enqueue.assign({ stopping: [] });
    }),
    cancelStarts: enqueueActions(({ context, enqueue }) => {
      const cancelled = failure('wrong_state', 'the generator was stopped before it ran');
      for (const reply of context.starting) reply(E.left(cancelled));
      enqueue.assign({ starting: [] });
    }),
    noteFailure: assign(({ event }) => (event.type === 'pipeline.failed' ? { error: event.error } : {})),
    chargeRestart: assign(({ context }) => {
      const now = context.input.monotonicMs();
      return { restartsMs: [...recentRestarts(context.input.policy, context.restartsMs, now), now] };
    }),
    refillBudget: assign({ restartsMs: [] }),
    freshStart: assign({ restartsMs: [], error: null, patched: null }),
    startOver: assign({ startsOver: true }),
    drain: sendTo('pipeline', { type: 'drain' }),
    giveUp: sendTo('pipeline', { type: 'giveUp' }),
    /** Every way out of `running` closes the account of the run, also after a lost thread. */
    closeAccount: assign(({ context }) => ({
      stats: context.stats === null ? null : closedStats(context.stats),
    })),
    noteNotDrained: assign(({ context }) => ({ error: notDrained(context) })),
    refusePatch: ({ context, event }, { because }: { readonly because: string }) => {
      if (event.type !== 'patch') return;
      event.reply(E.left(failure('wrong_state', `generator "${context.input.id}" ${because}`)));
    },
    forwardPatch: sendTo('pipeline', ({ event }) => event as Extract<GeneratorEvent, { type: 'patch' }>),
    takePatch: assign(({ event }) => {
      if (event.type !== 'pipeline.patched') return {};
      const { definition, stats } = event.patch;
      return { definition, stats, patched: definition };
    }),
    answerPatched: ({ event }) => {
      if (event.type === 'pipeline.patched') event.reply(E.right(null));
    },
  },
  guards: {
    isDisplaced: ({ event }) => event.type === 'pipeline.failed' && event.isDisplaced,
    awaitsOutput: ({ context, event }) =>
      event.type === 'pipeline.failed' &&
      event.error.code === 'output_failed' &&
      context.input.policy.max_restarts > 0,
    mayRestart: ({ context, event }) =>
      event.type === 'pipeline.failed' &&
      ERRORS[event.error.code].retryable &&
      (isShort(context, event.error) ||
        hasBudget(context.input.policy, context.restartsMs, context.input.monotonicMs())),
  },
  delays: {
    backoff: ({ context }) =>
      backoffMs(context.input.policy, Math.max(1, context.restartsMs.length), context.input.random()),
    stable: ({ context }) => context.input.policy.stable_ms,
    drainDeadline: ({ context }) => context.input.drain_ms,
    giveUpDeadline: ({ context }) => context.input.give_up_ms,
  },
}).createMachine({
  id: 'generator',
  context: ({ input }) => ({
    input,
    definition: null,
    stats: null,
    startedAt: null,
    error: input.formerError,
    restartsMs: [],
    loaded: null,
    patched: null,
    startsOver: false,
    starting: [],
    stopping: [],
  }),
  initial: 'waking',
  on: {
    patch: {
      actions: {
        type: 'refusePatch',
        params: { because: 'does not run: change its config, then start it' },
      },
    },
  },
  states: {
    waking: {
      always: [{ guard: ({ context }) => context.error !== null, target: 'failed' }, { target: 'idle' }],
    },
    idle: {
      on: {
        start: { target: 'loading', actions: ['freshStart', 'awaitStart'] },
        stop: { actions: 'answerStopped' },
      },
    },
    loading: {
      on: {
        start: { actions: 'awaitStart' },
        stop: { target: 'stopped', actions: ['cancelStarts', 'answerStopped'] },
      },
      invoke: {
        src: 'load',
        input: ({ context }) => context,
        onDone: [
          {
            guard: ({ event }) => E.isRight(event.output),
            target: 'running',
            actions: assign(({ context, event }) => {
              if (E.isLeft(event.output)) return {};
              const definition = event.output.right;
              const { inputs, outputs, templates = [] } = definition.plugins;
              return {
                definition,
                loaded: context.patched === null ? definition : context.loaded,
                stats: makeStats(inputs.length, outputs.length, templates.length),
                startedAt: context.input.now(),
              };
            }),
          },
          {
            guard: ({ context, event }) => E.isLeft(event.output) && isShort(context, event.output.left),
            target: 'backingOff',
            actions: [
              assign(({ event }) => (E.isLeft(event.output) ? { error: event.output.left } : {})),
              'chargeRestart',
            ],
          },
          {
            target: 'failed',
            actions: assign(({ event }) => (E.isLeft(event.output) ? { error: event.output.left } : {})),
          },
        ],
        onError: [
          {
            guard: ({ context, event }) => isShort(context, notLoaded(event.error)),
            target: 'backingOff',
            actions: [assign(({ event }) => ({ error: notLoaded(event.error) })), 'chargeRestart'],
          },
          { target: 'failed', actions: assign(({ event }) => ({ error: notLoaded(event.error) })) },
        ],
      },
    },
    running: {
      exit: 'closeAccount',
      invoke: {
        id: 'pipeline',
        src: 'pipeline',
        input: ({ context }): PipelineInput => ({
          host: context.input.host,
          order: {
            definition: context.definition as GeneratorDefinition,
            stats: context.stats ?? NO_STATS,
            tweaks: context.startsOver
              ? { ...context.input.tweaks, starts_over: true }
              : context.input.tweaks,
          },
          lease: context.input.takeLease(),
        }),
        onError: {
          target: 'failed',
          actions: assign(({ event }) => ({
            error: thrownError('the pipeline threw', event.error),
          })),
        },
      },
      on: {
        'pipeline.completed': 'finished',
        'pipeline.drained': 'stopped',
        'pipeline.patched': { actions: ['takePatch', 'answerPatched'] },
        'pipeline.failed': [
          { guard: 'isDisplaced', target: 'backingOff', actions: 'noteFailure' },
          { guard: 'mayRestart', target: 'backingOff', actions: ['noteFailure', 'chargeRestart'] },
          { target: 'failed', actions: 'noteFailure' },
        ],
      },
      initial: 'opening',
      states: {
        opening: {
          on: {
            start: { actions: 'awaitStart' },
            patch: {
              actions: {
                type: 'refusePatch',
                params: { because: 'is still starting: try again in a moment' },
              },
            },
            stop: { target: 'draining', actions: ['cancelStarts', 'awaitStop'] },
            // Waits for a server without a limit.
            'pipeline.failed': {
              guard: 'awaitsOutput',
              target: '#generator.backingOff',
              actions: ['noteFailure', 'chargeRestart'],
            },
            'pipeline.running': {
              target: 'flowing',
              actions: [assign({ error: null, startsOver: false }), 'settleStarts'],
            },
          },
        },
        flowing: {
          on: {
            start: { actions: 'answerRunning' },
            stop: { target: 'draining', actions: 'awaitStop' },
            patch: { actions: 'forwardPatch' },
          },
          after: { stable: { actions: 'refillBudget' } },
        },
        draining: {
          entry: 'drain',
          on: {
            start: { actions: 'answerStillDraining' },
            stop: { actions: 'awaitStop' },
            'pipeline.running': {},
            // A failure while stopping is recorded, not restarted.
            'pipeline.failed': { target: '#generator.failed', actions: 'noteFailure' },
          },
          after: { drainDeadline: 'givingUp' },
        },
        givingUp: {
          entry: 'giveUp',
          on: {
            start: { actions: 'answerStillDraining' },
            stop: { actions: 'awaitStop' },
            'pipeline.running': {},
            'pipeline.completed': { target: '#generator.failed', actions: 'noteNotDrained' },
            'pipeline.drained': { target: '#generator.failed', actions: 'noteNotDrained' },
            'pipeline.failed': { target: '#generator.failed', actions: 'noteFailure' },
          },
          after: { giveUpDeadline: { target: '#generator.failed', actions: 'noteNotDrained' } },
        },
      },
    },
    backingOff: {
      entry: ['settleStarts', 'settleStops'],
      on: {
        start: { target: 'loading', actions: 'awaitStart' },
        stop: { target: 'stopped', actions: 'answerStopped' },
      },
      after: { backoff: 'loading' },
    },
    finished: {
      entry: ['settleStarts', 'settleStops'],
      on: {
        // Its stream has ended, so a start begins it again.
        start: { target: 'loading', actions: ['freshStart', 'startOver', 'awaitStart'] },
        stop: { actions: 'answerStopped' },
      },
    },
    failed: {
      entry: ['settleStarts', 'settleStops'],
      on: {
        start: { target: 'loading', actions: ['freshStart', 'awaitStart'] },
        stop: { actions: 'answerStopped' },
      },
    },
    stopped: {
      entry: ['settleStarts', 'settleStops'],
      on: {
        start: { target: 'loading', actions: ['freshStart', 'awaitStart'] },
        stop: { actions: 'answerStopped' },
      },
    },
  },
});
