import { textBatch } from '../../domain/events/eventBatch.js';
import { displacementOf } from '../../domain/imperfections/displace.js';
import type { OUTPUT_SLOTS } from '../../domain/stats/stats.js';
import { MICROS_PER_MS, MICROS_PER_SECOND, NEVER } from '../../domain/time/micros.js';
import type { Imperfections } from '../../plugins/kit.js';
import type { Clock } from '../../ports/clock.js';
import type { SequencedBatch } from '../produce.js';
import { type HeldEvent, makeShelf } from './shelf.js';

interface HoldOptions {
  readonly clock: Clock;
  readonly isLive: boolean;
  readonly count: (name: keyof typeof OUTPUT_SLOTS, amount: number) => void;
  /** Parts have numbers of their own. */
  readonly send: (part: SequencedBatch) => Promise<void>;
  /** Nothing reads the events of the batch any more; `isUnread` as in the acknowledgement. */
  readonly onRead: (sequence: number, isUnread: boolean) => void;
  /** Every event of the batch has been written or given up. */
  readonly onDone: (sequence: number) => void;
}

/** Holds events that come late or out of order. */
export interface Hold {
  readonly accept: (batch: SequencedBatch) => Promise<void>;
  /** A part with this number has been written or given up. */
  readonly finished: (part: number, isUnread: boolean) => void;
  /** Sends what is held, before its time. */
  readonly release: () => Promise<void>;
}

/** Whether a destination with these imperfections holds events. */
export const holds = (imperfections: Imperfections | null | undefined): imperfections is Imperfections =>
  imperfections != null &&
  (imperfections.choices.late !== null || imperfections.choices.out_of_order !== null);

/** Not a slice of the text of its batch, which it would keep in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

interface Part {
  /** The batch that it is the rest of; `null`: only held events. */
  readonly of: number | null;
  /** Batches of its held events, one entry for each event. */
  readonly held: readonly number[];
}

/**
 * Moves events behind later ones: an event out of order behind the events up to a number, a late one behind those up to a
 * time. Where a held event comes is decided at each event, so the order depends on no batch. With a live generator a late
 * event also comes when the clock has reached its time. A batch is done when its last held event is.
 */
export const holdBack = ({ choices, key }: Imperfections, options: HoldOptions): Hold => {
  const { clock } = options;
  const shelf = makeShelf();
  const parts = new Map<number, Part>();
  /** Parts and held events of a batch that are not finished. */
  const open = new Map<number, number>();
  let lastPart = 0;
  let stopTimer = (): void => {};

  const close = (sequence: number): void => {
    const left = (open.get(sequence) ?? 1) - 1;
    if (left > 0) return void open.set(sequence, left);
    open.delete(sequence);
    options.onDone(sequence);
  };

  const numbered = (part: Part): number => {
    parts.set(++lastPart, part);
    return lastPart;
  };

  /** Held events alone, in the order given. */
  const sendHeld = async (events: readonly HeldEvent[]): Promise<void> => {
    const [first] = events;
    if (first === undefined) return;
    await options.send({
      sequence: numbered({ of: null, held: events.map(({ sequence }) => sequence) }),
      events: textBatch(events.map(({ text }) => text)),
      firstEvent: first.ordinal,
      ordinals: events.map(({ ordinal }) => ordinal),
      tags: [],
      producedAtMs: first.producedAtMs,
    });
  };

  const startTimer = (): void => {
    stopTimer();
    const dueMicros = options.isLive ? shelf.nextTime() : NEVER;
    if (dueMicros === NEVER) return;
    const ms = Math.max(1, Math.ceil((dueMicros - clock.now()) / MICROS_PER_MS));
    stopTimer = clock.after(ms, () => {
      void sendHeld(shelf.take(-1, clock.now() + 1));
      startTimer();
    });
  };

  const held = (batch: SequencedBatch, index: number, ordinal: number): HeldEvent | null => {
    const displacement = displacementOf(choices, key, ordinal);
    if (displacement === null) return null;
    const { sequence, producedAtMs } = batch;
    const isLate = displacement.what === 'late';
    const time = batch.times?.[index] ?? 0;
    return {
      dueOrdinal: isLate ? null : ordinal + displacement.places,
      dueMicros: isLate ? time + displacement.seconds * MICROS_PER_SECOND : null,
      ordinal,
      sequence,
      producedAtMs,
      text: copyOf(batch.events.texts()[index] as string),
    };
  };

  const accept = async (batch: SequencedBatch): Promise<void> => {
    const { sequence, ordinals = [], times } = batch;
    const out: { readonly ordinal: number; readonly at: number; readonly text: string | null }[] = [];
    const sources: number[] = [];
    let isWhole = true;
    const put = (events: readonly HeldEvent[]): void => {
      for (const event of events) {
        out.push({ ordinal: event.ordinal, at: -1, text: event.text });
        sources.push(event.sequence);
        isWhole = false;
      }
    };
    open.set(sequence, 1);
    for (let index = 0; index < ordinals.length; index++) {
      const ordinal = ordinals[index] as number;
      put(shelf.take(ordinal, times?.[index] ?? 0));
      const event = held(batch, index, ordinal);
      if (event === null) {
        out.push({ ordinal, at: index, text: null });
        continue;
      }
      isWhole = false;
      open.set(sequence, (open.get(sequence) ?? 0) + 1);
      shelf.add(event);
      const early = shelf.overflow();
      options.count('imperfect_early', early.length);
      put(early);
    }
    startTimer();
    const part = { of: sequence, held: sources };
    if (isWhole) return options.send({ ...batch, sequence: numbered(part) });
    if (out.length === 0) {
      options.onRead(sequence, true);
      return close(sequence);
    }
    const texts = batch.events.texts();
    return options.send({
      ...batch,
      sequence: numbered(part),
      events: textBatch(out.map(({ at, text }) => text ?? (texts[at] as string))),
      ordinals: out.map(({ ordinal }) => ordinal),
    });
  };

  return {
    accept,
    finished: (number, isUnread) => {
      const part = parts.get(number);
      if (part === undefined) return;
      parts.delete(number);
      if (part.of !== null) {
        options.onRead(part.of, isUnread);
        close(part.of);
      }
      for (const sequence of part.held) close(sequence);
    },
    release: async () => {
      stopTimer();
      const rest = shelf.takeAll();
      options.count('imperfect_early', rest.length);
      await sendHeld(rest);
    },
  };
};
