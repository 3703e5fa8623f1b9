import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../domain/errors.js';
import type { Changes, GlobalsChange, GlobalsView } from '../domain/globals/globals.js';
import {
  changeOwnedGlobals,
  globalsView,
  MAX_GLOBALS_LENGTH,
  makeOwnedGlobals,
  type OwnedGlobals,
  ownedGlobalsText,
  readOwnedGlobals,
} from '../domain/globals/owned.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { FromWorker, GlobalsAnswer, MovedGlobals, ToWorker } from './protocol.js';

/** How the actor of a scenario reaches its globals on the thread that owns them. */
export interface OwnerLink {
  readonly change: (
    change: GlobalsChange,
    number: number,
    if_match: string | null,
  ) => Promise<Result<GlobalsAnswer>>;
  readonly read: () => Promise<Result<GlobalsAnswer>>;
  /** Resolves when the thread has the replica. */
  readonly replicate: (state: MovedGlobals) => Promise<void>;
}

/** A link whose changes and reads wait for the globals to arrive: the actor gets the link before the thread gets the globals. */
export const linkAfter = (arrival: () => Promise<unknown>, link: OwnerLink): OwnerLink => ({
  change: async (...change) => {
    await arrival();
    return link.change(...change);
  },
  read: async () => {
    await arrival();
    return link.read();
  },
  replicate: link.replicate,
});

export interface GlobalsText {
  readonly text: string;
  readonly changeNumber: number;
}

/** Scenarios as hosts see them. Globals are with their actor, or lent to the one thread where the members run. */
export interface GlobalsOwners {
  /** Hands globals to a thread; from then on the actor reaches them through the link. */
  readonly lend: (scenario: string, link: OwnerLink) => Promise<Result<MovedGlobals>>;
  /** Takes globals back with their last state. Null when the thread died, so the last saved state counts. */
  readonly giveBack: (scenario: string, last: GlobalsText | null) => Promise<void>;
  readonly noteChange: (scenario: string, state: GlobalsText) => void;
  /** Maintains a read-only copy of globals on a thread until `unsubscribe`; resolves when the copy is there. */
  readonly subscribe: (scenario: string, link: OwnerLink) => Promise<void>;
  readonly unsubscribe: (scenario: string, link: OwnerLink) => void;
}

/** Changes of scripts and templates are saved at most this often. */
const SAVE_EVERY_MS = 1_000;
/** Saving may use at most this share of the thread's time: large states take long to serialize. */
const SAVE_SHARE = 0.05;

/** The globals of one thread: those it owns and its read-only copies of others. */
interface GlobalsOwner {
  readonly handle: (message: Extract<ToWorker, { type: `owner.${string}` | `globals.${string}` }>) => void;
  /** Globals of a generator in these scenarios, home first; without scenarios those of its own. */
  readonly viewOf: (scenarios: readonly string[]) => GlobalsView;
}

interface GlobalsOwnerOptions {
  readonly post: (message: FromWorker) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const ownedOf = (state: MovedGlobals): OwnedGlobals =>
  makeOwnedGlobals(state.scenario, state.values, state.changeNumber);

/** Text of globals to save; logs what cannot be saved and marks globals over their limit. */
const textToSave = (globals: OwnedGlobals, log: Log): string => {
  const { scenario } = globals;
  const { text, unsaved } = ownedGlobalsText(globals);
  if (unsaved.length > 0) {
    const reason = `values that JSON cannot hold (a cycle or a bigint) are not saved: ${unsaved.join(', ')}`;
    log.write('error', 'globals are not saved whole', { scenario, reason });
  }
  globals.isFull = text.length > MAX_GLOBALS_LENGTH;
  if (globals.isFull) {
    const message = 'globals are over their limit: scripts can only delete until they fit';
    log.write('error', message, { scenario, count: text.length });
  }
  return text;
};

const saveChanges = async (
  owned: ReadonlyMap<string, OwnedGlobals>,
  { post, clock, log, signal }: GlobalsOwnerOptions,
): Promise<void> => {
  let pause = SAVE_EVERY_MS;
  while (!signal.aborted) {
    await clock.sleepMs(pause, signal);
    const before = clock.monotonicMs();
    for (const globals of owned.values()) {
      if (!globals.isDirty) continue;
      globals.isDirty = false;
      const { scenario, changeNumber } = globals;
      post({ type: 'owner.changed', scenario, changeNumber, text: textToSave(globals, log) });
    }
    pause = Math.max(SAVE_EVERY_MS, (clock.monotonicMs() - before) / SAVE_SHARE);
  }
};

export const globalsOwner = (options: GlobalsOwnerOptions): GlobalsOwner => {
  const { post, log } = options;
  const owned = new Map<string, OwnedGlobals>();
  const replicas = new Map<string, OwnedGlobals>();
  void saveChanges(owned, options);

  const answer = (
    request: number,
    name: string,
    ask: (globals: OwnedGlobals) => Result<GlobalsAnswer>,
  ): void => {
    const globals = owned.get(name);
    const moving = failure('unavailable', `scenario "${name}" is moving to another thread; try again`);
    post({ type: 'globals.answer', request, answer: globals === undefined ? E.left(moving) : ask(globals) });
  };

  const release = (scenario: string): void => {
    const globals = owned.get(scenario);
    // Without the globals there is nothing to report: an empty state would replace the saved one.
    if (globals === undefined) return;
    owned.delete(scenario);
    const text = textToSave(globals, log);
    post({ type: 'owner.released', scenario, text, changeNumber: globals.changeNumber });
  };

  const replicate = (state: MovedGlobals, request: number): void => {
    const known = replicas.get(state.scenario);
    if (known === undefined) replicas.set(state.scenario, ownedOf(state));
    // Views hold the globals, so only its values are replaced.
    else known.values = ownedOf(state).values;
    post({ type: 'globals.answer', request, answer: E.right({ etag: '', text: null }) });
  };

  return {
    handle: (message) => {
      switch (message.type) {
        case 'globals.change': {
          const { request, name, change, number, if_match } = message;
          return answer(request, name, (globals) =>
            E.map(
              ({ etag, changes }: { readonly etag: string; readonly changes: Changes }): GlobalsAnswer => ({
                etag,
                text: JSON.stringify(changes),
              }),
            )(changeOwnedGlobals(globals, change, number, if_match)),
          );
        }
        case 'globals.read':
          return answer(message.request, message.name, (globals) => E.right(readOwnedGlobals(globals)));
        case 'owner.host':
          owned.set(message.state.scenario, ownedOf(message.state));
          return;
        case 'owner.release':
          return release(message.scenario);
        case 'owner.replica':
          return replicate(message.state, message.request);
      }
    },
    viewOf: ([home, ...others]) => {
      const homeGlobals =
        (home === undefined ? undefined : owned.get(home)) ?? makeOwnedGlobals(home ?? '', {}, 0);
      const readable = others.flatMap((name) => owned.get(name) ?? replicas.get(name) ?? []);
      return globalsView(homeGlobals, readable);
    },
  };
};
