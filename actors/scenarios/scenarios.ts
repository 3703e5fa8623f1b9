import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { jsonEqual } from '../../src/config/values.js';
import { failure, type Result, reasonOf, thrownError } from '../../src/domain/errors.js';
import type { Micros } from '../../src/domain/time/micros.js';
import type { GlobalsText, OwnerLink } from '../../src/host/globalsOwner.js';
import type { MovedGlobals } from '../../src/host/protocol.js';
import type { Request } from '../../src/messages/request.js';
import type { ScenarioRequests } from '../../src/messages/scenarios.js';
import type { Log } from '../../src/ports/log.js';
import { scenarioLogic } from './scenario.js';
import { type GlobalsStore, latestGlobals, latestNumber, type SavedGlobals } from './store.js';

/** Messages of hosts about the globals of a scenario. */
export interface GlobalsOwnerRequests {
  /** Lends the globals to a thread, which the actor reaches through the link from then on. */
  'globals_owner.lend': {
    payload: { readonly name: string; readonly link: OwnerLink };
    answer: MovedGlobals;
  };
  /** `last` is their state, or null when its thread died. */
  'globals_owner.give_back': {
    payload: { readonly name: string; readonly last: GlobalsText | null };
    answer: null;
  };
  'globals_owner.note_change': {
    payload: { readonly name: string; readonly state: GlobalsText };
    answer: null;
  };
  /** Whether a thread has the globals, or has not given them back yet. */
  'globals_owner.is_lent': { payload: { readonly name: string }; answer: boolean };
  'globals_owner.subscribe': { payload: { readonly name: string; readonly link: OwnerLink }; answer: null };
  /** Ends the actor of a scenario after what it has to do: another node holds its globals, or held them since. */
  'scenarios.forget': { payload: { readonly name: string }; answer: null };
  'globals_owner.unsubscribe': { payload: { readonly name: string; readonly link: OwnerLink }; answer: null };
}

export type AnyScenarioMessage = Request<ScenarioRequests> | Request<GlobalsOwnerRequests>;

/** A message to the actor of one scenario. */
export type ScenarioMessage = Exclude<
  AnyScenarioMessage,
  { readonly type: 'scenarios.forget' | 'scenarios.rename' }
>;

export interface ScenariosInput {
  /** Scenarios that exist: named by the startup list, or joined by a running generator. */
  readonly names: () => ReadonlySet<string>;
  readonly store: GlobalsStore;
  /** Changes the name in the startup list, as long as no member runs. */
  readonly renameMembers: (name: string, to: string) => Promise<Result<null>>;
  readonly log: Log;
  readonly now: () => Micros;
}

const stillLent = (name: string) => {
  const message = `a thread still has the globals of scenario "${name}": stop all its members, then try again`;
  return failure('wrong_state', message);
};

type Child = Actor<ReturnType<typeof scenarioLogic>>;

/** The registry: one top-level actor per scenario, started by its first message and sent every message as is. */
export const scenariosLogic = fromCallback<AnyScenarioMessage, ScenariosInput>(({ input, receive }) => {
  const children = new Map<string, Child>();

  const childOf = (name: string) => {
    const known = children.get(name);
    if (known !== undefined && known.getSnapshot().status === 'active') return known;
    const child = createActor(scenarioLogic({ ...input, name }));
    // Without an error listener a failing top-level actor would end the daemon.
    child.subscribe({
      error: (thrown) => {
        children.delete(name);
        input.log.write('critical', 'a scenario actor failed', { scenario: name, reason: reasonOf(thrown) });
      },
    });
    children.set(name, child.start());
    return child;
  };

  const end = (name: string, child: Child): void => {
    child.stop();
    if (children.get(name) === child) children.delete(name);
  };

  const forget = (name: string, reply: (answer: Result<null>) => void): void => {
    const child = children.get(name);
    if (child === undefined) return reply(E.right(null));
    // Messages take turns: those before are done when this one is answered.
    const last: ScenarioMessage = {
      type: 'globals.history',
      payload: { name },
      reply: () => {
        end(name, child);
        reply(E.right(null));
      },
    };
    child.send(last);
  };

  /** Ends the actor of a scenario after what it has to do, so that only the store has its globals. */
  const endAtRest = (name: string): Promise<Result<null>> =>
    new Promise((resolve) => {
      const child = children.get(name);
      if (child === undefined) return resolve(E.right(null));
      const last: ScenarioMessage = {
        type: 'globals_owner.is_lent',
        payload: { name },
        reply: (lent) => {
          if (E.isLeft(lent)) return resolve(lent);
          if (lent.right) return resolve(E.left(stillLent(name)));
          end(name, child);
          resolve(E.right(null));
        },
      };
      child.send(last);
    });

  const dispatch = (message: AnyScenarioMessage): void => {
    const { name } = message.payload;
    if (message.type === 'scenarios.rename') return renaming.rename(message);
    if (renaming.isHeld(message)) return;
    // Only the API is refused: threads own globals of scenarios that the list may not name any more.
    if (message.type.startsWith('globals.') && !input.names().has(name)) {
      const refuse: (answer: Result<never>) => void = message.reply;
      return refuse(noScenario(name));
    }
    if (message.type === 'scenarios.forget') return forget(name, message.reply);
    childOf(name).send(message);
  };

  const renaming = scenarioRenaming({ ...input, endAtRest, dispatch });
  receive(dispatch);
  return () => {
    for (const child of children.values()) child.stop();
  };
});

const noScenario = (name: string): Result<never> => {
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
const copyGlobals = async (
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
const scenarioRenaming = (input: RenamingInput): ScenarioRenaming => {
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
