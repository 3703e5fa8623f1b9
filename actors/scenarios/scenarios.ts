import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import type { Json } from '../../src/domain/json.js';
import type { CellLink, CellText } from '../../src/host/cells/cells.js';
import type { CellState } from '../../src/host/protocol.js';
import type { Request } from '../../src/messages/request.js';
import type { GlobalsState, ScenarioRequests } from '../../src/messages/scenarios.js';
import type { Files } from '../../src/ports/files.js';
import type { Log } from '../../src/ports/log.js';
import { type ScenarioMessage, scenarioLogic } from './scenario.js';

/** What hosts send about cells, next to the requests of the API. */
export interface CellRequests {
  'cells.lend': { payload: { readonly name: string; readonly link: CellLink }; answer: CellState };
  'cells.give_back': { payload: { readonly name: string; readonly last: CellText | null }; answer: null };
  'cells.note_change': { payload: { readonly name: string; readonly state: CellText }; answer: null };
  'cells.subscribe': { payload: { readonly name: string; readonly link: CellLink }; answer: null };
  'cells.unsubscribe': { payload: { readonly name: string; readonly link: CellLink }; answer: null };
}

export type ScenariosMessage = Request<ScenarioRequests> | Request<CellRequests>;

export interface ScenariosInput {
  /** Names of the scenarios that exist: those the startup list mentions, and those that running generators joined. */
  readonly names: () => ReadonlySet<string>;
  readonly files: Files;
  readonly folder: string;
  readonly log: Log;
}

/** The request to one scenario that answers this message. */
const forward = (message: ScenariosMessage): ScenarioMessage => {
  switch (message.type) {
    case 'globals.patch':
      return change(message.reply, message.payload, {
        kind: message.payload.style,
        values: message.payload.patch,
      });
    case 'globals.replace':
      return change(message.reply, message.payload, { kind: 'replace', values: message.payload.globals });
    case 'globals.clear':
      return change(message.reply, message.payload, { kind: 'replace', values: {} });
    case 'globals.delete_key':
      return change(message.reply, message.payload, { kind: 'delete_key', key: message.payload.key });
    case 'globals.read':
      return { type: 'read', reply: message.reply };
    case 'globals.read_key':
      return { type: 'read', reply: (answer) => message.reply(valueAt(answer, message.payload)) };
    case 'cells.lend':
      return { type: 'lend', link: message.payload.link, reply: message.reply };
    case 'cells.give_back':
      return { type: 'giveBack', last: message.payload.last, reply: message.reply };
    case 'cells.note_change':
      return { type: 'noteChange', state: message.payload.state, reply: message.reply };
    case 'cells.subscribe':
      return { type: 'subscribe', link: message.payload.link, reply: message.reply };
    case 'cells.unsubscribe':
      return { type: 'unsubscribe', link: message.payload.link, reply: message.reply };
  }
};

/** One key of a whole state. */
const valueAt = (
  answer: Result<GlobalsState>,
  { name, key }: { readonly name: string; readonly key: string },
): Result<{ readonly value: Json; readonly etag: string }> => {
  if (E.isLeft(answer)) return answer;
  const { globals, etag } = answer.right;
  return Object.hasOwn(globals, key)
    ? E.right({ value: globals[key] ?? null, etag })
    : E.left(failure('not_found', `the globals of scenario "${name}" have no key "${key}"`));
};

const change = (
  reply: (answer: Result<{ readonly etag: string }>) => void,
  { if_match }: { readonly if_match: string | null },
  wanted: Extract<ScenarioMessage, { type: 'change' }>['change'],
): ScenarioMessage => ({ type: 'change', change: wanted, if_match, reply });

/** The registry: one top-level actor per scenario, made when it is first spoken of. */
export const scenariosLogic = fromCallback<ScenariosMessage, ScenariosInput>(({ input, receive }) => {
  const children = new Map<string, Actor<ReturnType<typeof scenarioLogic>>>();

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

  receive((message) => {
    const { name } = message.payload;
    // Threads speak of scenarios that a generator joined when it started, whatever the list says by now.
    if (message.type.startsWith('globals.') && !input.names().has(name)) {
      const hint = 'a scenario exists while an entry of the startup list names it or a member runs';
      const refuse = message.reply as (answer: Result<never>) => void;
      return refuse(E.left(failure('not_found', `there is no scenario "${name}": ${hint}`)));
    }
    childOf(name).send(forward(message));
  });
  return () => {
    for (const child of children.values()) child.stop();
  };
});
