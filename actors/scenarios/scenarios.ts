import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { failure, type Result, reasonOf } from '../../src/domain/errors.js';
import type { Files } from '../../src/ports/files.js';
import type { Log } from '../../src/ports/log.js';
import { type ScenarioMessage, scenarioLogic } from './scenario.js';

export interface ScenariosInput {
  /** Scenarios that exist: named by the startup list, or joined by a running generator. */
  readonly names: () => ReadonlySet<string>;
  readonly files: Files;
  readonly folder: string;
  readonly log: Log;
}

const noScenario = (name: string): Result<never> => {
  const hint = 'a scenario exists while an entry of the startup list names it or a member runs';
  return E.left(failure('not_found', `there is no scenario "${name}": ${hint}`));
};

/** The registry: one top-level actor per scenario, started by its first message and sent every message as is. */
export const scenariosLogic = fromCallback<ScenarioMessage, ScenariosInput>(({ input, receive }) => {
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
    // Only the API is refused: threads have cells of scenarios that the list may not name any more.
    if (message.type.startsWith('globals.') && !input.names().has(name)) {
      const refuse: (answer: Result<never>) => void = message.reply;
      return refuse(noScenario(name));
    }
    childOf(name).send(message);
  });
  return () => {
    for (const child of children.values()) child.stop();
  };
});
