import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { fromCallback } from 'xstate';
import { failure, type Result, type SpateError, thrownError } from '../../src/domain/errors.js';
import type { GeneratorDefinition, GeneratorParams, Registration } from '../../src/domain/generator.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { Partition, PartitionBase } from '../../src/domain/partitions.js';
import type { CheckedOutput } from '../../src/domain/preview.js';
import type { GeneratorRow } from '../../src/domain/stats/board.js';
import type { HealthReport } from '../../src/domain/stats/health.js';
import { abandonedBy } from '../../src/domain/stats/stats.js';
import { pacer } from '../../src/domain/waiting.js';
import type { PipelineHost } from '../../src/host/port.js';
import type {
  GeneratorListItem,
  GeneratorRequests,
  GeneratorStats,
  GeneratorStatus,
} from '../../src/messages/generators.js';
import type { Assignment } from '../../src/messages/incidents.js';
import type { Request } from '../../src/messages/request.js';
import type { Clock } from '../../src/ports/clock.js';
import type { Log } from '../../src/ports/log.js';
import type { PatchOptions } from './patching.js';
import { type ReloadOutcome, reloadGenerator } from './reloading.js';
import { startTimeOf, statsOf } from './report.js';
import { handleRoster, isBeingDeleted, isRosterMessage, replyWith, stopById } from './roster.js';
import {
  drop,
  findSlot,
  type GeneratorSlot,
  isAtRest,
  register,
  type Supervisor,
  sendStart,
  sendStop,
  statusNow,
} from './slots.js';
import type { RestartPolicy } from './supervision.js';

export interface SupervisorRequests {
  'generators.add': { payload: { readonly registration: Registration }; answer: null };
  /** Applies a changed entry of the startup list; `autostart`: the generator is to run. */
  'generators.reload': {
    payload: { readonly registration: Registration; readonly autostart: boolean };
    answer: ReloadOutcome;
  };
  /**
   * Gives a generator its assignment in an incident. With null, it goes on as before. At rest, this counts from its next
   * start.
   */
  'generators.assign': {
    payload: { readonly id: string; readonly assignment: Assignment | null };
    answer: null;
  };
  /** Ends a generator at once and removes it: another node may run it by now. */
  'generators.abandon': { payload: { readonly id: string }; answer: null };
  /** Drains every generator; answers the number of abandoned events once all have ended. */
  'generators.stop_all': { payload: null; answer: number };
  /** Answers when the generator is at rest: its failure, or `null`. */
  'generators.end': { payload: { readonly id: string }; answer: SpateError | null };
}

export type GeneratorsMessage = Request<GeneratorRequests> | Request<SupervisorRequests>;

/** Members of scenarios. All functions are total. */
export interface Members {
  /** Scenarios that a generator joins at its start; `registered`: those it was registered with. */
  readonly atStart: (id: string, registered: readonly string[]) => readonly string[];
  readonly joined: (id: string, scenarios: readonly string[]) => void;
  /** It is at rest. */
  readonly left: (id: string) => void;
}

/** Where the streams of partitions begin. All functions are total. */
export interface Bases {
  /** Base of a partition that starts. It is the same for all partitions since they were all at rest. */
  readonly of: (
    id: string,
    partition: Partition,
    start: { readonly definition: GeneratorDefinition; readonly startsOver: boolean },
  ) => Promise<Result<PartitionBase>>;
  /** A partition is at rest. */
  readonly left: (id: string) => void;
}

/** A rename of a generator. */
export interface GeneratorMove {
  readonly id: string;
  readonly to: string;
  /** Former and new id of the generator, or of each of its partitions. */
  readonly parts: readonly (readonly [from: string, to: string])[];
}

export interface GeneratorsInput {
  readonly host: PipelineHost;
  readonly load: (
    params: GeneratorParams,
    scenarios: readonly string[],
  ) => Promise<Result<GeneratorDefinition>>;
  /** Opens the outputs of a definition and closes them. */
  readonly connect: (definition: GeneratorDefinition) => Promise<Result<readonly CheckedOutput[]>>;
  readonly patching: PatchOptions;
  readonly members: Members;
  readonly bases: Bases;
  /**
   * Parameters of a generator that the API registers, with all defaults; its config must be inside the generators
   * directory. Extension keys that are not given are those of `replaced`.
   */
  readonly admit: (
    id: string,
    params: JsonObject,
    replaced: GeneratorParams | null,
  ) => Promise<Result<GeneratorParams>>;
  /**
   * Gives the entry of the startup list, checkpoints and dead letters of a generator at rest its new id. After an error
   * they have the former one.
   */
  readonly move: (move: GeneratorMove) => Promise<Result<null>>;
  readonly policy: RestartPolicy;
  readonly drain_ms: number;
  readonly give_up_ms: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Called whenever a generator may have changed, with null when it is gone. Total. */
  readonly watch: (id: string, row: GeneratorRow | null) => void;
  /** What monitoring says about a generator. Total. */
  readonly healthOf: (id: string) => HealthReport;
  /** Path of a config file as the API shows it. */
  readonly shownPath: (path: string) => string;
}

const contextOf = ({ child }: GeneratorSlot) => child.getSnapshot().context;

const abandonedIn = (slot: GeneratorSlot): number => {
  const { stats } = contextOf(slot);
  return stats === null ? 0 : abandonedBy(stats);
};

const isRunning = (slot: GeneratorSlot): boolean => ['running', 'draining'].includes(statusNow(slot).phase);

const stopAll = async (supervisor: Supervisor): Promise<Result<number>> => {
  const running = [...supervisor.slots.values()].filter(isRunning);
  await Promise.all([...supervisor.slots.keys()].map((id) => stopById(supervisor, id)));
  return E.right(running.reduce((sum, slot) => sum + abandonedIn(slot), 0));
};

const scenariosOf = ({ input }: Supervisor, slot: GeneratorSlot): readonly string[] => {
  const { params, scenarios } = slot.registration;
  const joined = contextOf(slot).definition?.scenarios;
  return isAtRest(slot) || joined === undefined ? input.members.atStart(params.id, scenarios) : joined;
};

const reportedStatus =
  ({ input }: Supervisor) =>
  (slot: GeneratorSlot): GeneratorStatus => ({
    ...statusNow(slot),
    ...input.healthOf(slot.registration.params.id),
  });

const listItem =
  (supervisor: Supervisor) =>
  (slot: GeneratorSlot): GeneratorListItem => ({
    id: slot.registration.params.id,
    path: supervisor.input.shownPath(slot.registration.params.path),
    status: reportedStatus(supervisor)(slot),
    start_time: startTimeOf(contextOf(slot)),
    scenarios: scenariosOf(supervisor, slot),
  });

const statsIn =
  ({ input }: Supervisor) =>
  (slot: GeneratorSlot): Result<GeneratorStats> => {
    const { id } = slot.registration.params;
    const notRun = failure('not_ready', `generator "${id}" has not run yet: start it first`);
    return E.fromNullable(notRun)(statsOf(contextOf(slot), input.clock.now()));
  };

const statsRunning = (supervisor: Supervisor): readonly GeneratorStats[] =>
  [...supervisor.slots.values()]
    .filter((slot) => statusNow(slot).is_running)
    .map(statsIn(supervisor))
    .flatMap(
      E.foldW(
        () => [],
        (stats) => [stats],
      ),
    );

const checkOutputs = async (supervisor: Supervisor, slot: GeneratorSlot) => {
  const { load, connect } = supervisor.input;
  const loaded = await load(slot.registration.params, scenariosOf(supervisor, slot));
  return E.isLeft(loaded) ? loaded : connect(loaded.right);
};

/** Passes a slot on, or replies that there is none. */
const withSlot = (
  supervisor: Supervisor,
  message: { readonly payload: { readonly id: string }; readonly reply: (answer: Result<never>) => void },
  act: (slot: GeneratorSlot) => void,
): void => {
  const slot = findSlot(supervisor, message.payload.id);
  if (E.isLeft(slot)) message.reply(slot);
  else act(slot.right);
};

const handle = (supervisor: Supervisor, message: GeneratorsMessage): void => {
  const { input, slots } = supervisor;
  if (isRosterMessage(message)) return handleRoster(supervisor, message);
  switch (message.type) {
    case 'generators.list':
      return message.reply(E.right([...slots.values()].map(listItem(supervisor))));
    case 'generators.read':
      return message.reply(
        pipe(
          findSlot(supervisor, message.payload.id),
          E.map(({ registration: { params } }) => ({ ...params, path: input.shownPath(params.path) })),
        ),
      );
    case 'generators.status':
      return message.reply(pipe(findSlot(supervisor, message.payload.id), E.map(reportedStatus(supervisor))));
    case 'generators.history':
      return message.reply(
        pipe(
          findSlot(supervisor, message.payload.id),
          E.map(({ history }) => history.turns()),
        ),
      );
    case 'generators.check_outputs':
      return withSlot(supervisor, message, (slot) => replyWith(message, checkOutputs(supervisor, slot)));
    case 'generators.stats':
      return message.reply(pipe(findSlot(supervisor, message.payload.id), E.chain(statsIn(supervisor))));
    case 'generators.stats_running':
      return message.reply(E.right(statsRunning(supervisor)));
    case 'generators.start':
      return withSlot(supervisor, message, (slot) => {
        if (slot.leaving !== null) message.reply(E.left(isBeingDeleted(message.payload.id)));
        else sendStart(slot, message.reply);
      });
    case 'generators.stop':
      return withSlot(supervisor, message, (slot) => {
        slot.stops++;
        sendStop(slot, message.reply);
      });
    case 'generators.patch': {
      const { sections, persist } = message.payload;
      return withSlot(
        supervisor,
        message,
        (slot) => void slot.changes.patch(sections, persist).then(message.reply),
      );
    }
    case 'generators.assign': {
      const { assignment } = message.payload;
      return withSlot(
        supervisor,
        message,
        (slot) => void slot.changes.assign(assignment).then(message.reply),
      );
    }
    case 'generators.add':
      return message.reply(register(supervisor, message.payload.registration));
    case 'generators.reload': {
      const { registration, autostart } = message.payload;
      return replyWith(message, reloadGenerator(supervisor, registration, autostart));
    }
    case 'generators.abandon':
      return withSlot(supervisor, message, (slot) => {
        slot.stops++;
        drop(supervisor, slot);
        message.reply(E.right(null));
      });
    case 'generators.stop_all':
      return replyWith(message, stopAll(supervisor));
    case 'generators.end':
      return withSlot(supervisor, message, (slot) => {
        if (statusNow(slot).is_ended_up) message.reply(E.right(contextOf(slot).error));
        else slot.ending.push(message.reply);
      });
  }
};

/** Generators are top-level actors in a map: thousands of children of one machine cost quadratic time. */
export const generatorsLogic = fromCallback<GeneratorsMessage, GeneratorsInput>(({ input, receive }) => {
  const paced = pacer(input.clock);
  const supervisor: Supervisor = {
    input,
    slots: new Map(),
    load: (params, scenarios) => paced(() => input.load(params, scenarios)),
    isStopped: false,
  };
  receive((message) => {
    try {
      handle(supervisor, message);
    } catch (thrown) {
      const refuse: (answer: Result<never>) => void = message.reply;
      refuse(E.left(thrownError(message.type, thrown)));
    }
  });
  return () => {
    supervisor.isStopped = true;
    for (const slot of supervisor.slots.values()) {
      slot.lease.abort();
      slot.child.stop();
    }
  };
});
