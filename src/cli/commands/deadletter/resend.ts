import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { streamLog } from '../../../adapters/logs/streamLog.js';
import { MAX_SETTINGS_BYTES, type Settings } from '../../../config/settings/settings.js';
import { loadStartup } from '../../../config/startup/startup.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { GeneratorParams } from '../../../domain/generator.js';
import { plural, showCount } from '../../../domain/text/shown.js';
import type { DeadLetterFolder } from '../../../ports/deadLetters.js';
import type { Command, CommandContext, OptionValues } from '../../arguments/command.js';
import { flagOption, integerOption, textOption } from '../../arguments/option.js';
import { configFileOf, GENERATOR_OPTIONS, PLUGIN_OPTIONS, paramsOf } from '../../arguments/sharedOptions.js';
import type { Resent } from '../../compose/resend.js';
import { KEYRING_OPTION, keyringAccessOf } from '../../files/keyring.js';
import { destinationOf } from '../../files/outputs.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, exitCodeOf, type Io, stopOnSignal } from '../../terminal/io.js';
import { type StatusLine, statusLine } from '../../terminal/progress.js';
import { showRough } from '../../terminal/text.js';
import {
  deadLettersName,
  STATE_OPTIONS,
  selectDeadLetters,
  tornNote,
  usageWithoutState,
  WHICH,
  WHICH_NOTE,
} from './selection.js';

const options = {
  ...STATE_OPTIONS,
  plugin: PLUGIN_OPTIONS.plugin,
  path: textOption('FILE', {
    help: 'Config of the generator (default: from the startup list).',
  }),
  params: GENERATOR_OPTIONS.params,
  to: integerOption(
    'NUMBER',
    { help: 'Send to this output of the config instead of the original one.' },
    { min: 1 },
  ),
  limit: integerOption('N', { help: 'Maximum letters to try.' }, { min: 1 }),
  'batch.size': integerOption(
    'N',
    { help: 'Maximum letters per write (default: as the generator).' },
    { min: 1 },
  ),
  'write-timeout': integerOption(
    'SECONDS',
    { help: 'Timeout of one write attempt (default: as the generator).' },
    { min: 1 },
  ),
  'retry.attempts': integerOption(
    'N',
    { help: 'Attempts per write (default: as the generator).' },
    { min: 1, max: 1_000 },
  ),
  'keyring-cryptfile': KEYRING_OPTION,
  'dry-run': flagOption({ help: 'Only show what would be sent where. Opens, sends and removes nothing.' }),
};

type Values = OptionValues<typeof options>;

const missing = (generator: string, startup: string, program: string): SpateError =>
  failure(
    'not_found',
    `${startup} lists no generator "${generator}". List it again, name its config with --path FILE, ` +
      `or remove the letters with ${program} deadletter purge.`,
  );

/** Current entry of the startup list. */
const listedParams = async (
  generator: string,
  { path, generation }: Settings,
  program: string,
): Promise<Result<GeneratorParams>> => {
  const text = await nodeFiles.readText(path.startup, MAX_SETTINGS_BYTES);
  if (E.isLeft(text)) return text;
  const list = loadStartup(text.right, path.startup, generation, path.generators_dir);
  if (E.isLeft(list)) return list;
  const entry = list.right.entries.find(({ id }) => id === generator);
  if (entry !== undefined) return E.right(entry);
  const rejected = list.right.rejected.find(({ id }) => id === generator);
  return E.left(rejected?.error ?? missing(generator, path.startup, program));
};

const generatorOf = async (
  generator: string,
  settings: Settings | null,
  values: Values,
  { cwd, program }: Pick<Io, 'cwd' | 'program'>,
): Promise<Result<GeneratorParams>> => {
  const { path, params } = values;
  const size = values['batch.size'];
  const timeout = values['write-timeout'];
  const attempts = values['retry.attempts'];
  if (path === undefined && settings !== null) {
    return E.map((found: GeneratorParams) => ({
      ...found,
      params: params ?? found.params,
      batch: size === undefined ? found.batch : { ...found.batch, size },
      write_timeout: timeout ?? found.write_timeout,
      retry: { ...found.retry, attempts: attempts ?? found.retry.attempts },
    }))(await listedParams(generator, settings, program));
  }
  const file = await configFileOf(resolve(cwd, path ?? ''), cwd);
  const given = { params, 'batch.size': size, 'write-timeout': timeout, 'retry.attempts': attempts };
  return paramsOf({ id: generator, ...given }, file);
};

const failureText = ({ refused, lastReason, outage }: Resent): string => {
  if (refused === 0) return '';
  const verb = refused === 1 ? 'stays' : 'stay';
  const end = outage === null ? '' : '; stopped because the output is down';
  return `, ${showCount(refused)} ${verb}: ${lastReason?.message ?? ''}${end}`;
};

const progressText = (folder: DeadLetterFolder, { sent, refused }: Resent): string =>
  `${deadLettersName(folder)}: ${showCount(sent)} sent${refused > 0 ? `, ${showCount(refused)} stay` : ''}`;

const summaryText = (folder: DeadLetterFolder, done: Resent, seconds: number, isDryRun: boolean): string => {
  const did = isDryRun ? 'would be sent' : 'sent';
  const time = isDryRun ? '' : ` in ${showRough(seconds)} s`;
  const aside = isDryRun ? '' : `: see torn.txt in ${folder.path}`;
  const torn = done.torn === 0 ? '' : `; ${tornNote(done.torn)}${aside}`;
  return `${deadLettersName(folder)}: ${plural(done.sent, 'letter')} ${did}${time}${failureText(done)}${torn}\n`;
};

interface Shared extends CommandContext {
  readonly settings: Settings | null;
  readonly values: Values;
  readonly line: StatusLine;
  readonly stop: AbortSignal;
}

const resendFolder = async (
  folder: DeadLetterFolder,
  params: GeneratorParams,
  limit: number | null,
  { io, services, settings, values, line, stop }: Shared,
): Promise<Result<Resent>> => {
  const isDryRun = values['dry-run'] === true;
  const { resend } = await services.resend();
  const startedMs = services.clock.monotonicMs();
  const summary = (done: Resent): string =>
    summaryText(folder, done, (services.clock.monotonicMs() - startedMs) / 1_000, isDryRun);
  let hasProgress = false;
  let last: Resent | null = null;
  const result = await resend({
    folder,
    params,
    to: values.to ?? null,
    limit,
    isDryRun,
    log: streamLog({ level: 'warning', format: 'plain', write: line.print }),
    keyring: keyringAccessOf(values['keyring-cryptfile'] ?? settings?.path.keyring_cryptfile, io),
    stop,
    onTarget: ({ number, kind, options: given }) => {
      // A status line would garble events on the terminal.
      hasProgress = io.stderr.isTerminal && kind !== 'stdout';
      const where = destinationOf({ kind, params: given }, params.path, {});
      line.print(`${deadLettersName(folder)}: to ${where} (output ${number} of ${params.path})\n`);
    },
    onProgress: (done) => {
      last = done;
      if (hasProgress) line.show(progressText(folder, done));
    },
  });
  line.clear();
  const done: Resent | null = E.isRight(result) ? result.right : last;
  if (done !== null) io.stderr.write(summary(done));
  return result;
};

const resendAll = async (folders: readonly DeadLetterFolder[], shared: Shared): Promise<number> => {
  const { io, settings, values } = shared;
  let code: number = EXIT.ok;
  let left = values.limit ?? null;
  for (const folder of folders) {
    if (shared.stop.aborted || left === 0) break;
    const params = await generatorOf(folder.generator, settings, values, io);
    const done = E.isLeft(params) ? params : await resendFolder(folder, params.right, left, shared);
    if (E.isLeft(done)) {
      code = reportError(io, done.left);
      continue;
    }
    if (done.right.refused > 0) code = EXIT.failed;
    if (left !== null) left -= done.right.sent + done.right.refused;
  }
  return code;
};

export const deadletterResend: Command<typeof options> = {
  name: 'deadletter resend',
  formerName: 'replay',
  summary: 'Sends dead letters again, through formatter and output of the current config.',
  positionals: { usage: WHICH, min: 1, max: 1 },
  options,
  usesPlugins: true,
  notes: [
    WHICH_NOTE,
    'Delivered letters are removed; failed ones stay with the new reason. A write that the destination rejects is split in ' +
      'halves to isolate the bad letters. Letters that a running daemon adds meanwhile are not sent.',
    'Killing it loses nothing: run it again. Letters of a write in flight, or of one that timed out, may arrive twice.',
    'Exit codes: 0 all letters that were tried arrived; 1 some did not; 2 wrong usage; 130 or 143 stopped by SIGINT or SIGTERM, ' +
      'after the write in flight. A second signal ends it at once.',
  ],
  examples: [
    {
      title: 'Send them once the database is back',
      line: 'spate deadletter resend -c settings/spate.yml visits/1-clickhouse',
    },
    {
      title: 'Send those of a run without settings',
      line: 'spate deadletter resend --state state --path generators/access-log access-log',
    },
    {
      title: 'See where they would go',
      line: 'spate deadletter resend -c settings/spate.yml visits --dry-run',
    },
  ],
  run: async ({ options: values, positionals: [which] }, context) => {
    const { io } = context;
    const misused = usageWithoutState(values, 'deadletter resend', io);
    if (misused !== null) return misused;
    if (values.path === undefined && values.config === undefined)
      return usageError(io, 'deadletter resend', '--state alone does not name the config. Add --path FILE.');
    const selection = await selectDeadLetters(values, which, io);
    if (E.isLeft(selection)) return reportError(io, selection.left);
    const stopping = new AbortController();
    const signals = stopOnSignal(io, () => stopping.abort());
    const { folders, settings } = selection.right;
    const line = statusLine(io.stderr);
    const code = await resendAll(folders, { ...context, settings, values, line, stop: stopping.signal });
    signals.release();
    const signal = signals.received();
    return signal === null ? code : exitCodeOf(signal);
  },
};
