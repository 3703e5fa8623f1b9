import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../domain/errors.js';
import type { EventProducer, Formatter, Input, InputStart, Output } from '../plugins/kit.js';
import type { DeadLetters } from '../ports/deadLetters.js';
import type { Log } from '../ports/log.js';
import type { Destination } from './delivery/writer.js';

type Build<A> = () => Promise<Result<A>>;

/** What builds the parts of a pipeline; each gives a located error instead of a part. */
export interface PartBuilders {
  readonly producer: Build<EventProducer>;
  readonly formatters: readonly Build<Formatter>[];
  readonly outputs: readonly Build<Output>[];
  readonly inputs: readonly ((start: InputStart) => Promise<Result<Input>>)[];
}

/** What the destinations of a generator have besides their output; each by its number from 0. */
export interface DestinationParts {
  readonly outputLog: (index: number) => Log;
  /** Where undeliverable events go; `null`: they count as failed. */
  readonly deadLetters: (index: number) => DeadLetters | null;
}

/** Runs all builders at once; Left with every failure when one fails, after all have answered. */
export const buildAll = async <A>(builders: readonly Build<A>[]): Promise<Result<readonly A[]>> => {
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
    else parts.push(result.right);
  }
  const [first, ...others] = failures;
  if (first === undefined) return E.right(parts);
  if (others.length === 0) return E.left(first);
  return E.left({
    ...first,
    message: failures.map(({ message }) => message).join('; '),
    issues: failures.flatMap(({ issues }) => issues ?? []),
  });
};

/**
 * Opens the destinations with the given numbers; `onOpen` hears of every output that is open, also where
 * another one fails.
 */
export const openDestinations = async (
  builders: PartBuilders,
  { outputLog, deadLetters }: DestinationParts,
  indexes: readonly number[],
  onOpen: (output: Output, log: Log) => void,
): Promise<Result<readonly Destination[]>> => {
  const formatters = await buildAll(indexes.map((index) => builders.formatters[index] as Build<Formatter>));
  if (E.isLeft(formatters)) return formatters;
  const outputs = await buildAll(
    indexes.map((index) => async () => {
      const opened = await (builders.outputs[index] as Build<Output>)();
      if (E.isRight(opened)) onOpen(opened.right, outputLog(index));
      return opened;
    }),
  );
  if (E.isLeft(outputs)) return outputs;
  return E.right(
    indexes.map((index, at) => ({
      index,
      output: outputs.right[at] as Output,
      formatter: formatters.right[at] as Formatter,
      log: outputLog(index),
      deadLetters: deadLetters(index),
    })),
  );
};
