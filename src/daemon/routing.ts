import * as E from 'fp-ts/lib/Either.js';
import type { AnyActorRef } from 'xstate';
import { ask } from '../../actors/ask.js';
import type { Result } from '../domain/errors.js';
import type { CellDirectory } from '../host/cells/cells.js';
import type { Ask, Requests } from '../messages/ask.js';

import type { StartupList } from '../messages/startup.js';
import type { Clock } from '../ports/clock.js';

/** Owner of each prefix of requests, and how long its answer may take. */
const OWNERS: Readonly<Record<string, { readonly actor: string; readonly timeout_ms: number }>> = {
  // A large copy may wait for a slow disk, and others for their turn behind it.
  configs: { actor: 'configs', timeout_ms: 120_000 },
  settings: { actor: 'settings', timeout_ms: 30_000 },
  // An edit is on the disk before it is answered, and others wait for their turn behind it.
  startup: { actor: 'startup', timeout_ms: 60_000 },
  scenarios: { actor: 'startup', timeout_ms: 60_000 },
  preview: { actor: 'preview', timeout_ms: 60_000 },
  // Another process may hold the lock of the keyring for a moment.
  secrets: { actor: 'secrets', timeout_ms: 60_000 },
  // A thread that hangs is ended after ten seconds; until then its globals cannot answer.
  globals: { actor: 'scenarios', timeout_ms: 20_000 },
  cells: { actor: 'scenarios', timeout_ms: 30_000 },
  // A start may wait for outputs to open, a stop for everything in flight.
  generators: { actor: 'generators', timeout_ms: 120_000 },
};

/** Finds an actor of the daemon by its system id. */
export type FindActor = (name: string) => AnyActorRef | undefined;

const send = <A>(find: FindActor, clock: Clock, type: string, payload: unknown): Promise<Result<A>> => {
  const owner = OWNERS[type.slice(0, type.indexOf('.'))];
  return ask<unknown, A>(
    owner === undefined ? undefined : find(owner.actor),
    (reply) => ({ type, payload, reply }),
    { clock, timeout_ms: owner?.timeout_ms ?? 0, what: type },
  );
};

/** The `Ask` that the facade gets: each request goes to the actor that owns its prefix. */
export const askOf = (
  find: FindActor,
  clock: Clock,
  health: () => Requests['instance.health']['answer'],
): Ask => {
  const route = (type: keyof Requests, payload: unknown): Promise<Result<unknown>> =>
    type === 'instance.health' ? Promise.resolve(E.right(health())) : send(find, clock, type, payload);
  return route as Ask;
};

/** Asks the keeper of the startup file for the list. */
export const askStartup = (find: FindActor, clock: Clock): Promise<Result<StartupList>> =>
  send(find, clock, 'startup.list', null);

/** Scenarios as hosts see them, by messages to the registry of scenarios. */
export const cellDirectoryOf = (find: FindActor, clock: Clock): CellDirectory => {
  const tell = (type: string, payload: { readonly name: string }): Promise<Result<never>> =>
    send<never>(find, clock, type, payload);
  return {
    lend: async (name, link) => E.toUnion(await tell('cells.lend', { name, link } as { name: string })),
    giveBack: async (name, last) => void (await tell('cells.give_back', { name, last } as { name: string })),
    noteChange: (name, state) => void tell('cells.note_change', { name, state } as { name: string }),
    subscribe: async (name, link) => void (await tell('cells.subscribe', { name, link } as { name: string })),
    unsubscribe: (name, link) => void tell('cells.unsubscribe', { name, link } as { name: string }),
  };
};
