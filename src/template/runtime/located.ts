import { Fault } from '../values/fault.js';

/** Position of an error. `source`: the normalized text. */
export interface TemplatePosition {
  readonly template: { readonly name: string; readonly source: string };
  readonly at: number;
}

const MAX_POSITIONS = 8;

const positions = new WeakMap<Fault, TemplatePosition[]>();

/** Innermost first. */
export const positionsOf = (fault: Fault): readonly TemplatePosition[] => positions.get(fault) ?? [];

/** Converts JavaScript engine errors that templates can cause. */
const asFault = (thrown: unknown): unknown => {
  if (!(thrown instanceof RangeError)) return thrown;
  if (thrown.message.includes('call stack'))
    return new Fault('RecursionError', 'maximum recursion depth exceeded');
  return new Fault('LimitError', `a value became too large (${thrown.message})`);
};

/** Adds a position to a fault on its way out. Other exceptions (host signals, bugs) pass unchanged. */
export const located = (thrown: unknown, template: TemplatePosition['template'], at: number): unknown => {
  const fault = asFault(thrown);
  if (!(fault instanceof Fault)) return fault;
  const outer = positions.get(fault) ?? [];
  if (outer.length < MAX_POSITIONS) positions.set(fault, [...outer, { template, at }]);
  return fault;
};
