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
import type { CommandContext, Given } from '../../arguments/command.js';
import { configFileOf, paramsOf } from '../../arguments/generatorOptions.js';
import { plural } from '../../arguments/numbers.js';
import { globalsFor } from '../../files/globals.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, type Io, widthOfOutput } from '../../terminal/io.js';
import type { inspectOptions } from './inspect.js';
import { DEFAULT_EVENTS } from './limits.js';
import { measure } from './measure.js';
import { reportText } from './reportText.js';

/** Fewest columns. */
const MIN_WIDTH = 60;

type Values = Given<typeof inspectOptions>['options'];
type Iso = (at: Micros) => string;

const print = (report: InspectReport, iso: Iso, values: Values, io: Io): void => {
  const width = Math.max(MIN_WIDTH, widthOfOutput(io));
  io.stdout.write(
    values.json === true
      ? `${JSON.stringify(jsonReport(report, iso), null, 2)}\n`
      : reportText(report, iso, width),
  );
};

const writePage = async (report: InspectReport, iso: Iso, values: Values, io: Io): Promise<Result<void>> =>
  values.html === undefined
    ? E.right(undefined)
    : nodeFiles.replaceText(resolve(io.cwd, values.html), inspectPage(report, iso));

/** Returns what makes the command fail, or null when nothing does. */
const problemOf = ({ made, failed, failures }: InspectReport): string | null => {
  if (failed > 0) return `${plural(failed, 'event')} failed; the report lists the reasons.`;
  const input = failures.find(({ kind }) => kind === 'input');
  if (input !== undefined) return `${input.reason}.`;
  return made === 0 ? 'the generator made no event.' : null;
};

/** Resolves to the exit code of `spate inspect`. */
export const runInspect = async (
  { options: values, positionals: [path = ''] }: Given<typeof inspectOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const file = await configFileOf(path, io.cwd);
  const generator = paramsOf(values, file);
  if (E.isLeft(generator)) return reportError(io, generator.left);
  const zone = zoneOf(generator.right.timezone) ?? utc;
  const now = values.now === undefined ? services.clock.now() : parseIso(values.now, zone);
  if (now === null)
    return usageError(
      io,
      'inspect',
      `--now must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${values.now}"`,
    );
  const globals = await globalsFor(values.globals, file, { io, engine: await services.sample() });
  if (E.isLeft(globals)) return usageError(io, 'inspect', globals.left);
  const measured = await measure({
    params: generator.right,
    globals: globals.right,
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
};
