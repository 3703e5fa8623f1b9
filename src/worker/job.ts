import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFiles } from '../adapters/deadLetterFiles.js';
import { drawSeed, uniform } from '../adapters/entropy.js';
import { fixedClock, systemClock } from '../adapters/systemClock.js';
import { failure, type SpateError } from '../domain/errors.js';
import type { GenerationParams } from '../domain/generator.js';
import type { GlobalsView } from '../domain/globals.js';
import { seededRandom } from '../domain/seededRandom.js';
import { statsOver } from '../domain/stats.js';
import { zoneOf } from '../domain/time/zone.js';
import type { RunJob } from '../host/protocol.js';
import { limited } from '../pipeline/limit.js';
import type { RetryPolicy } from '../pipeline/retry.js';
import { type PipelineEnd, runPipeline } from '../pipeline/run.js';
import type { PipelineRegistry } from '../plugins/buildParts.js';
import { buildersOf } from '../plugins/buildParts.js';
import type { EventProducer } from '../plugins/kit.js';
import type { Log } from '../ports/log.js';
import { checkpointSaver, findCheckpoint } from './checkpoint.js';

/** Marks the run as being at work on its thread; `leave` takes what `enter` gave. */
export interface WorkMark {
  readonly enter: () => number;
  readonly leave: (before: number) => void;
}

export interface JobSurroundings {
  readonly registry: PipelineRegistry;
  readonly draining: AbortController;
  readonly signal: AbortSignal;
  readonly globals: GlobalsView;
  readonly log: Log;
  readonly work: WorkMark;
  readonly onRunning: () => void;
}

/** Runs one generator on this thread, from its definition to its end. */
export const runJob = async (
  job: RunJob,
  around: JobSurroundings,
): Promise<E.Either<SpateError, PipelineEnd>> => {
  const { definition, tweaks } = job;
  const { params } = definition;
  const zone = zoneOf(params.timezone);
  if (zone === null)
    return E.left(failure('invalid', `timezone "${params.timezone}" is not an IANA time zone`));
  const found = await findCheckpoint(job, around.log);
  if (E.isLeft(found)) return found;
  const restored = found.right;
  if (restored?.is_finished === true) {
    around.log.write('info', 'the stream has ended in an earlier run: its checkpoint says so', {
      hint: 'start it again once it shows as finished, or delete its checkpoint, to begin anew',
    });
    around.onRunning();
    return E.right('completed');
  }
  const seed = restored?.seed ?? params.seed ?? drawSeed();
  if (params.seed === null)
    around.log.write('debug', 'seed drawn; give it as `seed` to repeat this run', { seed });
  const clock = tweaks.fixed_now === null ? systemClock : fixedClock(tweaks.fixed_now);
  const now = restored?.now ?? clock.now();
  if (restored?.globals) around.globals.update(restored.globals);
  const parts = buildersOf(definition, around.registry, {
    zone,
    clock,
    random: seededRandom(seed),
    log: around.log,
    signal: around.signal,
    globals: around.globals,
    ...(job.checkpoint === null ? {} : { now }),
  });
  if (E.isLeft(parts)) return parts;
  const { builders, tags, outputLog, eventRandom } = parts.right;
  const stats = statsOver(job.stats, definition.plugins.inputs.length, definition.plugins.outputs.length);
  return runPipeline({
    builders: {
      ...builders,
      producer: async () => {
        const before = around.work.enter();
        const built = await builders.producer();
        around.work.leave(before);
        if (E.isLeft(built)) return built;
        if (restored !== null) eventRandom.restore(restored.random);
        return E.right(dress(built.right, tweaks.limit, around.work));
      },
    },
    tags,
    isLive: params.live_mode && !tweaks.never_waits,
    batch: params.batch,
    queue: params.queue,
    keep_order: params.keep_order,
    max_concurrency: params.max_concurrency,
    write_timeout_ms: params.write_timeout * 1000,
    clock,
    stats,
    log: around.log,
    draining: around.draining,
    signal: around.signal,
    outputLog,
    retry: policyOf(params.retry),
    random: uniform,
    deadLetters: (index) => {
      const name = definition.plugins.outputs[index] ?? 'output';
      return job.dead_letters === null
        ? null
        : deadLetterFiles(`${job.dead_letters}/${index + 1}-${name}`, systemClock);
    },
    checkpoint:
      job.checkpoint === null
        ? null
        : {
            restored,
            save: checkpointSaver(job.checkpoint, job, { seed, now }),
            surroundings: () => ({
              random: eventRandom.snapshot(),
              globals: definition.scenarios.length === 0 ? around.globals.snapshot() : null,
            }),
          },
    onRunning: around.onRunning,
  });
};

const policyOf = ({ attempts, base_delay, max_delay }: GenerationParams['retry']): RetryPolicy => ({
  attempts,
  base_ms: base_delay * 1000,
  cap_ms: max_delay * 1000,
});

/** The producer with its limit, marked as at work during each call. */
const dress = (producer: EventProducer, limit: number | null, work: WorkMark): EventProducer => {
  const bounded = limited(producer, limit);
  return {
    ...bounded,
    produce: (request) => {
      const before = work.enter();
      try {
        return bounded.produce(request);
      } finally {
        work.leave(before);
      }
    },
  };
};
