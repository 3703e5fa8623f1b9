import { type RequestError, unroutableError } from '../shared/errors.js';
import { type BrokerError, brokerError, DUPLICATE_SEQUENCE_NUMBER } from './protocol/errorCodes.js';
import { addedSize, type RecordMessages, singleSize } from './protocol/recordBatch.js';
import type { PartReply } from './protocol/requests.js';

/** Items of one record batch: `items[from, to)` of a lane. */
export interface Chunk {
  readonly from: number;
  readonly to: number;
  /** Bytes of the records before compression. */
  readonly records_bytes: number;
}

/** Why a lane stopped. */
export type LaneError = RequestError & {
  readonly effect?: BrokerError['effect'];
  readonly wasSent?: boolean;
};

/** Items of one partition, sent in order, one record batch at a time. */
export interface PartitionLane {
  readonly partition: number;
  readonly items: readonly number[];
  /** First item that is not settled. */
  at: number;
  /** The record batch that the broker may have: with an idempotent producer only the same one may follow. */
  pending: Chunk | null;
  /** Most items in a record batch. */
  most: number;
  error: LaneError | null;
}

/** Items that did not arrive, by reason. */
export type MissedRecords = Map<string, { readonly error: RequestError; readonly items: number[] }>;

export const newLane = (partition: number, items: readonly number[]): PartitionLane => ({
  partition,
  items,
  at: 0,
  pending: null,
  most: Number.POSITIVE_INFINITY,
  error: null,
});

export const isOpen = ({ at, items, error }: PartitionLane): boolean => error === null && at < items.length;

export const miss = (missed: MissedRecords, error: RequestError, items: readonly number[]): void => {
  const key = `${error.isRetryable} ${error.what} ${error.origin}`;
  const entry = missed.get(key);
  if (entry === undefined) missed.set(key, { error, items: [...items] });
  else for (const item of items) entry.items.push(item);
};

export interface SizeLimits {
  readonly max_batch_size: number;
  readonly max_request_size: number;
}

const tooLarge = (bytes: number, limit: number): RequestError =>
  unroutableError(
    `an event of ${bytes} bytes with key and headers is larger than max_request_size (${limit} bytes)`,
    'Raise it, and `message.max.bytes` of the brokers.',
  );

/**
 * Returns the next record batch of a lane within `room` bytes, or null when none fits. Misses events that are too
 * large.
 */
export const cutBatches = (
  lane: PartitionLane,
  messages: RecordMessages,
  limits: SizeLimits,
  room: number,
  missed: MissedRecords,
): Chunk | null => {
  if (lane.pending !== null) return lane.pending;
  const { items } = lane;
  const limit = Math.min(room, limits.max_batch_size);
  while (lane.at < items.length) {
    const first = items[lane.at] as number;
    const single = singleSize(messages, first);
    if (single > limits.max_request_size) {
      miss(missed, tooLarge(single, limits.max_request_size), [first]);
      lane.at++;
      continue;
    }
    if (single > room) return null;
    let records_bytes = addedSize(messages, first, 0);
    let total = single;
    let to = lane.at + 1;
    while (to < items.length && to - lane.at < lane.most) {
      const added = addedSize(messages, items[to] as number, to - lane.at);
      if (total + added > limit) break;
      total += added;
      records_bytes += added;
      to++;
    }
    return { from: lane.at, to, records_bytes };
  }
  return null;
};

const TOO_LARGE = 10;
const SOME_REJECTED = 87;
/** Errors of these events, not of the partition. */
const OF_THE_CHUNK: ReadonlySet<number> = new Set([TOO_LARGE, 18, 32, SOME_REJECTED]);

const NEIGHBOR: RequestError = {
  what: 'the broker rejects another event of the same batch',
  origin: '',
  remedy: '',
  isRetryable: true,
  code: null,
};

/** Applies the broker's answer for the chunk of a lane; returns the number of events written. */
export const settle = (
  lane: PartitionLane,
  chunk: Chunk,
  reply: PartReply | undefined,
  missed: MissedRecords,
  isIdempotent: boolean,
): number => {
  const { from, to } = chunk;
  lane.pending = null;
  if (reply?.error === 0 || (isIdempotent && reply?.error === DUPLICATE_SEQUENCE_NUMBER)) {
    lane.at = to;
    return to - from;
  }
  const error = brokerError(reply?.error ?? -1, reply?.message ?? null);
  if (error.code === TOO_LARGE && to - from > 1) {
    lane.most = Math.ceil((to - from) / 2);
    return 0;
  }
  if (error.code !== null && OF_THE_CHUNK.has(error.code)) {
    const items = lane.items.slice(from, to);
    const rejected = new Map((reply?.records ?? []).map(({ index, message }) => [index, message]));
    items.forEach((item, index) => {
      const said = rejected.get(index);
      if (rejected.size === 0) miss(missed, error, [item]);
      else if (said === undefined) miss(missed, NEIGHBOR, [item]);
      else miss(missed, brokerError(SOME_REJECTED, said), [item]);
    });
    lane.at = to;
    return 0;
  }
  // The replicas may still confirm: another batch must not take these sequence numbers.
  if (isIdempotent && error.effect === 'busy') lane.pending = chunk;
  lane.error = error;
  return 0;
};
