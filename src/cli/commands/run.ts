import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { keyringFile } from '../../adapters/keyring/file.js';
import { passwordFrom } from '../../adapters/keyring/password.js';
import { systemdNotify } from '../../adapters/processes/notify.js';
import { systemClock } from '../../adapters/systemClock.js';
import { collectWhenIdle } from '../../adapters/threadMemory.js';
import { MAX_SETTINGS_BYTES, withSecrets } from '../../config/settings/settings.js';
import type { SettingsSource } from '../../daemon/instance.js';
import { type ListenAddress, readServerTls, reserveAddress } from '../../daemon/reserve.js';
import type { DaemonOptions, RunningDaemon } from '../../daemon.js';
import { failure, type Result, type SpateError } from '../../domain/errors.js';
import { knownSecrets } from '../../domain/secrets.js';
import { plural, showCount } from '../../domain/text/shown.js';
import type { Command, CommandContext } from '../arguments/command.js';
import { integerOption, textOption } from '../arguments/option.js';
import { clusterFileOf } from '../arguments/sharedOptions.js';
import { destinationOf, outputsOf } from '../files/outputs.js';
import { problemLines, reportError } from '../report.js';
import { type EndingSignal, EXIT, type Io, type Services } from '../terminal/io.js';

const ALLOW_REMOTE = 'SPATE_ALLOW_REMOTE_WITHOUT_AUTH';

/** Checks whether a restart with the current files would succeed. Returns its address, or null without a server. */
const checkFiles = async (source: SettingsSource, io: Io): Promise<Result<ListenAddress | null>> => {
  // Lazy: only a reload needs them.
  const { startupTexts } = await import('../../daemon/texts.js');
  const { readStoredSettings } = await import('../../daemon/instance.js');
  const read = await readStoredSettings(source);
  if (E.isLeft(read)) return read;
  const { settings } = read.right;
  const { path, generation } = settings;
  const secrets = keyringFile({
    file: path.keyring_cryptfile,
    password: passwordFrom({ env: io.env }),
    known: knownSecrets(),
    warn: () => undefined,
  });
  const complete = await withSecrets(settings, secrets);
  if (E.isLeft(complete)) return complete;
  const tls = await readServerTls(settings.server.ssl);
  if (E.isLeft(tls)) return tls;
  const listed = await nodeFiles.readText(path.startup, MAX_SETTINGS_BYTES);
  if (E.isLeft(listed)) return listed;
  const { generators_dir, startup } = path;
  const list = await startupTexts.load(listed.right, startup, generation, generators_dir);
  const { server } = settings;
  return E.map(() => (server.api_enabled ? server : null))(list);
};

/** Reserves the address of the next instance; if that fails, the current one keeps running. */
const reserveRestart = async (
  state: InstanceState,
  next: ListenAddress | null,
): Promise<Result<RunningDaemon>> => {
  const { daemon } = state;
  if (daemon === null) return E.left(failure('wrong_state', 'the instance is starting'));
  const reserved = next === null ? E.right(null) : await reserveAddress(next, daemon.address());
  if (E.isLeft(reserved)) return reserved;
  state.restart = { reserved: reserved.right, entries: daemon.entries() };
  return E.right(daemon);
};

interface InstanceState {
  daemon: RunningDaemon | null;
  isStopping: boolean;
  isReloading: boolean;
  restart: DaemonOptions['restart'];
}

const reload = async (state: InstanceState, source: SettingsSource, io: Io): Promise<void> => {
  const checked = await checkFiles(source, io);
  if (E.isLeft(checked)) {
    for (const line of problemLines(checked.left)) io.stderr.write(`spate: not reloaded: ${line}\n`);
    return;
  }
  if (state.isStopping || state.isReloading || state.daemon === null) return;
  state.isReloading = true;
  const reloaded = await state.daemon.reload();
  let done: Result<unknown> = reloaded;
  if (E.isRight(reloaded) && reloaded.right === 'needs_restart') {
    const next = await reserveRestart(state, checked.right);
    if (E.isRight(next)) return next.right.stop('reload');
    done = next;
  }
  state.isReloading = false;
  if (E.isRight(done)) return;
  for (const line of problemLines(done.left)) io.stderr.write(`spate: not reloaded: ${line}\n`);
};

const onSignal = (state: InstanceState, source: SettingsSource, io: Io) => (signal: EndingSignal) => {
  if (signal === 'SIGHUP') {
    if (!state.isStopping) void reload(state, source, io);
    return;
  }
  if (state.isStopping) return io.die(signal);
  state.isStopping = true;
  io.stderr.write('spate: stopping, a second signal ends at once\n');
  state.daemon?.stop();
};

/** Handles requests of the API; starts after the response is sent. */
const onOrder =
  (state: InstanceState, source: SettingsSource, io: Io): DaemonOptions['order'] =>
  async (what) => {
    const refuse = (error: SpateError): Result<never> =>
      E.left(failure('wrong_state', `not restarted: ${problemLines(error).join('; ')}`));
    const checked = what === 'stop' ? E.right(null) : await checkFiles(source, io);
    if (E.isLeft(checked)) return refuse(checked.left);
    if (state.isStopping || state.isReloading)
      return E.left(failure('wrong_state', 'the instance is already stopping or restarting'));
    if (what === 'stop') state.isStopping = true;
    else {
      state.isReloading = true;
      const next = await reserveRestart(state, checked.right);
      if (E.isLeft(next)) {
        state.isReloading = false;
        return refuse(next.left);
      }
    }
    void systemClock.yieldTurn().then(() => state.daemon?.stop(what === 'stop' ? undefined : 'reload'));
    return E.right(null);
  };

/** Runs one instance after another while reloads require a restart. */
const serve = async (
  state: InstanceState,
  options: Omit<DaemonOptions, 'restart'>,
  { io, services }: CommandContext,
): Promise<number> => {
  const { startDaemon } = await services.daemon();
  collectWhenIdle();
  for (;;) {
    const { restart } = state;
    const started = await startDaemon({ ...options, restart });
    if (E.isLeft(started)) return reportError(io, started.left);
    state.daemon = started.right;
    // A signal may have arrived during the start.
    if (state.isStopping) state.daemon.stop();
    const { error, abandoned } = await started.right.ended;
    if (abandoned > 0) {
      io.stderr.write(
        `spate: events were abandoned: ${showCount(abandoned)}; the log names the generators.\n`,
      );
    }
    if (error !== null) return reportError(io, error);
    if (state.isStopping || !state.isReloading) return abandoned > 0 ? EXIT.failed : EXIT.ok;
    state.daemon = null;
    state.isReloading = false;
  }
};

const options = {
  config: textOption('FILE', { short: 'c', help: 'Settings file of the instance. Required.' }),
  host: textOption('ADDRESS', { help: 'Listen on this address instead of server.host.' }),
  port: integerOption(
    'PORT',
    { short: 'p', help: 'Listen on this TCP port instead of server.port.' },
    { min: 1, max: 65_535 },
  ),
  cluster: textOption('FILE', {
    help: 'Run as a node of the cluster that this file describes (default: $SPATE_CLUSTER; without both, alone).',
  }),
};

export const run: Command<typeof options> = {
  name: 'run',
  summary: 'Runs an instance: its generators and the HTTP server.',
  positionals: { usage: '-c FILE', min: 0, max: 0 },
  options,
  needs: ['config'],
  notes: [
    'SIGINT and SIGTERM stop the instance: events in flight are delivered. Events that an output has not taken after ten ' +
      'seconds become dead letters; if they cannot be stored, they are abandoned. A second signal ends it at once.',
    'SIGHUP reloads settings, certificates and startup list. Generators with unchanged entry and config keep running; changed ' +
      'paths, threads or log settings restart everything. Invalid files are reported and change nothing; a generator whose entry ' +
      'of the startup list is invalid keeps running with the former one.',
    'Secrets come from the keyring of the settings. Its password comes from SPATE_KEYRING_PASSWORD, the file named by ' +
      'SPATE_KEYRING_PASSWORD_FILE, or the systemd credential spate-keyring-password.',
    `Without server.auth only clients on this machine are served; ${ALLOW_REMOTE}=1 serves all clients.`,
    'An invalid entry of the startup list does not stop a start: the others run, and /api/ready is 503.',
    'Exit codes: 0 stopped by a signal; 1 invalid settings or a startup list that is no list, another service on the same state folder, server ' +
      'failure, or abandoned events; 2 wrong usage.',
  ],
  examples: [
    { title: 'Run the bundled examples', line: 'spate run -c settings/spate.yml' },
    { title: 'Use another port', line: 'spate run -c settings/spate.yml --port 9480' },
  ],
  run: async ({ options: { config, cluster, host, port } }, context) => {
    const { io, services } = context;
    const listen = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) };
    const source = { settingsFile: resolve(io.cwd, config ?? ''), listen };
    const state: InstanceState = { daemon: null, isStopping: false, isReloading: false, restart: null };
    const announcer = startAnnouncer(io, services);
    const release = io.onSignal(onSignal(state, source, io));
    const code = await serve(
      state,
      {
        ...source,
        clusterFile: clusterFileOf(cluster, io),
        writeLog: announcer.writeLog,
        keyringPassword: passwordFrom({ env: io.env }),
        notify: systemdNotify({ env: io.env, warn: (text) => io.stderr.write(`spate: ${text}\n`) }),
        onListening: announcer.announce,
        allowRemoteWithoutAuth: io.env[ALLOW_REMOTE] === '1',
        version: services.version,
        library: services.library,
        order: onOrder(state, source, io),
      },
      context,
    );
    release();
    return code;
  },
};

/** Generators listed at start; further ones are counted. */
const MAX_NAMED = 20;
/** Log lines wait this long for the destinations at most. */
const MAX_HOLD_MS = 2_000;

type Listening = Parameters<DaemonOptions['onListening']>[0];

const destinationLine = async (
  { id, path, params }: Listening['generators'][number],
  program: string,
): Promise<string> => {
  const outputs = await outputsOf(path, params);
  if (E.isRight(outputs)) {
    return `  ${id}: events to ${outputs.right.map((output) => destinationOf(output, path, params)).join(', ')}\n`;
  }
  return outputs.left.code === 'not_found'
    ? `  ${id}: ${path} does not exist: create it or change the path in the startup list\n`
    : `  ${id}: the config cannot be used: ${program} validate ${path}\n`;
};

const destinationLines = async (generators: Listening['generators'], program: string): Promise<string> => {
  const lines = await Promise.all(
    generators.slice(0, MAX_NAMED).map((generator) => destinationLine(generator, program)),
  );
  const rest = generators.length - lines.length;
  return `${lines.join('')}${rest > 0 ? `  and ${plural(rest, 'more generator')}\n` : ''}`;
};

/** Prints the address, then the destinations of events, then log lines. */
const startAnnouncer = (
  { stderr: { write }, program }: Pick<Io, 'stderr' | 'program'>,
  { version, clock }: Pick<Services, 'version' | 'clock'>,
) => {
  let held: string[] | null = null;
  const release = (): void => {
    const lines = held ?? [];
    held = null;
    for (const line of lines) write(line);
  };
  const announce = async ({ url, hasUi, generators, place }: Listening): Promise<void> => {
    const name = `spate ${version}${place === null ? '' : `, node "${place.node}" of cluster "${place.cluster}",`}`;
    write(
      url === null
        ? `${name} runs without HTTP server (server.api_enabled is false)\n`
        : `${name} listens on ${url} (${hasUi ? 'web UI; ' : ''}API documentation: ${url}/api/docs)\n`,
    );
    held ??= [];
    const printed = new AbortController();
    void clock.sleepMs(MAX_HOLD_MS, printed.signal).then(release);
    write(await destinationLines(generators, program));
    printed.abort();
    release();
  };
  return {
    writeLog: (line: string): void => {
      if (held === null) write(line);
      else held.push(line);
    },
    announce: (info: Listening): void => void announce(info),
  };
};
