import type { Micros } from '../../../domain/time/micros.js';

/** Gives the text of each timestamp; equal neighbours are made once. */
export const remembering = (textOf: (micros: Micros) => string): ((micros: Micros) => string) => {
  let last = Number.NaN;
  let text = '';
  return (micros) => {
    if (micros !== last) {
      text = textOf(micros);
      last = micros;
    }
    return text;
  };
};
