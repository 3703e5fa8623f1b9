import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import type { Micros } from '../../src/domain/time/micros.js';
import type { GlobalsText, OwnerLink } from '../../src/host/globalsOwner.js';
import type { MovedGlobals } from '../../src/host/protocol.js';
import type { Request } from '../../src/messages/request.js';
import type { ScenarioRequests } from '../../src/messages/scenarios.js';
import type { Log } from '../../src/ports/log.js';
import { noScenario, scenarioRenaming } from './renaming.js';
import { scenarioLogic } from './scenario.js';
import type { GlobalsStore } from './store.js';

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
