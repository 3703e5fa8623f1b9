import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, type SpateError } from '../../../domain/errors.js';
import type { Micros } from '../../../domain/time/micros.js';
import { parseIso } from '../../../domain/time/parseIso.js';
import type { Zone } from '../../../domain/time/zone.js';
import { NOT_ISO } from './source.js';

const FIRST_CAPACITY = 1024;
const SHOWN = 60;

export interface Collected {
  readonly add: (text: string, location: () => string) => SpateError | null;
  readonly instants: () => Float64Array;
}

/** Collects instants in ascending order. Errors name the location. */
export const collectInstants = (zone: Zone): Collected => {
  let instants = new Float64Array(FIRST_CAPACITY);
  let count = 0;
  let last: Micros = Number.NEGATIVE_INFINITY;
  const problem = (message: string): SpateError => failure('plugin_failed', message);
  return {
    add: (text, location) => {
      const instant = parseIso(text, zone);
      if (instant === null) return problem(`${location()}: "${text.slice(0, SHOWN)}" ${NOT_ISO}`);
      if (instant < last)
        return problem(`${location()}: ${text} is earlier than the previous timestamp. Sort them.`);
      if (count === instants.length) {
        const larger = new Float64Array(count * 2);
        larger.set(instants);
        instants = larger;
      }
      instants[count++] = instant;
      last = instant;
      return null;
    },
    instants: () => instants.slice(0, count),
  };
};

export const instantsOfList = (texts: readonly string[], zone: Zone): Result<Float64Array> => {
  const collected = collectInstants(zone);
  for (const [index, text] of texts.entries()) {
    const problem = collected.add(text.trim(), () => `source[${index}]`);
    if (problem !== null) return E.left(problem);
  }
  return E.right(collected.instants());
};
