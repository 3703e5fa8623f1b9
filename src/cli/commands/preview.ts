import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../adapters/entropy.js';
import { logTo, streamLog } from '../../adapters/logs/streamLog.js';
import { asSentence, plural } from '../../domain/text/shown.js';
import { isoFormatter, parseIso } from '../../domain/time/iso.js';
import { NEVER } from '../../domain/time/micros.js';
import { utc, zoneOf } from '../../domain/time/zone.js';
import type { Command } from '../arguments/command.js';
import { flagOption, integerOption } from '../arguments/option.js';
import {
  configFileOf,
  GENERATOR_OPTIONS,
  PLUGIN_OPTIONS,
  paramsOf,
  SAMPLE_OPTIONS,
} from '../arguments/sharedOptions.js';
import type { SampleFailure } from '../compose/sample.js';
import { KEYRING_OPTION, keyringAccessOf } from '../files/keyring.js';
import { reportError, usageError } from '../report.js';
import { EXIT } from '../terminal/io.js';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 10_000;

/** Reasons of failures that are told. */
const MAX_REASONS = 5;

const options = {
  count: integerOption(
    'N',
    { short: 'n', help: `Number of timestamps and events (default ${DEFAULT_COUNT}).` },
    { min: 1, max: MAX_COUNT },
  ),
  ...SAMPLE_OPTIONS,
  raw: flagOption({ help: 'Print the events as they are before the formatter.' }),
  'live-mode': GENERATOR_OPTIONS['live-mode'],
  'skip-past': GENERATOR_OPTIONS['skip-past'],
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
};

const WHAT = {
  produce: 'could not be produced',
  format: 'could not be formatted',
} as const;

/** One line for each reason, with the number of events. */
const failureTexts = (failures: readonly SampleFailure[]): readonly string[] => {
  const counts = new Map<string, number>();
  const others = new Set<string>();
  for (const { kind, reason } of failures) {
    if (kind === 'input') others.add(reason);
    else counts.set(`${WHAT[kind]}: ${reason}`, (counts.get(`${WHAT[kind]}: ${reason}`) ?? 0) + 1);
  }
  const lines = [...others, ...[...counts].map(([what, count]) => `${plural(count, 'event')} ${what}`)];
  return lines.length <= MAX_REASONS
    ? lines
    : [...lines.slice(0, MAX_REASONS), `and ${plural(lines.length - MAX_REASONS, 'more reason')}`];
};

export const preview: Command<typeof options> = {
  name: 'preview',
  summary: 'Shows the next timestamps and events of a generator without waiting or writing to its outputs.',
  positionals: { usage: 'PATH', min: 1, max: 1 },
  options,
  usesPlugins: true,
  notes: [
    'PATH is a config file, or a folder with a generator.yml. The generator runs in memory; no output is opened.',
    'Events are shown as the first output writes them: after its formatter.',
    'Exit codes: 0 shown; 1 invalid generator, or events failed; 2 wrong usage.',
  ],
  examples: [
    { title: 'See ten timestamps and events', line: 'spate preview generators/access-log' },
    {
      title: 'See three, in another time zone',
      line: 'spate preview generators/access-log -n 3 --timezone Europe/Berlin',
    },
    {
      title: 'See an attack that a global switches on',
      line: `spate preview generators/web-nginx --globals '{"anomaly": "scan"}'`,
    },
  ],
  run: async ({ options: values, positionals: [path = ''] }, { io, services }) => {
    const file = await configFileOf(path, io.cwd);
    const generator = paramsOf(values, file);
    if (E.isLeft(generator)) return reportError(io, generator.left);
    const zone = zoneOf(generator.right.timezone) ?? utc;
    const now = values.now === undefined ? services.clock.now() : parseIso(values.now, zone);
    if (now === null) {
      const message = `--now must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${values.now}"`;
      return usageError(io, 'preview', message);
    }
    const engine = await services.sample();
    // Lazy: other commands start faster without it.
    const { globalsFor } = await import('../files/globals.js');
    const globals = await globalsFor(values.globals, file, { io, engine });
    if (E.isLeft(globals)) return usageError(io, 'preview', globals.left);
    const count = values.count ?? DEFAULT_COUNT;
    const { live_mode, skip_past, seed: given } = generator.right;
    const sampled = {
      // One seed for both, so that the events have the timestamps above them.
      params: { ...generator.right, seed: given ?? drawSeed() },
      keyring: keyringAccessOf(values['keyring-cryptfile'], io),
      skip_past: live_mode && skip_past,
      now,
    };
    const span = { from: Number.NEGATIVE_INFINITY, to: NEVER, max: count };
    const timestamps = await engine.sampleTimestamps({ ...sampled, ...span });
    if (E.isLeft(timestamps)) return reportError(io, timestamps.left);
    const iso = isoFormatter(zone);
    const shown: string[] = [];
    for await (const { micros, length } of timestamps.right.batches)
      shown.push(...Array.from(micros.subarray(0, length), iso));
    const [broken] = timestamps.right.failures;
    if (broken !== undefined) {
      io.stderr.write(`spate: ${asSentence(broken)}\n`);
      return EXIT.failed;
    }
    if (shown.length === 0) {
      io.stdout.write('Nothing to generate: the inputs give no timestamps from now on.\n');
      return EXIT.ok;
    }
    const stderrLog = streamLog({ level: 'warning', format: 'plain', write: io.stderr.write });
    const events = await engine.sampleEvents({
      ...sampled,
      globals: globals.right,
      events: count,
      output: values.output ?? 1,
      allow_subprocess: false,
      // Errors are failures of events, which are told at the end.
      log: logTo((level, message, context) => {
        if (level === 'warning') stderrLog.write(level, message, context);
      }),
    });
    if (E.isLeft(events)) return reportError(io, events.left);
    io.stdout.write(`Next timestamps:\n${shown.map((one) => `  ${one}\n`).join('')}\nEvents:\n`);
    const failures: SampleFailure[] = [];
    for await (const batch of events.right.batches) {
      const texts = values.raw === true ? batch.events : batch.formatted;
      io.stdout.write(texts.map((text) => `${text}\n`).join(''));
      failures.push(...batch.failures.filter(({ kind }) => values.raw !== true || kind !== 'format'));
      if (failures.length >= count) break;
    }
    for (const line of failureTexts(failures)) io.stderr.write(`spate: ${asSentence(line)}\n`);
    return failures.length === 0 ? EXIT.ok : EXIT.failed;
  },
};
