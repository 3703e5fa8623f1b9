import * as E from 'fp-ts/lib/Either.js';
import { failure, type Issue, type Result, reasonOf, type SpateError } from '../domain/errors.js';
import { moveStats, type Stats, setTo, type UnchangedParts } from '../domain/stats/stats.js';
import type { Micros } from '../domain/time/micros.js';
import type { EventProducer, Input, InputStart, Output, OutputRoute } from '../plugins/kit.js';
import type { Log } from '../ports/log.js';
import {
  buildAll,
  buildRoutes,
  closeOutput,
  type DestinationParts,
  type LiveParts,
  openDestinations,
  type PartBuilders,
} from './build.js';
import type { Destination } from './delivery/writer.js';
import type { Exchange, Pipeline } from './pipeline.js';
import { requestsOf } from './schedule/requests.js';

/** New parts for a running pipeline. */
export interface Patch extends DestinationParts {
  /** Builders of the whole new config. Only changed parts are built. */
  readonly builders: PartBuilders;
  readonly tags: readonly (readonly string[])[];
  readonly isInputNew: boolean;
  /** For each input, whether it takes the place of one of its kind: then it goes on counting. */
  readonly isInputContinued: readonly boolean[];
  readonly isEventNew: boolean;
  readonly isOutputNew: readonly boolean[];
  /** Whether an output that is not new has another choice of events. Undefined when none has. */
  readonly isRouteNew?: readonly boolean[];
  /** For each template that events are counted by, the number of the former one of its name; -1 when there was none. */
  readonly formerTemplates: readonly number[];
  /** Counters of the new config, all zero: those of unchanged parts carry over. */
  readonly stats: Stats;
  readonly onCommit: () => void;
}

/** Applies a patch, one at a time. Nothing has changed after an error. */
export type ApplyPatch = (patch: Patch) => Promise<Result<void>>;

interface PatchContext {
  readonly stats: Stats;
  readonly log: Log;
  /** Where inputs begin before the first event. */
  readonly start: () => InputStart;
}

/** Applies patches: opens new parts while events flow, exchanges them between two calls, closes former ones. */
export const patcher = (running: Pipeline, live: LiveParts, options: PatchContext): ApplyPatch => {
  const { log } = options;

  const discard = async (
    outputs: ReadonlyMap<Output, Log>,
    producer: EventProducer | null,
  ): Promise<void> => {
    await Promise.all([...outputs].map(([output, outputLog]) => closeOutput(output, outputLog)));
    await producer?.close();
  };

  return async (patch) => {
    const opened: LiveParts['outputs'] = new Map();
    let producer: EventProducer | null = null;
    const refuse = async (error: SpateError): Promise<Result<void>> => {
      await discard(opened, producer);
      return E.left(error);
    };
    const { isOutputNew } = patch;
    const builders = located(patch.builders);
    const fresh = [...isOutputNew.keys()].filter((index) => isOutputNew[index]);
    const destinations = await openDestinations(builders, patch, fresh, (output, outputLog) =>
      opened.set(output, outputLog),
    );
    if (E.isLeft(destinations)) return refuse(destinations.left);
    const rerouted = [...isOutputNew.keys()].filter(
      (index) => !isOutputNew[index] && patch.isRouteNew?.[index] === true,
    );
    const routes = await buildRoutes(builders, rerouted);
    if (E.isLeft(routes)) return refuse(routes.left);
    const built = await buildAll(patch.isEventNew ? [builders.producer] : []);
    if (E.isLeft(built)) return refuse(built.left);
    producer = built.right[0] ?? null;
    const former = live.producer;
    const done = await running.exchange((after) =>
      prepare({
        patch: { ...patch, builders },
        live,
        after,
        options,
        producer,
        destinations: destinations.right,
        routes: new Map(rerouted.map((index, at) => [index, routes.right[at] ?? null])),
        opened,
      }),
    );
    if (E.isLeft(done)) return refuse(done.left);
    if (producer !== null) {
      await former.close().catch((thrown: unknown) => {
        log.write('error', 'closing a plugin threw', { reason: reasonOf(thrown) });
      });
    }
    return done;
  };
};

/** Adds the path of the part to its error. */
const at =
  <A, B extends readonly unknown[]>(path: Issue['path'], build: (...given: B) => Promise<Result<A>>) =>
  async (...given: B): Promise<Result<A>> =>
    E.mapLeft(({ code, message }: SpateError) =>
      failure('plugin_failed', message, { issues: [{ path, type: code, message }] }),
    )(await build(...given));

const located = ({
  producer,
  formatters,
  outputs,
  inputs,
  imperfections = [],
  ...others
}: PartBuilders): PartBuilders => ({
  ...others,
  producer: at(['event'], producer),
  formatters: formatters.map((build, index) => at(['output', index], build)),
  outputs: outputs.map((build, index) => at(['output', index], build)),
  imperfections: imperfections.map((build, index) => at(['output', index], build)),
  inputs: inputs.map((build, index) => at(['input', index], build)),
});

interface Preparation {
  readonly patch: Patch;
  readonly live: LiveParts;
  readonly after: Micros | null;
  readonly options: PatchContext;
  readonly producer: EventProducer | null;
  readonly destinations: readonly Destination[];
  /** By the number of the output. */
  readonly routes: ReadonlyMap<number, OutputRoute | null>;
  readonly opened: LiveParts['outputs'];
}

/** The last steps, between two calls: state carries over, and new inputs begin at the position of the stream. */
const prepare = async (given: Preparation): Promise<Result<Exchange>> => {
  const { patch, live, options, producer } = given;
  if (patch.isInputNew && live.dealt() !== null) return E.left(DEALT);
  const start: InputStart = given.after === null ? options.start() : { now: given.after, skipPast: true };
  const inputs = await buildAll(
    patch.isInputNew
      ? patch.builders.inputs.map((build, index) => () => build(startAfter(live.inputs[index], start)))
      : [],
  );
  if (E.isLeft(inputs)) return inputs;
  if (patch.isInputNew && requestsOf([...live.inputs, ...inputs.right]).length > 0)
    return E.left(BOUND_TO_START);
  const taken = await takeOver(live, producer, patch.isInputNew ? inputs.right : null);
  if (E.isLeft(taken)) return taken;
  const tracked = patch.isInputNew ? inputs.right.map(live.track) : live.inputs;
  const destinations = joined(patch, live, given.destinations);
  const unchanged: UnchangedParts = {
    inputs: patch.isInputContinued,
    outputs: patch.isOutputNew.map((isNew) => !isNew),
    templates: patch.formerTemplates,
  };
  return E.right({
    feed: patch.isInputNew ? { inputs: tracked, tags: patch.tags } : null,
    producer,
    destinations,
    onCommit: () => {
      live.inputs = tracked;
      live.producer = producer ?? live.producer;
      live.destinations = destinations;
      for (const [index, route] of given.routes) (destinations[index] as Destination).route = route;
      for (const [output, log] of given.opened) live.outputs.set(output, log);
      moveStats(options.stats, patch.stats, unchanged);
      // How many timestamps new inputs add to those that were given is not asked.
      if (patch.isInputNew) setTo(options.stats, 'expected', 0);
      patch.onCommit();
    },
    onLeft: ({ output, log, imperfections }) => {
      for (const left of [output, imperfections?.truth ?? output]) {
        if (live.outputs.delete(left)) void closeOutput(left, log);
      }
    },
  });
};

/** A new input keeps the phase of the one whose place it takes: frequent patches would put off its tick for ever. */
const startAfter = (former: Input | undefined, start: InputStart): InputStart => {
  const lastTick = former?.tickBefore?.(start.now);
  return lastTick === undefined ? start : { ...start, lastTick };
};

/** The state of the former producer goes to the new one, and new inputs to the one that follows them. */
const takeOver = async (
  live: LiveParts,
  producer: EventProducer | null,
  inputs: readonly Input[] | null,
): Promise<Result<void>> => {
  const next = producer ?? live.producer;
  if (inputs === null && next.follow !== undefined && live.producer.follow === undefined)
    return E.left(NOT_PAIRED);
  try {
    // A new producer goes on with the records of the former one, unless the inputs are new.
    const followed = inputs === null && producer !== null ? producer.follow?.(live.inputs, 0) : undefined;
    if (followed !== undefined && E.isLeft(followed)) return followed;
    const state = producer === null ? null : (live.producer.snapshot?.() ?? null);
    if (state !== null) await producer?.restore?.(state);
  } catch (thrown) {
    return E.left(
      eventFailure(`the new event plugin cannot take over the state of the former one: ${reasonOf(thrown)}`),
    );
  }
  const followed = (inputs === null ? undefined : next.follow?.(inputs, 0)) ?? E.right(undefined);
  if (E.isRight(followed)) next.observe?.(inputs ?? live.inputs);
  return followed;
};

const eventFailure = (message: string): SpateError =>
  failure('plugin_failed', message, { issues: [{ path: ['event'], type: 'plugin_failed', message }] });

/** The inputs have read ahead, and the former producer does not know which records were used. */
const NOT_PAIRED = eventFailure(
  'records of the input `recorded` cannot be joined while it runs: exchange the input as well, or restart the generator',
);

/** Partitions cannot exchange inputs at the same timestamp. */
const DEALT = failure(
  'wrong_state',
  'the inputs of a generator with partitions cannot be exchanged while it runs: change its config and restart it',
);

const CANNOT_LISTEN = 'inputs cannot be exchanged while one waits for requests: restart the generator';

/** An address can be listened on once: by the former input or by the new one. */
const BOUND_TO_START = failure('plugin_failed', CANNOT_LISTEN, {
  issues: [{ path: ['input'], type: 'plugin_failed', message: CANNOT_LISTEN }],
});

/** All destinations of the new config in its order, opened and unchanged ones. */
const joined = (
  { isOutputNew }: Patch,
  live: LiveParts,
  opened: readonly Destination[],
): readonly Destination[] => {
  const fresh = [...opened];
  return isOutputNew.map((isNew, index) => (isNew ? fresh.shift() : live.destinations[index]) as Destination);
};
