import { AttributeSite, CallSite } from '../runtime/sites.js';
import type { Value } from '../values/value.js';
import type { Frame } from './unit.js';

/** Source of attribute reads and method calls that remember the kind of object they meet. */

/** A name of the context, or an attribute of one: mostly modules, samples and state. */
const OF_CONTEXT = /^(?:c\d+|\(c\d+===K\d+\.owner|\(\(t\d+=\(c\d+===K\d+\.owner)/;
const VARIABLE = /^[cv]\d+$/;

export const attributeSource = (frame: Frame, owner: string, name: string, place: string): string => {
  const site = frame.unit.constant(new AttributeSite(name));
  const temp = VARIABLE.test(owner) ? owner : frame.fn.temp();
  const value = temp === owner ? owner : `(${temp}=${owner})`;
  const slow = `readAttribute(${temp},${site},${place})`;
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
  place: string,
): string => {
  const site = frame.unit.constant(new CallSite(name, args.length - keys.length, keys));
  return `call${args.length}(${[site, owner, ...args, place].join(',')})`;
};

export const constantCallSource = (
  frame: Frame,
  owner: string,
  name: string,
  literals: readonly Value[],
  place: string,
): string => {
  const site = frame.unit.constant(new CallSite(name, literals.length, [], literals));
  return `callConstant(${site},${owner},${place})`;
};
