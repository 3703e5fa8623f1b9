import type { Micros } from '../../../domain/time/micros.js';

/** Caches the text of the last timestamp. */
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
