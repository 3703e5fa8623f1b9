/**
 * Composition root of the main thread: makes the adapters and hosts, gives them to the actors, and
 * starts the root actor. The only file of `src` (with its folder `daemon/`) that imports actors.
 */
import { relative, sep } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type ActorRefFrom, createActor } from 'xstate';
import { configsLogic } from '../actors/configs.js';
import { type DaemonInput, daemonMachine } from '../actors/daemon.js';
import type { Listener } from '../actors/facade.js';
import type { generatorsLogic } from '../actors/generators.js';
import { previewLogic } from '../actors/preview.js';
import { settingsLogic } from '../actors/settings.js';
import { startupLogic } from '../actors/startup.js';
import { DEFAULT_POLICY } from '../actors/supervision.js';
import { generatorDirectories } from './adapters/directories.js';
import { uniform } from './adapters/entropy.js';
import { nodeFiles } from './adapters/files.js';
import { fileUploads } from './adapters/fileUploads.js';
import { generatorPlace } from './adapters/generatorPlace.js';
import { type InstanceLog, instanceLog } from './adapters/instanceLog.js';
import { systemClock } from './adapters/systemClock.js';
import {
  loadSettings,
  MAX_SETTINGS_BYTES,
  type Settings,
  settingsReadBack,
  updateSettingsText,
  withSecrets,
} from './config/settings.js';
import { settingsShape } from './config/settingsShape.js';
import { makeContract } from './contract/contract.js';
import { admission } from './daemon/admission.js';
import { configsOptions, persistSections } from './daemon/configs.js';
import { generatorsInput, WORKER_FILE } from './daemon/generators.js';
import { membership } from './daemon/membership.js';
import { askOf, askStartup, cellDirectoryOf, type FindActor } from './daemon/routing.js';
import { hidingAsk, keepSecrets, type SecretKeeping, warnOfLockedKeyring } from './daemon/secrets.js';
import { failure, type SpateError } from './domain/errors.js';
import { NO_TWEAKS, type StartupEntry } from './domain/generator.js';
import type { Json } from './domain/json.js';
import { previewHost } from './host/previewHost.js';
import { makeServer } from './http/server.js';
import type { Ask } from './messages/ask.js';
import type { Answer } from './messages/request.js';
import type { StartupList } from './messages/startup.js';
import { generatorPatchShape, generatorShape, inputShape } from './plugins/generatorShape.js';
import type { PasswordSource } from './ports/keyring.js';
import type { Log } from './ports/log.js';
import type { Notify } from './ports/notify.js';
import { listOf } from './schema/index.js';

export { previewTimestamps, runSingle, type SingleOptions, type SingleRun } from './daemon/single.js';

/** How long open requests may take when the daemon stops. */
const CLOSE_MS = 10_000;
/** How long generators with autostart may take before the daemon counts as ready without them. */
const READY_MS = 30_000;

export interface DaemonOptions {
  /** Absolute path. */
  readonly settingsFile: string;
  /** Standard error; the log files are those of the settings. */
  readonly writeLog: (line: string) => void;
  readonly notify: Notify;
  readonly keyringPassword: PasswordSource;
  readonly onListening: (info: {
    /** `null` when the settings ask for no server. */
    readonly url: string | null;
    readonly generators: readonly { readonly id: string; readonly path: string }[];
  }) => void;
  readonly allowRemoteWithoutAuth: boolean;
  readonly version: string;
}

export interface RunningDaemon {
  /** Resolves when everything has stopped; an error says why it stopped by itself. */
  readonly ended: Promise<{ readonly error: SpateError | null }>;
  /** Drains generators and ends; may be called again. `reload`: the caller starts the next instance then. */
  readonly stop: (next?: 'reload') => void;
}

/** What is read before anything is started. */
interface Instance {
  readonly settings: Settings;
  /** The settings as the API shows them. */
  readonly inForce: Json;
  readonly secrets: SecretKeeping;
  /** Shows no secret. */
  readonly log: Log;
  readonly logs: InstanceLog;
}

const readInstance = async ({
  settingsFile,
  writeLog,
  keyringPassword,
}: DaemonOptions): Promise<E.Either<SpateError, Instance>> => {
  const text = await nodeFiles.readText(settingsFile, MAX_SETTINGS_BYTES);
  if (E.isLeft(text)) return text;
  const loaded = loadSettings(text.right, settingsFile);
  if (E.isLeft(loaded)) return loaded;
  const inForce = settingsReadBack(text.right, settingsFile);
  if (E.isLeft(inForce)) return inForce;
  const { log, path } = loaded.right;
  const logs = instanceLog({ ...log, folder: path.logs, console: writeLog, clock: systemClock });
  const secrets = keepSecrets({ file: path.keyring_cryptfile, password: keyringPassword }, logs.log);
  const settings = await withSecrets(loaded.right, secrets.keyring);
  if (E.isLeft(settings)) {
    await logs.close();
    return E.left(secrets.known.hideError(settings.left));
  }
  secrets.known.add(settings.right.server.auth?.password ?? '');
  await warnOfLockedKeyring(secrets);
  return E.right({ settings: settings.right, inForce: inForce.right, secrets, log: secrets.log, logs });
};

/** Path of a config file relative to the generators directory, where it is inside. */
const shownPath = (generatorsDir: string) => (path: string) => {
  const shown = relative(generatorsDir, path);
  return shown.startsWith(`..${sep}`) || shown === '..' ? path : shown;
};

/** Starts an instance. Left: the settings cannot be used. Never throws. */
export const startDaemon = async (options: DaemonOptions): Promise<E.Either<SpateError, RunningDaemon>> => {
  const instance = await readInstance(options);
  if (E.isLeft(instance)) return instance;
  const { settings, secrets, log, logs } = instance.right;
  const threads = new AbortController();
  const state: { status: 'ok' | 'starting' | 'stopping'; url: string | null } = {
    status: 'starting',
    url: null,
  };
  const startedAtMs = systemClock.monotonicMs();
  const find: FindActor = (name) => root.system.get(name);
  const health = () => ({
    status: state.status,
    uptime_seconds: (systemClock.monotonicMs() - startedAtMs) / 1000,
  });
  const ask = hidingAsk(askOf(find, systemClock, health), secrets.known);
  const list: { entries: readonly StartupEntry[] } = { entries: [] };
  const input = daemonInput({ ...options, ...instance.right, list, find, ask, signal: threads.signal });
  const root = createActor(
    daemonMachine({
      ...input,
      onListening: (url) => {
        state.status = 'ok';
        state.url = url;
        options.onListening({ url, generators: list.entries.map(({ id, path }) => ({ id, path })) });
      },
      onReady: () => {
        const status = statusLine(state.url, list.entries.length);
        void options.notify.send({ type: 'ready', status });
      },
    }),
  );
  const ended = new Promise<{ readonly error: SpateError | null }>((resolve) => {
    root.subscribe({
      complete: () => {
        threads.abort();
        void logs.close().then(() => resolve(root.getSnapshot().output ?? { error: null }));
      },
      error: (thrown) => {
        threads.abort();
        log.write('critical', 'the root actor failed', { reason: String(thrown) });
        const error = failure('bug', `the root actor failed: ${String(thrown)}`);
        void logs.close().then(() => resolve({ error }));
      },
    });
  });
  warnOfOpenDoor(settings, options.allowRemoteWithoutAuth, log);
  root.start();
  return E.right({
    ended,
    stop: (next) => {
      if (state.status !== 'stopping') {
        void options.notify.send({ type: next === 'reload' ? 'reloading' : 'stopping' });
      }
      state.status = 'stopping';
      root.send({ type: 'stop' });
    },
  });
};

/** What `systemctl status` shows. */
const statusLine = (url: string | null, generators: number): string =>
  `${url === null ? 'runs without HTTP server' : `listens on ${url}`}; generators in the startup list: ${generators}`;

const warnOfOpenDoor = (settings: Settings, isRemoteAllowed: boolean, log: Log): void => {
  if (settings.server.auth !== null || !isRemoteAllowed) return;
  log.write(
    'warning',
    'SPATE_ALLOW_REMOTE_WITHOUT_AUTH is set: everyone who reaches the port may do everything',
    {
      hint: 'set server.auth.user and server.auth.password',
    },
  );
};

type Composition = DaemonOptions &
  Instance & {
    /** The startup list, once it has been read. */
    readonly list: { entries: readonly StartupEntry[] };
    readonly find: FindActor;
    readonly ask: Ask;
    readonly signal: AbortSignal;
  };

const daemonInput = (given: Composition): Omit<DaemonInput, 'onListening' | 'onReady'> => {
  const { settings, list, log, notify, find, ask, signal } = given;
  const { path } = settings;
  const directories = generatorDirectories(path.generators_dir, path.generator_config_filename);
  const preview = previewHost({
    workerFile: WORKER_FILE,
    clock: systemClock,
    heap_mb: settings.threads.thread_heap_mb,
    signal,
  });
  const startup = { generation: settings.generation, generators_dir: path.generators_dir };
  const members = membership();
  return {
    settings: settingsLogic({
      files: nodeFiles,
      file: given.settingsFile,
      inForce: given.inForce,
      update: updateSettingsText,
    }),
    startup: startupLogic({
      files: nodeFiles,
      file: path.startup,
      context: startup,
      checkPlace: generatorPlace(path.generators_dir),
      onEntries: members.noteEntries,
      running: members.running,
    }),
    configs: configsLogic(
      configsOptions({
        directories,
        generators_dir: path.generators_dir,
        ask,
        startup: () => askStartup(find, systemClock),
      }),
    ),
    preview: previewLogic({ directories, host: preview }),
    scenarios: {
      names: members.names,
      files: nodeFiles,
      folder: `${path.state}/globals`,
      log,
    },
    generators: generatorsInput({
      secrets: given.secrets,
      cells: cellDirectoryOf(find, systemClock),
      threads: settings.threads,
      state: path.state,
      signal,
      shownPath: shownPath(path.generators_dir),
      members,
      admit: admission(startup),
      persist: (file, sections) => persistSections(ask, directories.configPath, file, sections),
    }),
    facade: { listen: settings.server.api_enabled ? listener(given, ask) : null },
    watchdog: {
      every_ms: notify.watchdog_ms === null ? null : notify.watchdog_ms / 2,
      beat: () => notify.send({ type: 'watchdog' }),
      clock: systemClock,
    },
    policy: DEFAULT_POLICY,
    monotonicMs: systemClock.monotonicMs,
    random: uniform,
    log,
    register: async (generators) => {
      const read = await askStartup(find, systemClock);
      if (E.isLeft(read)) return read.left;
      reportList(read.right, log);
      list.entries = read.right.entries;
      await Promise.all(list.entries.map((entry) => add(generators, entry)));
      return null;
    },
    autostart: async (generators) => {
      const wanted = list.entries.filter(({ autostart }) => autostart);
      await Promise.all(wanted.map(({ id }) => tell(generators, 'generators.start', { id })));
    },
    close_ms: CLOSE_MS,
    ready_ms: READY_MS,
  };
};

type Generators = ActorRefFrom<typeof generatorsLogic>;

const tell = (generators: Generators, type: string, payload: unknown): Promise<unknown> =>
  new Promise((resolve) => generators.send({ type, payload, reply: resolve } as never));

const add = (generators: Generators, entry: StartupEntry): Promise<unknown> => {
  const { autostart: _autostart, scenarios, ...params } = entry;
  return tell(generators, 'generators.add', { registration: { params, scenarios, tweaks: NO_TWEAKS } });
};

const reportList = ({ warnings, rejected }: StartupList, log: Log): void => {
  for (const warning of warnings) log.write('warning', warning);
  for (const { id, error } of rejected) {
    const context = { generator_id: id, reason: error.message };
    log.write('error', 'an entry of the startup list is left out', context);
  }
};

/** Opens the HTTP service. */
const listener =
  ({ settings, log, version, allowRemoteWithoutAuth }: Composition, ask: Ask) =>
  async (): Promise<Answer<Listener>> => {
    const { host, port, auth } = settings.server;
    const contract = makeContract(
      {
        generatorConfig: generatorShape,
        generatorPatch: generatorPatchShape,
        inputs: listOf(inputShape),
        settings: settingsShape,
      },
      version,
    );
    const server = makeServer({
      host,
      port,
      auth:
        auth === null
          ? { kind: 'none', isRemoteAllowed: allowRemoteWithoutAuth }
          : { kind: 'basic', ...auth },
      ...contract,
      ask,
      uploads: fileUploads(settings.path.generators_dir),
      log,
      clock: systemClock,
      version,
    });
    const started = await server.start();
    if (E.isLeft(started)) return started;
    const shown = host.includes(':') ? `[${host}]` : host;
    return E.right({ url: `http://${shown}:${started.right.port}`, close: server.stop });
  };
