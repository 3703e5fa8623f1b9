import * as E from 'fp-ts/lib/Either.js';
import { drawSeed, uniform } from '../adapters/entropy.js';
import { fixedClock, systemClock } from '../adapters/systemClock.js';
import { failure, type Result } from '../domain/errors.js';
import type { GenerationParams } from '../domain/generator.js';
import type { GlobalsView } from '../domain/globals/globals.js';
import { WHOLE } from '../domain/partitions.js';
import { seededRandom } from '../domain/random.js';
import { setTo, statsOver } from '../domain/stats/stats.js';
import { resolveBeginning } from '../domain/time/expression.js';
import type { Micros } from '../domain/time/micros.js';
import { type Zone, zoneOf } from '../domain/time/zone.js';
import type { RunJob } from '../host/protocol.js';
import type { RetryPolicy } from '../pipeline/delivery/attempts.js';
import type { ApplyPatch } from '../pipeline/patch.js';
import type { Tap } from '../pipeline/produce.js';
import { type PipelineEnd, type RunCheckpoint, runPipeline } from '../pipeline/run.js';
import type { PartsContext, PipelineRegistry } from '../plugins/buildParts.js';
import { inputGlobals } from '../plugins/inputGlobals.js';
import type { Log } from '../ports/log.js';
import type { Python, RunCommand } from '../ports/processes.js';
import { eventsGiven, type Permit } from './bounds.js';
import {
  type CheckpointSlot,
  checkpointFile,
  checkpointSaver,
  type FoundCheckpoint,
  findCheckpoint,
  fingerprintOf,
  inputStart,
  partitionOfRun,
} from './checkpoint.js';
import { type JobParts, jobParts, type Work } from './parts.js';
import { type CurrentParts, type PatchJob, patchOf } from './patch.js';

export interface JobContext {
  readonly registry: PipelineRegistry;
  readonly draining: AbortController;
  readonly signal: AbortSignal;
  /** Ends when another run of the generator may have begun. */
  readonly disowned: AbortSignal;
  readonly globals: GlobalsView;
  readonly log: Log;
  readonly work: Work;
  /** Runs commands of templates. Null when they may run none. */
  readonly runCommand: RunCommand | null;
  readonly python: Python;
  readonly tap: Tap;
  /** The checkpoint that the main thread stores. */
  readonly checkpointOnMain: CheckpointSlot;
  readonly permit: Permit;
  /** Called once events flow; patches may come from then on, one at a time. */
  readonly onRunning: (patch: PatchJob) => void;
}

/** Runs one generator on this thread, from its definition to its end. */
export const runJob = async (job: RunJob, context: JobContext): Promise<Result<PipelineEnd>> => {
  const { definition, tweaks } = job;
  const { params, base } = definition;
  const zone = zoneOf(params.timezone);
  if (zone === null)
    return E.left(failure('invalid', `timezone "${params.timezone}" is not an IANA time zone`));
  const slot = slotOf(job, context);
  const found = await findCheckpoint(job, slot, context.log);
  if (E.isLeft(found)) return found;
  const { inputs, outputs, templates: counted = [] } = definition.plugins;
  const stats = statsOver(job.stats, inputs.length, outputs.length, counted.length);
  setTo(stats, 'produced_before', eventsBefore(found.right));
  if (hasEnded(found.right)) {
    context.log.write('info', 'the stream ended in an earlier run, according to its checkpoint', {
      hint: 'to start over, start the generator again once it is finished, or delete its checkpoint',
    });
    context.onRunning(async () => E.left(failure('wrong_state', 'the generator has ended')));
    return E.right('completed');
  }
  const earlier = found.right?.checkpoint ?? null;
  const seed = earlier?.seed ?? params.seed ?? base?.seed ?? drawSeed();
  if (params.seed === null)
    context.log.write('debug', 'random seed drawn; set `seed` to it to repeat this run', { seed });
  const clock = tweaks.fixed_now === null ? systemClock : fixedClock(tweaks.fixed_now);
  if (earlier?.globals) context.globals.update(earlier.globals);
  const templates = {
    limits: params.template_limits,
    runCommand: context.runCommand,
    isTraced: tweaks.is_traced,
  };
  const laid = inputGlobals();
  const partsContext = (branch: string | null): PartsContext => {
    const root = seededRandom(seed);
    const random = branch === null ? root : root.fork(branch);
    return {
      ...context,
      zone,
      clock,
      random,
      partition: params.partition ?? WHOLE,
      piece: tweaks.piece,
      templates,
      inputGlobals: laid,
    };
  };
  const parts = await jobParts(definition, job, context, partsContext(null));
  if (E.isLeft(parts)) return parts;
  const current: CurrentParts = { definition, parts: parts.right };
  const isLive = params.live_mode && !tweaks.never_waits;
  /** The present, or the start of all partitions. */
  const startTime = (): Micros => tweaks.fixed_now ?? base?.now ?? clock.now();
  const reachable = beginningOf(params.from, startTime(), zone);
  if (E.isLeft(reachable)) return reachable;
  const begin = (): Micros => {
    const at = startTime();
    return E.getOrElse(() => at)(beginningOf(params.from, at, zone));
  };
  const start = { seed, now: earlier?.now ?? begin() };
  return runPipeline({
    ...(earlier === null ? parts.right : withRandom(parts.right, earlier.random)),
    isLive,
    batch: params.batch,
    queue: params.queue,
    keep_order: params.keep_order,
    max_concurrency: params.max_concurrency,
    write_timeout_ms: params.write_timeout * 1000,
    retry: policyOf(params.retry),
    random: uniform,
    clock,
    stats,
    startsInPast: params.from !== null,
    log: context.log,
    draining: context.draining,
    signal: context.signal,
    tap: context.tap,
    start: () => inputStart(found.right, params, begin()),
    partition: partitionOfRun(definition, found.right, clock.now()),
    checkpoint: keepingOf(job, slot, current, found.right, start, context),
    onRunning: (apply: ApplyPatch) =>
      context.onRunning(
        patchOf(current, apply, (next, branch) => jobParts(next, job, context, partsContext(branch))),
      ),
  });
};

const beginningOf = (from: string | null, start: Micros, zone: Zone): Result<Micros> =>
  from === null
    ? E.right(start)
    : E.mapLeft((problem: string) => failure('invalid', `from ${problem}`))(
        resolveBeginning(from, start, zone),
      );

const hasEnded = (found: FoundCheckpoint | null): boolean =>
  found?.checkpoint.is_finished === true && found.isInputSame && found.isEventSame;

/** Events of earlier runs, if the event plugin resumes from the checkpoint. */
const eventsBefore = (found: FoundCheckpoint | null): number =>
  found === null || !found.isEventSame || found.checkpoint.event === null
    ? 0
    : eventsGiven(found.checkpoint.event);

const slotOf = (
  { checkpoint }: RunJob,
  { checkpointOnMain }: Pick<JobContext, 'checkpointOnMain'>,
): CheckpointSlot | null => {
  if (checkpoint === null) return null;
  return checkpoint.kind === 'file' ? checkpointFile(checkpoint.path) : checkpointOnMain;
};

const keepingOf = (
  job: RunJob,
  slot: CheckpointSlot | null,
  current: CurrentParts,
  found: FoundCheckpoint | null,
  start: { readonly seed: string; readonly now: number },
  { globals, disowned }: Pick<JobContext, 'globals' | 'disowned'>,
): RunCheckpoint | null => {
  if (slot === null) return null;
  const isPrivate = job.definition.scenarios.length === 0;
  return {
    restored:
      found === null
        ? null
        : {
            inputs: found.isInputSame ? found.checkpoint.inputs : null,
            event: found.isEventSame ? found.checkpoint.event : null,
            last: found.isInputSame ? found.checkpoint.last : null,
          },
    save: checkpointSaver(slot, job.tweaks.limit, start),
    disowned,
    surroundings: () => ({
      random: current.parts.eventRandom.snapshot(),
      globals: isPrivate ? globals.snapshot() : null,
      fingerprint: fingerprintOf(current.definition),
    }),
  };
};

/** The event plugin continues the random numbers of the earlier run, restored after it is built: building draws some. */
const withRandom = (parts: JobParts, state: readonly number[]): JobParts => {
  const producer: JobParts['builders']['producer'] = async () => {
    const built = await parts.builders.producer();
    parts.eventRandom.restore(state);
    return built;
  };
  return { ...parts, builders: { ...parts.builders, producer } };
};

const policyOf = ({ attempts, base_delay, max_delay }: GenerationParams['retry']): RetryPolicy => ({
  attempts,
  base_ms: base_delay * 1000,
  cap_ms: max_delay * 1000,
});
