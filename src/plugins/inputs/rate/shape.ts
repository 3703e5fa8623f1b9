import { MICROS_PER_SECOND, type Micros, NEVER } from '../../../domain/time/micros.js';

/** The factor from an instant on: straight from `from` to `to` until `end`. Endless ones are constant. */
export interface Piece {
  readonly end: Micros;
  readonly from: number;
  readonly to: number;
}

/** Factor of the target over time: the piece that begins at an instant. Equal for equal instants. */
export type RateShape = (at: Micros) => Piece;

export const constant =
  (factor: number): RateShape =>
  () => ({ end: NEVER, from: factor, to: factor });

/** A corner of a line over time. */
export interface Knot {
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
