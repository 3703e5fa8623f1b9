import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, thrownError } from '../../src/domain/errors.js';
import { noSuchGenerator, type Registration } from '../../src/domain/generator.js';
import { generatorIdOf, partitionId } from '../../src/domain/partitions.js';
import { alreadyThere, drop, type GeneratorSlot, isAtRest, register, type Supervisor } from './slots.js';

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
export const renameGenerator = async (
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
