import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import type { StreamPosition } from '../domain/checkpoint.js';
import { Failed, failure, type Result, reasonOf, type SpateError, thrownError } from '../domain/errors.js';
import { abandonedBy, readGenerated, type Stats, setTo } from '../domain/stats/stats.js';
import { isoFormatter } from '../domain/time/iso.js';
import type { Micros } from '../domain/time/micros.js';
import { utc } from '../domain/time/zone.js';
import type { EventProducer, Input, InputRequests, InputStart } from '../plugins/kit.js';
import type { Log } from '../ports/log.js';
import {
  buildAll,
  closeOutput,
  type DestinationParts,
  type LiveParts,
  openDestinations,
  type PartBuilders,
} from './build.js';
import { type Checkpointer, makeCheckpointer, noCheckpointer, type SavePosition } from './checkpoint.js';
import { type ApplyPatch, patcher } from './patch.js';
import { type PipelineParts, pipeline } from './pipeline.js';
import type { Dealt, FeedPartition } from './schedule/deal.js';
import { requestsOf } from './schedule/requests.js';
import { restoreInput, trackInput, untracked } from './schedule/trackInput.js';

export type PipelineEnd = 'completed' | 'drained';

/** Reason of the draining signal when the end was requested; without it the producer is exhausted. */
export const DRAIN = 'drain';

/** Where an earlier run of a stream stopped; `null` for parts that have changed in the config since. */
export interface RestoredPosition extends Pick<StreamPosition, 'event' | 'last'> {
  readonly inputs: StreamPosition['inputs'] | null;
}

export interface RunCheckpoint {
  /** Where an earlier run stopped. Null at the beginning of the stream. */
  readonly restored: RestoredPosition | null;
  readonly save: SavePosition;
  /** Ends when another run may have begun. */
  readonly disowned: AbortSignal;
  /** The rest of the position, read at the moment of the call. */
  readonly surroundings: () => Pick<StreamPosition, 'random' | 'globals' | 'fingerprint'>;
}

export type RunOptions = Omit<
  PipelineParts,
  'inputs' | 'producer' | 'destinations' | 'checkpointer' | 'lastBefore' | 'onInputFailure' | 'onAllGone'
> &
  DestinationParts & {
    readonly builders: PartBuilders;
    /** Where the inputs begin; called last, so that `now` is the moment generation starts. */
    readonly start: () => InputStart;
    /** Restores and saves the position. Null when the position is not kept. */
    readonly checkpoint: RunCheckpoint | null;
    /** Called once every output is open and the first timestamp may flow. */
    readonly onRunning: (apply: ApplyPatch) => void;
  };

/** Runs one pipeline: outputs open before the first event; everything is flushed and closed, however it ends. */
export const runPipeline = async (options: RunOptions): Promise<Result<PipelineEnd>> => {
  const outputs: LiveParts['outputs'] = new Map();
  let live: LiveParts | null = null;
  let producer: EventProducer | null = null;
  let requests: readonly InputRequests[] = [];
  try {
    const { builders } = options;
    const built = await buildAll([builders.producer]);
    if (E.isLeft(built)) return built;
    [producer] = built.right as [EventProducer];
    const indexes = [...builders.outputs.keys()];
    const opened = await openDestinations(builders, options, indexes, (output, log) =>
      outputs.set(output, log),
    );
    if (E.isLeft(opened)) return opened;
    const start = options.start();
    const inputs = await buildAll(builders.inputs.map((build) => () => build(start)));
    if (E.isLeft(inputs)) return inputs;
    const dealable = checkDealable(options.partition ?? null, inputs.right);
    if (E.isLeft(dealable)) return dealable;
    const restored = await restore(options.checkpoint, producer, inputs.right);
    if (E.isLeft(restored)) return restored;
    setTo(options.stats, 'expected', expectedOf(inputs.right));
    const followed = producer.follow?.(inputs.right, options.partition?.position.skip ?? 0);
    if (followed !== undefined && E.isLeft(followed)) return followed;
    producer.observe?.(inputs.right);
    const track = options.checkpoint === null ? untracked : trackInput;
    live = {
      producer,
      inputs: inputs.right.map(track),
      track,
      destinations: opened.right,
      outputs,
      last: () => options.checkpoint?.restored?.last ?? null,
      dealt: () => firstDealt(options.partition ?? null, inputs.right.length),
    };
    requests = requestsOf(inputs.right);
    const listening = await buildAll(requests.map(({ open }) => open));
    if (E.isLeft(listening)) return listening;
    const checkpointer = await startCheckpoint(options, live);
    if (E.isLeft(checkpointer)) return checkpointer;
    return await flow(options, live, checkpointer.right);
  } finally {
    await closeAll(outputs, live?.producer ?? producer, requests, options);
  }
};

/** Timestamps that the inputs give from here on; 0: endless, or not known. */
const expectedOf = (inputs: readonly Input[]): number => {
  const counts = inputs.map(({ remaining }) => remaining?.() ?? Number.POSITIVE_INFINITY);
  const sum = counts.reduce((total, count) => total + count, 0);
  return Number.isFinite(sum) ? sum : 0;
};

const restore = async (
  checkpoint: RunCheckpoint | null,
  producer: EventProducer,
  inputs: readonly Input[],
): Promise<Result<void>> => {
  const restored = checkpoint?.restored ?? null;
  if (restored === null) return E.right(undefined);
  try {
    if (restored.event !== null) await producer.restore?.(restored.event);
    for (const [index, position] of (restored.inputs ?? []).entries()) {
      restoreInput(inputs[index] as Input, position);
    }
    return E.right(undefined);
  } catch (thrown) {
    return E.left(
      failure('bad_checkpoint', `the stream cannot resume from its checkpoint: ${reasonOf(thrown)}`),
    );
  }
};

const startCheckpoint = async (
  { checkpoint, stats, clock, log, signal }: RunOptions,
  live: LiveParts,
): Promise<Result<Checkpointer>> => {
  if (checkpoint === null) return E.right(noCheckpointer);
  const { restored, save, surroundings, disowned } = checkpoint;
  const take = (): StreamPosition => ({
    ...inputPositions(live, stats),
    event: live.producer.snapshot?.() ?? null,
    last: live.last(),
    ...surroundings(),
  });
  // Saved before the first event: after a crash in the first second the same seed and times are used again.
  try {
    const first = restored === null ? await save(take(), false) : E.right(undefined);
    if (E.isLeft(first)) return first;
  } catch (thrown) {
    return E.left(
      failure('plugin_failed', `the state of the event plugin cannot be saved: ${reasonOf(thrown)}`),
    );
  }
  const hasAbandoned = (): boolean => abandonedBy(stats) > 0;
  return E.right(makeCheckpointer({ take, save, clock, log, signal, disowned, hasAbandoned }));
};

/** A partition has passed the timestamps of the others, too. */
const inputPositions = (
  { inputs, dealt }: Pick<LiveParts, 'inputs' | 'dealt'>,
  stats: Stats,
): Pick<StreamPosition, 'inputs' | 'deal'> => {
  const deal = dealt();
  return deal === null
    ? { inputs: inputs.map((input, index) => input.positionAfter(readGenerated(stats, index))) }
    : {
        inputs: inputs.map((input, index) => input.positionAfter(deal.byInput[index] as number)),
        deal: deal.position,
      };
};

const firstDealt = (partition: FeedPartition | null, inputs: number): Dealt | null =>
  partition === null ? null : { position: partition.position, byInput: new Float64Array(inputs) };

/** Requests come to one address, and sizes are those of all events: neither can be dealt. */
const checkDealable = (partition: FeedPartition | null, inputs: readonly Input[]): Result<void> => {
  const index = inputs.findIndex(({ requests, sizes }) => requests !== undefined || sizes !== undefined);
  if (partition === null || index === -1) return E.right(undefined);
  const what = inputs[index]?.requests === undefined ? 'has a rate in bytes' : 'waits for requests';
  const message = `the input ${what}, and cannot be dealt to partitions. Remove \`partitions\` or change the input`;
  const issues = [{ path: ['input', index], type: 'not_allowed', message }];
  return E.left(failure('invalid', `input[${index}]: ${message}`, { issues }));
};

const flow = async (
  options: RunOptions,
  live: LiveParts,
  checkpointer: Checkpointer,
): Promise<Result<PipelineEnd>> => {
  const failed: string[] = [];
  const { draining, log } = options;
  const isAsked = (): boolean => draining.signal.aborted && draining.signal.reason === DRAIN;
  const ending: { gone: SpateError | null } = { gone: null };
  const running = pipeline({
    ...options,
    ...live,
    checkpointer,
    lastBefore: live.last(),
    onInputFailure: (number, reason) => {
      failed.push(reason);
      log.write('error', 'an input failed; the others continue', { plugin_id: number + 1, reason });
    },
    onAllGone: (error) => {
      ending.gone = error;
      draining.abort();
    },
  });
  live.last = running.last;
  live.dealt = running.dealt;
  options.onRunning(patcher(running, live, options));
  try {
    await lastValueFrom(running.flow, { defaultValue: 0 });
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    return E.left(thrownError('the pipeline threw', thrown));
  }
  if (ending.gone !== null) return E.left(ending.gone);
  const count = running.failedInputs();
  if (count === live.inputs.length) {
    return E.left(failure('input_failed', `every input failed: ${failed.slice(-count).join('; ')}`));
  }
  if (!isAsked()) reportEnd(running.isExhausted(), live.last(), log);
  await checkpointer.finish(!isAsked());
  return E.right(isAsked() ? 'drained' : 'completed');
};

/** Says what ended a stream: `spate generate --limit` names it. */
const reportEnd = (isExhausted: boolean, last: Micros | null, log: Log): void =>
  log.write('info', isExhausted ? 'the event plugin has ended the stream' : 'all inputs have ended', {
    ended_by: isExhausted ? 'event' : 'inputs',
    last_timestamp: last === null ? null : isoUtc(last),
  });

const isoUtc = isoFormatter(utc);

/** Deadline for closing all parts: a device that hangs never answers. */
const CLOSE_TIMEOUT_MS = 10_000;

const closeAll = async (
  outputs: LiveParts['outputs'],
  producer: EventProducer | null,
  requests: readonly InputRequests[],
  { log, clock }: Pick<RunOptions, 'log' | 'clock'>,
): Promise<void> => {
  const closing = [...outputs].map(([output, outputLog]) => closeOutput(output, outputLog));
  const closed = Promise.allSettled([...closing, producer?.close(), ...requests.map(({ close }) => close())]);
  let cancel = (): void => {};
  const late = new Promise<null>((resolve) => {
    cancel = clock.after(CLOSE_TIMEOUT_MS, () => resolve(null));
  });
  const results = await Promise.race([closed, late]);
  cancel();
  if (results === null) {
    const reason = `no answer within ${CLOSE_TIMEOUT_MS / 1000} s`;
    log.write('error', 'a plugin could not be closed; the run ends without it', { reason });
    return;
  }
  for (const result of results) {
    if (result.status === 'rejected') {
      log.write('error', 'closing a plugin threw', { reason: reasonOf(result.reason) });
    }
  }
};
