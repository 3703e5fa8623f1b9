import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { drawSeed } from '../../../adapters/entropy.js';
import { streamLog } from '../../../adapters/logs/streamLog.js';
import { memberDefinition } from '../../../config/incidents/member.js';
import { drawnBy, readIncidentFile, type StoredIncident } from '../../../daemon/incidentFiles.js';
import { failure, type Result } from '../../../domain/errors.js';
import { type GeneratorDefinition, type GeneratorParams, NO_TWEAKS } from '../../../domain/generator.js';
import {
  effectsOf,
  type IncidentRun,
  type Occurrence,
  occurrencesOf,
} from '../../../domain/incidents/incident.js';
import type { JsonObject } from '../../../domain/json.js';
import { parseIso, utcText } from '../../../domain/time/iso.js';
import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { utc } from '../../../domain/time/zone.js';
import { installed } from '../../../plugins/installed.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { configFileOf, paramsOf } from '../../arguments/sharedOptions.js';
import type { SingleRun } from '../../compose/single.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { EXIT, exitCodeOf, stopOnSignal } from '../../terminal/io.js';
import { failureLines, summaryText } from '../../terminal/progress.js';
import type { incidentRunOptions } from './group.js';

/** Parameters of each member: its name is its id, and its seed comes from that of the incident. */
const memberParams = async ({ members, seed }: LoadedIncident, isLive: boolean, cwd: string) =>
  Promise.all(
    members.map(async ({ name, path, params }) => {
      const file = await configFileOf(path, cwd);
      const given = paramsOf({ id: name, params, seed: `${seed}/${name}`, 'live-mode': isLive }, file);
      return E.map((one: GeneratorParams) => ({ name, params: one }))(given);
    }),
  );

/** A member that fails ends the others. */
const endOf = async (run: SingleRun, stopAll: () => void) => {
  const ended = await run.ended;
  if (ended.error !== null) stopAll();
  return ended;
};

/** Runs all members to their end. Resolves to the exit code. */
export const runIncident = async (
  { options: values, positionals: [path = ''] }: Given<typeof incidentRunOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const isLive = values['live-mode'] ?? true;
  const now = services.clock.now();
  const loaded = await loadIncident(path, { cwd: io.cwd, seed: values.seed, start: values.start, now });
  if (E.isLeft(loaded)) return reportError(io, loaded.left);
  const { run: incidentRun, incident } = loaded.right;
  if (isLive && incidentRun.start + incident.duration * MICROS_PER_SECOND < now)
    return usageError(
      io,
      'incident run',
      '--start is so early that the incident is over: add --live-mode false',
    );
  const members = await memberParams(loaded.right, isLive, io.cwd);
  for (const one of members) if (E.isLeft(one)) return reportError(io, one.left);
  io.stderr.write(incidentText(loaded.right));
  const log = streamLog({ level: 'warning', format: 'plain', write: io.stderr.write });
  const keyring = keyringAccessOf(values['keyring-cryptfile'], io);
  const { runSingle } = await services.single();
  const startedMs = services.clock.monotonicMs();
  const runs = members.flatMap((one) =>
    E.isLeft(one)
      ? []
      : [
          {
            name: one.right.name,
            run: runSingle({
              params: {
                ...one.right.params,
                checkpoint: false,
                keep_order: true,
                // An incident that begins now has no past: what is due before its members are up is late, not over.
                skip_past: values.start !== undefined,
              },
              tweaks: {
                ...NO_TWEAKS,
                ...(isLive ? {} : { fixed_now: incidentRun.start }),
                starts_over: true,
              },
              allow_subprocess: false,
              log,
              state: null,
              keyring,
              change: asMember(loaded.right, one.right.name),
            }),
          },
        ],
  );
  const stopAll = (): void => {
    for (const { run } of runs) run.stop();
  };
  const signals = stopOnSignal(io, stopAll);
  const ends = await Promise.all(
    runs.map(async ({ name, run }) => ({ name, ...(await endOf(run, stopAll)) })),
  );
  signals.release();
  let code: number = EXIT.ok;
  const seconds = (services.clock.monotonicMs() - startedMs) / 1_000;
  for (const { error, stats } of ends) {
    if (stats !== null) io.stderr.write(`${summaryText(stats, seconds, isLive)}\n`);
    const failures = stats === null ? [] : failureLines(stats);
    if (error !== null) code = reportError(io, error);
    else if (failures.length > 0) {
      for (const line of failures) io.stderr.write(`spate: ${line}.\n`);
      code = EXIT.failed;
    }
  }
  const signal = signals.received();
  return signal === null ? code : exitCodeOf(signal);
};

const occurrenceText = ({ phase, number }: Occurrence): string => {
  const again = phase.repeat === null ? '' : ` (${number} of ${phase.repeat.times})`;
  const effects = effectsOf(phase).map(({ member, effect }) => `${member} ${effect}`);
  return `${phase.name}${again}: ${effects.join(', ') || 'globals change'}`;
};

/** Entities, then a line for each beginning of a phase. */
export const incidentText = ({ run, seed }: LoadedIncident): string => {
  const { incident, drawn } = run;
  const at = (seconds: number): string => utcText(run.start + Math.round(seconds * MICROS_PER_SECOND));
  return [
    `incident ${incident.name}, seed ${seed}`,
    ...Object.entries(drawn).map(([name, value]) => `  ${name} ${JSON.stringify(value)}`),
    `${at(0)}  begins`,
    ...occurrencesOf(incident).map((one) => `${at(one.from)}  ${occurrenceText(one)}, until ${at(one.to)}`),
    `${at(incident.duration)}  ends`,
    '',
  ].join('\n');
};

interface LoadedIncident extends StoredIncident {
  readonly seed: string;
  readonly run: IncidentRun;
}

/** Reads an incident and settles what is left to chance: its seed and its beginning. */
export const loadIncident = async (
  path: string,
  given: {
    readonly cwd: string;
    readonly seed: string | undefined;
    readonly start: string | undefined;
    readonly now: Micros;
  },
): Promise<Result<LoadedIncident>> => {
  const file = resolve(given.cwd, path);
  const read = await readIncidentFile(file);
  if (E.isLeft(read)) return read;
  const start = given.start === undefined ? given.now : parseIso(given.start, utc);
  if (start === null)
    return E.left(
      failure(
        'invalid',
        `--start must be an ISO 8601 time such as 2026-01-31T12:00:00Z, not "${given.start}"`,
      ),
    );
  const seed = given.seed ?? drawSeed();
  const { incident } = read.right;
  return E.map((drawn: JsonObject): LoadedIncident => {
    const range = { from: 0, to: incident.duration };
    return { ...read.right, seed, run: { incident, drawn, start, range, isAlone: true } };
  })(await drawnBy(file, read.right, seed));
};

/** Returns the definition of a generator as a member of the incident, or an error when it cannot be one. */
const asMember =
  ({ run, refusal }: LoadedIncident, member: string) =>
  (definition: GeneratorDefinition): Result<GeneratorDefinition> =>
    memberDefinition(definition, { member, run, shape: installed().shapes.generator, refusal });
