import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import type { Result } from '../../../domain/errors.js';
import { isoFormatter } from '../../../domain/time/iso.js';
import type { Micros } from '../../../domain/time/micros.js';
import { parseIso } from '../../../domain/time/parseIso.js';
import { utc, zoneOf } from '../../../domain/time/zone.js';
import { jsonReport } from '../../../inspect/json.js';
import { inspectPage } from '../../../inspect/page/page.js';
import type { InspectReport } from '../../../inspect/report.js';
import type { Command, Given } from '../../arguments/command.js';
import { configFileOf, GENERATOR_OPTIONS, paramsOf } from '../../arguments/generatorOptions.js';
import { plural, showCount } from '../../arguments/numbers.js';
import { flagOption, integerOption, jsonObjectOption, textOption } from '../../arguments/option.js';
import { KEYRING_OPTION, keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, type Io } from '../../terminal/io.js';
import { MAX_TIMESTAMPS, measure } from './measure.js';
import { reportText } from './reportText.js';

const DEFAULT_EVENTS = 10_000;
const MAX_EVENTS = 100_000_000;

/** Columns without a terminal, and the fewest. */
const WIDTH = 100;
const MIN_WIDTH = 60;

const { id, params, timezone, seed } = GENERATOR_OPTIONS;

const options = {
  events: integerOption(
    'N',
    { short: 'n', help: `Number of events to make (default ${DEFAULT_EVENTS}).` },
    { min: 1, max: MAX_EVENTS },
  ),
  id,
  params,
  globals: jsonObjectOption('JSON', { help: `Globals at the start, e.g. '{"anomaly": "brute_force"}'.` }),
  now: textOption('TIME', {
    help: 'Start of generation, ISO 8601; without offset in --timezone (default: now).',
  }),
  timezone,
  seed,
  output: integerOption(
    'N',
    { help: 'Number of the output whose formatter writes the events (default 1).' },
    { min: 1 },
  ),
  json: flagOption({ help: 'Print the report as JSON.' }),
  html: textOption('FILE', { help: 'Also write the report to FILE, as one page with plots.' }),
  'keyring-cryptfile': KEYRING_OPTION,
};

type Values = Given<typeof options>['options'];
type Iso = (at: Micros) => string;

const print = (report: InspectReport, iso: Iso, values: Values, { stdout }: Io): void => {
  const width = Math.max(MIN_WIDTH, stdout.isTerminal ? stdout.columns : WIDTH);
  stdout.write(
    values.json === true
      ? `${JSON.stringify(jsonReport(report, iso), null, 2)}\n`
      : reportText(report, iso, width),
  );
};

const writePage = async (report: InspectReport, iso: Iso, values: Values, io: Io): Promise<Result<void>> =>
  values.html === undefined
    ? E.right(undefined)
    : nodeFiles.replaceText(resolve(io.cwd, values.html), inspectPage(report, iso));

/** What makes the command fail; `null`: nothing. */
const problemOf = ({ made, failed, failures }: InspectReport): string | null => {
  if (failed > 0) return `${plural(failed, 'event')} failed; the report lists the reasons.`;
  const input = failures.find(({ kind }) => kind === 'input');
  if (input !== undefined) return `${input.reason}.`;
  return made === 0 ? 'the generator made no event.' : null;
};

export const inspect: Command<typeof options> = {
  name: 'inspect',
  summary: 'Measures what a generator makes: rates, sizes, fields and their values, compressibility.',
  positionals: { usage: 'PATH', min: 1, max: 1 },
  options,
  notes: [
    'PATH is a config file, or a folder with a generator.yml. The generator runs in memory, without waiting; no output is opened.',
    'The schedule counts the timestamps of the inputs in the 24 hours from --now ' +
      `(at most ${showCount(MAX_TIMESTAMPS)}); volumes multiply them by the measured size, line ends included. The speed is that of this machine ` +
      'making events one timestamp at a time; a run makes them in batches and may be faster.',
    'Fields come from events that are JSON, CEF or key=value. A tilde marks an estimate: beyond 10,000 distinct values of a field, ' +
      'their number (standard error 1.6 %) and entropy. The report names every limit that was hit.',
    'Exit codes: 0 measured; 1 invalid generator, failed or no events, or FILE cannot be written; 2 wrong usage.',
  ],
  examples: [
    { title: 'See rates, sizes and fields', line: 'spate inspect generators/access-log' },
    {
      title: 'Get the report as JSON, repeatable',
      line: 'spate inspect generators/ecs-web-auth --seed 7 --now 2026-03-02T09:00:00Z --json',
    },
    {
      title: 'Write a page with plots',
      line: 'spate inspect generators/ecs-web-auth --events 100000 --html report.html',
    },
  ],
  run: async ({ options: values, positionals: [path = ''] }, { io, services }) => {
    const file = await configFileOf(path, io.cwd);
    const generator = paramsOf(values, file);
    if (E.isLeft(generator)) return reportError(io, generator.left);
    const zone = zoneOf(generator.right.timezone) ?? utc;
    const now = values.now === undefined ? services.clock.now() : parseIso(values.now, zone);
    if (now === null)
      return usageError(
        io,
        'spate inspect',
        `--now must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${values.now}"`,
      );
    const measured = await measure({
      params: generator.right,
      globals: values.globals ?? {},
      now,
      events: values.events ?? DEFAULT_EVENTS,
      output: values.output ?? 1,
      keyring: keyringAccessOf(values['keyring-cryptfile'], io),
      services,
    });
    if (E.isLeft(measured)) return reportError(io, measured.left);
    const { report } = measured.right;
    const iso = isoFormatter(measured.right.zone);
    print(report, iso, values, io);
    const written = await writePage(report, iso, values, io);
    if (E.isLeft(written)) return reportError(io, written.left);
    const problem = problemOf(report);
    if (problem === null) return EXIT.ok;
    io.stderr.write(`spate: ${problem}\n`);
    return EXIT.failed;
  },
};
