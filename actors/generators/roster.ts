import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { failure, type Result, type SpateError, thrownError } from '../../src/domain/errors.js';
import {
  type GeneratorParams,
  NO_TWEAKS,
  noSuchGenerator,
  type Registration,
} from '../../src/domain/generator.js';
import type { JsonObject } from '../../src/domain/json.js';
import { generatorIdOf, partitionId } from '../../src/domain/partitions.js';
import type { BulkStart, GeneratorRequests } from '../../src/messages/generators.js';
import type { Request } from '../../src/messages/request.js';
import {
  alreadyThere,
  drop,
  findSlot,
  type GeneratorSlot,
  isAtRest,
  register,
  type Supervisor,
  start,
  stop,
} from './slots.js';

type RosterType = Extract<
  keyof GeneratorRequests,
  `generators.${'restart' | 'create' | 'replace' | 'delete' | 'rename' | `bulk_${string}`}`
>;

/** Requests that restart generators, act on several, or change the set of generators. */
type RosterMessage = Extract<Request<GeneratorRequests>, { readonly type: RosterType }>;

const ROSTER_TYPES: Readonly<Record<RosterType, true>> = {
  'generators.restart': true,
  'generators.create': true,
  'generators.replace': true,
  'generators.delete': true,
  'generators.rename': true,
  'generators.bulk_start': true,
  'generators.bulk_restart': true,
  'generators.bulk_stop': true,
  'generators.bulk_delete': true,
};

export const isRosterMessage = (message: { readonly type: string }): message is RosterMessage =>
  Object.hasOwn(ROSTER_TYPES, message.type);

export const isBeingDeleted = (id: string): SpateError =>
  failure('wrong_state', `generator "${id}" is being deleted or renamed`);

/** Replies when the work is done; a rejection is a bug. */
export const replyWith = <A>(
  message: { readonly type: string; readonly reply: (answer: Result<A>) => void },
  work: Promise<Result<A>>,
): void =>
  void work
    .catch((thrown: unknown) => E.left(thrownError(message.type, thrown)))
    .then(message.reply)
    // A reply that throws concerns its sender only.
    .catch(() => undefined);

/** Each id once, all at the same time. */
const forEachId = <A>(ids: readonly string[], act: (id: string) => Promise<A>) =>
  Promise.all([...new Set(ids)].map(async (id) => [id, await act(id)] as const));

/** Starts generators, wherever they are. */
export const bulkStart = async (
  ids: readonly string[],
  act: (id: string) => Promise<Result<true>>,
): Promise<Result<BulkStart>> => {
  const answers = await forEachId(ids, act);
  const failed = answers.flatMap(([id, answer]) => (E.isLeft(answer) ? [[id, answer.left] as const] : []));
  return E.right({
    running_generator_ids: answers.flatMap(([id, answer]) => (E.isRight(answer) ? [id] : [])),
    non_running_generator_ids: failed.map(([id]) => id),
    reasons: Object.fromEntries(failed.map(([id, error]) => [id, error.message])),
  });
};

/** Returns the first failure, if there is one. Unknown ids are no failure. */
export const bulkStop = async (
  ids: readonly string[],
  act: (id: string) => Promise<Result<null>>,
): Promise<Result<null>> => {
  const answers = await forEachId(ids, act);
  const failed = answers.map(([, answer]) => answer).filter(E.isLeft);
  return failed.find(({ left }) => left.code !== 'not_found') ?? E.right(null);
};

const findStaying = (supervisor: Supervisor, id: string): Result<GeneratorSlot> =>
  pipe(
    findSlot(supervisor, id),
    E.filterOrElse(
      ({ leaving }) => leaving === null,
      () => isBeingDeleted(id),
    ),
  );

const startById = (supervisor: Supervisor, id: string): Promise<Result<true>> =>
  pipe(
    TE.fromEither(findStaying(supervisor, id)),
    TE.chain((slot) => () => start(slot)),
  )();

export const stopById = async (supervisor: Supervisor, id: string): Promise<Result<null>> => {
  const slot = findSlot(supervisor, id);
  if (E.isLeft(slot)) return slot;
  slot.right.stops++;
  return stop(slot.right);
};

/** A stop that comes during the restart wins. */
const restart = async (supervisor: Supervisor, id: string): Promise<Result<true>> => {
  const slot = findStaying(supervisor, id);
  if (E.isLeft(slot)) return slot;
  const { stops } = slot.right;
  const stopped = await stop(slot.right);
  if (E.isLeft(stopped)) return stopped;
  if (slot.right.stops === stops) return start(slot.right);
  return E.left(failure('wrong_state', 'the generator was stopped before it ran'));
};

/** From its begin on, a delete lets nothing start the generator. */
const remove = async (supervisor: Supervisor, id: string): Promise<Result<null>> => {
  const found = findSlot(supervisor, id);
  if (E.isLeft(found)) return found;
  const slot = found.right;
  if (slot.leaving !== null) {
    await slot.leaving;
    // A rename may have failed.
    return remove(supervisor, id);
  }
  slot.stops++;
  // The machine and its pipeline end here, also when the stop fails.
  slot.leaving = stop(slot).then(() => drop(supervisor, slot));
  await slot.leaving;
  return E.right(null);
};

const registerParams = (supervisor: Supervisor, params: GeneratorParams): Result<null> =>
  register(supervisor, { params, scenarios: [], tweaks: NO_TWEAKS });

const create = async (supervisor: Supervisor, id: string, params: JsonObject): Promise<Result<null>> => {
  if (supervisor.slots.has(id)) return E.left(alreadyThere(id));
  const admitted = await supervisor.input.admit(id, params, null);
  return E.isLeft(admitted) ? admitted : registerParams(supervisor, admitted.right);
};

const findReplaceable = (supervisor: Supervisor, id: string): Result<GeneratorSlot> =>
  pipe(
    findStaying(supervisor, id),
    E.filterOrElse(isAtRest, () => failure('wrong_state', `generator "${id}" runs: stop it first`)),
  );

const replace = async (supervisor: Supervisor, id: string, params: JsonObject): Promise<Result<null>> => {
  const before = findReplaceable(supervisor, id);
  if (E.isLeft(before)) return before;
  const admitted = await supervisor.input.admit(id, params, before.right.registration.params);
  if (E.isLeft(admitted)) return admitted;
  // It may have been started in the meantime.
  const slot = findReplaceable(supervisor, id);
  if (E.isLeft(slot)) return slot;
  slot.right.stops++;
  drop(supervisor, slot.right);
  return registerParams(supervisor, admitted.right);
};

/** The last request wins: a stop over a restart under way, a delete over everything. */
export const handleRoster = (supervisor: Supervisor, message: RosterMessage): void => {
  switch (message.type) {
    case 'generators.restart':
      return replyWith(message, restart(supervisor, message.payload.id));
    case 'generators.create':
      return replyWith(message, create(supervisor, message.payload.id, message.payload.params));
    case 'generators.replace':
      return replyWith(message, replace(supervisor, message.payload.id, message.payload.params));
    case 'generators.delete':
      return replyWith(message, remove(supervisor, message.payload.id));
    case 'generators.rename':
      return replyWith(message, renameGenerator(supervisor, message.payload));
    case 'generators.bulk_start':
      return replyWith(
        message,
        bulkStart(message.payload.ids, (id) => startById(supervisor, id)),
      );
    case 'generators.bulk_restart':
      return replyWith(
        message,
        bulkStart(message.payload.ids, (id) => restart(supervisor, id)),
      );
    case 'generators.bulk_stop':
      return replyWith(
        message,
        bulkStop(message.payload.ids, (id) => stopById(supervisor, id)),
      );
    case 'generators.bulk_delete':
      return replyWith(
        message,
        bulkStop(message.payload.ids, (id) => remove(supervisor, id)),
      );
  }
};

/** A generator, or all its partitions. */
const slotsOf = ({ slots }: Supervisor, id: string): readonly GeneratorSlot[] =>
  [...slots.values()].filter(({ registration: { params } }) => generatorIdOf(params.id) === id);

/** Returns the reason why a generator keeps its id, or null. */
const whyNot = (slots: readonly GeneratorSlot[]): string | null => {
  if (slots.some(({ leaving }) => leaving !== null)) return 'is being deleted or renamed';
  if (!slots.every(isAtRest)) return 'runs: stop it first';
  const incident = slots.map(({ changes }) => changes.incident()).find((name) => name !== null);
  return incident === undefined ? null : `takes part in incident "${incident}": stop that first`;
};

const renamed = ({ registration }: GeneratorSlot, to: string): Registration => {
  const { params } = registration;
  const id = params.partition === undefined ? to : partitionId(to, params.partition.index);
  return { ...registration, params: { ...params, id } };
};

/** Registers all, or none. */
const registerAll = (
  supervisor: Supervisor,
  registrations: readonly Registration[],
): Result<readonly GeneratorSlot[]> => {
  const made: GeneratorSlot[] = [];
  for (const registration of registrations) {
    const done = register(supervisor, registration);
    if (E.isLeft(done)) {
      for (const slot of made) drop(supervisor, slot);
      return done;
    }
    made.push(supervisor.slots.get(registration.params.id) as GeneratorSlot);
  }
  return E.right(made);
};

/**
 * Renames a generator at rest. Both ids are there while its state moves, so that no other generator gets one of them, and
 * nothing starts; then one of them goes.
 */
const renameGenerator = async (
  supervisor: Supervisor,
  { id, to }: { readonly id: string; readonly to: string },
): Promise<Result<null>> => {
  const former = slotsOf(supervisor, id);
  if (former.length === 0) return E.left(noSuchGenerator(id));
  if (slotsOf(supervisor, to).length > 0) return E.left(alreadyThere(to));
  const reason = whyNot(former);
  if (reason !== null) return E.left(failure('wrong_state', `generator "${id}" ${reason}`));
  const registrations = former.map((slot) => renamed(slot, to));
  const made = registerAll(supervisor, registrations);
  if (E.isLeft(made)) return made;
  const parts = former.map(
    ({ registration }, at) =>
      [registration.params.id, (registrations[at] as Registration).params.id] as const,
  );
  const moving = supervisor.input
    .move({ id, to, parts })
    .catch((thrown: unknown) => E.left(thrownError(`renaming generator "${id}"`, thrown)))
    .then((moved) => {
      const [gone, staying] = E.isLeft(moved) ? [made.right, former] : [former, made.right];
      for (const slot of gone) drop(supervisor, slot);
      for (const slot of staying) slot.leaving = null;
      return moved;
    });
  const leaving = moving.then(() => undefined);
  for (const slot of [...former, ...made.right]) {
    slot.stops++;
    slot.leaving = leaving;
  }
  return moving;
};
