import * as E from 'fp-ts/lib/Either.js';
import { jsonEqual } from '../../src/config/jsonEqual.js';
import type { Result, SpateError } from '../../src/domain/errors.js';
import type { GeneratorDefinition, Registration } from '../../src/domain/generator.js';
import type { Json } from '../../src/domain/json.js';

import type { RosterMarks } from './roster.js';

/** What became of a generator when the startup list was read again. */
export type ReloadOutcome = 'untouched' | 'added' | 'started' | 'restarted' | 'replaced' | 'invalid';

/** What the supervisor lends. */
export interface ReloadInput<S extends RosterMarks> {
  readonly find: (id: string) => S | undefined;
  readonly registrationOf: (slot: S) => Registration;
  /** The config as the file had it at the last start; `null`: it was never started. */
  readonly startedWith: (slot: S) => GeneratorDefinition | null;
  readonly isAtRest: (slot: S) => boolean;
  readonly hasFailed: (slot: S) => boolean;
  readonly load: (registration: Registration) => Promise<Result<GeneratorDefinition>>;
  readonly add: (registration: Registration) => Result<null>;
  readonly start: (slot: S) => Promise<Result<true>>;
  readonly stop: (slot: S) => Promise<Result<null>>;
  readonly drop: (id: string, slot: S) => void;
  /** A config that cannot be used any more; its generator runs on with the former one. */
  readonly onInvalid: (id: string, error: SpateError) => void;
}

const isSame = (a: Registration, b: Registration): boolean =>
  jsonEqual(a.params as unknown as Json, b.params as unknown as Json);

/**
 * Gives a generator the entry that the startup list has now. What runs with the same parameters and the same
 * config is not touched, whatever a live patch has made of it since; scenarios count from the next start on.
 */
export const reloadGenerator = async <S extends RosterMarks>(
  input: ReloadInput<S>,
  registration: Registration,
  isWanted: boolean,
): Promise<Result<ReloadOutcome>> => {
  const { id } = registration.params;

  const addAnew = async (outcome: ReloadOutcome): Promise<Result<ReloadOutcome>> => {
    const added = input.add(registration);
    if (E.isLeft(added)) return added;
    const slot = input.find(id);
    // A start that fails shows in the status of the generator.
    if (isWanted && slot !== undefined) await input.start(slot);
    return E.right(outcome);
  };

  const slot = input.find(id);
  if (slot === undefined) return addAnew('added');
  await slot.leaving;
  const former = input.find(id);
  if (former === undefined) return addAnew('added');
  if (!isSame(input.registrationOf(former), registration)) {
    former.stops++;
    await input.stop(former);
    if (input.find(id) === former) input.drop(id, former);
    return addAnew('replaced');
  }
  if (input.isAtRest(former)) {
    if (!isWanted || !input.hasFailed(former)) return E.right('untouched');
    await input.start(former);
    return E.right('started');
  }
  const loaded = await input.load(input.registrationOf(former));
  if (E.isLeft(loaded)) {
    input.onInvalid(id, loaded.left);
    return E.right('invalid');
  }
  const before = input.startedWith(former);
  if (before !== null && jsonEqual(before.config, loaded.right.config)) return E.right('untouched');
  const { stops } = former;
  await input.stop(former);
  // Whoever stopped it meanwhile wants it stopped.
  if (former.stops === stops) await input.start(former);
  return E.right('restarted');
};
