import { Fault } from '../values/fault.js';

/** Position of an error. `source`: the normalized text. */
export interface Place {
  readonly template: { readonly name: string; readonly source: string };
  readonly at: number;
}

const MAX_PLACES = 8;

const places = new WeakMap<Fault, Place[]>();

/** Innermost first. */
export const placesOf = (fault: Fault): readonly Place[] => places.get(fault) ?? [];

/** Converts JavaScript engine errors that templates can cause. */
const asFault = (thrown: unknown): unknown => {
  if (!(thrown instanceof RangeError)) return thrown;
  if (thrown.message.includes('call stack'))
    return new Fault('RecursionError', 'maximum recursion depth exceeded');
  return new Fault('LimitError', `a value became too large (${thrown.message})`);
};

/** Adds a position to a fault on its way out. Other exceptions (host signals, bugs) pass unchanged. */
export const located = (thrown: unknown, template: Place['template'], at: number): unknown => {
  const fault = asFault(thrown);
  if (!(fault instanceof Fault)) return fault;
  const known = places.get(fault) ?? [];
  if (known.length < MAX_PLACES) places.set(fault, [...known, { template, at }]);
  return fault;
};
