import type { SpateError } from '../../domain/errors.js';
import { serialQueue } from '../../domain/serialQueue.js';
import { addTo } from '../../domain/stats/stats.js';
import { type Credits, makeCredits } from '../demand.js';
import type { SequencedBatch } from '../produce.js';
import { type BatchLimits, collectsUpTo } from '../schedule/batch.js';
import { type Gathered, gatherer } from './gather.js';
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
  /** Hands out what is collected; resolves when every write has ended, those of former destinations too. */
  readonly finish: () => Promise<void>;
  /**
   * Exchanges destinations from the next batch on; those in both lists go on. A former one delivers what it
   * has, but nobody waits for it; `onLeft` is told when it is done.
   */
  readonly exchange: (next: readonly Destination[], onLeft: (former: Destination) => void) => void;
}

/** One destination of a delivery. */
interface Lane {
  readonly destination: Destination;
  readonly accept: (batch: SequencedBatch) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Whether its reader has gone. */
  readonly isGone: () => boolean;
  /** Lets go of everyone who waits in `accept`. */
  readonly leave: () => void;
}

/**
 * Fan-out: every batch goes to every destination. One that fails touches neither the others nor later
 * batches; bulk destinations and joining formatters get batches collected into larger ones.
 */
export const deliver = (options: DeliverOptions): Delivery => {
  const slots = makeCredits(options.max_concurrency, options.signal);
  const progress = doneAtAll(options.onDone);
  const leaving = new Set<Promise<void>>();
  let lanes: readonly Lane[] = [];

  const laneOf = (destination: Destination): Lane => {
    let isGone = false;
    const write = makeWriter(destination, options, (error) => {
      isGone = true;
      if (lanes.every((lane) => lane.isGone())) options.onAllGone(error);
    });
    const inSlot = async (gathered: Gathered): Promise<void> => {
      // Without a slot the pipeline is torn down: the write then fails at once, and its events are counted.
      const isTaken = await slots.take();
      const isLetGo = await write(gathered.events, gathered.producedAtMs);
      if (isTaken) slots.give();
      for (const sequence of gathered.sequences) progress.isDone(sequence, isLetGo);
    };
    const send = inTurn(inSlot, destination.output.isOrdered || options.keep_order);
    const path =
      destination.output.isBulk || destination.formatter.joins
        ? collectingPath(send.write, send.idle, options)
        : directPath(send.write, send.idle);
    const { accept, leave } = leavable(path.accept);
    return { destination, accept, leave, finish: path.finish, isGone: () => isGone };
  };
  lanes = options.destinations.map(laneOf);

  const letGo = (lane: Lane, onLeft: (former: Destination) => void): void => {
    lane.destination.index = null;
    lane.leave();
    const left = lane.finish().then(() => {
      leaving.delete(left);
      onLeft(lane.destination);
    });
    leaving.add(left);
  };

  return {
    accept: async (batch) => {
      addTo(options.stats, 'accepted', batch.events.count);
      progress.expect(batch, lanes.length);
      await Promise.all(lanes.map((lane) => lane.accept(batch)));
    },
    finish: async () => {
      await Promise.all([...lanes.map((lane) => lane.finish()), ...leaving]);
    },
    exchange: (next, onLeft) => {
      const former = lanes;
      lanes = next.map(
        (destination) => former.find((lane) => lane.destination === destination) ?? laneOf(destination),
      );
      for (const lane of former) if (!lanes.includes(lane)) letGo(lane, onLeft);
    },
  };
};

/** A batch that not every destination is done with. */
interface Open {
  left: number;
  /** Nobody can still read it who was done with it. */
  isLetGo: boolean;
  readonly events: SequencedBatch['events'];
}

/** Counts the destinations that are done with a batch, and then gives its memory back. */
const doneAtAll = (onDone: (sequence: number) => void) => {
  const open = new Map<number, Open>();
  return {
    expect: ({ sequence, events }: SequencedBatch, destinations: number): void => {
      open.set(sequence, { left: destinations, isLetGo: true, events });
    },
    isDone: (sequence: number, isLetGo: boolean): void => {
      const batch = open.get(sequence);
      if (batch === undefined) return;
      batch.isLetGo &&= isLetGo;
      if (--batch.left > 0) return;
      open.delete(sequence);
      if (batch.isLetGo) batch.events.release?.();
      onDone(sequence);
    },
  };
};

/** A wait that can be left, though what is waited for goes on. */
const leavable = (accept: Lane['accept']): Pick<Lane, 'accept' | 'leave'> => {
  const waiting = new Set<() => void>();
  return {
    accept: (batch) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          waiting.delete(done);
          resolve();
        };
        waiting.add(done);
        accept(batch).then(done, reject);
      }),
    leave: () => {
      for (const done of [...waiting]) done();
    },
  };
};

type Write = (gathered: Gathered) => Promise<void>;

type Path = Pick<Lane, 'accept' | 'finish'>;

/** Writes one after the other where the order matters; `idle` resolves when none is under way. */
const inTurn = (write: Write, isOrdered: boolean) => {
  const underWay = new Set<Promise<void>>();
  const queue = serialQueue();
  const start: Write = (gathered) => (isOrdered ? queue(() => write(gathered)) : write(gathered));
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
const directPath = (write: Write, idle: () => Promise<void>): Path => ({
  accept: ({ sequence, events, producedAtMs }) => write({ events, producedAtMs, sequences: [sequence] }),
  finish: idle,
});

/** Batches are taken at once and collected; a bounded number of collections may wait to be written. */
const collectingPath = (write: Write, idle: () => Promise<void>, options: DeliverOptions): Path => {
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
  const take = async (batch: SequencedBatch): Promise<void> => {
    // Each new collection needs room, so a destination that stalls stops the pulling.
    if (collected.startsWith(batch)) await room.take();
    collected.add(batch);
  };
  /** One at a time: two that wait for room together would both take it, for one collection. */
  const queue = serialQueue();
  return {
    accept: (batch) => queue(() => take(batch)),
    finish: async () => {
      collected.flush();
      await idle();
    },
  };
};
