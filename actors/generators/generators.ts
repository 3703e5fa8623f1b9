import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { failure, type Result, reasonOf, type SpateError } from '../../src/domain/errors.js';
import {
  type GeneratorDefinition,
  type GeneratorParams,
  NO_TWEAKS,
  noSuchGenerator,
  type Registration,
} from '../../src/domain/generator.js';
import { pacer } from '../../src/domain/pacer.js';
import type { BoardRow } from '../../src/domain/stats/board.js';
import { abandonedBy } from '../../src/domain/stats/stats.js';
import type { PipelineHost } from '../../src/host/port.js';
import type { GeneratorPatchRequests } from '../../src/messages/generatorPatch.js';
import type { GeneratorRequests, GeneratorStats } from '../../src/messages/generators.js';
import type { Request } from '../../src/messages/request.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';
import { generatorMachine } from './generator.js';
import { report } from './news.js';
import { makePatcher, type PatchOptions } from './patching.js';
import { type ReloadInput, type ReloadOutcome, reloadGenerator } from './reloading.js';
import { boardRowOf, startTimeOf, statsOf, statusOf } from './report.js';
import {
  generatorRoster,
  isLeaving,
  isRosterMessage,
  later,
  type RosterInput,
  type RosterMarks,
} from './roster.js';
import type { RestartPolicy } from './supervision.js';

/** What the daemon asks, next to the requests of the API. */
export interface SupervisorRequests {
  'generators.add': { payload: { readonly registration: Registration }; answer: null };
  /** Gives a generator the entry that the startup list has now; `autostart`: it is wanted to run. */
  'generators.reload': {
    payload: { readonly registration: Registration; readonly autostart: boolean };
    answer: ReloadOutcome;
  };
  /** Drains every generator; answers when all have ended, with the number of events that those which ran abandoned. */
  'generators.stop_all': { payload: null; answer: number };
  /** Resolves at the next time the generator is at rest: how it ended. */
  'generators.end': { payload: { readonly id: string }; answer: SpateError | null };
}

export type GeneratorsMessage =
  | Request<GeneratorRequests>
  | Request<GeneratorPatchRequests>
  | Request<SupervisorRequests>;

/** Who is in which scenario. All functions are total. */
export interface Members {
  /** Scenarios that a generator joins when it starts; `registered`: those it was registered with. */
  readonly atStart: (id: string, registered: readonly string[]) => readonly string[];
  /** It starts with these. */
  readonly joined: (id: string, scenarios: readonly string[]) => void;
  /** It has come to rest. */
  readonly left: (id: string) => void;
}

export interface GeneratorsInput {
  readonly host: PipelineHost;
  readonly load: (
    params: GeneratorParams,
    scenarios: readonly string[],
  ) => Promise<Result<GeneratorDefinition>>;
  readonly patching: PatchOptions;
  readonly members: Members;
  /** Checks what the API registers: parameters with all defaults, a config inside of the generators directory. */
  readonly admit: RosterInput<never>['admit'];
  readonly policy: RestartPolicy;
  readonly drain_ms: number;
  readonly give_up_ms: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Told of every generator whenever it may have changed; `null`: it is gone. Total. */
  readonly watch: (id: string, row: BoardRow | null) => void;
  /** Path of a config file as the API shows it. */
  readonly shownPath: (path: string) => string;
}

const IS_STOPPING = failure('unavailable', 'the service is stopping');

type Child = Actor<typeof generatorMachine>;

interface Slot extends RosterMarks {
  readonly registration: Registration;
  child: Child;
  /** Held by the pipeline that runs; aborting it ends that pipeline whatever became of its machine. */
  lease: AbortController;
  readonly ending: ((answer: Result<SpateError | null>) => void)[];
  /** Starts and stops that wait for their answer: a machine that dies takes its own list with it. */
  readonly waiting: Set<(answer: Result<never>) => void>;
  readonly patch: ReturnType<typeof makePatcher>;
}

/**
 * Supervisor of all generators, one for one: each is a top-level actor in a map (thousands of children
 * of one machine would cost quadratic time), watched through its snapshots.
 */
export const generatorsLogic = fromCallback<GeneratorsMessage, GeneratorsInput>(({ input, receive }) => {
  const slots = new Map<string, Slot>();
  let isStopped = false;
  // Thousands may start at once, and requests are answered meanwhile.
  const paced = pacer(input.clock);
  const load: GeneratorsInput['load'] = (params, scenarios) => paced(() => input.load(params, scenarios));

  const spawn = (slot: Omit<Slot, 'child'>, formerError: SpateError | null): Child => {
    const { params, scenarios, tweaks } = slot.registration;
    const log = input.log.with({ generator_id: params.id });
    const child = createActor(generatorMachine, {
      input: {
        id: params.id,
        load: () => {
          const joined = input.members.atStart(params.id, scenarios);
          input.members.joined(params.id, joined);
          return load(params, joined);
        },
        host: input.host,
        takeLease: () => {
          slot.lease.abort('taken');
          slot.lease = new AbortController();
          return slot.lease.signal;
        },
        policy: input.policy,
        drain_ms: input.drain_ms,
        give_up_ms: input.give_up_ms,
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
        input.watch(params.id, boardRowOf(snapshot.value, snapshot.context));
        const status = statusOf(snapshot.value, snapshot.context);
        if (status.phase === phase) return;
        const former = phase;
        phase = status.phase;
        report(log, former, phase, snapshot.context);
        if (!status.is_ended_up) return;
        input.members.left(params.id);
        for (const reply of slot.ending.splice(0)) reply(E.right(snapshot.context.error));
      },
      // A machine that throws is a bug; without this listener it would end the daemon.
      error: (thrown) => {
        slot.lease.abort();
        input.members.left(params.id);
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

  const add = (registration: Registration): Result<null> => {
    const { id } = registration.params;
    if (slots.has(id)) return E.left(failure('already_exists', `there is a generator "${id}" already`));
    const waiting: Slot['waiting'] = new Set();
    const patch = makePatcher(
      { id, child: () => whole.child, kept: (reply) => kept({ waiting }, reply) },
      input.patching,
    );
    const slot: Omit<Slot, 'child'> = {
      registration,
      lease: new AbortController(),
      ending: [],
      waiting,
      patch,
      leaving: null,
      stops: 0,
    };
    const whole: Slot = Object.assign(slot, { child: spawn(slot, null) });
    slots.set(id, whole);
    return E.right(null);
  };

  const of = <A>(id: string, found: (slot: Slot) => Result<A>): Result<A> => {
    const slot = slots.get(id);
    return slot === undefined ? E.left(noSuchGenerator(id)) : found(slot);
  };

  const abandonedIn = ({ child }: Slot): number => {
    const { stats } = child.getSnapshot().context;
    return stats === null ? 0 : abandonedBy(stats);
  };

  const isRunning = (slot: Slot): boolean => ['running', 'draining'].includes(statusNow(slot).phase);

  const stopAll = (reply: (answer: Result<number>) => void): void => {
    const running = [...slots.values()].filter((slot) => isRunning(slot));
    const stopped = [...slots.keys()].map(roster.stop);
    void Promise.all(stopped).then(() =>
      reply(E.right(running.reduce((sum, slot) => sum + abandonedIn(slot), 0))),
    );
  };

  const statusNow = ({ child }: Slot) => {
    const { value, context } = child.getSnapshot();
    return statusOf(value, context);
  };

  const scenariosNow = (slot: Slot): readonly string[] => {
    const { params, scenarios } = slot.registration;
    const joined = slot.child.getSnapshot().context.definition?.scenarios;
    return isAtRest(slot) || joined === undefined ? input.members.atStart(params.id, scenarios) : joined;
  };

  const list = () =>
    [...slots.values()].map((slot) => ({
      id: slot.registration.params.id,
      path: input.shownPath(slot.registration.params.path),
      status: statusNow(slot),
      start_time: startTimeOf(slot.child.getSnapshot().context),
      scenarios: scenariosNow(slot),
    }));

  const isAtRest = (slot: Slot): boolean => {
    const { phase, is_ended_up } = statusNow(slot);
    return phase === 'idle' || is_ended_up;
  };

  /** Counters of those that run. */
  const statsRunning = (): readonly GeneratorStats[] =>
    [...slots.values()].flatMap((slot) => {
      const stats = statusNow(slot).is_running
        ? statsOf(slot.child.getSnapshot().context, input.clock.now())
        : null;
      return stats === null ? [] : [stats];
    });

  const drop = (id: string, slot: Slot): void => {
    slots.delete(id);
    slot.lease.abort();
    slot.child.stop();
    input.members.left(id);
    input.watch(id, null);
    for (const reply of slot.ending.splice(0)) reply(E.right(null));
    const gone = failure('wrong_state', `generator "${id}" was deleted or replaced`);
    for (const reply of [...slot.waiting]) reply(E.left(gone));
  };

  const startSlot = (slot: Slot): Promise<Result<true>> =>
    new Promise((resolve) => slot.child.send({ type: 'start', reply: kept(slot, resolve) }));
  const stopSlot = (slot: Slot): Promise<Result<null>> =>
    new Promise((resolve) => slot.child.send({ type: 'stop', reply: kept(slot, resolve) }));

  const roster = generatorRoster<Slot>({
    slots,
    start: startSlot,
    stop: stopSlot,
    isAtRest,
    // Nothing is registered any more once the supervisor has stopped.
    register: (params) =>
      isStopped ? E.left(IS_STOPPING) : add({ params, scenarios: [], tweaks: NO_TWEAKS }),
    drop,
    paramsOf: ({ registration }) => registration.params,
    admit: input.admit,
  });

  const reloading: ReloadInput<Slot> = {
    find: (id) => slots.get(id),
    registrationOf: ({ registration }) => registration,
    startedWith: ({ child }) => child.getSnapshot().context.loaded,
    isAtRest,
    hasFailed: (slot) => statusNow(slot).phase === 'failed',
    load: ({ params, scenarios }) => load(params, scenarios),
    add: (registration) => (isStopped ? E.left(IS_STOPPING) : add(registration)),
    start: startSlot,
    stop: stopSlot,
    drop,
    onInvalid: (id, { message }) => {
      const context = { generator_id: id, reason: message };
      input.log.write('error', 'the config cannot be used any more: the generator runs on as it is', context);
    },
  };

  const handle = (message: GeneratorsMessage): void => {
    if (isRosterMessage(message)) return roster.handle(message);
    switch (message.type) {
      case 'generators.list':
        return message.reply(E.right(list()));
      case 'generators.read':
        return message.reply(
          of(message.payload.id, ({ registration: { params } }) =>
            E.right({ ...params, path: input.shownPath(params.path) }),
          ),
        );
      case 'generators.status':
        return message.reply(of(message.payload.id, (slot) => E.right(statusNow(slot))));
      case 'generators.stats':
        return message.reply(
          of(message.payload.id, ({ child }) => {
            const stats = statsOf(child.getSnapshot().context, input.clock.now());
            const never = failure(
              'not_ready',
              `generator "${message.payload.id}" has not run yet: start it first`,
            );
            return stats === null ? E.left(never) : E.right(stats);
          }),
        );
      case 'generators.start':
        return forward(message, (slot) => {
          if (slot.leaving !== null) return message.reply(isLeaving(message.payload.id));
          slot.child.send({ type: 'start', reply: kept(slot, message.reply) });
        });
      case 'generators.stop':
        return forward(message, (slot) => {
          slot.stops++;
          slot.child.send({ type: 'stop', reply: kept(slot, message.reply) });
        });
      case 'generators.stats_running':
        return message.reply(E.right(statsRunning()));
      case 'generators.patch': {
        const { sections, persist } = message.payload;
        return forward(message, (slot) => void slot.patch(sections, persist).then(message.reply));
      }
      case 'generators.add':
        return message.reply(add(message.payload.registration));
      case 'generators.reload': {
        const { registration, autostart } = message.payload;
        return later(message, reloadGenerator(reloading, registration, autostart));
      }
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
    message: { readonly payload: { readonly id: string }; readonly reply: (answer: Result<never>) => void },
    send: (slot: Slot) => void,
  ): void => {
    const slot = slots.get(message.payload.id);
    if (slot === undefined) {
      return message.reply(E.left(noSuchGenerator(message.payload.id)));
    }
    send(slot);
  };

  receive((message) => {
    try {
      handle(message);
    } catch (thrown) {
      const refuse = message.reply as (answer: Result<never>) => void;
      refuse(E.left(failure('bug', `${message.type}: ${reasonOf(thrown)}`)));
    }
  });
  return () => {
    isStopped = true;
    for (const slot of slots.values()) {
      slot.lease.abort();
      slot.child.stop();
    }
  };
});

/** The reply, remembered by the slot until it is given, so that it is given even if the machine dies. */
const kept = <A>(
  slot: Pick<Slot, 'waiting'>,
  reply: (answer: Result<A>) => void,
): ((answer: Result<A>) => void) => {
  const answer = (given: Result<A>): void => {
    if (slot.waiting.delete(answer)) reply(given);
  };
  slot.waiting.add(answer);
  return answer;
};
