import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files.js';
import { collectWhenIdle } from '../../adapters/idleCollection.js';
import { keyringFile } from '../../adapters/keyringFile.js';
import { passwordFrom } from '../../adapters/keyringPassword.js';
import { systemdNotify } from '../../adapters/notify.js';
import { systemClock } from '../../adapters/systemClock.js';
import { loadSettings, MAX_SETTINGS_BYTES, withSecrets } from '../../config/settings.js';
import { loadStartup, type StartupList } from '../../config/startup.js';
import { readTls } from '../../daemon/tls.js';
import type { DaemonOptions, RunningDaemon } from '../../daemon.js';
import { failure, type SpateError } from '../../domain/errors.js';
import { knownSecrets } from '../../domain/knownSecrets.js';
import type { Command, CommandContext } from '../command.js';
import { EXIT, type Io, type Signal } from '../io.js';
import { plural } from '../numbers.js';
import { textOption } from '../option.js';
import { destinationOf, outputsOf } from '../outputsOf.js';
import { problemLines, reportError } from '../report.js';

/** Generators that are named at the start; the rest is counted. */
const MAX_NAMED = 20;

const ALLOW_REMOTE = 'SPATE_ALLOW_REMOTE_WITHOUT_AUTH';

type Listening = Parameters<DaemonOptions['onListening']>[0];

/** Says where the service listens and where events go. */
const announce = async (io: Io, version: string, { url, generators }: Listening): Promise<void> => {
  io.stderr.write(
    url === null
      ? `spate ${version} runs without HTTP server (server.api_enabled is false)\n`
      : `spate ${version} listens on ${url} (API documentation: ${url}/api/docs)\n`,
  );
  const named = generators.slice(0, MAX_NAMED);
  const lines = await Promise.all(
    named.map(async ({ id, path }) => {
      const outputs = await outputsOf(path);
      const where = outputs?.map((output) => destinationOf(output, path)).join(', ');
      return `  ${id}: ${where === undefined ? `the config cannot be used: spate validate ${path}` : `events to ${where}`}\n`;
    }),
  );
  const rest = generators.length - named.length;
  io.stderr.write(`${lines.join('')}${rest > 0 ? `  and ${plural(rest, 'more generator')}\n` : ''}`);
};

/** Whether a new start with the files as they are now would work. */
const checkFiles = async (settingsFile: string, io: Io): Promise<E.Either<SpateError, StartupList>> => {
  const text = await nodeFiles.readText(settingsFile, MAX_SETTINGS_BYTES);
  if (E.isLeft(text)) return text;
  const settings = loadSettings(text.right, settingsFile);
  if (E.isLeft(settings)) return settings;
  const { path, generation } = settings.right;
  const secrets = keyringFile({
    file: path.keyring_cryptfile,
    password: passwordFrom({ env: io.env }),
    known: knownSecrets(),
    warn: () => undefined,
  });
  const complete = await withSecrets(settings.right, secrets);
  if (E.isLeft(complete)) return complete;
  const tls = await readTls(settings.right.server.ssl);
  if (E.isLeft(tls)) return tls;
  const list = await nodeFiles.readText(path.startup, MAX_SETTINGS_BYTES);
  return E.isLeft(list) ? list : loadStartup(list.right, path.startup, generation, path.generators_dir);
};

/** What signals have asked of the instance that runs. */
interface Wish {
  daemon: RunningDaemon | null;
  isStopping: boolean;
  isReloading: boolean;
}

const reload = async (wish: Wish, settingsFile: string, io: Io): Promise<void> => {
  const checked = await checkFiles(settingsFile, io);
  if (E.isLeft(checked)) {
    for (const line of problemLines(checked.left)) io.stderr.write(`spate: not reloaded: ${line}\n`);
    return;
  }
  if (wish.isStopping || wish.isReloading || wish.daemon === null) return;
  wish.isReloading = true;
  const { daemon } = wish;
  const reloaded = await daemon.reload();
  if (E.isRight(reloaded) && reloaded.right === 'needs_restart') return daemon.stop('reload');
  wish.isReloading = false;
  if (E.isRight(reloaded)) return;
  for (const line of problemLines(reloaded.left)) io.stderr.write(`spate: not reloaded: ${line}\n`);
};

const onSignal = (wish: Wish, settingsFile: string, io: Io) => (signal: Signal) => {
  if (signal === 'SIGHUP') {
    if (!wish.isStopping) void reload(wish, settingsFile, io);
    return;
  }
  if (wish.isStopping) return io.exit(EXIT.failed);
  wish.isStopping = true;
  io.stderr.write('spate: stopping, a second signal ends at once\n');
  wish.daemon?.stop();
};

/** What the API asks for; begun after the answer is on its way. */
const onOrder =
  (wish: Wish, settingsFile: string, io: Io): DaemonOptions['order'] =>
  async (what) => {
    const checked = what === 'stop' ? E.right(null) : await checkFiles(settingsFile, io);
    if (E.isLeft(checked))
      return failure('wrong_state', `not restarted: ${problemLines(checked.left).join('; ')}`);
    if (wish.isStopping || wish.isReloading)
      return failure('wrong_state', 'the instance is stopping or starting again already');
    if (what === 'stop') wish.isStopping = true;
    else wish.isReloading = true;
    void systemClock.yieldTurn().then(() => wish.daemon?.stop(what === 'stop' ? undefined : 'reload'));
    return null;
  };

/** Runs instances one after another, as long as reloads ask for the next one. */
const serve = async (
  wish: Wish,
  options: DaemonOptions,
  { io, services }: CommandContext,
): Promise<number> => {
  const { startDaemon } = await services.daemon();
  collectWhenIdle();
  for (;;) {
    const started = await startDaemon(options);
    if (E.isLeft(started)) return reportError(io, started.left);
    wish.daemon = started.right;
    // A signal may have come while it started.
    if (wish.isStopping) wish.daemon.stop();
    const { error } = await started.right.ended;
    if (error !== null) return reportError(io, error);
    if (wish.isStopping || !wish.isReloading) return EXIT.ok;
    wish.daemon = null;
    wish.isReloading = false;
  }
};

const options = {
  config: textOption('FILE', { short: 'c', help: 'Settings file of the instance. Required.' }),
};

export const run: Command<typeof options> = {
  name: 'run',
  summary: 'Runs an instance: the generators of its startup list, and the HTTP service.',
  positionals: { usage: '-c FILE', min: 0, max: 0 },
  options,
  needs: ['config'],
  notes: [
    'SIGINT and SIGTERM stop it: what is in flight is delivered, then it exits with 0. A second one ends it at once. ' +
      'SIGHUP checks settings, certificates and startup list and applies what has changed: generators whose entry and config are ' +
      'the same are not touched; only other paths, threads or log settings start everything again. Where a file is not valid it ' +
      'says so and goes on.',
    `Secrets come from the keyring of the settings; its password from SPATE_KEYRING_PASSWORD, the file that SPATE_KEYRING_PASSWORD_FILE ` +
      'names, or the systemd credential spate-keyring-password.',
    `Without server.auth only this machine is served; ${ALLOW_REMOTE}=1 serves everybody.`,
    'Exit codes: 0 stopped by a signal; 1 settings, startup list or server failed; 2 wrong usage.',
  ],
  examples: [{ title: 'Run the examples that come with Spate', line: 'spate run -c settings/spate.yml' }],
  run: async ({ options: { config } }, context) => {
    const { io, services } = context;
    const settingsFile = resolve(io.cwd, config ?? '');
    const wish: Wish = { daemon: null, isStopping: false, isReloading: false };
    const release = io.onSignal(onSignal(wish, settingsFile, io));
    const code = await serve(
      wish,
      {
        settingsFile,
        writeLog: io.stderr.write,
        keyringPassword: passwordFrom({ env: io.env }),
        notify: systemdNotify({ env: io.env, warn: (text) => io.stderr.write(`spate: ${text}\n`) }),
        onListening: (info) => void announce(io, services.version, info),
        allowRemoteWithoutAuth: io.env[ALLOW_REMOTE] === '1',
        version: services.version,
        order: onOrder(wish, settingsFile, io),
      },
      context,
    );
    release();
    return code;
  },
};
