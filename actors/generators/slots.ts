import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor } from 'xstate';
import {
  ERRORS,
  failure,
  type LogLevel,
  type Result,
  reasonOf,
  type SpateError,
} from '../../src/domain/errors.js';
import { type GeneratorDefinition, noSuchGenerator, type Registration } from '../../src/domain/generator.js';
import { logNamesOf, type PartitionBase } from '../../src/domain/partitions.js';
import { abandonedBy } from '../../src/domain/stats/stats.js';
import type { LifeStatus } from '../../src/messages/generators.js';
import type { Log } from '../../src/ports/log.js';
import { type GeneratorContext, generatorMachine } from './generator.js';
import type { GeneratorsInput } from './generators.js';
import { makeChanges, type PatchChanges } from './patching.js';
import { boardRowOf, type History, makeHistory, statusOf } from './report.js';

type Reply<A> = (answer: Result<A>) => void;
type Child = Actor<typeof generatorMachine>;

/** A registered generator with its actor. */
export interface GeneratorSlot {
  readonly registration: Registration;
  child: Child;
  /** Held by the running pipeline; aborting it ends that pipeline, also if its machine is dead. */
  lease: AbortController;
  readonly ending: Reply<SpateError | null>[];
  /** Replies to starts, stops and patches under way. A machine that dies loses its own list. */
  readonly replies: Set<Reply<never>>;
  readonly changes: PatchChanges;
  /** Settles when a delete or rename is done. Null without one. */
  leaving: Promise<void> | null;
  /** Outlives the machine. */
  readonly history: History;
  /** Number of stops requested, so that a restart under way notices a later stop. */
  stops: number;
}

export interface Supervisor {
  readonly input: GeneratorsInput;
  readonly slots: Map<string, GeneratorSlot>;
  /** Paced: thousands may start at once, and requests are answered in between. */
  readonly load: GeneratorsInput['load'];
  isStopped: boolean;
}

export const findSlot = ({ slots }: Supervisor, id: string): Result<GeneratorSlot> =>
  E.fromNullable(noSuchGenerator(id))(slots.get(id));

export const statusNow = ({ child }: Pick<GeneratorSlot, 'child'>): LifeStatus => {
  const { value, context } = child.getSnapshot();
  return statusOf(value, context);
};

export const isAtRest = (slot: GeneratorSlot): boolean => {
  const { phase, is_ended_up } = statusNow(slot);
  return phase === 'idle' || is_ended_up;
};

/** A reply that the slot gives if the machine dies first. */
const surviving = <A>({ replies }: Pick<GeneratorSlot, 'replies'>, reply: Reply<A>): Reply<A> => {
  const once: Reply<A> = (answer) => {
    if (replies.delete(once)) reply(answer);
  };
  replies.add(once);
  return once;
};

export const sendStart = (slot: GeneratorSlot, reply: Reply<true>): void =>
  slot.child.send({ type: 'start', reply: surviving(slot, reply) });

export const sendStop = (slot: GeneratorSlot, reply: Reply<null>): void =>
  slot.child.send({ type: 'stop', reply: surviving(slot, reply) });

export const start = (slot: GeneratorSlot): Promise<Result<true>> =>
  new Promise((resolve) => sendStart(slot, resolve));

/** Answers when the generator has ended; at once when it does not run. */
export const stop = (slot: GeneratorSlot): Promise<Result<null>> =>
  new Promise((resolve) => sendStop(slot, resolve));

const SENTENCES: Readonly<Record<string, string>> = {
  running: 'generator starts',
  draining: 'generator is draining',
  backing_off: 'generator failed and will be restarted',
  finished: 'generator has finished',
  failed: 'generator failed',
  stopped: 'generator stopped',
};

/** Phases of a run: its counters are final in the phase after them. */
const RUNNING: ReadonlySet<string> = new Set(['running', 'draining']);

/** A generator that is down is an error, also when a client would be told mildly, as about a missing file. */
const levelOf = (phase: string, { code }: SpateError): LogLevel => {
  const { level } = ERRORS[code];
  return phase === 'failed' && level !== 'critical' ? 'error' : level;
};

const logPhase = (log: Log, former: string, phase: string, context: GeneratorContext): void => {
  const sentence = SENTENCES[phase];
  if (sentence === undefined) return;
  const abandoned = context.stats === null ? 0 : abandonedBy(context.stats);
  if (abandoned > 0 && RUNNING.has(former)) {
    const hint = 'the run ended before an output wrote them: look for a stalled reader or a slow destination';
    log.write('error', 'events were abandoned', { count: abandoned, hint });
  }
  const { error } = context;
  if (error !== null && (phase === 'failed' || phase === 'backing_off'))
    log.write(levelOf(phase, error), sentence, { reason: error.message });
  else log.write('info', sentence);
};

const settleEnding = (slot: Pick<GeneratorSlot, 'ending'>, end: SpateError | null): void => {
  for (const reply of slot.ending.splice(0)) reply(E.right(end));
};

const refuseReplies = ({ replies }: Pick<GeneratorSlot, 'replies'>, error: SpateError): void => {
  for (const reply of [...replies]) reply(E.left(error));
};

/** Starts the machine of a slot and follows its snapshots. A machine that throws is replaced by one that shows the bug. */
const spawn = (
  supervisor: Supervisor,
  slot: Omit<GeneratorSlot, 'child'>,
  formerError: SpateError | null,
): Child => {
  const { input, slots } = supervisor;
  const { params, scenarios, tweaks } = slot.registration;
  const log = input.log.with(logNamesOf(params, tweaks));
  const leave = (): void => {
    input.members.left(params.id);
    input.bases.left(params.id);
  };
  /** Adds where the stream of its partitions begins. */
  const based = async (
    loaded: Result<GeneratorDefinition>,
    startsOver: boolean,
  ): Promise<Result<GeneratorDefinition>> => {
    const { partition } = params;
    if (partition === undefined || E.isLeft(loaded)) return loaded;
    return E.map((base: PartitionBase) => ({ ...loaded.right, base }))(
      await input.bases.of(params.id, partition, { definition: loaded.right, startsOver }),
    );
  };
  const child = createActor(generatorMachine, {
    input: {
      id: params.id,
      load: async (startsOver) => {
        const joined = input.members.atStart(params.id, scenarios);
        input.members.joined(params.id, joined);
        const loaded = await supervisor.load(params, joined);
        return based(await slot.changes.atStart('loaded')(loaded), startsOver);
      },
      rebase: async (patched, startsOver) =>
        based(await slot.changes.atStart('patched')(patched), startsOver),
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
  let noted = '';
  child.subscribe({
    next: ({ value, context }) => {
      input.watch(params.id, boardRowOf(value, context));
      const status = statusOf(value, context);
      const state = `${status.phase} ${status.is_running}`;
      if (state !== noted) slot.history.note(status, input.clock.now());
      noted = state;
      if (status.phase === phase) return;
      logPhase(log, phase, status.phase, context);
      phase = status.phase;
      if (!status.is_ended_up) return;
      leave();
      settleEnding(slot, context.error);
    },
    // Without this listener a machine that throws would end the daemon.
    error: (thrown) => {
      slot.lease.abort();
      leave();
      const bug = failure('bug', `the actor of generator "${params.id}" failed: ${reasonOf(thrown)}`);
      log.write('critical', 'a generator actor failed', { reason: bug.message });
      const failed = slots.get(params.id);
      if (failed !== undefined) failed.child = spawn(supervisor, slot, bug);
      settleEnding(slot, bug);
      refuseReplies(slot, bug);
    },
  });
  return child.start();
};

/** Adds a generator, at rest. */
export const register = (supervisor: Supervisor, registration: Registration): Result<null> => {
  const { slots, input } = supervisor;
  const { id } = registration.params;
  if (supervisor.isStopped) return E.left(failure('unavailable', 'the service is stopping'));
  if (slots.has(id)) return E.left(alreadyThere(id));
  const replies: GeneratorSlot['replies'] = new Set();
  const changes = makeChanges(
    { id, child: () => slot.child, surviving: (reply) => surviving({ replies }, reply) },
    input.patching,
  );
  const bare: Omit<GeneratorSlot, 'child'> = {
    registration,
    lease: new AbortController(),
    ending: [],
    replies,
    changes,
    history: makeHistory(),
    leaving: null,
    stops: 0,
  };
  // The same object: its machine and the map share leases and marks.
  const slot: GeneratorSlot = Object.assign(bare, { child: spawn(supervisor, bare, null) });
  slots.set(id, slot);
  return E.right(null);
};

export const alreadyThere = (id: string): SpateError =>
  failure('already_exists', `generator "${id}" already exists`);

/** Takes a generator out and ends its actor and pipeline. */
export const drop = ({ slots, input }: Supervisor, slot: GeneratorSlot): void => {
  const { id } = slot.registration.params;
  slots.delete(id);
  slot.lease.abort();
  slot.child.stop();
  input.members.left(id);
  input.bases.left(id);
  input.watch(id, null);
  settleEnding(slot, null);
  refuseReplies(slot, failure('wrong_state', `generator "${id}" was deleted or replaced`));
};
