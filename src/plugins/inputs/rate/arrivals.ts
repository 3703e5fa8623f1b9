import { WAITING } from '../../../domain/events/timestampBatch.js';
import type { Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import { MICROS_PER_SECOND, type Micros, NEVER } from '../../../domain/time/micros.js';
import type { Input } from '../../kit.js';
import type { RateBlocks } from './blocks.js';
import type { Bursts, RatePiece, RateShape } from './shape.js';

interface Schedule {
  readonly shape: RateShape;
  /** Target in units (events or bytes) per second, at factor 1. */
  readonly perSecond: number;
  readonly blocks: RateBlocks;
  readonly bursts: Bursts | null;
  /** Draws the distances of timestamps. Null when the distances are even. */
  readonly random: Random | null;
  readonly from: Micros;
  /** Exclusive. */
  readonly end: Micros;
  readonly total: number;
}

interface State {
  readonly origin: Micros;
  readonly first: number;
  readonly index: number;
  readonly last: Micros | null;
  readonly given: number;
  readonly isOver: boolean;
  readonly end: Micros;
  readonly random: readonly number[] | null;
  readonly bursts: Json;
  readonly blocks: Json;
}

/** Pieces without a timestamp that one call passes once it has a timestamp to give: a rare schedule has many. */
const MAX_PIECES = 1_000;

/**
 * Timestamps at the instants where the integral of the rate reaches the units of each. The state is the beginning of
 * a piece of the rate and the units from there to the next timestamp, so nothing drifts and every restart is exact.
 */
export const arrivalsInput = (schedule: Schedule): Input => {
  const { shape, blocks, bursts, random, total } = schedule;
  const perMicro = schedule.perSecond / MICROS_PER_SECOND;
  const { meter } = blocks;
  let { end } = schedule;
  let origin = schedule.from;
  /** The next timestamp is `first + index * weight` units after `origin`. */
  let first = random === null ? 0 : -Math.log(1 - random.next()) * blocks.weight();
  let index = 0;
  let last: Micros = Number.NEGATIVE_INFINITY;
  let given = 0;
  let isOver = end <= schedule.from;
  let isAttached = false;

  let piece: RatePiece | null = null;
  /** Rate at `origin`, its change per microsecond, and units up to the end of the piece. */
  let [rate, slope, area] = [0, 0, 0];

  const load = (): void => {
    piece = bursts === null ? shape(origin) : bursts.over(shape, origin);
    rate = piece.from * perMicro;
    if (piece.end === NEVER) {
      slope = 0;
      area = rate === 0 ? 0 : NEVER;
      return;
    }
    const length = piece.end - origin;
    slope = ((piece.to - piece.from) * perMicro) / length;
    area = ((piece.from + piece.to) / 2) * perMicro * length;
  };

  /** Begins the piece after this one. False: the rate stays zero. */
  const pass = (): boolean => {
    const next = piece?.end ?? NEVER;
    if (next === NEVER || next >= end) return false;
    first += index * blocks.weight() - area;
    index = 0;
    origin = next;
    load();
    return true;
  };

  const nextBlock = (isMeasured: boolean): void => {
    first += index * blocks.weight();
    index = 0;
    blocks.next((piece ?? shape(origin)).from * schedule.perSecond, isMeasured);
  };

  /**
   * Writes timestamps of this piece and block into `out[at..limit)`; returns the index after the last one. Works on
   * copies: a number that closures share is a new object with each change.
   */
  const write = (out: Float64Array, at: number, limit: number): number => {
    const [weight, start, speed, change, most, stop] = [blocks.weight(), origin, rate, slope, area, end];
    let [base, steps, previous, to] = [first, index, last, at];
    while (to < limit) {
      const units = base + steps * weight;
      if (units >= most) break;
      // A ramp from zero would begin with 0 / 0.
      const since =
        change === 0 || units === 0
          ? units / (speed === 0 ? 1 : speed)
          : (2 * units) / (speed + Math.sqrt(Math.max(0, speed * speed + 2 * change * units)));
      // Rounded before the sum: at today's instants, a double has steps of a quarter of a microsecond.
      const time = start + Math.round(since);
      if (time >= stop) {
        isOver = true;
        break;
      }
      if (time > previous) previous = time;
      out[to++] = previous;
      if (random === null) steps++;
      else base -= Math.log(1 - random.next()) * weight;
    }
    first = base;
    index = steps;
    last = previous;
    return to;
  };

  const hasEnded = (): boolean => isOver;

  const fill = (out: Float64Array): number => {
    const limit = Math.min(out.length, total - given);
    if (piece === null) load();
    let written = 0;
    for (let pieces = 0; written < limit && !hasEnded(); ) {
      if (blocks.left() === 0) {
        if (isAttached) break;
        nextBlock(false);
      }
      const room = Math.min(limit, written + blocks.left());
      const to = write(out, written, room);
      blocks.use(to - written);
      written = to;
      if (to === room || hasEnded()) continue;
      isOver = !pass();
      pieces++;
      if (written > 0 && pieces > MAX_PIECES) break;
    }
    given += written;
    return written === 0 && limit > 0 && !hasEnded() ? WAITING : written;
  };

  return {
    fill,
    snapshot: (): Json => ({
      origin,
      first,
      index,
      last: Number.isFinite(last) ? last : null,
      given,
      isOver,
      end,
      random: random?.snapshot() ?? null,
      bursts: bursts?.snapshot() ?? null,
      blocks: blocks.snapshot(),
    }),
    restore: (state) => {
      const saved = state as unknown as State;
      ({ origin, first, index, given, isOver, end } = saved);
      last = saved.last ?? Number.NEGATIVE_INFINITY;
      if (saved.random !== null) random?.restore(saved.random);
      if (saved.bursts !== null) bursts?.restore(saved.bursts);
      blocks.restore(saved.blocks);
      piece = null;
    },
    ...(meter === null
      ? {}
      : {
          sizes: {
            attach: () => {
              isAttached = true;
            },
            add: meter.add,
            isBlockGiven: () => isAttached && blocks.left() === 0,
            endBlock: () => nextBlock(true),
            snapshot: meter.snapshot,
            restore: meter.restore,
          },
        }),
  };
};
