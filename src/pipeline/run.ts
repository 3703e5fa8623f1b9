import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import type { StreamPosition } from '../domain/checkpoint.js';
import { failure, reasonOf, type SpateError } from '../domain/errors.js';
import { readGenerated } from '../domain/stats.js';
import type { EventProducer, Formatter, Input, Output } from '../plugins/kit.js';
import type { DeadLetters } from '../ports/deadLetters.js';
import type { Log } from '../ports/log.js';
import { type CheckpointKeeping, makeCheckpointer, noCheckpointer } from './checkpoint.js';
import { type PipelineParts, pipeline } from './pipeline.js';
import { restoreInput, trackInput } from './trackInput.js';
import type { Destination } from './writer.js';

/** How a pipeline ended when it did not fail. */
export type PipelineEnd = 'completed' | 'drained';

/** What builds the parts; each gives a located error instead of a part. */
export interface PartBuilders {
  readonly producer: () => Promise<E.Either<SpateError, EventProducer>>;
  readonly formatters: readonly (() => Promise<E.Either<SpateError, Formatter>>)[];
  readonly outputs: readonly (() => Promise<E.Either<SpateError, Output>>)[];
  /** Built last, so that `now` is the moment generation starts. */
  readonly inputs: readonly (() => Promise<E.Either<SpateError, Input>>)[];
}

export type RunOptions = Omit<
  PipelineParts,
  'inputs' | 'producer' | 'destinations' | 'checkpointer' | 'onInputFailure' | 'onAllGone'
> & {
  readonly builders: PartBuilders;
  /** Log of the output with this number, from 0. */
  readonly outputLog: (index: number) => Log;
  /** Where undeliverable events of the output with this number go, from 0. */
  readonly deadLetters: (index: number) => DeadLetters | null;
  /** `null`: the position is not kept. */
  readonly checkpoint: {
    /** Where an earlier run stopped; `null`: at the beginning. */
    readonly restored: StreamPosition | null;
    readonly save: CheckpointKeeping['save'];
    /** What else the position is made of, at the moment of the call. */
    readonly surroundings: () => Pick<StreamPosition, 'random' | 'globals'>;
  } | null;
  /** Called once every output is open and the first timestamp may flow. */
  readonly onRunning: () => void;
};

/**
 * Runs one pipeline from building its parts to closing them. Outputs are open before anything is
 * produced; whatever was opened is flushed and closed, however it ends.
 */
export const runPipeline = async (options: RunOptions): Promise<E.Either<SpateError, PipelineEnd>> => {
  const outputs: Output[] = [];
  let producer: EventProducer | null = null;
  try {
    const built = await all([options.builders.producer]);
    if (E.isLeft(built)) return built;
    [producer] = built.right as [EventProducer];
    const formatters = await all(options.builders.formatters);
    if (E.isLeft(formatters)) return formatters;
    const opened = await all(options.builders.outputs, (output) => outputs.push(output));
    if (E.isLeft(opened)) return opened;
    const inputs = await all(options.builders.inputs);
    if (E.isLeft(inputs)) return inputs;
    const destinations = opened.right.map(
      (output, index): Destination => ({
        index,
        output,
        formatter: formatters.right[index] as Formatter,
        log: options.outputLog(index),
        deadLetters: options.deadLetters(index),
      }),
    );
    const prepared = await prepareCheckpoint(options, producer, inputs.right);
    if (E.isLeft(prepared)) return prepared;
    options.onRunning();
    return await flow({ ...options, ...prepared.right, producer, destinations });
  } finally {
    await closeAll(outputs, producer, options.log);
  }
};

/** Puts the parts where the stream stopped, and makes what keeps its position from here on. */
const prepareCheckpoint = async (
  { checkpoint, stats, clock, log, signal }: RunOptions,
  producer: EventProducer,
  built: readonly Input[],
): Promise<E.Either<SpateError, Pick<PipelineParts, 'inputs' | 'checkpointer'>>> => {
  if (checkpoint === null) return E.right({ inputs: built, checkpointer: noCheckpointer });
  const { restored, save, surroundings } = checkpoint;
  try {
    if (restored !== null && restored.event !== null) await producer.restore?.(restored.event);
    for (const [index, position] of (restored?.inputs ?? []).entries()) {
      restoreInput(built[index] as Input, position);
    }
  } catch (thrown) {
    return E.left(
      failure('bad_checkpoint', `the stream cannot go on from its checkpoint: ${reasonOf(thrown)}`),
    );
  }
  const inputs = built.map(trackInput);
  const take = (): StreamPosition => ({
    inputs: inputs.map((input, index) => input.positionAfter(readGenerated(stats, index))),
    event: producer.snapshot?.() ?? null,
    ...surroundings(),
  });
  // Saved before the first event: a crash in the first second then goes on with the same seed and times.
  const first = restored === null ? await save(take(), false) : E.right(undefined);
  if (E.isLeft(first)) return first;
  return E.right({ inputs, checkpointer: makeCheckpointer({ take, save, clock, log, signal }) });
};

/** Runs all builders at once; Left with every failure when one fails, after all have answered. */
const all = async <A>(
  builders: readonly (() => Promise<E.Either<SpateError, A>>)[],
  onBuilt: (part: A) => void = () => {},
): Promise<E.Either<SpateError, readonly A[]>> => {
  const results = await Promise.all(
    builders.map(async (build) => {
      try {
        return await build();
      } catch (thrown) {
        return E.left(failure('bug', `building a plugin threw: ${reasonOf(thrown)}`));
      }
    }),
  );
  const failures: SpateError[] = [];
  const parts: A[] = [];
  for (const result of results) {
    if (E.isLeft(result)) failures.push(result.left);
    else {
      parts.push(result.right);
      onBuilt(result.right);
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return E.right(parts);
  if (others.length === 0) return E.left(first);
  return E.left({ ...first, message: failures.map(({ message }) => message).join('; ') });
};

const flow = async (
  parts: Omit<PipelineParts, 'onInputFailure' | 'onAllGone'>,
): Promise<E.Either<SpateError, PipelineEnd>> => {
  const failed: string[] = [];
  const ending: { gone: SpateError | null; isAsked: boolean } = { gone: null, isAsked: false };
  parts.draining.signal.addEventListener('abort', () => {
    ending.isAsked = parts.draining.signal.reason === DRAIN;
  });
  const onInputFailure = (number: number, reason: string): void => {
    failed.push(reason);
    parts.log.write('error', 'an input failed and is left out', { plugin_id: number + 1, reason });
  };
  const onAllGone = (error: SpateError): void => {
    ending.gone = error;
    parts.draining.abort();
  };
  try {
    await lastValueFrom(pipeline({ ...parts, onInputFailure, onAllGone }), { defaultValue: 0 });
  } catch (thrown) {
    return E.left(failure('bug', `the pipeline threw: ${reasonOf(thrown)}`));
  }
  if (ending.gone !== null) return E.left(ending.gone);
  if (failed.length === parts.inputs.length) {
    return E.left(failure('input_failed', `every input failed: ${failed.join('; ')}`));
  }
  await parts.checkpointer.finish(!ending.isAsked);
  return E.right(ending.isAsked ? 'drained' : 'completed');
};

/** Reason of the draining signal when somebody asked for the end (and not the producer's exhaustion). */
export const DRAIN = 'drain';

const closeAll = async (
  outputs: readonly Output[],
  producer: EventProducer | null,
  log: Log,
): Promise<void> => {
  const closing = outputs.map(async (output, index) => {
    const closed = await output.close();
    if (E.isRight(closed)) return;
    log.write('error', 'an output could not be closed', {
      plugin_id: index + 1,
      reason: closed.left.message,
    });
  });
  const results = await Promise.allSettled([...closing, producer?.close()]);
  for (const result of results) {
    if (result.status === 'rejected') {
      log.write('error', 'closing a plugin threw', { reason: reasonOf(result.reason) });
    }
  }
};
