import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, thrownError } from '../src/domain/errors.js';
import type { KnownSecrets } from '../src/domain/secrets.js';
import type { Board } from '../src/domain/stats/board.js';
import { ENDED } from '../src/domain/waiting.js';
import type { Requests } from '../src/messages/ask.js';
import type { ClusterRequests } from '../src/messages/cluster.js';
import type {
  ConfigRequests,
  DestinationRequests,
  LibraryRequests,
  WorldRequests,
} from '../src/messages/configs.js';
import type { DeadLetterRequests } from '../src/messages/deadLetters.js';
import type { GeneratorRequests } from '../src/messages/generators.js';
import type { IncidentRequests } from '../src/messages/incidents.js';
import type { InstanceRequests, SecretRequests, SettingsRequests } from '../src/messages/instance.js';
import type { ObserveRequests } from '../src/messages/observe.js';
import type { PreviewRequests } from '../src/messages/preview.js';
import type { ScenarioRequests } from '../src/messages/scenarios.js';
import type { MembershipRequests, StartupListRequests, StartupRequests } from '../src/messages/startup.js';
import type { Clock } from '../src/ports/clock.js';
import type { SupervisorRequests } from './generators/generators.js';
import { type PartsOf, partAnswers, refusedPart } from './partitions/answers.js';
import type { PreviewCommands } from './preview/preview.js';
import type { GlobalsOwnerRequests } from './scenarios/scenarios.js';

/** Message tables by the actor that owns them. Null for messages answered here, without a mailbox. */
type Tables = [
  ['settings', SettingsRequests],
  ['startup', StartupRequests & StartupListRequests & MembershipRequests],
  ['configs', ConfigRequests & LibraryRequests & DestinationRequests & WorldRequests],
  ['secrets', SecretRequests],
  ['preview', PreviewRequests & PreviewCommands],
  ['scenarios', ScenarioRequests & GlobalsOwnerRequests],
  ['generators', GeneratorRequests & SupervisorRequests],
  ['incidents', IncidentRequests],
  [null, ObserveRequests & InstanceRequests & DeadLetterRequests & ClusterRequests],
];

export interface AskMessages
  extends Requests,
    StartupListRequests,
    PreviewCommands,
    GlobalsOwnerRequests,
    SupervisorRequests {}

type OwnerOf<K, Row = Tables[number]> = Row extends [infer Owner, infer Table]
  ? K extends keyof Table
    ? Owner
    : never
  : never;

const SETTINGS = { actor: 'settings', timeout_ms: 30_000 } as const;
// Each edit is on the disk before its answer, and edits take turns.
const STARTUP = { actor: 'startup', timeout_ms: 60_000 } as const;
// Copying a large directory to a slow disk takes this long.
const CONFIGS = { actor: 'configs', timeout_ms: 120_000 } as const;
// Other processes lock the keyring too.
const SECRETS = { actor: 'secrets', timeout_ms: 60_000 } as const;
const PREVIEW = { actor: 'preview', timeout_ms: 60_000 } as const;
// Its turn may come after 45 seconds, its deadline 90 seconds later.
const LEARN = { actor: 'preview', timeout_ms: 150_000 } as const;
// A thread that hangs is terminated after ten seconds; until then its globals do not answer.
const GLOBALS = { actor: 'scenarios', timeout_ms: 20_000 } as const;
const GLOBALS_OWNER = { actor: 'scenarios', timeout_ms: 30_000 } as const;
// A rename waits for the startup list.
const SCENARIO_RENAME = { actor: 'scenarios', timeout_ms: 90_000 } as const;
// A start waits for outputs to open, a stop for everything in flight.
const GENERATORS = { actor: 'generators', timeout_ms: 120_000 } as const;
const GENERATORS_UNTIMED = { actor: 'generators', timeout_ms: null } as const;
// A start waits for the starts of its members.
const INCIDENTS = { actor: 'incidents', timeout_ms: 180_000 } as const;
const HERE = { actor: null, timeout_ms: null } as const;

/** Owner of each message, and how long its answer may take. A wrong owner does not compile. */
const OWNERS: {
  readonly [K in keyof AskMessages]: { readonly actor: OwnerOf<K>; readonly timeout_ms: number | null };
} = {
  'settings.read': SETTINGS,
  'settings.write': SETTINGS,
  'startup.list': STARTUP,
  'startup.entries': STARTUP,
  'startup.invalid': STARTUP,
  'startup.read': STARTUP,
  'startup.create': STARTUP,
  'startup.replace': STARTUP,
  'startup.delete': STARTUP,
  'startup.bulk_delete': STARTUP,
  'startup.rename': STARTUP,
  'startup.rename_scenario': STARTUP,
  'scenarios.list': STARTUP,
  'scenarios.read': STARTUP,
  'scenarios.delete': STARTUP,
  'scenarios.join': STARTUP,
  'scenarios.leave': STARTUP,
  'configs.list': CONFIGS,
  'configs.create': CONFIGS,
  'configs.read': CONFIGS,
  'configs.update': CONFIGS,
  'configs.patch': CONFIGS,
  'configs.delete': CONFIGS,
  'configs.import': CONFIGS,
  'configs.path': CONFIGS,
  'configs.globals_usage': CONFIGS,
  'configs.tree': CONFIGS,
  'configs.export': CONFIGS,
  'configs.read_file': CONFIGS,
  'configs.create_file': CONFIGS,
  'configs.replace_file': CONFIGS,
  'configs.delete_file': CONFIGS,
  'configs.make_directory': CONFIGS,
  'configs.move_file': CONFIGS,
  'configs.copy_file': CONFIGS,
  'configs.versions': CONFIGS,
  'configs.read_version': CONFIGS,
  'library.list': CONFIGS,
  'library.read': CONFIGS,
  'library.copy': CONFIGS,
  'destinations.list': CONFIGS,
  'destinations.read': CONFIGS,
  'destinations.write': CONFIGS,
  'destinations.delete': CONFIGS,
  'destinations.check': CONFIGS,
  'worlds.list': CONFIGS,
  'worlds.ask': CONFIGS,
  'secrets.list': SECRETS,
  'secrets.read': SECRETS,
  'secrets.set': SECRETS,
  'secrets.remove': SECRETS,
  'secrets.rename': SECRETS,
  'secrets.references': SECRETS,
  'preview.timestamps': PREVIEW,
  'preview.format': PREVIEW,
  'preview.normalize': PREVIEW,
  'preview.log_times': PREVIEW,
  'preview.learn': LEARN,
  'preview.open': PREVIEW,
  'preview.produce': PREVIEW,
  'preview.state': PREVIEW,
  'preview.release': PREVIEW,
  'preview.forget': PREVIEW,
  'preview.end_all': PREVIEW,
  'globals.change': GLOBALS,
  'globals.history': GLOBALS,
  'globals.read': GLOBALS,
  'globals.read_key': GLOBALS,
  'scenarios.rename': SCENARIO_RENAME,
  'globals_owner.lend': GLOBALS_OWNER,
  'globals_owner.is_lent': GLOBALS_OWNER,
  'globals_owner.give_back': GLOBALS_OWNER,
  'globals_owner.note_change': GLOBALS_OWNER,
  'globals_owner.subscribe': GLOBALS_OWNER,
  'globals_owner.unsubscribe': GLOBALS_OWNER,
  'scenarios.forget': GLOBALS_OWNER,
  'generators.list': GENERATORS,
  'generators.read': GENERATORS,
  'generators.status': GENERATORS,
  'generators.stats': GENERATORS,
  'generators.history': GENERATORS,
  'generators.check_outputs': GENERATORS,
  'generators.stats_running': GENERATORS,
  'generators.start': GENERATORS,
  'generators.stop': GENERATORS,
  'generators.restart': GENERATORS,
  'generators.create': GENERATORS,
  'generators.replace': GENERATORS,
  'generators.delete': GENERATORS,
  'generators.rename': GENERATORS,
  'generators.patch': GENERATORS,
  'generators.assign': GENERATORS,
  'generators.bulk_start': GENERATORS,
  'generators.bulk_stop': GENERATORS,
  'generators.bulk_restart': GENERATORS,
  'generators.bulk_delete': GENERATORS,
  // The daemon sends these for thousands of generators at once.
  'generators.add': GENERATORS_UNTIMED,
  'generators.reload': GENERATORS_UNTIMED,
  'generators.stop_all': GENERATORS_UNTIMED,
  'generators.end': GENERATORS_UNTIMED,
  'generators.abandon': GENERATORS_UNTIMED,
  'incidents.list': INCIDENTS,
  'incidents.read': INCIDENTS,
  'incidents.truth': INCIDENTS,
  'incidents.start': INCIDENTS,
  'incidents.pause': INCIDENTS,
  'incidents.resume': INCIDENTS,
  'incidents.jump': INCIDENTS,
  'incidents.stop': INCIDENTS,
  'incidents.write': INCIDENTS,
  'incidents.delete': INCIDENTS,
  'dead_letters.list': HERE,
  'dead_letters.read': HERE,
  'dead_letters.resend': HERE,
  'dead_letters.purge': HERE,
  'cluster.read': HERE,
  'cluster.drain': HERE,
  'cluster.remove': HERE,
  'instance.health': HERE,
  'instance.info': HERE,
  'instance.stop': HERE,
  'instance.restart': HERE,
  'observe.ready': HERE,
  'observe.metrics': HERE,
  'observe.events': HERE,
  'observe.tail': HERE,
  'observe.tails': HERE,
  'observe.log': HERE,
  'observe.audit': HERE,
  'observe.series': HERE,
  'observe.busiest': HERE,
};

/** Never rejects. */
export type AskActor = <K extends keyof AskMessages>(
  type: K,
  payload: AskMessages[K]['payload'],
) => Promise<Result<AskMessages[K]['answer']>>;

/** The mailbox of an actor; `OWNERS` sends it the messages of its own table only. */
interface Mailbox {
  readonly getSnapshot: () => { readonly status: string };
  readonly send: <K extends keyof AskMessages>(message: {
    readonly type: K;
    readonly payload: AskMessages[K]['payload'];
    readonly reply: (answer: Result<AskMessages[K]['answer']>) => void;
  }) => void;
}

export type FindActor = (actor: string) => Mailbox | undefined;

/** Answers of requests without a mailbox. */
export type LocalAnswers = {
  readonly [K in keyof (ObserveRequests & InstanceRequests & DeadLetterRequests & ClusterRequests)]: (
    payload: Requests[K]['payload'],
  ) => Result<Requests[K]['answer']> | Promise<Result<Requests[K]['answer']>>;
};

type Middleware = (next: AskActor) => AskActor;

/** No error of an answer shows a secret. */
const maskSecrets =
  (known: KnownSecrets): Middleware =>
  (next) =>
  async (type, payload) =>
    E.mapLeft(known.hideError)(await next(type, payload));

type FollowUps = {
  readonly [K in keyof AskMessages]?: (
    payload: AskMessages[K]['payload'],
    answer: AskMessages[K]['answer'],
  ) => void;
};

const followUp =
  (make: (next: AskActor) => FollowUps): Middleware =>
  (next) => {
    const followUps = make(next);
    return async (type, payload) => {
      const answer = await next(type, payload);
      if (E.isRight(answer)) followUps[type]?.(payload, answer.right);
      return answer;
    };
  };

/** The event stream shows the entity tag of changed globals. */
const noteGlobals = (board: Pick<Board, 'noteScenario'>): Middleware =>
  followUp(() => ({ 'globals.change': ({ name }, { etag }) => board.noteScenario(name, etag) }));

/** A deleted directory has no previews. */
const endPreviews: Middleware = followUp((next) => ({
  'configs.delete': ({ name }) => void next('preview.forget', { name }),
}));

/** People see a generator with partitions as one. */
const mergeParts =
  (partsOf: PartsOf): Middleware =>
  (next) => {
    const answers: {
      readonly [K in keyof AskMessages]?: (
        payload: AskMessages[K]['payload'],
      ) => Promise<Result<AskMessages[K]['answer']>> | null;
    } = partAnswers(next, partsOf);
    return (type, payload) => {
      const refused = refusedPart(type, payload);
      if (refused !== null) return Promise.resolve(refused);
      return answers[type]?.(payload) ?? next(type, payload);
    };
  };

const answerHere =
  (answers: LocalAnswers): Middleware =>
  (next) => {
    const local: {
      readonly [K in keyof AskMessages]?: (payload: AskMessages[K]['payload']) => LocalAnswer<K>;
    } = answers;
    return async (type, payload) => {
      const answer = local[type];
      if (answer === undefined) return next(type, payload);
      try {
        return await answer(payload);
      } catch (thrown) {
        return E.left(thrownError(type, thrown));
      }
    };
  };

type LocalAnswer<K extends keyof AskMessages> =
  | Result<AskMessages[K]['answer']>
  | Promise<Result<AskMessages[K]['answer']>>;

const mailboxOf = (find: FindActor, type: keyof AskMessages): Mailbox | undefined => {
  const { actor } = OWNERS[type];
  return actor === null ? undefined : find(actor);
};

/** Messages to a stopped actor vanish without a trace. */
const refuseStopped =
  (find: FindActor): Middleware =>
  (next) =>
  async (type, payload) =>
    mailboxOf(find, type)?.getSnapshot().status === 'active'
      ? next(type, payload)
      : E.left(failure('unavailable', `${type} cannot be done now: the service is starting or stopping`));

const limitTime =
  (clock: Pick<Clock, 'sleepMs'>): Middleware =>
  (next) =>
  async (type, payload) => {
    const { timeout_ms } = OWNERS[type];
    if (timeout_ms === null) return next(type, payload);
    const answered = new AbortController();
    return new Promise((resolve) => {
      void next(type, payload).then((answer) => {
        resolve(answer);
        answered.abort(ENDED);
      });
      void clock.sleepMs(timeout_ms, answered.signal).then(() => {
        const late = `${type}: no answer within ${timeout_ms / 1000} s; look at the logs`;
        if (!answered.signal.aborted) resolve(E.left(failure('timed_out', late)));
      });
    });
  };

/** The first reply counts; `reply` is called once by each owner. */
const send =
  (find: FindActor): AskActor =>
  (type, payload) =>
    new Promise((resolve) => {
      try {
        mailboxOf(find, type)?.send({ type, payload, reply: resolve });
      } catch (thrown) {
        resolve(E.left(thrownError(type, thrown)));
      }
    });

const through = (middleware: readonly Middleware[], ask: AskActor): AskActor =>
  middleware.reduceRight((next, wrap) => wrap(next), ask);

/** Asks actors only; for a run without an API. */
export const askActors = (
  find: FindActor,
  clock: Pick<Clock, 'sleepMs'>,
  partsOf: PartsOf = () => [],
): AskActor => through([mergeParts(partsOf), refuseStopped(find), limitTime(clock)], send(find));

interface HereParts {
  readonly find: FindActor;
  readonly clock: Pick<Clock, 'sleepMs'>;
  readonly known: KnownSecrets;
  readonly board: Pick<Board, 'noteScenario'>;
  readonly answers: LocalAnswers;
}

/** Asks the actors of this service, partitions by their own ids. */
export const askHere = ({ find, clock, known, board, answers }: HereParts): AskActor =>
  through(
    [maskSecrets(known), noteGlobals(board), answerHere(answers), refuseStopped(find), limitTime(clock)],
    send(find),
  );

/** Everything around a request of the API, outermost first. `within`: `askHere`, or the way to all nodes of a cluster. */
export const askAround = (within: AskActor, known: KnownSecrets, partsOf: PartsOf): AskActor =>
  through([maskSecrets(known), endPreviews, mergeParts(partsOf)], within);
