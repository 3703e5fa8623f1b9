import type { Statement } from '../parse/ast.js';
import { allStatements, readsName } from '../parse/walk.js';
import { condition, readExpression } from './expressions.js';
import { assign, declareTarget, scoped, targetNames } from './scoped.js';
import { declarations, type Frame, innerScope } from './unit.js';

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
