import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../../adapters/files/files.js';
import { makeInspector } from '../../../analysis/inspect/inspector.js';
import { inspectPage } from '../../../analysis/inspect/page.js';
import { ratesOf, SCHEDULE_HOURS, scheduleTally, speedOf } from '../../../analysis/inspect/rates.js';
import {
  type InspectReport,
  jsonReport,
  type LimitHit,
  type Schedule,
} from '../../../analysis/inspect/report.js';
import type { Result } from '../../../domain/errors.js';
import type { GeneratorParams } from '../../../domain/generator.js';
import type { JsonObject } from '../../../domain/json.js';
import { plural } from '../../../domain/text/shown.js';
import { isoFormatter, parseIso } from '../../../domain/time/iso.js';
import { MICROS_PER_HOUR, type Micros } from '../../../domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../../domain/time/zone.js';
import type { KeyringAccess } from '../../../ports/keyring.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { configFileOf, paramsOf } from '../../arguments/sharedOptions.js';
import { globalsFor } from '../../files/globals.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, type Io, type Services, widthOfOutput } from '../../terminal/io.js';
import { DEFAULT_INSPECTED, MAX_TIMESTAMPS } from '../limits.js';
import type { inspectOptions } from './inspect.js';
import { inspectReportText } from './reportText.js';

/** Fewest columns. */
const MIN_WIDTH = 60;

type Values = Given<typeof inspectOptions>['options'];
type Iso = (at: Micros) => string;

const print = (report: InspectReport, iso: Iso, values: Values, io: Io): void => {
  const width = Math.max(MIN_WIDTH, widthOfOutput(io));
  io.stdout.write(
    values.json === true
      ? `${JSON.stringify(jsonReport(report, iso), null, 2)}\n`
      : inspectReportText(report, iso, width),
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
    events: values.events ?? DEFAULT_INSPECTED,
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

interface MeasureOptions {
  readonly params: GeneratorParams;
  readonly globals: JsonObject;
  readonly now: Micros;
  readonly events: number;
  readonly output: number;
  readonly keyring: KeyringAccess;
  readonly services: Services;
}

const measureSchedule = async ({
  params,
  now,
  keyring,
  services,
}: MeasureOptions): Promise<Result<Schedule>> => {
  const { sampleTimestamps } = await services.sample();
  const to = now + SCHEDULE_HOURS * MICROS_PER_HOUR;
  const sampled = await sampleTimestamps({ params, keyring, from: now, to });
  if (E.isLeft(sampled)) return sampled;
  const tally = scheduleTally(now, MAX_TIMESTAMPS);
  for await (const { micros, length } of sampled.right.batches) {
    let isOver = false;
    for (let index = 0; index < length && !isOver; index++) isOver = !tally.add(micros[index] as Micros);
    if (isOver) break;
  }
  return E.right(tally.result());
};

const scheduleHits = ({ is_complete }: Schedule): readonly LimitHit[] =>
  is_complete
    ? []
    : [
        {
          limit: 'schedule_timestamps',
          max: MAX_TIMESTAMPS,
          message: 'the schedule has more timestamps in 24 hours; rates are those of its start',
        },
      ];

interface Measured {
  readonly report: InspectReport;
  readonly zone: Zone;
}

/** Runs a generator in memory and measures its events. Returns an error when it cannot be loaded. */
const measure = async (options: MeasureOptions): Promise<Result<Measured>> => {
  const { params, now, keyring, globals, events, output, services } = options;
  const { clock } = services;
  const { sampleEvents } = await services.sample();
  const sampled = await sampleEvents({
    params,
    keyring,
    globals,
    now,
    events,
    output,
    allow_subprocess: false,
  });
  if (E.isLeft(sampled)) return sampled;
  const inspector = makeInspector();
  let timestamps = 0;
  let ms = 0;
  let before = clock.monotonicMs();
  for await (const batch of sampled.right.batches) {
    ms += clock.monotonicMs() - before;
    timestamps += batch.timestamps;
    const { micros, formatted, failures } = batch;
    await inspector.add({ micros, events: formatted, failures });
    before = clock.monotonicMs();
  }
  ms += clock.monotonicMs() - before;
  const schedule = await measureSchedule(options);
  if (E.isLeft(schedule)) return schedule;
  const made = await inspector.report();
  return E.right({
    zone: sampled.right.zone,
    report: {
      generator: params.id,
      seed: sampled.right.seed,
      now,
      timezone: params.timezone,
      wanted: events,
      timestamps,
      ...made,
      limits: [...made.limits, ...scheduleHits(schedule.right)],
      schedule: schedule.right,
      rates: ratesOf(schedule.right, made, timestamps),
      speed: speedOf(made, ms / 1_000),
    },
  });
};
