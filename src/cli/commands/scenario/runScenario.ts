import * as E from 'fp-ts/lib/Either.js';
import { streamLog } from '../../../adapters/logs/streamLog.js';
import type { SingleRun } from '../../../daemon.js';
import { type GeneratorParams, NO_TWEAKS } from '../../../domain/generator.js';
import { MICROS_PER_SECOND } from '../../../domain/time/micros.js';
import type { CommandContext, Given } from '../../arguments/command.js';
import { configFileOf, paramsOf } from '../../arguments/generatorOptions.js';
import { keyringAccessOf } from '../../files/keyring.js';
import { reportError, usageError } from '../../report.js';
import { stopOnSignal } from '../../signals.js';
import { EXIT, exitCodeOf } from '../../terminal/io.js';
import { failureLines, summaryText } from '../../terminal/progress.js';
import { asMember, type LoadedIncident, loadIncident } from './incident.js';
import type { runOptions } from './run.js';
import { storyText } from './story.js';

/** Parameters of each member: its name is its id, and its seed comes from that of the story. */
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
export const runScenario = async (
  { options: values, positionals: [path = ''] }: Given<typeof runOptions>,
  { io, services }: CommandContext,
): Promise<number> => {
  const isLive = values['live-mode'] ?? true;
  const now = services.clock.now();
  const loaded = await loadIncident(path, { cwd: io.cwd, seed: values.seed, start: values.start, now });
  if (E.isLeft(loaded)) return reportError(io, loaded.left);
  const { story, incident } = loaded.right;
  if (isLive && story.start + incident.duration * MICROS_PER_SECOND < now)
    return usageError(
      io,
      'scenario run',
      '--start is so early that the incident is over: add --live-mode false',
    );
  const members = await memberParams(loaded.right, isLive, io.cwd);
  for (const one of members) if (E.isLeft(one)) return reportError(io, one.left);
  io.stderr.write(storyText(loaded.right));
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
              tweaks: { ...NO_TWEAKS, ...(isLive ? {} : { fixed_now: story.start }), starts_over: true },
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
