import { raise } from '../fault.js';
import type { Kwargs, Value } from '../value.js';

export interface Signature {
  readonly name: string;
  readonly params: readonly string[];
  readonly defaults: readonly (Value | undefined)[];
  /** Parameters before `/`. */
  readonly positionalOnly: number;
  /** Parameters before `*`. */
  readonly positional: number;
  /** Positional arguments after which all parameters have defaults. */
  readonly enough: number;
}

const literal = (text: string): Value => {
  if (text === 'None') return null;
  if (text === 'True' || text === 'False') return text === 'True';
  if (/^-?\d+$/.test(text)) return Number(text);
  return text.slice(1, -1).replaceAll('\\n', '\n');
};

/** Cache by source; our signatures are a closed list. */
const known = new Map<string, Signature>();

/** Parses `name(a, b=1, /, c='x', *, d=None)`. String defaults must not contain commas. */
export const parseSignature = (source: string): Signature => {
  const found = known.get(source);
  if (found !== undefined) return found;
  const signature = readSignature(source);
  known.set(source, signature);
  return signature;
};

const readSignature = (source: string): Signature => {
  const [, name = '', list = ''] = /^([^(]+)\((.*)\)$/s.exec(source) ?? [];
  const params: string[] = [];
  const defaults: (Value | undefined)[] = [];
  let positionalOnly = 0;
  let positional = -1;
  for (const part of list.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    if (part === '/') positionalOnly = params.length;
    else if (part === '*') positional = params.length;
    else {
      const at = part.indexOf('=');
      params.push(at < 0 ? part : part.slice(0, at));
      defaults.push(at < 0 ? undefined : literal(part.slice(at + 1)));
    }
  }
  return {
    name,
    params,
    defaults,
    positionalOnly,
    positional: positional < 0 ? params.length : positional,
    enough: defaults.lastIndexOf(undefined) + 1,
  };
};

const countError = ({ name, params, defaults, positional }: Signature, given: number): never => {
  const required = defaults.filter((each) => each === undefined).length;
  if (positional === 0) return raise('TypeError', `${name}() takes no arguments (${given} given)`);
  const many = positional === 1 ? '' : 's';
  const bound = required === params.length ? 'exactly' : given < required ? 'at least' : 'at most';
  const count = bound === 'at least' ? required : positional;
  return raise('TypeError', `${name}() takes ${bound} ${count} argument${many} (${given} given)`);
};

/** One value per parameter. TypeError as in Python. */
export const bind = (signature: Signature, args: readonly Value[], kwargs: Kwargs | null): Value[] => {
  const { name, params, defaults, positional, positionalOnly } = signature;
  if (args.length > positional) return countError(signature, args.length);
  const values: (Value | undefined)[] = args.slice();
  if (kwargs !== null) {
    for (const [key, value] of kwargs) {
      const index = params.indexOf(key);
      if (index < positionalOnly) {
        return raise('TypeError', `${name}() got an unexpected keyword argument '${key}'`);
      }
      if (index < args.length)
        return raise('TypeError', `${name}() got multiple values for argument '${key}'`);
      values[index] = value;
    }
  }
  for (let i = 0; i < params.length; i++) {
    const value = values[i] ?? (values[i] === null ? null : defaults[i]);
    if (value === undefined) {
      if (kwargs === null) return countError(signature, args.length);
      return raise('TypeError', `${name}() missing required argument: '${params[i]}'`);
    }
    values[i] = value;
  }
  return values as Value[];
};
