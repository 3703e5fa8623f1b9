import * as E from 'fp-ts/lib/Either.js';
import { streamLog } from '../../adapters/logs/streamLog.js';
import { NO_TWEAKS } from '../../domain/generator.js';
import type { Json } from '../../domain/json.js';
import { parseIso } from '../../domain/time/parseIso.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import type { Command } from '../arguments/command.js';
import { configFileOf, GENERATOR_OPTIONS, paramsOf } from '../arguments/generatorOptions.js';
import { integerOption, textOption } from '../arguments/option.js';
import { PLUGIN_OPTIONS } from '../arguments/pluginOptions.js';
import { KEYRING_OPTION, keyringAccessOf } from '../files/keyring.js';
import { asSentence, reportError, usageError } from '../report.js';
import { stopOnSignal } from '../signals.js';
import { EXIT, exitCodeOf } from '../terminal/io.js';
import { failureLines, newNotes, notedLog } from '../terminal/progress.js';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 10_000;

/** Replaces the outputs of the config. */
const TO_STDOUT: Json = [{ stdout: {} }];

const { id, params, param, timezone, seed } = GENERATOR_OPTIONS;

const options = {
  count: integerOption(
    'N',
    { short: 'n', help: `Number of timestamps and events (default ${DEFAULT_COUNT}).` },
    { min: 1, max: MAX_COUNT },
  ),
  id,
  params,
  param,
  now: textOption('TIME', {
    help: 'Start of generation, ISO 8601; without offset in --timezone (default: now).',
  }),
  timezone,
  seed,
  'live-mode': GENERATOR_OPTIONS['live-mode'],
  'skip-past': GENERATOR_OPTIONS['skip-past'],
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
};

export const preview: Command<typeof options> = {
  name: 'preview',
  summary: 'Shows the next timestamps and events of a generator without waiting or writing to its outputs.',
  positionals: { usage: 'PATH', min: 1, max: 1 },
  options,
  usesPlugins: true,
  notes: ['PATH is a config file, or a folder with a generator.yml.'],
  examples: [
    { title: 'See ten timestamps and events', line: 'spate preview generators/access-log' },
    {
      title: 'See three, in another time zone',
      line: 'spate preview generators/access-log -n 3 --timezone Europe/Berlin',
    },
  ],
  run: async ({ options: values, positionals: [path = ''] }, { io, services }) => {
    const file = await configFileOf(path, io.cwd);
    const generator = paramsOf(values, file);
    if (E.isLeft(generator)) return reportError(io, generator.left);
    const size = values.count ?? DEFAULT_COUNT;
    // One moment for both, so that the events have the timestamps above them.
    const zone = zoneOf(generator.right.timezone) ?? utc;
    const now = values.now === undefined ? services.clock.now() : parseIso(values.now, zone);
    if (now === null) {
      const message = `--now must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${values.now}"`;
      return usageError(io, 'preview', message);
    }
    const notes = newNotes();
    const log = notedLog(streamLog({ level: 'warning', format: 'plain', write: io.stderr.write }), notes);
    const { previewTimestamps, runSingle } = await services.single();
    const keyring = keyringAccessOf(values['keyring-cryptfile'], io);
    const timestamps = await previewTimestamps({ params: generator.right, log, keyring, size, now });
    if (E.isLeft(timestamps)) return reportError(io, timestamps.left);
    if (timestamps.right.length === 0) {
      io.stdout.write('Nothing to generate: the inputs give no timestamps from now on.\n');
      return EXIT.ok;
    }
    io.stdout.write(`Next timestamps:\n${timestamps.right.map((one) => `  ${one}\n`).join('')}\nEvents:\n`);
    // Another thread writes the events: flush first.
    await io.flush();
    const tweaks = { ...NO_TWEAKS, fixed_now: now, limit: size, never_waits: true, starts_over: true };
    const run = runSingle({
      params: generator.right,
      tweaks,
      allow_subprocess: false,
      log,
      state: null,
      keyring,
      replaceOutputs: TO_STDOUT,
    });
    const signals = stopOnSignal(io, run.stop);
    const { error, stats } = await run.ended;
    signals.release();
    const signal = signals.received();
    if (signal !== null) return exitCodeOf(signal);
    // `spate preview | head` takes what it wants.
    if (error?.code === 'reader_gone') return EXIT.failed;
    notes.release(error);
    if (error !== null) return reportError(io, error);
    const failures = stats === null ? [] : failureLines(stats, notes.causes);
    for (const line of failures) io.stderr.write(`spate: ${asSentence(line)}\n`);
    return failures.length === 0 ? EXIT.ok : EXIT.failed;
  },
};
