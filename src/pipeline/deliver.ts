import type { SpateError } from '../domain/errors.js';
import { type BatchLimits, collectsUpTo } from './batch.js';
import { type Credits, makeCredits } from './demand.js';
import { type Gathered, gatherer } from './gather.js';
import type { SequencedBatch } from './produce.js';
import { type Destination, makeWriter, type WriterOptions } from './writer.js';

export interface DeliverOptions extends WriterOptions {
  readonly destinations: readonly Destination[];
  readonly batch: BatchLimits;
  /** Collected batches of a bulk destination that may wait or be on their way. */
  readonly max_event_batches: number;
  /** Writes in flight for the whole generator. */
  readonly max_concurrency: number;
  /** No write of a destination begins before the one before it has ended. */
  readonly keep_order: boolean;
  /** Called once for each batch, when every destination has written it or given it up. */
  readonly onDone: (sequence: number) => void;
  /** Called once when the readers of all outputs have gone: nothing that is produced can arrive any more. */
  readonly onAllGone: (error: SpateError) => void;
}

export interface Delivery {
  /** Resolves when the next batch may come: written by direct destinations, taken by collecting ones. */
  readonly accept: (batch: SequencedBatch) => Promise<void>;
  /** Hands out what is collected; resolves when every write has ended. */
  readonly finish: () => Promise<void>;
}

/** One destination of a delivery. */
type Lane = Delivery;

/**
 * Fan-out: every batch goes to every destination. One that fails touches neither the others nor later
 * batches; bulk destinations and joining formatters get batches collected into larger ones.
 */
export const deliver = (options: DeliverOptions): Delivery => {
  const slots = makeCredits(options.max_concurrency, options.signal);
  const isDone = doneAtAll(options.destinations.length, options.onDone);
  let present = options.destinations.length;
  const onGone = (error: SpateError): void => {
    present--;
    if (present === 0) options.onAllGone(error);
  };
  const lanes = options.destinations.map((destination): Lane => {
    const write = makeWriter(destination, options, onGone);
    const inSlot = async (gathered: Gathered): Promise<void> => {
      if (await slots.take()) {
        await write(gathered.events, gathered.producedAtMs);
        slots.give();
      }
      for (const sequence of gathered.sequences) isDone(sequence);
    };
    const send = inTurn(inSlot, destination.output.isOrdered || options.keep_order);
    return destination.output.isBulk || destination.formatter.joins
      ? collectingLane(send.write, send.idle, options)
      : directLane(send.write, send.idle);
  });
  return {
    accept: async (batch) => {
      await Promise.all(lanes.map((lane) => lane.accept(batch)));
    },
    finish: async () => {
      await Promise.all(lanes.map((lane) => lane.finish()));
    },
  };
};

/** Counts the destinations that are done with a batch. */
const doneAtAll = (destinations: number, onDone: (sequence: number) => void) => {
  if (destinations === 1) return onDone;
  const open = new Map<number, number>();
  return (sequence: number): void => {
    const left = (open.get(sequence) ?? destinations) - 1;
    if (left > 0) open.set(sequence, left);
    else {
      open.delete(sequence);
      onDone(sequence);
    }
  };
};

type Write = (gathered: Gathered) => Promise<void>;

/** Writes one after the other where the order matters; `idle` resolves when none is under way. */
const inTurn = (write: Write, isOrdered: boolean) => {
  const underWay = new Set<Promise<void>>();
  let tail: Promise<void> = Promise.resolve();
  const start: Write = (gathered) => {
    if (!isOrdered) return write(gathered);
    tail = tail.then(() => write(gathered));
    return tail;
  };
  return {
    write: (gathered: Gathered): Promise<void> => {
      const writing = start(gathered).finally(() => underWay.delete(writing));
      underWay.add(writing);
      return writing;
    },
    idle: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
};

/** Each batch is a write of its own; its credit is given back when it is written. */
const directLane = (write: Write, idle: () => Promise<void>): Lane => ({
  accept: ({ sequence, events, producedAtMs }) => write({ events, producedAtMs, sequences: [sequence] }),
  finish: idle,
});

/** Batches are taken at once and collected; a bounded number of collections may wait to be written. */
const collectingLane = (write: Write, idle: () => Promise<void>, options: DeliverOptions): Lane => {
  const room: Credits = makeCredits(options.max_event_batches, options.signal);
  const collected = gatherer({
    clock: options.clock,
    limit: collectsUpTo(options.batch),
    delay: options.batch.delay,
    signal: options.signal,
    onFull: (gathered) => {
      void write(gathered).finally(room.give);
    },
  });
  return {
    accept: async (batch) => {
      // Each new collection needs room, so a destination that stalls stops the pulling.
      if (collected.startsWith(batch) && !(await room.take())) return;
      collected.add(batch);
    },
    finish: async () => {
      collected.flush();
      await idle();
    },
  };
};
