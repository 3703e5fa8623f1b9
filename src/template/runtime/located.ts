import { Fault } from '../values/fault.js';

/** Where in which template something went wrong. `source` is the normalised text. */
export interface Place {
  readonly template: { readonly name: string; readonly source: string };
  readonly at: number;
}

/** Most places that an error names. */
const MAX_PLACES = 8;

const places = new WeakMap<Fault, Place[]>();

/** The places of an error, innermost first. */
export const placesOf = (fault: Fault): readonly Place[] => places.get(fault) ?? [];

/** Errors of the JavaScript engine that a template can cause, as errors of the language. */
const asFault = (thrown: unknown): unknown => {
  if (!(thrown instanceof RangeError)) return thrown;
  if (thrown.message.includes('call stack'))
    return new Fault('RecursionError', 'maximum recursion depth exceeded');
  return new Fault('LimitError', `a value became too large (${thrown.message})`);
};

/**
 * Adds a place to an error on its way out. What is no error of the language (a signal of the host, a bug)
 * passes unchanged.
 */
export const located = (thrown: unknown, template: Place['template'], at: number): unknown => {
  const fault = asFault(thrown);
  if (!(fault instanceof Fault)) return fault;
  const known = places.get(fault) ?? [];
  if (known.length < MAX_PLACES) places.set(fault, [...known, { template, at }]);
  return fault;
};
