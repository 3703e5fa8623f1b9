import { MICROS_PER_HOUR, MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import type { KeyedDraws } from '../draw.js';
import type { Person } from '../population/entities.js';
import { rememberLast } from '../remember.js';
import type { Surroundings } from './scribe.js';

/** What begins in a stretch of time is drawn together. */
export const STRETCH_MINUTES = 5;
export const STRETCH = STRETCH_MINUTES * MICROS_PER_MINUTE;

export type AddSteps<Step> = (steps: readonly Step[]) => void;

/**
 * Steps of what begins in stretches and lasts for at most `longest`. `draw` adds those of what begins in a stretch. The
 * function calls `write` with the steps of a minute, counted from 1970, by stretch. Stretches of a minute take less time
 * and memory at once, where there is much to draw.
 */
export const stepsByMinute = <Step extends { readonly at: Micros }>(
  longest: Micros,
  draw: (stretch: number, from: Micros, add: AddSteps<Step>) => void,
  stretchMinutes = STRETCH_MINUTES,
): ((minute: number, write: (step: Step) => void) => void) => {
  const length = stretchMinutes * MICROS_PER_MINUTE;
  const goingOn = Math.ceil(longest / length);
  const minutesOf = (stretch: number): readonly (readonly Step[])[] => {
    const from = stretch * length;
    const minutes: Step[][] = Array.from({ length: (goingOn + 1) * stretchMinutes }, () => []);
    draw(stretch, from, (steps) => {
      for (const step of steps) minutes[Math.floor((step.at - from) / MICROS_PER_MINUTE)]?.push(step);
    });
    return minutes;
  };
  const { of } = rememberLast(minutesOf, () => 0, goingOn + 3);
  return (minute, write) => {
    const now = Math.floor(minute / stretchMinutes);
    for (let stretch = now - goingOn; stretch <= now; stretch++)
      for (const step of of(stretch)[minute - stretch * stretchMinutes] ?? []) write(step);
  };
};

/** Somebody of the organization begins something: so often an hour and person, whether or not they are at work. */
export const eachOfStaff = (
  { draws, population: { size, person } }: Surroundings,
  why: number,
  perHour: number,
  stretch: number,
  from: Micros,
  begin: (own: KeyedDraws, at: Micros, who: Person) => void,
  length = STRETCH,
): void => {
  const count = draws.of(0, stretch, why).poisson((size * perHour * length) / MICROS_PER_HOUR);
  for (let index = 1; index <= count; index++) {
    const own = draws.of(index, stretch, why);
    const at = from + Math.floor(own.next() * length);
    begin(own, at, person(own.integer(0, size - 1)));
  }
};
