import type { Json } from '../../../domain/json.js';
import type { Random } from '../../../domain/random.js';
import { MICROS_PER_SECOND, type Micros, NEVER } from '../../../domain/time/micros.js';

/** The factor from an instant on: straight from `from` to `to` until `end`. Endless ones are constant. */
export interface RatePiece {
  readonly end: Micros;
  readonly from: number;
  readonly to: number;
}

/** Factor of the target over time: the piece that begins at an instant. Equal for equal instants. */
export type RateShape = (at: Micros) => RatePiece;

export const constant =
  (factor: number): RateShape =>
  () => ({ end: NEVER, from: factor, to: factor });

/** A corner of a line over time. */
interface Knot {
  readonly at: Micros;
  readonly factor: number;
}

/** Straight between knots, which ascend and are at least one; constant before and after them. */
export const polyline = (knots: readonly Knot[]): RateShape => {
  const first = knots[0] as Knot;
  const last = knots.at(-1) as Knot;
  let near = 1;
  return (at) => {
    if (at < first.at) return { end: first.at, from: first.factor, to: first.factor };
    if (at >= last.at) return { end: NEVER, from: last.factor, to: last.factor };
    if ((knots[near - 1] as Knot).at > at) near = 1;
    while ((knots[near] as Knot).at <= at) near++;
    const [left, right] = [knots[near - 1] as Knot, knots[near] as Knot];
    const share = (at - left.at) / (right.at - left.at);
    return {
      end: right.at,
      from: left.factor + (right.factor - left.factor) * share,
      to: right.factor,
    };
  };
};

/** Times of at least one microsecond. */
const microsOf = (seconds: number): number => Math.max(1, Math.round(seconds * MICROS_PER_SECOND));

interface Level {
  readonly factor: number;
  readonly seconds: number;
}

/** Constant levels from `start`. The last one lasts, unless they repeat. */
export const levels = (start: Micros, given: readonly Level[], repeat: boolean): RateShape => {
  const ends: number[] = [];
  let period = 0;
  for (const { seconds } of given) {
    period += microsOf(seconds);
    ends.push(period);
  }
  return (at) => {
    const since = at - start;
    const last = given.at(-1) as Level;
    if (since >= period && !repeat) return { end: NEVER, from: last.factor, to: last.factor };
    const round = Math.floor(since / period) * period;
    const index = ends.findIndex((end) => since - round < end);
    const { factor } = given[index] as Level;
    const isLast = index === given.length - 1 && !repeat;
    return { end: isLast ? NEVER : start + round + (ends[index] as number), from: factor, to: factor };
  };
};

export const ramp = (start: Micros, end: Micros, from: number, to: number): RateShape =>
  polyline([
    { at: start, factor: from },
    { at: Math.max(end, start + 1), factor: to },
  ]);

export const rampEnd = (start: Micros, seconds: number): Micros => start + microsOf(seconds);

interface Spike {
  readonly factor: number;
  readonly after: number;
  readonly seconds: number;
  readonly repeat: boolean;
}

/** A peak above the target. */
export const spike = (start: Micros, { factor, after, seconds, repeat }: Spike): RateShape => {
  const peak = { factor, seconds };
  const calm = after === 0 ? [] : [{ factor: 1, seconds: after }];
  return repeat
    ? levels(start, [...calm, peak], true)
    : levels(start, [...calm, peak, { factor: 1, seconds: 1 }], false);
};

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
  readonly over: (shape: RateShape, at: Micros) => RatePiece;
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
