import { located, raise, type Signal } from '../errors.js';
import { charged, turn } from '../limits.js';
import { jsonText, orderedJson } from '../modules/jsonText.js';
import { cat } from '../text/pieces.js';
import { formatted } from '../text/printf.js';
import { invoke } from '../values/methods.js';
import { callLiteral, callMethod, contains, getItem, getSlice } from '../values/operations/access.js';
import {
  add,
  divide,
  floorDivide,
  modulo,
  multiply,
  negate,
  plus,
  power,
  subtract,
} from '../values/operations/arithmetic.js';
import { equals, greater, greaterOrEqual, less, lessOrEqual, truthy } from '../values/operations/compare.js';
import { iterate, listFrom } from '../values/operations/iterate.js';
import { str } from '../values/operations/print.js';
import { PySlice } from '../values/operations/subscript.js';
import { PyDict } from '../values/types/dict.js';
import { textOf } from '../values/types/markup.js';
import { makeRange, type PyRange, PyTuple } from '../values/types/sequences.js';
import { Undefined, undefinedBecause, undefinedName } from '../values/types/undefined.js';
import { callValue, type Kwargs, TemplateObject, typeName, type Value } from '../values/value.js';
import { renderBlock, requireBlock, SelfReference, superOf } from './context.js';
import { LoopContext } from './loop.js';
import { Macro, Namespace } from './macro.js';
import { call0, call1, call2, call3, callConstant, keep, readAttribute } from './sites.js';
import {
  extendedTwice,
  importAlone,
  importedName,
  importTemplate,
  includeTemplate,
  loadTemplate,
  renderParent,
} from './templates.js';

/** Lines executed since `takeTrail`, in traced environments. One per thread: rendering is synchronous. */
const lines = new Map<string, Set<number>>();

const mark = (template: { readonly name: string }, first: number, last: number): void => {
  const known = lines.get(template.name) ?? new Set();
  lines.set(template.name, known);
  for (let line = first; line <= last; line++) known.add(line);
};

/** `1-3,7` */
const ranges = (numbers: Iterable<number>): string => {
  const runs: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
};

/** Returns and clears the trail: `web.jinja:1-3,7 macros.jinja:2`, in order of execution. */
export const takeTrail = (): string => {
  const text = [...lines].map(([name, numbers]) => `${name}:${ranges(numbers)}`).join(' ');
  lines.clear();
  return text;
};

const NO_VARIABLES: ReadonlyMap<string, Value> = new Map();
const NO_ARGS: readonly Value[] = [];

const variables = (names: readonly string[], values: readonly (Value | undefined)[]): Map<string, Value> => {
  const result = new Map<string, Value>();
  exportAll(result, names, values);
  return result;
};

const exportAll = (
  target: Map<string, Value>,
  names: readonly string[],
  values: readonly (Value | undefined)[],
): void => {
  for (let index = 0; index < names.length; index++) {
    const value = values[index];
    if (value !== undefined) target.set(names[index] as string, value);
  }
};

const makeDict = (items: readonly Value[]): PyDict => {
  const dict = new PyDict();
  for (let i = 0; i + 1 < items.length; i += 2) dict.set(items[i] as Value, items[i + 1] as Value);
  return dict;
};

const unpack = (value: Value, count: number): readonly Value[] => {
  const items = value instanceof PyTuple ? value.items : Array.isArray(value) ? value : unpacked(value);
  if (items.length > count) return raise('ValueError', `too many values to unpack (expected ${count})`);
  if (items.length < count) {
    return raise('ValueError', `not enough values to unpack (expected ${count}, got ${items.length})`);
  }
  return items;
};

const unpacked = (value: Value): Value[] => {
  const isIterable = typeof value === 'string' || (typeof value === 'object' && value !== null);
  if (!isIterable) return raise('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  return listFrom(value);
};

const setMember = (owner: Value, name: string, value: Value): void => {
  if (!(owner instanceof Namespace)) {
    raise('TemplateRuntimeError', 'cannot assign attribute on non-namespace object');
  } else owner.attributes.set(name, value);
};

const starArgs = (args: Value[], more: Value): Value[] => {
  for (const item of iterate(more)) args.push(item);
  return args;
};

const starKwargs = (kwargs: Map<string, Value> | null, more: Value): Kwargs => {
  const result = kwargs ?? new Map<string, Value>();
  if (!(more instanceof PyDict)) {
    return raise('TypeError', `argument after ** must be a mapping, not ${typeName(more)}`);
  }
  for (const [key, value] of more.pairs()) {
    if (typeof key !== 'string') return raise('TypeError', 'keywords must be strings');
    if (result.has(key)) return raise('TypeError', `got multiple values for keyword argument '${key}'`);
    result.set(key, value);
  }
  return result;
};

interface RangeMemo {
  readonly args: readonly Value[];
  range: Value;
}

/** A constant `range(...)`; a replaced `range` is called. */
const literalRange = (target: Value, memo: RangeMemo): Value => {
  if (target !== RANGE) return callValue(target, memo.args, null);
  memo.range ??= makeRange(memo.args, null);
  return memo.range;
};

export const RANGE = (args: readonly Value[], kwargs: Kwargs | null): PyRange => makeRange(args, kwargs);

function* filtered(items: Value, test: (item: Value) => boolean): Generator<Value> {
  for (const item of iterate(items)) if (test(item)) yield item;
}

const onlyText = (value: Value): string =>
  textOf(value) ?? raise('TypeError', `sequence item 0: expected str instance, ${typeName(value)} found`);

const noSuch = (kind: string, name: string): never =>
  raise('TemplateRuntimeError', `No ${kind} named '${name}' found.`);

const noElse = (): Undefined =>
  undefinedBecause('the inline if-expression evaluated to false and no else section was defined.');

const missingParameter = (name: string): Undefined =>
  undefinedBecause(`parameter '${name}' was not provided`);

/** Calls a method; its signal, if it ends the render. */
const endedBy = (
  owner: Value,
  name: string,
  args: readonly Value[],
  kwargs: Kwargs | null,
): Signal | null => {
  const signal = owner instanceof TemplateObject ? owner.ending(name, args, kwargs) : undefined;
  if (signal !== undefined) return signal;
  callMethod(owner, name, args, kwargs);
  return null;
};

/** Functions of generated code, by the names it uses. */
export const RUNTIME = {
  add,
  call: callValue,
  callLiteral,
  call0,
  call1,
  call2,
  call3,
  callConstant,
  callMethod,
  cat,
  divide,
  endedBy,
  equals,
  exportAll,
  extendedTwice,
  filtered,
  floorDivide,
  formatted,
  getItem,
  getSlice,
  greater,
  greaterOrEqual,
  importAlone,
  importedName,
  importTemplate,
  includeTemplate,
  invoke,
  isIn: (needle: Value, value: Value): boolean => contains(value, needle),
  isUndefined: (value: Value): boolean => value instanceof Undefined,
  iterate,
  jsonText,
  keep,
  less,
  lessOrEqual,
  literalRange,
  loadTemplate,
  located,
  LoopContext,
  Macro,
  makeDict,
  mark,
  known: (value: Value | undefined, name: string): Value =>
    value === undefined ? undefinedName(name) : value,
  missingParameter,
  modulo,
  multiply,
  negate,
  NO_ARGS,
  NO_BLOCKS: new Map(),
  NO_VARIABLES,
  noElse,
  noSuch,
  onlyText,
  orderedJson,
  plus,
  power,
  PyDict,
  readAttribute,
  PySlice,
  PyTuple,
  renderBlock,
  renderParent,
  requireBlock,
  SelfReference,
  setMember,
  starArgs,
  starKwargs,
  str,
  subtract,
  superOf,
  truthy,
  turn,
  unpack,
  variables,
  charged,
};
