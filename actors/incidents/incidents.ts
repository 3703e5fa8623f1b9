import * as E from 'fp-ts/lib/Either.js';
import { type Actor, createActor, fromCallback } from 'xstate';
import { failure, type Result, reasonOf, thrownError } from '../../src/domain/errors.js';
import { didYouMean } from '../../src/domain/text/shown.js';
import type { IncidentItem, IncidentRequests } from '../../src/messages/incidents.js';
import type { Request } from '../../src/messages/request.js';
import { type IncidentMessage, type IncidentsInput, makeIncident } from './incident.js';

interface Child {
  readonly incident: ReturnType<typeof makeIncident>;
  readonly actor: Actor<ReturnType<typeof makeIncident>['logic']>;
}

/** The registry: one top-level actor per incident, started by its first message. */
export const incidentsLogic = fromCallback<Request<IncidentRequests>, IncidentsInput>(
  ({ input, receive }) => {
    const children = new Map<string, Child>();

    const childOf = (name: string): Child => {
      const known = children.get(name);
      if (known !== undefined && known.actor.getSnapshot().status === 'active') return known;
      const wake = (message: IncidentMessage): void => actor.send(message);
      const incident = makeIncident(name, input, wake);
      const actor = createActor(incident.logic);
      // Without an error listener a failing top-level actor would end the daemon.
      actor.subscribe({
        error: (thrown) => {
          children.delete(name);
          incident.close();
          const context = { incident: name, reason: reasonOf(thrown) };
          input.log.write('critical', 'an incident actor failed', context);
        },
      });
      const child = { incident, actor: actor.start() };
      children.set(name, child);
      return child;
    };

    const list = async (): Promise<Result<readonly IncidentItem[]>> => {
      const names = await input.files.names();
      if (E.isLeft(names)) return names;
      const items = await Promise.all(names.right.map((name) => childOf(name).incident.item()));
      // A file may go while the list is read.
      return E.right(items.flatMap((item) => (E.isRight(item) ? [item.right] : [])));
    };

    /** Returns an error when there is no such incident, so that requests for any name make no actors. */
    const find = async (message: IncidentMessage): Promise<Result<Child>> => {
      const { name } = message.payload;
      if (children.has(name) || message.type === 'incidents.write') return E.right(childOf(name));
      const names = await input.files.names();
      if (E.isLeft(names)) return names;
      if (names.right.includes(name)) return E.right(childOf(name));
      const hint =
        didYouMean(name, names.right) ?? 'Incidents are the .yml files of the incidents directory.';
      return E.left(failure('not_found', `there is no incident "${name}". ${hint}`));
    };

    const handle = async (message: Request<IncidentRequests>): Promise<void> => {
      if (message.type === 'incidents.list') return message.reply(await list());
      const found = await find(message);
      if (E.isRight(found)) return found.right.actor.send(message);
      message.reply(found);
    };

    receive((message) => {
      const refuse: (answer: Result<never>) => void = message.reply;
      handle(message).catch((thrown: unknown) => refuse(E.left(thrownError(message.type, thrown))));
    });
    return () => {
      for (const { incident, actor } of children.values()) {
        incident.close();
        actor.stop();
      }
    };
  },
);
