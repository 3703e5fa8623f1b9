import { AttributeSite, CallSite } from '../runtime/sites.js';
import type { Value } from '../values/value.js';
import type { Frame } from './unit.js';

/** Operations that can fail take `P=<offset>` last: `P` is the current position of the render. */
export const location = (at: number): string => `P=${at}`;

export const BINARY: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '//': 'floorDivide',
  '%': 'modulo',
  '**': 'power',
};

/** `!`: negated. */
export const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': '!equals',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
};

/** Filters that do not keep, change or return their operand: it may be a constant. */
export const READS_ONLY = new Set([
  'random',
  'length',
  'count',
  'join',
  'first',
  'last',
  'min',
  'max',
  'sum',
  'tojson',
  'json',
  'string',
  'upper',
  'lower',
  'list',
  'sort',
  'unique',
  'map',
  'select',
  'reject',
]);

/** Filters whose result without arguments is text: the function that writes it. */
export const TEXT_WRITERS: ReadonlyMap<string, string> = new Map([
  ['tojson', 'jsonText'],
  ['json', 'orderedJson'],
]);

export const INLINE_TESTS: Readonly<Record<string, string>> = {
  defined: '!isUndefined',
  undefined: 'isUndefined',
};

/** Constants: their length is bounded by the template. */
const MADE_ONCE = /^(?:K\d+$|literalRange\()/;

export const chargedSource = (source: string, at: number): string =>
  MADE_ONCE.test(source) ? source : `charged(${source},${location(at)})`;

/** Source of attribute reads and method calls that remember the kind of object they meet. */

/** A name of the context, or an attribute of one: mostly modules, samples and state. */
const OF_CONTEXT = /^(?:c\d+|\(c\d+===K\d+\.owner|\(\(t\d+=\(c\d+===K\d+\.owner)/;
const VARIABLE = /^[cv]\d+$/;

export const attributeSource = (frame: Frame, owner: string, name: string, location: string): string => {
  const site = frame.unit.constant(new AttributeSite(name));
  const temp = VARIABLE.test(owner) ? owner : frame.fn.temp();
  const value = temp === owner ? owner : `(${temp}=${owner})`;
  const slow = `readAttribute(${temp},${site},${location})`;
  if (OF_CONTEXT.test(owner)) return `(${value}===${site}.owner?${site}.value:${slow})`;
  return `(${value}!==null&&${temp}.layout===${site}.layout?${temp}.items[${site}.place]:${slow})`;
};

/** Arguments that a site can take. */
export const MOST_ARGUMENTS = 3;

export const callSource = (
  frame: Frame,
  owner: string,
  name: string,
  args: readonly string[],
  keys: readonly string[],
  location: string,
): string => {
  const site = frame.unit.constant(new CallSite(name, args.length - keys.length, keys));
  return `call${args.length}(${[site, owner, ...args, location].join(',')})`;
};

export const constantCallSource = (
  frame: Frame,
  owner: string,
  name: string,
  literals: readonly Value[],
  location: string,
): string => {
  const site = frame.unit.constant(new CallSite(name, literals.length, [], literals));
  return `callConstant(${site},${owner},${location})`;
};
