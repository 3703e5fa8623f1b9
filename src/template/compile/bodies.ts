import { allStatements, type Body, readsName, type Statement, type Target } from '../parse/ast.js';
import { condition, expression, readExpression } from './expressions.js';
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

type For = Statement & { kind: 'for' };

const usesLoop = (node: For): boolean =>
  node.isRecursive ||
  readsName(node.body, 'loop') ||
  [...allStatements(node.body)].some((each) => each.kind === 'block' && each.isScoped);

const taken = (inner: Frame, node: For, element: string): string =>
  `${targetNames(inner, node.target)}${assign(inner, node.target, element)}`;

/** Loop body. `ran` is set after the last statement, as in Jinja. */
const turnOf = (
  frame: Frame,
  node: For,
  element: string,
  loopValue: string | null,
  ran: string,
  label: string,
): string => {
  const inLoop: Frame = { ...frame, loop: label };
  // With `loop`, filter first: `loop` counts only the remaining elements.
  const inline = loopValue === null ? node.condition : null;
  const code = scoped(inLoop, node.body, {
    declare: ({ scope }) => {
      declareTarget(scope, node.target);
      if (loopValue !== null) scope.parameter('loop');
      if (inline !== null) scope.readExpression(inline);
    },
    code: (inner) => {
      const before = taken(inner, node, element);
      if (loopValue !== null) {
        const variable = inner.scope.parameter('loop');
        inner.definite.add(variable);
        return `${before}const ${variable.js}=${loopValue};`;
      }
      return inline === null ? before : `${before}if(!${condition(inner, inline)})continue ${label};`;
    },
  });
  return `turn(${frame.out}.length,P=${node.at});${code}${ran === '' ? '' : `${ran}=true;`}`;
};

const filtered = (frame: Frame, node: For, items: string): string => {
  if (node.condition === null) return items;
  const scope = innerScope(frame);
  const inner: Frame = { ...frame, scope, isTop: false, definite: new Set(frame.definite) };
  const element = frame.unit.newName('e');
  declareTarget(scope, node.target);
  scope.readExpression(node.condition);
  const names = declarations(scope, frame.fn, inner.definite);
  const before = taken(inner, node, element);
  return `filtered(${items},(${element})=>{${names}${before}return ${condition(inner, node.condition)};},P=${node.at})`;
};

const withLoop = (
  frame: Frame,
  node: For,
  items: string,
  recurse: string,
  depth: string,
  ran: string,
): string => {
  const name = frame.unit.newName('l');
  const label = frame.unit.newName('L');
  const body = turnOf(frame, node, `${name}.current`, name, ran, label);
  const source = filtered(frame, node, items);
  return `const ${name}=new LoopContext(${source},${recurse},${depth},P=${node.at});${label}:while(${name}.advance()){${body}}`;
};

const otherwise = (frame: Frame, node: For, ran: string): string =>
  node.otherwise === null ? '' : `if(!${ran}){${scoped(frame, node.otherwise)}}`;

export const loop = (frame: Frame, node: For): string => {
  const ran = node.otherwise === null ? '' : frame.unit.newName('r');
  const begin = ran === '' ? '' : `let ${ran}=false;`;
  const items = readExpression(frame, node.iterable);
  if (node.isRecursive) {
    const recurse = frame.unit.newName('R');
    const out = frame.unit.newName('o');
    const inner: Frame = { ...frame, out, isTop: false, isRoot: false };
    const body = withLoop(inner, node, 'items', recurse, 'depth', ran);
    const code = `let ${out}="";${begin}${body}${otherwise(inner, node, ran)}return ${out};`;
    return `{const ${recurse}=(items,depth)=>{${code}};${frame.out}+=${recurse}(${items},0);}`;
  }
  if (usesLoop(node))
    return `{${begin}${withLoop(frame, node, items, 'null', '0', ran)}${otherwise(frame, node, ran)}}`;
  const element = frame.unit.newName('e');
  const label = frame.unit.newName('L');
  const body = turnOf(frame, node, element, null, ran, label);
  return `{${begin}${label}:for(const ${element} of iterate(${items},P=${node.at})){${body}}${otherwise(frame, node, ran)}}`;
};
