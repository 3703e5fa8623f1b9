import * as E from 'fp-ts/lib/Either.js';
import { deadLetterFiles } from '../adapters/deadLetters/files.js';
import { systemClock } from '../adapters/systemClock.js';
import type { Result } from '../domain/errors.js';
import { SEARCHING } from '../domain/events/timestampBatch.js';
import type { GeneratorDefinition } from '../domain/generator.js';
import type { Random } from '../domain/random.js';
import { knownSecrets } from '../domain/secrets.js';
import type { Micros } from '../domain/time/micros.js';
import type { RunJob } from '../host/protocol.js';
import type { DestinationParts, PartBuilders } from '../pipeline/build.js';
import { buildersOf, type PartsContext, type PipelineRegistry } from '../plugins/buildParts.js';
import type { EventProducer, Formatter, Input } from '../plugins/kit.js';
import type { DeadLetters } from '../ports/deadLetters.js';
import type { Log } from '../ports/log.js';
import { limitedProducer, MAX_BARREN, type Permit } from './bounds.js';

/** Calls a function as code of the run: a hang in it is charged to the run. */
export type Work = <A>(call: () => A) => A;

export interface JobParts extends DestinationParts {
  readonly builders: PartBuilders;
  readonly tags: readonly (readonly string[])[];
  /** Random numbers of the event plugin; a checkpoint stores their position. */
  readonly eventRandom: Random;
}

export const jobParts = async (
  definition: GeneratorDefinition,
  job: RunJob,
  services: { readonly registry: PipelineRegistry; readonly work: Work; readonly permit: Permit },
  context: PartsContext,
): Promise<Result<JobParts>> => {
  return E.map((parts: Omit<JobParts, 'deadLetters'>): JobParts => {
    const producer: PartBuilders['producer'] = async () =>
      E.map((built: EventProducer) => marked(withLimit(built, job.tweaks.limit, context.log), services.work))(
        await parts.builders.producer(),
      );
    const formatters = parts.builders.formatters.map(
      (build) => async () =>
        E.map((built: Formatter) => markedFormatter(built, services.work))(await build()),
    );
    const outputs =
      job.permit_ms === null
        ? parts.builders.outputs
        : parts.builders.outputs.map((open) => async () => E.map(services.permit.guard)(await open()));
    const { until } = job.tweaks;
    const inputs =
      until === null
        ? parts.builders.inputs
        : parts.builders.inputs.map(
            (build): (typeof parts.builders.inputs)[number] =>
              async (start) =>
                E.map((built: Input) => endingAt(built, until))(await build(start)),
          );
    return {
      ...parts,
      deadLetters: deadLettersOf(definition, job),
      builders: { ...parts.builders, producer, formatters, outputs, inputs },
    };
  })(await buildersOf(definition, services.registry, context));
};

/** An input that ends before a time. */
const endingAt = (input: Input, until: Micros): Input => {
  let isOver = false;
  const { remaining: _unknown, ...rest } = input;
  return {
    ...rest,
    fill: (out) => {
      if (isOver) return 0;
      const count = input.fill(out);
      if (count === SEARCHING) {
        isOver = (input.searchedTo?.() ?? 0) >= until;
        return isOver ? 0 : count;
      }
      if (count <= 0 || (out[count - 1] as Micros) < until) return count;
      isOver = true;
      return out.subarray(0, count).findIndex((micros) => micros >= until);
    },
  };
};

const deadLettersOf =
  (definition: GeneratorDefinition, { dead_letters }: RunJob): DestinationParts['deadLetters'] =>
  (index) => {
    if (dead_letters === null) return null;
    const name = definition.plugins.outputs[index] ?? 'output';
    return withoutSecrets(deadLetterFiles(`${dead_letters}/${index + 1}-${name}`, systemClock), definition);
  };

/** Masks secrets of the config in the reasons of letters; events are stored unchanged. */
const withoutSecrets = (deadLetters: DeadLetters, { secrets = [] }: GeneratorDefinition): DeadLetters => {
  const known = knownSecrets();
  for (const secret of secrets) known.add(secret);
  return { put: (events, reason) => deadLetters.put(events, known.hideError(reason)) };
};

const withLimit = (producer: EventProducer, limit: number | null, log: Log): EventProducer =>
  limitedProducer(producer, limit, () =>
    log.write('error', 'the run ends before its limit: its timestamps give no events', {
      reason: `${MAX_BARREN} timestamps in a row gave no event: all failed or were dropped`,
    }),
  );

const marked = (producer: EventProducer, work: Work): EventProducer => ({
  ...producer,
  produce: (request) => work(() => producer.produce(request)),
});

const markedFormatter = (formatter: Formatter, work: Work): Formatter => ({
  ...formatter,
  format: (events) => work(() => formatter.format(events)),
});
