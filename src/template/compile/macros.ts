import type { Body, Parameters } from '../parse/ast.js';
import { readsName } from '../parse/walk.js';
import type { MacroShape } from '../runtime/macro.js';
import { expression } from './expressions.js';
import { declarations, type Frame, FunctionState, innerScope } from './unit.js';

/** Values passed after the parameters, in this order. */
const EXTRAS = ['caller', 'kwargs', 'varargs'] as const;

export const macroValue = (
  frame: Frame,
  node: Parameters & { readonly name: string | null; readonly body: Body; readonly at: number },
): string => {
  const scope = innerScope(frame);
  const fn = new FunctionState(frame.unit, frame.fn);
  const out = frame.unit.newName('o');
  const inner: Frame = {
    ...frame,
    scope,
    fn,
    out,
    isTop: false,
    isRoot: false,
    loop: null,
    definite: new Set(frame.definite),
  };
  const names = node.params.map(({ name }) => name);
  const extras = EXTRAS.filter((name) => !names.includes(name) && readsName(node.body, name));
  const shape: MacroShape = {
    name: node.name,
    params: names,
    usesCaller: extras.includes('caller'),
    usesKwargs: extras.includes('kwargs'),
    usesVarargs: extras.includes('varargs'),
  };
  let before = '';
  const variables = [...names, ...extras].map((name) => scope.parameter(name));
  for (const [index, variable] of variables.entries()) before += `let ${variable.js}=A[${index}];`;
  for (const value of node.defaults) scope.readExpression(value);
  scope.readBody(node.body);
  const own = declarations(scope, fn, inner.definite);
  const firstDefault = names.length - node.defaults.length;
  for (const [index, variable] of variables.entries()) {
    const fallback = node.defaults[index - firstDefault];
    if (index < names.length) {
      const value =
        index >= firstDefault && fallback !== undefined
          ? expression(inner, fallback)
          : `missingParameter(${JSON.stringify(variable.name)})`;
      before += `if(${variable.js}===undefined)${variable.js}=${value};`;
    }
    inner.definite.add(variable);
  }
  const body = frame.statements(inner, node.body);
  const code = `${fn.prologue()}${own}${before}${body}`;
  return `new Macro(${frame.unit.constant(shape)},(A)=>{const p=P;let ${out}="";try{${code}return ${out};}catch(e){const f=located(e,T,P);P=p;throw f;}})`;
};
