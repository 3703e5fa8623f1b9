import { MICROS_PER_MINUTE, type Micros } from '../../domain/time/micros.js';
import { rememberLast } from '../remember.js';

/** What begins in a stretch of time is drawn together. */
export const STRETCH_MINUTES = 5;
export const STRETCH = STRETCH_MINUTES * MICROS_PER_MINUTE;

export type AddSteps<Step> = (steps: readonly Step[]) => void;

/**
 * Steps of what begins in stretches and lasts for at most `longest`. `draw` adds those of what begins in a stretch. The
 * function calls `write` with the steps of a minute, counted from 1970, by stretch.
 */
export const stepsByMinute = <Step extends { readonly at: Micros }>(
  longest: Micros,
  draw: (stretch: number, from: Micros, add: AddSteps<Step>) => void,
): ((minute: number, write: (step: Step) => void) => void) => {
  const goingOn = Math.ceil(longest / STRETCH);
  const minutesOf = (stretch: number): readonly (readonly Step[])[] => {
    const from = stretch * STRETCH;
    const minutes: Step[][] = Array.from({ length: (goingOn + 1) * STRETCH_MINUTES }, () => []);
    draw(stretch, from, (steps) => {
      for (const step of steps) minutes[Math.floor((step.at - from) / MICROS_PER_MINUTE)]?.push(step);
    });
    return minutes;
  };
  const { of } = rememberLast(minutesOf, () => 0, goingOn + 3);
  return (minute, write) => {
    const now = Math.floor(minute / STRETCH_MINUTES);
    for (let stretch = now - goingOn; stretch <= now; stretch++)
      for (const step of of(stretch)[minute - stretch * STRETCH_MINUTES] ?? []) write(step);
  };
};
