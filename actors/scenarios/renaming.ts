import * as E from 'fp-ts/lib/Either.js';
import { jsonEqual } from '../../src/config/values.js';
import { failure, type Result, thrownError } from '../../src/domain/errors.js';
import type { AnyScenarioMessage, ScenariosInput } from './scenarios.js';
import { type GlobalsStore, latestGlobals, latestNumber, type SavedGlobals } from './store.js';

export const noScenario = (name: string): Result<never> => {
  const hint = 'a scenario exists while an entry of the startup list names it or a member runs';
  return E.left(failure('not_found', `there is no scenario "${name}": ${hint}`));
};

/** Messages that wait for the end of a rename. */
const MAX_HELD = 1_000;

const IN_CLUSTER = failure(
  'wrong_state',
  'scenarios of a cluster cannot be renamed: add their generators to a scenario with the new name, set its globals, and remove them from the former one',
);

const hasGlobals = (saved: SavedGlobals): boolean => Object.keys(latestGlobals(saved)).length > 0;

const isSame = (a: SavedGlobals, b: SavedGlobals): boolean => jsonEqual(latestGlobals(a), latestGlobals(b));

/**
 * Saves the globals of a scenario under another name, too. Returns `already_exists` when that has others; the same ones
 * are those of a rename that a crash has cut off.
 */
export const copyGlobals = async (
  { load, save }: Pick<GlobalsStore, 'load' | 'save'>,
  from: string,
  to: string,
): Promise<Result<null>> => {
  const source = await load(from);
  if (E.isLeft(source)) return source;
  const target = await load(to);
  if (E.isLeft(target)) return target;
  if (hasGlobals(target.right) && !isSame(source.right, target.right)) {
    const taken = `there are saved globals of a scenario "${to}". Choose another name, or remove their file from the state folder while the service is stopped.`;
    return E.left(failure('already_exists', taken));
  }
  if (!hasGlobals(source.right) && !hasGlobals(target.right)) return E.right(null);
  // Above the numbers of both, so that nothing of an old journal is applied to them.
  const changeNumber = Math.max(latestNumber(source.right), latestNumber(target.right));
  const text = JSON.stringify(latestGlobals(source.right));
  return E.map(() => null)(await save(to, target.right, { text, changeNumber }));
};

interface RenamingInput extends ScenariosInput {
  /** Ends the actor of a scenario, so that only the store has its globals. Returns `wrong_state` while a thread has them. */
  readonly endAtRest: (name: string) => Promise<Result<null>>;
  readonly dispatch: (message: AnyScenarioMessage) => void;
}

interface ScenarioRenaming {
  readonly rename: (message: Extract<AnyScenarioMessage, { readonly type: 'scenarios.rename' }>) => void;
  /** Keeps a message about a scenario that is being renamed until that has ended. */
  readonly isHeld: (message: AnyScenarioMessage) => boolean;
}

/** Renames scenarios: their globals, and their name in the startup list. */
export const scenarioRenaming = (input: RenamingInput): ScenarioRenaming => {
  const { store, log, names, renameMembers, endAtRest, dispatch } = input;
  const held = new Map<string, AnyScenarioMessage[]>();

  /** The globals have both names until the list has the new one, so that a crash loses none. */
  const move = async (name: string, to: string): Promise<Result<null>> => {
    if (store.remove === null) return E.left(IN_CLUSTER);
    for (const each of [name, to]) {
      const ended = await endAtRest(each);
      if (E.isLeft(ended)) return ended;
    }
    const copied = await copyGlobals(store, name, to);
    if (E.isLeft(copied)) return copied;
    const renamed = await renameMembers(name, to);
    // The list may still get the new name.
    if (E.isLeft(renamed) && renamed.left.code === 'timed_out') return renamed;
    const scenario = E.isLeft(renamed) ? to : name;
    const removed = await store.remove(scenario);
    if (E.isLeft(removed)) {
      const reason = removed.left.message;
      log.write('warning', 'globals under a name that has no scenario were not removed', {
        scenario,
        reason,
      });
    }
    return renamed;
  };

  const release = (name: string): void => {
    const waiting = held.get(name) ?? [];
    held.delete(name);
    for (const message of waiting) dispatch(message);
  };

  const rename = async (name: string, to: string): Promise<Result<null>> => {
    if (!names().has(name)) return noScenario(name);
    if (names().has(to)) return E.left(failure('already_exists', `there already is a scenario "${to}"`));
    if (held.has(name) || held.has(to))
      return E.left(failure('wrong_state', `scenario "${name}" or "${to}" is being renamed: try again`));
    held.set(name, []).set(to, []);
    try {
      return await move(name, to);
    } finally {
      release(name);
      release(to);
    }
  };

  return {
    rename: ({ type, payload, reply }) =>
      void rename(payload.name, payload.to)
        .catch((thrown: unknown) => E.left(thrownError(type, thrown)))
        .then(reply),
    isHeld: (message) => {
      const { name } = message.payload;
      const waiting = held.get(name);
      if (waiting === undefined) return false;
      if (waiting.length < MAX_HELD) waiting.push(message);
      else {
        const refuse: (answer: Result<never>) => void = message.reply;
        refuse(E.left(failure('too_many_requests', `${MAX_HELD} requests wait until "${name}" is renamed`)));
      }
      return true;
    },
  };
};
