/** Composition root of the main thread. Only this file and `daemon/` import actors. */
import * as E from 'fp-ts/lib/Either.js';
import { createActor } from 'xstate';
import { alone } from '../actors/alone.js';
import { type AskActor, askAround, askHere, type FindActor } from '../actors/ask.js';
import { type DaemonInput, daemonMachine } from '../actors/daemon.js';
import { DEFAULT_POLICY } from '../actors/generators/supervision.js';
import { configsLogic } from '../actors/stores/configs.js';
import { secretsLogic } from '../actors/stores/secrets.js';
import { settingsLogic } from '../actors/stores/settings.js';
import { startupLogic } from '../actors/stores/startup.js';
import { generatorDirectories } from './adapters/directories/generatorDirectories.js';
import { configLocation } from './adapters/directories/location.js';
import { uniform } from './adapters/entropy.js';
import { nodeFiles } from './adapters/files/files.js';
import { thisMachine } from './adapters/processes/machine.js';
import { systemClock } from './adapters/systemClock.js';
import { shownPath } from './config/startup/entry.js';
import { aloneAnswers, clusterOf } from './daemon/cluster/alone.js';
import type { JoinedCluster } from './daemon/cluster/join.js';
import { checkGivenParams, configsOptions, persistSections, secretReferences } from './daemon/configs.js';
import { deadLetterAnswers } from './daemon/deadLetters.js';
import {
  generatorsInput,
  globalsOwners,
  membership,
  outputChecks,
  previewsInput,
  scenariosInput,
} from './daemon/generators.js';
import { incidentsInput, warnOfFormerNames } from './daemon/incidents.js';
import {
  type Instance,
  installThirdParty,
  readInstance,
  readSettings,
  type SettingsSource,
  withCheckpoints,
} from './daemon/instance.js';
import { listener, warnOfOpenDoor } from './daemon/listener.js';
import { makeObserver, type Observer } from './daemon/observe.js';
import { admission, moveGenerator } from './daemon/registration.js';
import {
  type Applied,
  appliedOver,
  type CurrentSettings,
  type Reloaded,
  reloadInstance,
  reportList,
} from './daemon/reload.js';
import type { ListenAddress, Reserved } from './daemon/reserve.js';
import { startupTexts, withText } from './daemon/texts.js';
import { openThreads } from './daemon/threads.js';
import { readsOfMembers, withUnreadGlobals } from './daemon/unreadGlobals.js';
import { ERRORS, failure, type Result, type SpateError } from './domain/errors.js';
import { NO_TWEAKS, type StartupEntry } from './domain/generator.js';
import type { Json } from './domain/json.js';
import { registrationsOf } from './domain/partitions.js';
import { pacer } from './domain/waiting.js';
import type { PasswordSource } from './ports/keyring.js';
import type { Notify } from './ports/processes.js';

/** Deadline of open requests at the stop. */
const CLOSE_MS = 10_000;
/** The daemon counts as ready after this, also without slow generators. */
const READY_MS = 30_000;

export interface DaemonOptions extends SettingsSource {
  /** Writes to standard error; log files come from the settings. */
  readonly writeLog: (line: string) => void;
  readonly notify: Notify;
  readonly keyringPassword: PasswordSource;
  readonly onListening: (info: {
    /** `null` without a server. */
    readonly url: string | null;
    readonly hasUi: boolean;
    readonly generators: readonly Pick<StartupEntry, 'id' | 'path' | 'params'>[];
    /** Names of the cluster and of this node. Null when the service runs alone. */
    readonly place: { readonly cluster: string; readonly node: string } | null;
  }) => void;
  readonly allowRemoteWithoutAuth: boolean;
  readonly version: string;
  /** Absolute path of `cluster.yml`. Null when the service runs alone. */
  readonly clusterFile: string | null;
  /** Absolute path of the folder with the library generators. */
  readonly library: string;
  /** Stops or restarts the instance as a signal does, in a later turn. An error says why it cannot. */
  readonly order: (what: 'stop' | 'restart') => Promise<Result<null>>;
  /** `null` for the first instance. */
  readonly restart: {
    readonly reserved: Reserved | null;
    /** Entries of the instance before, which stay where the list is invalid now. */
    readonly entries: readonly StartupEntry[];
  } | null;
}

export interface RunningDaemon {
  /** Resolves when everything has stopped. `error`: why it stopped by itself. */
  readonly ended: Promise<{
    readonly error: SpateError | null;
    readonly abandoned: number;
  }>;
  /** Drains generators and ends. `reload`: the caller starts the next instance. */
  readonly stop: (next?: 'reload') => void;
  /** After an error nothing has changed. `needs_restart` means that only the next instance can apply the changes. */
  readonly reload: () => Promise<Result<Reloaded>>;
  /** `null` without an HTTP service. */
  readonly address: () => ListenAddress | null;
  /** Entries of the startup list in force. */
  readonly entries: () => readonly StartupEntry[];
}

/** Starts an instance. Returns an error when it cannot use the settings or join the cluster. Never throws. */
export const startDaemon = async (options: DaemonOptions): Promise<Result<RunningDaemon>> => {
  const instance = await readInstance(options);
  if (E.isLeft(instance)) return instance;
  const { settings, secrets, log, logs, isLocked, close } = instance.right;
  const plugins = await installThirdParty(settings);
  if (E.isLeft(plugins)) {
    await close();
    return plugins;
  }
  const threads = new AbortController();
  const state: { status: 'ok' | 'starting' | 'stopping'; url: string | null } = {
    status: 'starting',
    url: null,
  };
  const find: FindActor = (actor) => root.system.get(actor);
  const list: Applied = { entries: options.restart?.entries ?? [], broken: [] };
  const observer = makeObserver({
    clock: systemClock,
    machine: thisMachine(),
    version: options.version,
    logs: logs.tail,
    log,
    state: settings.path.state,
    hide: secrets.known.hideText,
    audit: logs.audit,
    status: () => state.status,
    autostart: () => list.entries.flatMap(({ id, autostart }) => (autostart ? [id] : [])),
    broken: () => list.broken.filter(({ autostart }) => autostart).length,
    cluster: () => node?.info() ?? null,
    order: options.order,
  });
  const { board, answers } = observer;
  const local: AskActor = (type, payload) => here(type, payload);
  const deadLetters = deadLetterAnswers({
    state: settings.path.state,
    generators_dir: settings.path.generators_dir,
    secrets,
    ask: local,
    signal: threads.signal,
  });
  const cluster = await clusterOf(options, settings, {
    lockedState: isLocked ? settings.path.state : null,
    generation: () => current.settings.generation,
    url: () => state.url,
    rows: board.rows,
    define: ({ params, scenarios }) => input.generators.load(params, scenarios),
    ask: local,
    send: (message) => root.system.get('cluster')?.send(message),
    log,
    signal: threads.signal,
  });
  if (E.isLeft(cluster)) {
    observer.close();
    await close();
    return cluster;
  }
  const node = cluster.right;
  const here = askHere({
    find,
    clock: systemClock,
    known: secrets.known,
    board,
    answers: { ...answers, ...deadLetters, ...(node?.answers ?? aloneAnswers) },
  });
  const around = askAround(node?.routed ?? here, secrets.known, node?.partsOf ?? board.partsOf);
  const ask = withUnreadGlobals(around, { ...readsOfMembers(around, settings.path.generators_dir), log });
  const current: CurrentSettings = { settings, inForce: instance.right.inForce };
  const input = daemonInput({
    ...options,
    ...instance.right,
    current,
    list,
    ask,
    node,
    observer,
    signal: threads.signal,
  });
  const root = createActor(
    daemonMachine({
      ...input,
      onListening: (url) => {
        state.status = 'ok';
        state.url = url;
        options.onListening({
          url,
          hasUi: current.settings.server.ui_enabled,
          generators: list.entries,
          place: node?.place ?? null,
        });
      },
      onReady: () => {
        const status = statusLine(state.url, list.entries.length);
        void options.notify.send({ type: 'ready', status });
      },
    }),
  );
  const ended: RunningDaemon['ended'] = new Promise((resolve) => {
    root.subscribe({
      complete: () => {
        threads.abort();
        observer.close();
        void node?.close();
        void observer
          .save()
          .then(close)
          .then(() => resolve(root.getSnapshot().output ?? { error: null, abandoned: 0 }));
      },
      error: (thrown) => {
        threads.abort();
        observer.close();
        log.write('critical', 'the root actor failed', { reason: String(thrown) });
        const error = failure('bug', `the root actor failed: ${String(thrown)}`);
        void close().then(() => resolve({ error, abandoned: 0 }));
      },
    });
  });
  await observer.restore();
  warnOfOpenDoor(settings, options.allowRemoteWithoutAuth, log);
  await warnOfFormerNames(settings, log);
  root.start();
  const reload = async (): Promise<Result<Reloaded>> => {
    if (state.status !== 'ok') return E.left(failure('wrong_state', 'the instance is starting or stopping'));
    void options.notify.send({ type: 'reloading' });
    const reloaded = await reloadInstance({
      apply: node?.start ?? null,
      current,
      applied: list,
      log,
      read: () => readSettings(options, secrets),
      ask,
      reopen: () => new Promise((resolve) => root.send({ type: 'reopen', reply: resolve })),
      report: (read, former) => reportList(read, former, log),
    });
    const status = E.isRight(reloaded) ? 200 : ERRORS[reloaded.left.code].status;
    const entry = { user: null, client: 'signal', operation: 'reload', target: options.settingsFile };
    logs.audit.note({ ...entry, status });
    if (E.isRight(reloaded) && reloaded.right === 'needs_restart') return reloaded;
    void options.notify.send({ type: 'ready', status: statusLine(state.url, list.entries.length) });
    return reloaded;
  };
  return E.right({
    ended,
    reload,
    entries: () => list.entries,
    address: () => (settings.server.api_enabled ? current.settings.server : null),
    stop: (next) => {
      if (state.status !== 'stopping') {
        void options.notify.send({ type: next === 'reload' ? 'reloading' : 'stopping' });
      }
      state.status = 'stopping';
      // A preview that hangs must not hold up the end.
      void ask('preview.end_all', null);
      root.send({ type: 'stop' });
    },
  });
};

const statusLine = (url: string | null, generators: number): string =>
  `${url === null ? 'runs without HTTP server' : `listens on ${url}`}; generators in the startup list: ${generators}`;

type Composition = DaemonOptions &
  Instance & {
    /** This node of the cluster. Null when the service runs alone. */
    readonly node: JoinedCluster | null;
    /** Changed by a reload; `settings` are those of the start. */
    readonly current: CurrentSettings;
    readonly list: Applied;
    readonly ask: AskActor;
    readonly observer: Observer;
    readonly signal: AbortSignal;
  };

const daemonInput = (given: Composition): Omit<DaemonInput, 'onListening' | 'onReady'> => {
  const { settings, current, list, log, notify, ask, node, signal } = given;
  const { path } = settings;
  const directories = generatorDirectories(path.generators_dir, path.generator_config_filename);
  const startup = {
    // A reload changes the defaults.
    get generation() {
      return node === null ? current.settings.generation : withCheckpoints(current.settings.generation);
    },
    generators_dir: path.generators_dir,
  };
  const kept = { directories, generators_dir: path.generators_dir, ask };
  const members = membership();
  const paced = pacer(systemClock);
  const threads = openThreads({ limits: settings.threads, stepsBack: true, signal });
  const previews = previewsInput({ current, directories, log: given.log, threads, signal });
  const connect = outputChecks(previews.host);
  return {
    settings: settingsLogic({
      files: nodeFiles,
      file: given.settingsFile,
      inForce: () => current.inForce,
      stored: async (text, file) =>
        E.map(({ inForce }: CurrentSettings): Json => inForce)(
          await withText('settings.read', file, text, file),
        ),
      update: (text, settings, file) => withText('settings.update', file, text, settings),
    }),
    startup: startupLogic({
      files: node?.files ?? nodeFiles,
      file: path.startup,
      context: startup,
      texts: startupTexts,
      checkPath: configLocation(path.generators_dir),
      checkParams: checkGivenParams,
      onEntries: members.noteEntries,
      running: members.running,
    }),
    configs: configsLogic(configsOptions({ ...given, ...kept, connect, host: previews.host })),
    preview: previews,
    secrets: secretsLogic({
      keyring: given.secrets.keyring,
      isReadable: () => current.settings.server.secrets_readable,
      references: secretReferences({
        settings: given.settingsFile,
        startup: path.startup,
        destinations: path.destinations,
        readStartup: (node?.files ?? nodeFiles).readText,
        ...kept,
      }),
    }),
    scenarios: scenariosInput({ members, store: node?.globals ?? null, state: path.state, log, ask }),
    generators: generatorsInput({
      secrets: { ...given.secrets, log: given.observer.noting(given.secrets.log) },
      owners: globalsOwners(ask),
      limits: settings.threads,
      threads,
      state: path.state,
      signal,
      node: node?.keeping ?? null,
      shownPath: shownPath(path.generators_dir),
      members,
      connect,
      admit: admission(startup),
      move: moveGenerator({ state: path.state, ask, applied: list, log }),
      persist: (file, sections) => persistSections(ask, directories.configPath, file, sections),
      monitoring: given.observer.monitoring,
    }),
    incidents: incidentsInput({ path, isInCluster: node !== null, ask, log }),
    facade: {
      listen: settings.server.api_enabled
        ? listener({ ...given, reserved: given.restart?.reserved ?? null }, ask)
        : null,
    },
    isRestart: given.restart !== null,
    watchdog: {
      every_ms: notify.watchdog_ms === null ? null : notify.watchdog_ms / 2,
      beat: () => notify.send({ type: 'watchdog' }),
      clock: systemClock,
    },
    policy: DEFAULT_POLICY,
    monotonicMs: systemClock.monotonicMs,
    random: uniform,
    log,
    register: async () => {
      const read = await ask('startup.list', null);
      if (E.isLeft(read)) return read;
      reportList(read.right, list.entries, log);
      Object.assign(list, appliedOver(list.entries, read.right));
      if (node !== null) {
        await node.start();
        return E.right(null);
      }
      await Promise.all(
        list.entries
          .flatMap((entry) => registrationsOf(entry, NO_TWEAKS))
          .map((registration) => paced(() => ask('generators.add', { registration }))),
      );
      return E.right(null);
    },
    cluster: node?.logic ?? alone,
    leave: async () => node?.leave(),
    autostart: async () => {
      // A node starts what it holds.
      if (node !== null) return;
      const wanted = list.entries.filter(({ autostart }) => autostart);
      await Promise.all(wanted.map(({ id }) => paced(() => ask('generators.start', { id }))));
    },
    close_ms: CLOSE_MS,
    ready_ms: READY_MS,
  };
};
