import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import { type GeneratorParams, noSuchGenerator } from '../../src/domain/generator.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { BulkStart, GeneratorRequests } from '../../src/messages/generators.js';
import type { Request } from '../../src/messages/request.js';

type RosterType = Extract<
  keyof GeneratorRequests,
  `generators.${'restart' | 'create' | 'replace' | 'delete' | `bulk_${string}`}`
>;

/** Requests that start or stop several generators, or change which there are. */
export type RosterMessage = Extract<Request<GeneratorRequests>, { readonly type: RosterType }>;

const ROSTER_TYPES: Readonly<Record<RosterType, true>> = {
  'generators.restart': true,
  'generators.create': true,
  'generators.replace': true,
  'generators.delete': true,
  'generators.bulk_start': true,
  'generators.bulk_restart': true,
  'generators.bulk_stop': true,
  'generators.bulk_delete': true,
};

export const isRosterMessage = (message: { readonly type: string }): message is RosterMessage =>
  Object.hasOwn(ROSTER_TYPES, message.type);

/** What is noted about a generator while requests for it are under way. */
export interface RosterMarks {
  /** Settles when the generator is gone; `null` while nobody deletes it. */
  leaving: Promise<void> | null;
  /** How often it was asked to stop, so that a restart under way sees that a stop came after it. */
  stops: number;
}

/** What the supervisor lends to the operations below. */
export interface RosterInput<S extends RosterMarks> {
  readonly slots: ReadonlyMap<string, S>;
  readonly start: (slot: S) => Promise<Result<true>>;
  /** Answers when it has ended; at once when it does not run. */
  readonly stop: (slot: S) => Promise<Result<null>>;
  readonly isAtRest: (slot: S) => boolean;
  readonly register: (params: GeneratorParams) => Result<null>;
  /** Takes it out of the map and ends its actor. */
  readonly drop: (id: string, slot: S) => void;
  readonly paramsOf: (slot: S) => GeneratorParams;
  /**
   * Parameters with all defaults, their config found inside of the generators directory. Extension keys that are not
   * given are those of `replaced`.
   */
  readonly admit: (
    id: string,
    params: JsonObject,
    replaced: GeneratorParams | null,
  ) => Promise<Result<GeneratorParams>>;
}

const noGenerator = (id: string): Result<never> => E.left(noSuchGenerator(id));

/** The answer to a start of a generator that is on its way out. */
export const isLeaving = (id: string): Result<never> =>
  E.left(failure('wrong_state', `generator "${id}" is being deleted`));

const isThere = (id: string): Result<never> =>
  E.left(failure('already_exists', `there is a generator "${id}" already`));

const stoppedMeanwhile = (): Result<never> =>
  E.left(failure('wrong_state', 'the generator was stopped before it ran'));

const isRunning = (id: string): Result<never> =>
  E.left(failure('wrong_state', `generator "${id}" runs: stop it first`));

/** Each id once, all at the same time. */
const each = <A>(ids: readonly string[], act: (id: string) => Promise<A>) =>
  Promise.all([...new Set(ids)].map(async (id) => [id, await act(id)] as const));

const bulkStart = async (
  ids: readonly string[],
  act: (id: string) => Promise<Result<true>>,
): Promise<Result<BulkStart>> => {
  const answers = await each(ids, act);
  const failed = answers.flatMap(([id, answer]) => (E.isLeft(answer) ? [[id, answer.left] as const] : []));
  return E.right({
    running_generator_ids: answers.flatMap(([id, answer]) => (E.isRight(answer) ? [id] : [])),
    non_running_generator_ids: failed.map(([id]) => id),
    reasons: Object.fromEntries(failed.map(([id, error]) => [id, error.message])),
  });
};

/** Unknown ids are left out; of what else failed the first is told. */
const bulkStop = async (
  ids: readonly string[],
  act: (id: string) => Promise<Result<null>>,
): Promise<Result<null>> => {
  const answers = await each(ids, act);
  const failed = answers.map(([, answer]) => answer).filter(E.isLeft);
  return failed.find(({ left }) => left.code !== 'not_found') ?? E.right(null);
};

/** Answers a message when its work is done; what that throws is a bug. */
export const later = <A>(
  message: { readonly type: string; readonly reply: (answer: Result<A>) => void },
  work: Promise<Result<A>>,
): void =>
  void work
    .catch((thrown: unknown) => E.left(failure('bug', `${message.type}: ${reasonOf(thrown)}`)))
    .then(message.reply)
    // Whoever asks gives a reply that is total; another one concerns nobody but itself.
    .catch(() => undefined);

/**
 * Restarts and bulk starts, and changes of the set of generators. What ends last is what was asked last: a stop that comes
 * while a restart is stopping wins over it, and from a delete on nothing starts any more.
 */
export const generatorRoster = <S extends RosterMarks>(input: RosterInput<S>) => {
  const { slots } = input;

  const start = async (id: string): Promise<Result<true>> => {
    const slot = slots.get(id);
    if (slot === undefined) return noGenerator(id);
    return slot.leaving === null ? input.start(slot) : isLeaving(id);
  };

  const stop = async (id: string): Promise<Result<null>> => {
    const slot = slots.get(id);
    if (slot === undefined) return noGenerator(id);
    slot.stops++;
    return input.stop(slot);
  };

  const restart = async (id: string): Promise<Result<true>> => {
    const slot = slots.get(id);
    if (slot === undefined) return noGenerator(id);
    if (slot.leaving !== null) return isLeaving(id);
    const { stops } = slot;
    const stopped = await input.stop(slot);
    if (E.isLeft(stopped)) return stopped;
    return slot.stops === stops ? input.start(slot) : stoppedMeanwhile();
  };

  const leave = async (id: string, slot: S): Promise<void> => {
    slot.stops++;
    // Whatever became of the stop, the machine and its pipeline end here.
    await input.stop(slot);
    input.drop(id, slot);
  };

  const remove = async (id: string): Promise<Result<null>> => {
    const slot = slots.get(id);
    if (slot === undefined) return noGenerator(id);
    if (slot.leaving !== null) {
      await slot.leaving;
      return noGenerator(id);
    }
    slot.leaving = leave(id, slot);
    await slot.leaving;
    return E.right(null);
  };

  const create = async (id: string, params: JsonObject): Promise<Result<null>> => {
    if (slots.has(id)) return isThere(id);
    const admitted = await input.admit(id, params, null);
    return E.isLeft(admitted) ? admitted : input.register(admitted.right);
  };

  /** The generator, if it may be replaced now. */
  const replaceable = (id: string): Result<S> => {
    const slot = slots.get(id);
    if (slot === undefined) return noGenerator(id);
    if (slot.leaving !== null) return isLeaving(id);
    return input.isAtRest(slot) ? E.right(slot) : isRunning(id);
  };

  const replace = async (id: string, params: JsonObject): Promise<Result<null>> => {
    const before = replaceable(id);
    if (E.isLeft(before)) return before;
    const admitted = await input.admit(id, params, input.paramsOf(before.right));
    if (E.isLeft(admitted)) return admitted;
    // It may have been started meanwhile.
    const slot = replaceable(id);
    if (E.isLeft(slot)) return slot;
    slot.right.stops++;
    input.drop(id, slot.right);
    return input.register(admitted.right);
  };

  const handle = (message: RosterMessage): void => {
    switch (message.type) {
      case 'generators.restart':
        return later(message, restart(message.payload.id));
      case 'generators.create':
        return later(message, create(message.payload.id, message.payload.params));
      case 'generators.replace':
        return later(message, replace(message.payload.id, message.payload.params));
      case 'generators.delete':
        return later(message, remove(message.payload.id));
      case 'generators.bulk_start':
        return later(message, bulkStart(message.payload.ids, start));
      case 'generators.bulk_restart':
        return later(message, bulkStart(message.payload.ids, restart));
      case 'generators.bulk_stop':
        return later(message, bulkStop(message.payload.ids, stop));
      case 'generators.bulk_delete':
        return later(message, bulkStop(message.payload.ids, remove));
    }
  };
  return { stop, handle };
};
