import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { failure, reasonOf, type SpateError } from '../src/domain/errors.js';
import type { GeneratorDefinition, GeneratorParams, RunTweaks } from '../src/domain/generator.js';
import type { PipelineHost } from '../src/host/port.js';
import type { GeneratorRequests } from '../src/messages/generators.js';
import type { Answer, Request } from '../src/messages/request.js';
import type { Clock } from '../src/ports/clock.js';
import type { Log } from '../src/ports/log.js';
import { type GeneratorContext, generatorMachine } from './generator.js';
import { levelOf, startTimeOf, statsOf, statusOf } from './generatorReport.js';
import type { RestartPolicy } from './supervision.js';

/** A generator as it is registered. */
export interface Registration {
  readonly params: GeneratorParams;
  readonly scenarios: readonly string[];
  readonly tweaks: RunTweaks;
}

/** What the daemon asks, next to the requests of the API. */
export interface SupervisorRequests {
  'generators.add': { payload: { readonly registration: Registration }; answer: null };
  /** Drains every generator; answers when all have ended. */
  'generators.stop_all': { payload: null; answer: null };
  /** Resolves at the next time the generator is at rest: how it ended. */
  'generators.end': { payload: { readonly id: string }; answer: SpateError | null };
}

export type GeneratorsMessage = Request<GeneratorRequests> | Request<SupervisorRequests>;

export interface GeneratorsInput {
  readonly host: PipelineHost;
  readonly load: (
    params: GeneratorParams,
    scenarios: readonly string[],
  ) => Promise<E.Either<SpateError, GeneratorDefinition>>;
  readonly policy: RestartPolicy;
  readonly drain_ms: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Path of a config file as the API shows it. */
  readonly shownPath: (path: string) => string;
}

type Child = Actor<typeof generatorMachine>;

interface Slot {
  readonly registration: Registration;
  child: Child;
  /** Held by the pipeline that runs; aborting it ends that pipeline whatever became of its machine. */
  lease: AbortController;
  readonly ending: ((answer: Answer<SpateError | null>) => void)[];
  /** Starts and stops that wait for their answer: a machine that dies takes its own list with it. */
  readonly waiting: Set<(answer: Answer<never>) => void>;
}

/**
 * Supervisor of all generators, one for one: each is a top-level actor in a map (thousands of children
 * of one machine would cost quadratic time), watched through its snapshots.
 */
export const generatorsLogic = fromCallback<GeneratorsMessage, GeneratorsInput>(({ input, receive }) => {
  const slots = new Map<string, Slot>();

  const spawn = (slot: Omit<Slot, 'child'>, formerError: SpateError | null): Child => {
    const { params, scenarios, tweaks } = slot.registration;
    const log = input.log.with({ generator_id: params.id });
    const child = createActor(generatorMachine, {
      input: {
        id: params.id,
        load: () => input.load(params, scenarios),
        host: input.host,
        takeLease: () => {
          slot.lease.abort();
          slot.lease = new AbortController();
          return slot.lease.signal;
        },
        policy: input.policy,
        drain_ms: input.drain_ms,
        now: input.clock.now,
        monotonicMs: input.clock.monotonicMs,
        random: input.random,
        tweaks,
        formerError,
      },
    });
    let phase = 'idle';
    child.subscribe({
      next: (snapshot) => {
        const status = statusOf(snapshot.value, snapshot.context);
        if (status.phase === phase) return;
        phase = status.phase;
        report(log, phase, snapshot.context);
        if (!status.is_ended_up) return;
        for (const reply of slot.ending.splice(0)) reply(E.right(snapshot.context.error));
      },
      // A machine that throws is a bug; without this listener it would end the daemon.
      error: (thrown) => {
        slot.lease.abort();
        const bug = failure('bug', `the actor of generator "${params.id}" failed: ${reasonOf(thrown)}`);
        log.write('critical', 'a generator actor failed', { reason: bug.message });
        const failed = slots.get(params.id);
        if (failed !== undefined) failed.child = spawn(slot, bug);
        for (const reply of slot.ending.splice(0)) reply(E.right(bug));
        for (const reply of [...slot.waiting]) reply(E.left(bug));
      },
    });
    return child.start();
  };

  const add = (registration: Registration): Answer<null> => {
    const { id } = registration.params;
    if (slots.has(id)) return E.left(failure('already_exists', `there is a generator "${id}" already`));
    const slot: Omit<Slot, 'child'> = {
      registration,
      lease: new AbortController(),
      ending: [],
      waiting: new Set(),
    };
    slots.set(id, Object.assign(slot, { child: spawn(slot, null) }));
    return E.right(null);
  };

  const of = <A>(id: string, found: (slot: Slot) => Answer<A>): Answer<A> => {
    const slot = slots.get(id);
    return slot === undefined ? E.left(failure('not_found', `there is no generator "${id}"`)) : found(slot);
  };

  const stopAll = (reply: (answer: Answer<null>) => void): void => {
    const stopped = [...slots.values()].map(
      (slot) =>
        new Promise<void>((resolve) => slot.child.send({ type: 'stop', reply: kept(slot, () => resolve()) })),
    );
    void Promise.all(stopped).then(() => reply(E.right(null)));
  };

  const list = () =>
    [...slots.values()].map(({ registration, child }) => {
      const { value, context } = child.getSnapshot();
      return {
        id: registration.params.id,
        path: input.shownPath(registration.params.path),
        status: statusOf(value, context),
        start_time: startTimeOf(context),
        scenarios: registration.scenarios,
      };
    });

  const handle = (message: GeneratorsMessage): void => {
    switch (message.type) {
      case 'generators.list':
        return message.reply(E.right(list()));
      case 'generators.read':
        return message.reply(of(message.payload.id, ({ registration }) => E.right(registration.params)));
      case 'generators.status':
        return message.reply(
          of(message.payload.id, ({ child }) => {
            const { value, context } = child.getSnapshot();
            return E.right(statusOf(value, context));
          }),
        );
      case 'generators.stats':
        return message.reply(
          of(message.payload.id, ({ child }) => {
            const stats = statsOf(child.getSnapshot().context, input.clock.now());
            const never = failure(
              'wrong_state',
              `generator "${message.payload.id}" has not run yet: start it first`,
            );
            return stats === null ? E.left(never) : E.right(stats);
          }),
        );
      case 'generators.start':
        return forward(message, (slot) =>
          slot.child.send({ type: 'start', reply: kept(slot, message.reply) }),
        );
      case 'generators.stop':
        return forward(message, (slot) =>
          slot.child.send({ type: 'stop', reply: kept(slot, message.reply) }),
        );
      case 'generators.add':
        return message.reply(add(message.payload.registration));
      case 'generators.stop_all':
        return stopAll(message.reply);
      case 'generators.end':
        return forward(message, (slot) => {
          const { value, context } = slot.child.getSnapshot();
          if (statusOf(value, context).is_ended_up) message.reply(E.right(context.error));
          else slot.ending.push(message.reply);
        });
    }
  };

  const forward = (
    message: { readonly payload: { readonly id: string }; readonly reply: (answer: Answer<never>) => void },
    send: (slot: Slot) => void,
  ): void => {
    const slot = slots.get(message.payload.id);
    if (slot === undefined) {
      return message.reply(E.left(failure('not_found', `there is no generator "${message.payload.id}"`)));
    }
    send(slot);
  };

  receive((message) => {
    try {
      handle(message);
    } catch (thrown) {
      const refuse = message.reply as (answer: Answer<never>) => void;
      refuse(E.left(failure('bug', `${message.type}: ${reasonOf(thrown)}`)));
    }
  });
  return () => {
    for (const slot of slots.values()) {
      slot.lease.abort();
      slot.child.stop();
    }
  };
});

/** The reply, remembered by the slot until it is given, so that it is given even if the machine dies. */
const kept = <A>(slot: Slot, reply: (answer: Answer<A>) => void): ((answer: Answer<A>) => void) => {
  const answer = (given: Answer<A>): void => {
    if (slot.waiting.delete(answer)) reply(given);
  };
  slot.waiting.add(answer);
  return answer;
};

const SENTENCES: Readonly<Record<string, string>> = {
  running: 'generator starts',
  draining: 'generator is draining',
  backing_off: 'generator failed and will be started again',
  finished: 'generator has finished',
  failed: 'generator failed',
  stopped: 'generator stopped',
};

const report = (log: Log, phase: string, context: GeneratorContext): void => {
  const sentence = SENTENCES[phase];
  if (sentence === undefined) return;
  const hasFailed = context.error !== null && (phase === 'failed' || phase === 'backing_off');
  log.write(
    hasFailed ? levelOf(context) : 'info',
    sentence,
    hasFailed ? { reason: context.error.message } : {},
  );
};
