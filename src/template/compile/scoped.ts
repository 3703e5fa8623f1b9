import type { Body, Target } from '../parse/ast.js';
import { expression } from './expressions.js';
import type { Scope } from './scope.js';
import { declarations, type Frame, innerScope } from './unit.js';

const quote = JSON.stringify;

export interface Preparation {
  /** Declares the parameters and reads expressions evaluated before the body. */
  readonly declare: (inner: Frame) => void;
  /** Code before the body; runs after all variables have names. */
  readonly code: (inner: Frame) => string;
}

const NOTHING: Preparation = { declare: () => undefined, code: () => '' };

export const scoped = (
  frame: Frame,
  body: Body,
  { declare, code }: Preparation = NOTHING,
  change: Partial<Frame> = {},
): string => {
  const scope = innerScope(frame);
  const inner: Frame = { ...frame, isTop: false, ...change, scope, definite: new Set(frame.definite) };
  declare(inner);
  scope.readBody(body);
  const names = declarations(scope, inner.fn, inner.definite);
  const before = code(inner);
  return `${names}${before}${inner.statements(inner, body)}`;
};

export const assign = (frame: Frame, target: Target, value: string): string => {
  if (target.kind === 'name') {
    const variable = frame.scope.find(target.name);
    if (variable === null) return '';
    frame.definite.add(variable);
    return `${variable.js}=${value};`;
  }
  if (target.kind === 'member') {
    const owner = expression(frame, { kind: 'name', name: target.name, at: target.at });
    return `setMember(${owner},${quote(target.attribute)},${value},P=${target.at});`;
  }
  const temp = frame.fn.temp();
  const parts = target.items.map((item, index) => assign(frame, item, `${temp}[${index}]`));
  // A nested target may use other temporaries, never this one.
  return `${temp}=unpack(${value},${target.items.length},P=${target.at});${parts.join('')}`;
};

/** Visible variables as source of a Map; with `isTop` only the template's. */
export const locals = (frame: Frame): string => {
  const names = new Map<string, string>();
  for (let scope: Frame['scope'] | null = frame.scope; scope !== null; scope = scope.parent) {
    for (const name of scope.stored) {
      const variable = scope.find(name);
      if (variable !== null && !names.has(name)) names.set(name, variable.js);
    }
  }
  if (names.size === 0) return 'NO_VARIABLES';
  return `variables(${quote([...names.keys()])},[${[...names.values()].join(',')}])`;
};

export const declareTarget = (scope: Scope, target: Target): void => {
  if (target.kind === 'name') scope.parameter(target.name);
  else if (target.kind === 'targets') for (const item of target.items) declareTarget(scope, item);
};

export const targetNames = (frame: Frame, target: Target): string => {
  if (target.kind === 'name') return `let ${frame.scope.find(target.name)?.js ?? ''};`;
  return target.kind === 'targets' ? target.items.map((item) => targetNames(frame, item)).join('') : '';
};
