import { afterEach } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { createActor, type InspectionEvent } from 'xstate';
import {
  type GeneratorsInput,
  type GeneratorsMessage,
  generatorsLogic,
} from '../../../actors/generators/generators.js';
import { DEFAULT_POLICY } from '../../../actors/generators/supervision.js';
import { basesInMemory, NO_MEMBERSHIP } from '../../../src/daemon/generators.js';
import { noAdmission } from '../../../src/daemon/registration.js';
import type { Result } from '../../../src/domain/errors.js';
import { NO_TWEAKS } from '../../../src/domain/generator.js';
import { NO_HEALTH } from '../../../src/domain/stats/health.js';
import type { GeneratorStats, GeneratorStatus } from '../../../src/messages/generators.js';

import { fakeClock } from '../../support/clocks/fakeClock.js';
import { memoryLog } from '../../support/logs.js';
import { definitionOf, NO_PATCHES, paramsOf, scriptedHost } from '../../support/pipelines/scriptedHost.js';

/** Whatever an answer of the supervisor can be. */
type Reply = Result<true & null & GeneratorStatus & GeneratorStats & readonly unknown[]>;

const started: { readonly stop: () => void }[] = [];

// Generators that flow or back off have timers.
afterEach(() => {
  for (const actor of started.splice(0)) actor.stop();
});

/** The supervisor of generators on a scripted host. */
export const makeSupervisor = (
  more: Partial<GeneratorsInput> = {},
  inspect: (event: InspectionEvent) => void = () => {},
) => {
  const host = scriptedHost();
  const { log, lines } = memoryLog();
  const actor = createActor(generatorsLogic, {
    inspect,
    input: {
      host,
      load: async (params, scenarios) => E.right(definitionOf(params.id, scenarios)),
      patching: NO_PATCHES,
      watch: () => {},
      healthOf: () => NO_HEALTH,
      members: NO_MEMBERSHIP,
      bases: basesInMemory({ now: () => 0, drawSeed: () => 'drawn' }),
      connect: async () => E.right([]),
      admit: noAdmission,
      move: async () => E.right(null),
      policy: DEFAULT_POLICY,
      drain_ms: 10_000,
      give_up_ms: 5_000,
      clock: fakeClock(),
      random: () => 0,
      log,
      shownPath: (path) => path.replace('/generators/', ''),
      ...more,
    },
  });
  const failures: unknown[] = [];
  actor.subscribe({ error: (thrown) => failures.push(thrown) });
  started.push(actor.start());
  const send = (
    type: GeneratorsMessage['type'],
    payload: unknown,
    reply: (answer: Reply) => void = () => {},
  ): Reply[] => {
    const answers: Reply[] = [];
    actor.send({
      type,
      payload,
      reply: (answer: Reply) => {
        answers.push(answer);
        reply(answer);
      },
    } as never);
    return answers;
  };
  const add = (id: string, scenarios: readonly string[] = []): Reply[] =>
    send('generators.add', { registration: { params: paramsOf(id), scenarios, tweaks: NO_TWEAKS } });
  const status = (id: string): GeneratorStatus => {
    const [answer] = send('generators.status', { id });
    if (answer === undefined || E.isLeft(answer)) throw new Error(`no status of ${id}`);
    return answer.right;
  };
  return { actor, host, log: lines, failures, send, add, status };
};
