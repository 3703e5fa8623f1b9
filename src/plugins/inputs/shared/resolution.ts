import { MICROS_PER_SECOND, type Micros } from '../../../domain/time/micros.js';
import { number, optional } from '../../../schema/index.js';
import type { Input } from '../../kit.js';

/** Field `resolution` of inputs that fill a range: null when timestamps are exact to the microsecond. */
export const resolutionField = () =>
  optional(number({ min: 0.000_001, max: 86_400 }), {
    help:
      'Rounds timestamps down to multiples of this, as sources that write whole seconds do. ' +
      'Several timestamps can then be equal, and the first one can lie before the start.',
    unit: 'seconds',
    extension: true,
    example: 1,
  });

const roundingTo = (resolution: number): ((time: Micros) => Micros) => {
  const step = Math.round(resolution * MICROS_PER_SECOND);
  return (time) => Math.floor(time / step) * step;
};

/** Timestamps by their index, rounded down; equal ones stay in order. */
export const roundedDown = (
  at: (index: number) => Micros,
  resolution: number,
): ((index: number) => Micros) => {
  const round = roundingTo(resolution);
  return (index) => round(at(index));
};

/** A `fill` that rounds down what the given one writes. */
export const roundAllDown = (fill: Input['fill'], resolution: number): Input['fill'] => {
  const round = roundingTo(resolution);
  return (out) => {
    const written = fill(out);
    // A negative count says that the input waits.
    for (let index = 0; index < written; index++) out[index] = round(out[index] as Micros);
    return written;
  };
};
