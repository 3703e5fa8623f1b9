import type { Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import type { Piece, RateShape } from './shape.js';

interface BurstOptions {
  /** Mean lengths in seconds. */
  readonly on: number;
  readonly off: number;
  readonly alpha: number;
}

/** The longest burst or silence, in times of the shortest: without it, the mean of a day has no bound. */
const LONGEST = 100;

/** Lengths of a Pareto distribution that is cut at `LONGEST` times its minimum, with this mean. */
export const paretoLengths = (mean: number, alpha: number): ((uniform: number) => number) => {
  const kept = 1 - LONGEST ** -alpha;
  const least = (mean * kept * (alpha - 1)) / (alpha * (1 - LONGEST ** (1 - alpha)));
  return (uniform) => least * (1 - uniform * kept) ** (-1 / alpha);
};

/** Bursts and silence in turn, over any shape; the mean factor is that of the shape. */
export interface Bursts {
  /** The piece of the shape that begins at an instant, cut at the end of the burst or silence. Instants ascend. */
  readonly over: (shape: RateShape, at: Micros) => Piece;
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

export const makeBursts = ({ on, off, alpha }: BurstOptions, random: Random): Bursts => {
  const gain = (on + off) / on;
  const lengthOn = paretoLengths(on * MICROS_PER_SECOND, alpha);
  const lengthOff = paretoLengths(off * MICROS_PER_SECOND, alpha);
  let isOn = random.next() * gain >= 1;
  let until = Number.NEGATIVE_INFINITY;
  return {
    over: (shape, at) => {
      while (until <= at) {
        isOn = !isOn;
        const length = (isOn ? lengthOn : lengthOff)(random.next());
        until = Math.max(until, at) + Math.max(1, Math.round(length));
      }
      const { end, from, to } = shape(at);
      const factor = isOn ? gain : 0;
      if (end <= until) return { end, from: from * factor, to: to * factor };
      const cut = from === to ? from : from + ((to - from) * (until - at)) / (end - at);
      return { end: until, from: from * factor, to: cut * factor };
    },
    snapshot: () => ({ isOn, until: Number.isFinite(until) ? until : null, random: random.snapshot() }),
    restore: (state) => {
      const saved = state as { isOn: boolean; until: number | null; random: readonly number[] };
      isOn = saved.isOn;
      until = saved.until ?? Number.NEGATIVE_INFINITY;
      random.restore(saved.random);
    },
  };
};
