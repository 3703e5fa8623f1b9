import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFiles } from '../adapters/deadLetterFiles.js';
import { systemClock } from '../adapters/systemClock.js';
import type { SpateError } from '../domain/errors.js';
import type { GeneratorDefinition } from '../domain/generator.js';
import { knownSecrets } from '../domain/knownSecrets.js';
import type { Random } from '../domain/random.js';
import type { RunJob } from '../host/protocol.js';
import type { DestinationParts, PartBuilders } from '../pipeline/build.js';
import { limited, MAX_BARREN } from '../pipeline/limit.js';
import { buildersOf, type PartsContext, type PipelineRegistry } from '../plugins/buildParts.js';
import type { EventProducer } from '../plugins/kit.js';
import type { DeadLetters } from '../ports/deadLetters.js';
import type { Log } from '../ports/log.js';

/** Marks the run as being at work on its thread; `leave` takes what `enter` gave. */
export interface WorkMark {
  readonly enter: () => number;
  readonly leave: (before: number) => void;
}

/** Everything that a pipeline takes from the config of one definition. */
export interface JobParts extends DestinationParts {
  readonly builders: PartBuilders;
  readonly tags: readonly (readonly string[])[];
  /** Random numbers of the event plugin, whose position a checkpoint holds. */
  readonly eventRandom: Random;
}

/** How to build the parts of a definition on this thread. */
export const jobParts = (
  definition: GeneratorDefinition,
  job: RunJob,
  around: { readonly registry: PipelineRegistry; readonly work: WorkMark },
  context: PartsContext,
): E.Either<SpateError, JobParts> => {
  const { work } = around;
  return E.map((parts: JobParts): JobParts => {
    const producer: PartBuilders['producer'] = async () => {
      const before = work.enter();
      try {
        return E.map((built: EventProducer) => dress(built, job.tweaks.limit, work, context.log))(
          await parts.builders.producer(),
        );
      } finally {
        work.leave(before);
      }
    };
    return { ...parts, builders: { ...parts.builders, producer } };
  })(
    E.map((parts: Omit<JobParts, 'deadLetters'>) => ({ ...parts, deadLetters: lettersOf(definition, job) }))(
      buildersOf(definition, around.registry, context),
    ),
  );
};

const lettersOf =
  (definition: GeneratorDefinition, { dead_letters }: RunJob): DestinationParts['deadLetters'] =>
  (index) => {
    if (dead_letters === null) return null;
    const name = definition.plugins.outputs[index] ?? 'output';
    return withoutSecrets(deadLetterFiles(`${dead_letters}/${index + 1}-${name}`, systemClock), definition);
  };

/** Letters whose reasons show no secret of the config; the events in them are what they are. */
const withoutSecrets = (letters: DeadLetters, { secrets = [] }: GeneratorDefinition): DeadLetters => {
  const known = knownSecrets();
  for (const secret of secrets) known.add(secret);
  return { put: (events, reason) => letters.put(events, known.hideError(reason)) };
};

/** The producer with its limit, marked as at work during each call. */
const dress = (producer: EventProducer, limit: number | null, work: WorkMark, log: Log): EventProducer => {
  const bounded = limited(producer, limit, () =>
    log.write('error', 'the run is given up before its limit: nothing comes of its timestamps', {
      reason: `${MAX_BARREN} timestamps in a row gave no event, all failed or were dropped`,
    }),
  );
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
