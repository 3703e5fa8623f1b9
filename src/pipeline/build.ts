import * as E from 'fp-ts/lib/Either.js';
import { type Result, type SpateError, thrownError } from '../domain/errors.js';
import type { Micros } from '../domain/time/micros.js';
import type {
  DeliveryChoices,
  EventProducer,
  Formatter,
  Imperfections,
  Input,
  InputStart,
  Output,
  OutputRoute,
} from '../plugins/kit.js';
import type { DeadLetters } from '../ports/deadLetters.js';
import type { Log } from '../ports/log.js';
import type { Destination } from './delivery/writer.js';
import type { Dealt } from './schedule/deal.js';
import type { TrackedInput } from './schedule/trackInput.js';

type Build<A> = () => Promise<Result<A>>;

/** Builders of the parts of a pipeline; each gives a part or a located error. */
export interface PartBuilders {
  readonly producer: Build<EventProducer>;
  readonly formatters: readonly Build<Formatter>[];
  readonly outputs: readonly Build<Output>[];
  /** Choices of events. Null or undefined when an output gets every event. */
  readonly routes?: readonly Build<OutputRoute | null>[];
  /** Errors on purpose. Null or undefined when an output makes none. */
  readonly imperfections?: readonly Build<Imperfections | null>[];
  readonly inputs: readonly ((start: InputStart) => Promise<Result<Input>>)[];
}

/** Log, dead letters and choices of each destination, by its number from 0. */
export interface DestinationParts {
  readonly outputLog: (index: number) => Log;
  /** Stores undeliverable events. Null when these count as failed. */
  readonly deadLetters: (index: number) => DeadLetters | null;
  readonly delivery?: (index: number) => DeliveryChoices;
}

/** Runs all builders at once and waits for all. Returns one error that joins the failures. */
export const buildAll = async <A>(builders: readonly Build<A>[]): Promise<Result<readonly A[]>> => {
  const results = await Promise.all(
    builders.map(async (build) => {
      try {
        return await build();
      } catch (thrown) {
        return E.left(thrownError('building a plugin threw', thrown));
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

/** Builds the choices of events of the outputs with the given numbers. A choice is null for every event. */
export const buildRoutes = (
  { routes }: Pick<PartBuilders, 'routes'>,
  indexes: readonly number[],
): Promise<Result<readonly (OutputRoute | null)[]>> =>
  buildAll(indexes.map((index) => routes?.[index] ?? (async () => E.right(null))));

/** Opens the destinations with the given numbers; `onOpen` gets every opened output, also when another one fails. */
export const openDestinations = async (
  builders: PartBuilders,
  { outputLog, deadLetters, delivery }: DestinationParts,
  indexes: readonly number[],
  onOpen: (output: Output, log: Log) => void,
): Promise<Result<readonly Destination[]>> => {
  const formatters = await buildAll(indexes.map((index) => builders.formatters[index] as Build<Formatter>));
  if (E.isLeft(formatters)) return formatters;
  const routes = await buildRoutes(builders, indexes);
  if (E.isLeft(routes)) return routes;
  const imperfections = await buildAll(
    indexes.map((index) => async () => {
      const opened = await (builders.imperfections?.[index]?.() ?? E.right(null));
      const truth = E.isRight(opened) ? (opened.right?.truth ?? null) : null;
      if (truth !== null) onOpen(truth, outputLog(index));
      return opened;
    }),
  );
  if (E.isLeft(imperfections)) return imperfections;
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
      route: routes.right[at] ?? null,
      imperfections: imperfections.right[at] ?? null,
      ...(delivery === undefined ? {} : { choices: delivery(index) }),
    })),
  );
};

/** The parts that run now: a patch exchanges them. */
export interface LiveParts {
  producer: EventProducer;
  inputs: readonly TrackedInput[];
  destinations: readonly Destination[];
  readonly track: (input: Input) => TrackedInput;
  last: () => Micros | null;
  /** Position of a partition. Null without partitions. */
  dealt: () => Dealt | null;
  /** Every open output, former ones that still deliver included. */
  readonly outputs: Map<Output, Log>;
}

export const closeOutput = async (output: Output, log: Log): Promise<void> => {
  const closed = await output.close();
  if (E.isRight(closed)) return;
  log.write('error', 'an output could not be closed', { reason: closed.left.message });
};
