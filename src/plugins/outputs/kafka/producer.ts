import * as E from 'fp-ts/lib/Either.js';
import type { Clock } from '../../../ports/clock.js';
import type { RequestError } from '../shared/errors.js';
import type { KafkaCluster, Topic } from './cluster.js';
import {
  type Chunk,
  cutBatches,
  isOpen,
  type LaneError,
  type MissedRecords,
  miss,
  newLane,
  type PartitionLane,
  type SizeLimits,
  settle,
} from './lanes.js';
import type { Assign } from './partitioner.js';
import { brokerError, LEADER_MISSING } from './protocol/errorCodes.js';
import { type Compression, encodeBatch, type Identity, type RecordMessages } from './protocol/recordBatch.js';
import { type KafkaAddress, readProduce, writeProduce } from './protocol/requests.js';

export interface ProducerOptions extends SizeLimits {
  readonly cluster: KafkaCluster;
  readonly assign: Assign;
  readonly clock: Clock;
  readonly topic: string;
  readonly acks: number;
  readonly request_timeout_ms: number;
  readonly retry_backoff_ms: number;
  readonly isIdempotent: boolean;
  readonly compression: Compression;
  readonly compress: ((bytes: Uint8Array) => Promise<Buffer>) | null;
}

/** `written` and the items of `missed` add up to the messages. */
export interface SentRecords {
  readonly written: number;
  readonly bytes: number;
  readonly missed: MissedRecords;
}

export type SendRecords = (
  messages: RecordMessages,
  signal: AbortSignal,
) => Promise<E.Either<RequestError, SentRecords>>;

/** Tries within a write, for what new metadata or the sequence numbers of an idempotent producer make safe. */
const TRIES = 3;
/** Produce version with which brokers know zstd. */
const ZSTD_VERSION = 7;

/** The producer id of an idempotent producer, and the next sequence number of each partition. */
interface Producer extends Omit<Identity, 'sequence'> {
  readonly next: Map<number, number>;
}

interface Run {
  readonly messages: RecordMessages;
  readonly signal: AbortSignal;
  readonly missed: MissedRecords;
  written: number;
  bytes: number;
}

/** Sends the messages of a write to the leaders of their partitions. Idempotent producers take one write at a time. */
export const makeProducer = (options: ProducerOptions): SendRecords => {
  const { cluster, clock, topic, acks, isIdempotent, compression, compress, request_timeout_ms } = options;
  let producer: Producer | null = null;

  const encode = (run: Run, lane: PartitionLane, { from, to, records_bytes }: Chunk): Promise<Buffer> => {
    const identity =
      producer === null ? null : { ...producer, sequence: producer.next.get(lane.partition) ?? 0 };
    return encodeBatch(run.messages, lane.items, from, to, records_bytes, {
      timestamp_ms: Math.floor(clock.now() / 1000),
      identity,
      compression,
      compress,
    });
  };

  /** A record batch for each open lane, as many as a request has room for; lanes take turns to be first. */
  const cutAll = (run: Run, lanes: readonly PartitionLane[], turn: number) => {
    let room = options.max_request_size;
    return lanes.flatMap((_, index) => {
      const lane = lanes[(index + turn) % lanes.length] as PartitionLane;
      const chunk = cutBatches(lane, run.messages, options, room, run.missed);
      if (chunk === null) return [];
      room -= chunk.records_bytes;
      return [{ lane, chunk }];
    });
  };

  const stop = (lanes: readonly PartitionLane[], error: LaneError): void => {
    cluster.outdate();
    for (const lane of lanes) lane.error = error;
  };

  const advance = (lane: PartitionLane, chunk: Chunk, written: number): void => {
    if (written === 0 || producer === null) return;
    const sequence = producer.next.get(lane.partition) ?? 0;
    producer.next.set(lane.partition, (sequence + chunk.to - chunk.from) & 0x7fff_ffff);
  };

  /** Sends the lanes of one leader until each is done or stopped. */
  const drain = async (run: Run, address: KafkaAddress, lanes: readonly PartitionLane[]): Promise<void> => {
    const { signal } = run;
    const opened = await cluster.connectionTo(address, signal);
    if (E.isLeft(opened)) return stop(lanes, { ...opened.left, wasSent: false });
    const connection = opened.right;
    const version = connection.versions.produce ?? 3;
    if (compression === 'zstd' && version < ZSTD_VERSION) return stop(lanes, brokerError(76, null));
    for (let turn = 0; ; turn++) {
      const open = lanes.filter(isOpen);
      const parts = cutAll(run, open, turn);
      if (parts.length === 0) return;
      const batches = await Promise.all(parts.map(({ lane, chunk }) => encode(run, lane, chunk)));
      const { start, pieces } = writeProduce(
        null,
        acks,
        request_timeout_ms,
        topic,
        parts.map(({ lane }, index) => ({ partition: lane.partition, records: batches[index] as Buffer })),
      );
      const reply = await connection.request(
        'produce',
        { body: start, pieces, version, signal, isAnswered: acks !== 0 },
        (reader) => readProduce(reader, version),
      );
      if (E.isLeft(reply)) {
        if (reply.left.wasSent && isIdempotent) for (const { lane, chunk } of parts) lane.pending = chunk;
        return stop(open, reply.left);
      }
      run.bytes += pieces.reduce((sum, piece) => sum + piece.length, start.length);
      for (const { lane, chunk } of parts) {
        const { partition } = lane;
        const answer =
          reply.right === null
            ? { partition, error: 0, records: [], message: null }
            : reply.right.find((part) => part.partition === partition);
        const written = settle(lane, chunk, answer, run.missed, isIdempotent);
        advance(lane, chunk, written);
        run.written += written;
        if (lane.error !== null) cluster.outdate();
      }
    }
  };

  const sendOnce = async (
    run: Run,
    { nodes, partitions }: Topic,
    lanes: readonly PartitionLane[],
  ): Promise<void> => {
    const byNode = new Map<number, PartitionLane[]>();
    for (const lane of lanes) {
      const leader = partitions.find(({ id }) => id === lane.partition)?.leader ?? -1;
      byNode.set(leader, [...(byNode.get(leader) ?? []), lane]);
    }
    const drains = [...byNode].map(async ([node, led]) => {
      const address = nodes.get(node);
      if (address === undefined) stop(led, brokerError(LEADER_MISSING, null));
      else await drain(run, address, led);
    });
    await Promise.all(drains);
  };

  const mayRepeat = ({ effect, wasSent, isRetryable }: LaneError): boolean =>
    isRetryable && (effect === 'moved' || wasSent === false || isIdempotent);

  /** Forgets the producer id: batches that may have arrived keep theirs, and the next ones take none of their numbers. */
  const forget = (lanes: readonly PartitionLane[]): void => {
    producer = null;
    for (const lane of lanes) lane.pending = null;
  };

  const ensureProducer = async (signal: AbortSignal): Promise<RequestError | null> => {
    if (!isIdempotent || producer !== null) return null;
    const made = await cluster.newProducer(signal);
    if (E.isLeft(made)) return made.left;
    producer = { ...made.right, next: new Map() };
    return null;
  };

  return async (messages, signal) => {
    const found = await cluster.topic(signal);
    if (E.isLeft(found)) return found;
    const refused = await ensureProducer(signal);
    if (refused !== null) return E.left(refused);
    const run: Run = { messages, signal, missed: new Map(), written: 0, bytes: 0 };
    const lanes = [...options.assign(messages, found.right.partitions)].map(([id, items]) =>
      newLane(id, items),
    );
    let open: readonly PartitionLane[] = lanes;
    let current = found.right;
    for (let tries = 1; ; tries++) {
      await sendOnce(run, current, open);
      const stopped = lanes.filter(({ error }) => error !== null);
      if (stopped.some(({ error }) => error?.effect === 'identity')) forget(lanes);
      open = stopped.filter(({ error }) => error !== null && mayRepeat(error));
      if (open.length === 0 || tries >= TRIES || signal.aborted) break;
      await clock.sleepMs(options.retry_backoff_ms, signal);
      const fresh = await cluster.topic(signal);
      if (E.isLeft(fresh) || (await ensureProducer(signal)) !== null) break;
      current = fresh.right;
      for (const lane of open) lane.error = null;
    }
    for (const { items, at, error } of lanes) if (error !== null) miss(run.missed, error, items.slice(at));
    if (lanes.some(({ pending }) => pending !== null)) forget(lanes);
    return E.right(run);
  };
};
