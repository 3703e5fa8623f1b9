import type { SpateError } from '../../domain/errors.js';
import { addTo } from '../../domain/stats/stats.js';
import { serialQueue } from '../../domain/waiting.js';
import { type Credits, makeCredits } from '../gate.js';
import type { SequencedBatch } from '../produce.js';
import {
  type BackPressure,
  type DeliveryPath,
  directPath,
  type Gathered,
  type GatherOptions,
  gatheringPath,
  makeBackPressure,
  type Sending,
  withoutWaiting,
} from './gather.js';
import { holdBack, holds, readsTimes } from './hold.js';
import { counterOf, type Destination, makeWriter, type WriterOptions } from './writer.js';

export interface DeliverOptions extends WriterOptions, GatherOptions {
  readonly destinations: readonly Destination[];
  /** Writes in flight for the whole generator. */
  readonly max_concurrency: number;
  /** Each destination writes one batch after another. */
  readonly keep_order: boolean;
  readonly isLive: boolean;
  /** Every batch up to this number has been written or given up by every destination. */
  readonly onLowWater: (sequence: number) => void;
  /** Called once when the readers of all outputs have gone. */
  readonly onAllGone: (error: SpateError) => void;
}

export interface Delivery {
  /** Resolves when the next batch may come: written by direct destinations, taken by collecting ones. */
  readonly accept: (batch: SequencedBatch) => Promise<void>;
  /** A destination chooses events by their tags. */
  readonly needsTags: () => boolean;
  /** A destination has imperfections that depend on times, or describes events. */
  readonly needsTimes: () => boolean;
  /** Writes what is collected; resolves when every write has ended, former destinations included. */
  readonly finish: () => Promise<void>;
  /** From the next batch on. A removed destination delivers what it has in the background, then `onLeft` is called. */
  readonly exchange: (next: readonly Destination[], onLeft: (former: Destination) => void) => void;
}

interface Lane extends Omit<DeliveryPath, 'hasRoom'> {
  readonly destination: Destination;
  /** The low-water mark waits for it. */
  readonly isAwaited: boolean;
  readonly isGone: () => boolean;
  readonly pressure: BackPressure;
  /** Resolves every `accept` that waits. */
  readonly leave: () => void;
}

/** The batch with the events that the destination gets. */
const routed = ({ route, imperfections }: Destination, batch: SequencedBatch): SequencedBatch => {
  const chosen = route?.choose(batch.events, batch.tags) ?? null;
  const mine = chosen === null ? batch : { ...batch, events: batch.events.pick(chosen) };
  const describe = route?.describe;
  if ((imperfections == null && describe === undefined) || mine.events.count === 0) return mine;
  const { firstEvent, tags } = batch;
  const places = chosen ?? Array.from({ length: batch.events.count }, (_, index) => index);
  const ordinals = places.map((place) => firstEvent + place);
  const times = Float64Array.from(places, (place) => batch.times?.[place] ?? 0);
  const events =
    describe === undefined ? mine.events : describe({ events: mine.events, tags, ordinals, times });
  return { ...mine, events, ordinals, ...(batch.times === undefined ? {} : { times }) };
};

/** Fan-out: each batch goes to every destination. One that fails affects neither the others nor later batches. */
export const deliver = (options: DeliverOptions): Delivery => {
  const sharedSlots = makeCredits(options.max_concurrency, options.signal);
  const acknowledgement = acknowledge(options.onLowWater);
  const leaving = new Set<Promise<void>>();
  let lanes: readonly Lane[] = [];
  /** Writes that wait for a slot. Any lane may hold the slots. */
  let waiting = 0;
  const noteWaiting = (change: number): void => {
    waiting += change;
    for (const { pressure } of lanes) pressure.note('no slot', waiting > 0);
  };
  const takeSlot = async (slots: Credits): Promise<boolean> => {
    if (slots.isFree()) return slots.take();
    noteWaiting(1);
    const isTaken = await slots.take();
    noteWaiting(-1);
    return isTaken;
  };

  const laneOf = (destination: Destination): Lane => {
    let isGone = false;
    const write = makeWriter(destination, options, (error) => {
      isGone = true;
      if (lanes.every((lane) => lane.isGone())) options.onAllGone(error);
    });
    const count = counterOf(destination, options.stats);
    const isAwaited = destination.choices?.isBestEffort !== true;
    const slots = isAwaited ? sharedSlots : makeCredits(options.max_concurrency, options.signal);
    const writeInSlot = async (gathered: Gathered): Promise<void> => {
      // Without a slot the pipeline is torn down: the write then fails at once, and its events are counted.
      const isTaken = await takeSlot(slots);
      const isUnread = await write(gathered);
      if (isTaken) slots.give();
      for (const sequence of gathered.sequences) finishPart(sequence, isUnread);
    };
    const isOrdered = destination.output.isOrdered || options.keep_order;
    const pressure = makeBackPressure(destination.output.onBackPressure);
    pressure.note('one at a time', isOrdered);
    pressure.note('no slot', waiting > 0);
    const sending = inTurn(writeInSlot, isOrdered);
    const isGathered = destination.output.isBulk || destination.formatter.joins;
    const path = isGathered ? gatheringPath(sending, options, pressure) : directPath(sending, options);
    const lose = ({ sequence, events }: SequencedBatch): void => {
      count('write_failed', events.count);
      finishPart(sequence, true);
    };
    // In sample mode nothing is late: the generator waits.
    const mayWait = isAwaited || !options.isLive;
    const send = mayWait
      ? path.accept
      : withoutWaiting(path, { clock: options.clock, log: destination.log }, lose);
    const hold = holds(destination.imperfections)
      ? holdBack(destination.imperfections, {
          ...options,
          count,
          send,
          onRead: (sequence, isUnread) => acknowledgement.read(sequence, isUnread),
          onDone: (sequence) => acknowledgement.done(sequence, isAwaited),
        })
      : null;
    const { accept, leave } = leavable((batch) => {
      const mine = routed(destination, batch);
      count('filtered', batch.events.count - mine.events.count);
      if (mine.events.count > 0) return hold === null ? send(mine) : hold.accept(mine);
      acknowledgement.read(batch.sequence, true);
      acknowledgement.done(batch.sequence, isAwaited);
      return Promise.resolve();
    });
    const finishPart = (sequence: number, isUnread: boolean): void => {
      if (hold !== null) return hold.finished(sequence, isUnread);
      acknowledgement.read(sequence, isUnread);
      acknowledgement.done(sequence, isAwaited);
    };
    const finish = async (): Promise<void> => {
      await hold?.release();
      await path.finish();
    };
    return { destination, isAwaited, pressure, accept, leave, finish, isGone: () => isGone };
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
      acknowledgement.expect(batch, lanes.length, lanes.filter(({ isAwaited }) => isAwaited).length);
      await Promise.all(lanes.map((lane) => lane.accept(batch)));
    },
    needsTags: () => lanes.some(({ destination }) => destination.route?.needsTags === true),
    needsTimes: () =>
      lanes.some(
        ({ destination: { imperfections, route } }) =>
          (imperfections != null && readsTimes(imperfections)) || route?.describe !== undefined,
      ),
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

/** Starts writes one after another where the order matters, else at once. */
const inTurn = (write: Sending['write'], isOrdered: boolean): Sending => {
  const inFlight = new Set<Promise<void>>();
  const queue = serialQueue();
  return {
    write: (gathered) => {
      const started = isOrdered ? queue(() => write(gathered)) : write(gathered);
      const writing = started.finally(() => inFlight.delete(writing));
      inFlight.add(writing);
      return writing;
    },
    idle: async () => {
      await Promise.all(inFlight);
    },
    pending: () => inFlight.size,
  };
};

/** A wait that `leave` ends, while the work behind it continues. */
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

/** A batch that some destinations have not finished. */
interface OpenBatch {
  /** Destinations that read its events. */
  left: number;
  /** Destinations that have not written all of them. */
  unfinished: number;
  /** Destinations left that the low-water mark waits for. */
  awaited: number;
  /** No destination that has finished still reads the events. */
  isUnread: boolean;
  readonly events: SequencedBatch['events'];
}

/**
 * Counts the destinations that have finished a batch, frees its memory after the last one, and moves the low-water
 * mark: the highest number up to which every batch is done, best-effort destinations aside. Batches may finish in any
 * order.
 */
const acknowledge = (onLowWater: (sequence: number) => void) => {
  const open = new Map<number, OpenBatch>();
  /** Done, above a batch that is not. */
  const ahead = new Set<number>();
  let lowWater = 0;

  const moveMark = (sequence: number): void => {
    if (sequence !== lowWater + 1) {
      ahead.add(sequence);
      return;
    }
    lowWater = sequence;
    while (ahead.delete(lowWater + 1)) lowWater++;
    onLowWater(lowWater);
  };

  return {
    expect: ({ sequence, events }: SequencedBatch, destinations: number, awaited: number): void => {
      open.set(sequence, {
        left: destinations,
        unfinished: destinations,
        awaited,
        isUnread: true,
        events,
      });
      if (awaited === 0) moveMark(sequence);
    },
    /** A destination reads the events of the batch no more. */
    read: (sequence: number, isUnread: boolean): void => {
      const batch = open.get(sequence);
      if (batch === undefined) return;
      batch.isUnread &&= isUnread;
      if (--batch.left === 0 && batch.isUnread) batch.events.release?.();
    },
    /** A destination has finished the events of the batch, held ones included. Behind `read`. */
    done: (sequence: number, isAwaited: boolean): void => {
      const batch = open.get(sequence);
      if (batch === undefined) return;
      const isDone = isAwaited && --batch.awaited === 0;
      if (--batch.unfinished === 0) open.delete(sequence);
      if (isDone) moveMark(sequence);
    },
  };
};
