import { textBatch } from '../../domain/events/eventBatch.js';
import type { OUTPUT_SLOTS } from '../../domain/stats/stats.js';
import { MICROS_PER_MS, MICROS_PER_SECOND, type Micros, NEVER } from '../../domain/time/micros.js';
import { type Displacement, displacementOf, silenceAt } from '../../imperfections/times.js';
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

/** Holds events that come late, out of order or after a silence. */
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
  (imperfections.choices.late !== null ||
    imperfections.choices.out_of_order !== null ||
    imperfections.choices.silent?.events === 'delivered');

/** Whether these imperfections depend on the time of each event. */
export const readsTimes = ({ choices: { late, silent, skewed } }: Imperfections): boolean =>
  late !== null || silent !== null || skewed > 0;

/** Not a slice of the text of its batch, which it would keep in memory. */
const copyOf = (text: string): string => Buffer.from(text).toString();

interface Part {
  /** The batch that it is the rest of. Null when it has only held events. */
  readonly of: number | null;
  /** Batches of its held events, one entry for each event. */
  readonly held: readonly number[];
}

interface Placed {
  readonly ordinal: number;
  readonly micros: Micros | null;
  /** In the batch; -1: it was held. */
  readonly at: number;
  readonly text: string | null;
}

const timesOf = (events: readonly { readonly micros: Micros | null }[]): Pick<SequencedBatch, 'times'> =>
  events.some(({ micros }) => micros === null)
    ? {}
    : { times: Float64Array.from(events, ({ micros }) => micros ?? 0) };

/** What a held event waits for. */
const dueOf = (
  displacement: Displacement,
  ordinal: number,
  micros: Micros | null,
): Pick<HeldEvent, 'dueOrdinal' | 'dueMicros'> => {
  if (displacement.what === 'out_of_order')
    return { dueOrdinal: ordinal + displacement.places, dueMicros: null };
  const dueMicros =
    displacement.what === 'late'
      ? (micros ?? 0) + displacement.seconds * MICROS_PER_SECOND
      : // Before the first event after the silence.
        displacement.silence.until - 1;
  return { dueOrdinal: null, dueMicros };
};

/**
 * Moves events behind later ones: an event out of order behind the events up to a number, a late one behind those up to a
 * time, one of a silence behind it. In a silence nothing is delivered. Where a held event comes is decided at each event, so
 * the order depends on no batch. With a live generator an event also comes when the clock has reached its time. A batch is
 * done when its last held event is.
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
      ...timesOf(events),
      tags: [],
      producedAtMs: first.producedAtMs,
    });
  };

  const startTimer = (): void => {
    stopTimer();
    const next = options.isLive ? shelf.nextTime() : NEVER;
    if (next === NEVER) return;
    const dueMicros = silenceAt(choices.silent, key, next)?.until ?? next;
    const ms = Math.max(1, Math.ceil((dueMicros - clock.now()) / MICROS_PER_MS));
    stopTimer = clock.after(ms, () => {
      void sendHeld(shelf.take(-1, clock.now() + 1));
      startTimer();
    });
  };

  const held = (batch: SequencedBatch, index: number, ordinal: number): HeldEvent | null => {
    const micros = batch.times?.[index] ?? null;
    const displacement = displacementOf(choices, key, ordinal, micros);
    if (displacement === null) return null;
    const { sequence, producedAtMs } = batch;
    return {
      ...dueOf(displacement, ordinal, micros),
      ordinal,
      micros,
      sequence,
      producedAtMs,
      text: copyOf(batch.events.texts()[index] as string),
    };
  };

  const accept = async (batch: SequencedBatch): Promise<void> => {
    const { times, ...rest } = batch;
    const { sequence, ordinals = [] } = rest;
    const out: Placed[] = [];
    const sources: number[] = [];
    let isWhole = true;
    const put = (events: readonly HeldEvent[]): void => {
      for (const event of events) {
        out.push({ ordinal: event.ordinal, micros: event.micros, at: -1, text: event.text });
        sources.push(event.sequence);
        isWhole = false;
      }
    };
    open.set(sequence, 1);
    for (let index = 0; index < ordinals.length; index++) {
      const ordinal = ordinals[index] as number;
      const micros = times?.[index] ?? null;
      if (silenceAt(choices.silent, key, micros) === null) put(shelf.take(ordinal, micros ?? 0));
      const event = held(batch, index, ordinal);
      if (event === null) {
        out.push({ ordinal, micros, at: index, text: null });
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
      ...rest,
      sequence: numbered(part),
      events: textBatch(out.map(({ at, text }) => text ?? (texts[at] as string))),
      ordinals: out.map(({ ordinal }) => ordinal),
      ...timesOf(out),
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
