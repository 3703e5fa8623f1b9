import type { Fault } from './cases/requestCase.js';

const commonLength = (left: readonly string[], right: readonly string[]): number => {
  const differs = left.findIndex((part, i) => part !== right[i]);
  return differs === -1 ? left.length : differs;
};

const wholePath = ({ where, path }: Fault): readonly string[] => [where, ...path];

/**
 * Whether a location leads to a fault: it is the place itself, one level above it, or inside of what was put
 * there.
 */
export const leadsTo = (loc: readonly string[], fault: Fault): boolean => {
  const whole = wholePath(fault);
  const common = commonLength(loc, whole);
  return common >= Math.max(1, whole.length - 1) && (common === loc.length || common === whole.length);
};

/** Whether a location is beside a place: below the same parent, as a rule over several fields reports it. */
export const isNear = (loc: readonly string[], place: Fault): boolean => {
  const whole = wholePath(place);
  return commonLength(loc, whole) >= Math.max(1, whole.length - 1);
};

/** Whether a location is the place or one that holds it, at any distance. */
export const isAbove = (loc: readonly string[], place: Fault): boolean =>
  commonLength(loc, wholePath(place)) === loc.length;
