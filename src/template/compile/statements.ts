import { type Body, type Parameters, readsName, type Statement } from '../parse/ast.js';
import { SyntaxFault } from '../parse/cursor.js';
import type { MacroShape } from '../runtime/macro.js';
import { assign, declareTarget, locals, loop, scoped, targetNames } from './bodies.js';
import {
  callExpression,
  condition,
  endingCall,
  expression,
  filterExpression,
  readExpression,
  textExpression,
} from './expressions.js';
import { declarations, type Frame, FunctionState, innerScope } from './unit.js';

const quote = JSON.stringify;

const ifStatement = (frame: Frame, node: Statement & { kind: 'if' }): string => {
  const soft: Frame = { ...frame, isConditional: true };
  const test = condition(soft, node.condition);
  const branch = (body: Body): string => statements({ ...soft, definite: new Set(frame.definite) }, body);
  const otherwise = node.otherwise.length === 0 ? '' : `else{${branch(node.otherwise)}}`;
  return `if(${test}){${branch(node.then)}}${otherwise}`;
};

const buffered = (frame: Frame, body: Body): { readonly code: string; readonly out: string } => {
  const out = frame.unit.newName('o');
  return { out, code: `let ${out}="";{${scoped(frame, body, undefined, { out })}}` };
};

const setBlock = (frame: Frame, node: Statement & { kind: 'setBlock' }): string => {
  const { code, out } = buffered(frame, node.body);
  const value = node.filter?.kind === 'filter' ? filterExpression(frame, node.filter, out) : out;
  return `{${code}${assign(frame, node.target, value)}}`;
};

const filterBlock = (frame: Frame, node: Statement & { kind: 'filterBlock' }): string => {
  if (node.filter.kind !== 'filter') return '';
  const { code, out } = buffered(frame, node.body);
  return `{${code}${frame.out}+=onlyText(${filterExpression(frame, node.filter, out)},P=${node.at});}`;
};

const callBlock = (frame: Frame, node: Statement & { kind: 'callBlock' }): string => {
  if (node.call.kind !== 'call') return '';
  const caller = macroValue(frame, { ...node, name: null });
  return `${frame.out}+=onlyText(${callExpression(frame, node.call, `"caller",${caller}`)},P=${node.at});`;
};

const withStatement = (frame: Frame, node: Statement & { kind: 'with' }): string => {
  // Values are evaluated outside: `with a=1, b=a` takes the outer `a`.
  const values = node.values.map((value) => ({
    temp: frame.unit.newName('w'),
    source: expression(frame, value),
  }));
  const before = values.map(({ temp, source }) => `const ${temp}=${source};`).join('');
  const inside = scoped(frame, node.body, {
    declare: ({ scope }) => {
      for (const target of node.targets) declareTarget(scope, target);
    },
    code: (inner) =>
      node.targets
        .map(
          (target, index) =>
            `${targetNames(inner, target)}${assign(inner, target, values[index]?.temp ?? 'null')}`,
        )
        .join(''),
  });
  return `{${before}{${inside}}}`;
};

const blockStatement = (frame: Frame, node: Statement & { kind: 'block' }): string => {
  const name = quote(node.name);
  const required = node.isRequired ? `requireBlock(X,${name},P=${node.at});` : '';
  // Only names of the template; names of loops and macros only for scoped blocks.
  const context = node.isScoped || frame.isTop ? `X.with(${locals(frame)})` : `X.with(${topLocals(frame)})`;
  const code = `${required}${frame.out}+=renderBlock(${context},${name},P=${node.at});`;
  if (frame.isRoot && frame.whole.knowsParent) return '';
  return frame.isRoot && frame.whole.hasParent ? `if(parent===null){${code}}` : code;
};

const topLocals = (frame: Frame): string => {
  let scope = frame.scope;
  while (scope.parent !== null) scope = scope.parent;
  return locals({ ...frame, scope });
};

const contextFor = (frame: Frame, isWith: boolean): string =>
  isWith ? `X.with(${locals(frame)},NO_BLOCKS)` : 'X.globals().with(NO_VARIABLES,NO_BLOCKS)';

const moduleOf = (frame: Frame, node: Statement & { kind: 'import' | 'fromImport' }): string =>
  node.withContext
    ? `importTemplate(E,${expression(frame, node.template)},${contextFor(frame, true)},P=${node.at})`
    : `importAlone(E,${expression(frame, node.template)},X,P=${node.at})`;

const fromImport = (frame: Frame, node: Statement & { kind: 'fromImport' }): string => {
  const temp = frame.fn.temp();
  const names = node.names.map(({ name, alias }) =>
    assign(
      frame,
      { kind: 'name', name: alias, at: node.at },
      `importedName(${temp},${quote(name)},P=${node.at})`,
    ),
  );
  return `${temp}=${moduleOf(frame, node)};${names.join('')}`;
};

const extendsStatement = (frame: Frame, node: Statement & { kind: 'extends' }): string => {
  if (!frame.isTop) {
    throw new SyntaxFault('cannot use extend from a non top-level scope', node.at, 'TemplateAssertionError');
  }
  const isFirst = !frame.whole.hasParent;
  frame.whole.hasParent = true;
  if (!frame.isConditional) frame.whole.knowsParent = true;
  const check = isFirst && !frame.isConditional ? '' : `if(parent!==null)extendedTwice(P=${node.at});`;
  return `${check}parent=loadTemplate(E,${expression(frame, node.template)},P=${node.at});`;
};

/** Prints, unless a parent surely replaces the output. */
const print = (frame: Frame, parts: readonly string[]): string => {
  const code = `${frame.out}+=${parts.join('+')};`;
  if (!frame.isRoot || !frame.whole.hasParent) return code;
  return frame.whole.knowsParent ? '' : `if(parent===null){${code}}`;
};

/** A call such as `dispatch.next()` in the template itself returns: throwing costs far more. */
const doStatement = (frame: Frame, { value }: Statement & { kind: 'do' }): string => {
  const isOwn = frame.isRoot && frame.isTop && value.kind === 'call' && value.target.kind === 'attribute';
  if (isOwn && value.target.target.kind === 'name') {
    const { name } = value.target.target;
    if (frame.unit.enders?.has(name) === true && frame.scope.isOutside(name)) {
      const signal = frame.fn.temp();
      return `if((${signal}=${endingCall(frame, value, value.target)})!==null)return ${signal};`;
    }
  }
  return `${readExpression(frame, value)};`;
};

const statement = (frame: Frame, node: Statement): string => {
  switch (node.kind) {
    case 'text':
      return print(frame, [quote(node.text)]);
    case 'output':
      return print(frame, [textExpression(frame, node.value)]);
    case 'do':
      return doStatement(frame, node);
    case 'if':
      return ifStatement(frame, node);
    case 'for':
      return loop(frame, node);
    case 'break':
    case 'continue':
      if (frame.loop === null) throw new SyntaxFault(`'${node.kind}' outside of a loop`, node.at);
      return `${node.kind} ${frame.loop};`;
    case 'set':
      return assign(frame, node.target, expression(frame, node.value));
    case 'setBlock':
      return setBlock(frame, node);
    case 'with':
      return withStatement(frame, node);
    case 'macro':
      return assign(frame, { kind: 'name', name: node.name, at: node.at }, macroValue(frame, node));
    case 'callBlock':
      return callBlock(frame, node);
    case 'filterBlock':
      return filterBlock(frame, node);
    case 'block':
      return blockStatement(frame, node);
    case 'extends':
      return extendsStatement(frame, node);
    case 'include':
      return `${frame.out}+=includeTemplate(E,${expression(frame, node.template)},${contextFor(frame, node.withContext)},${node.ignoresMissing},P=${node.at});`;
    case 'import':
      return assign(frame, { kind: 'name', name: node.name, at: node.at }, moduleOf(frame, node));
    case 'fromImport':
      return fromImport(frame, node);
    case 'scope':
      return `{${scoped(frame, node.body)}}`;
  }
};

export const statements = (frame: Frame, body: Body): string => {
  let code = '';
  let parts: string[] = [];
  const flush = (): void => {
    if (parts.length > 0) code += print(frame, parts);
    parts = [];
  };
  const { marking = null } = frame.unit;
  for (const node of body) {
    if (marking !== null) {
      flush();
      code += marking(node);
    }
    if (node.kind === 'text') parts.push(quote(node.text));
    else if (node.kind === 'output') {
      const isSilent = frame.isRoot && frame.whole.knowsParent;
      parts.push(isSilent ? '""' : textExpression(frame, node.value));
    } else {
      flush();
      code += `${statement(frame, node)}\n`;
    }
  }
  flush();
  return code;
};

/** Values passed after the parameters, in this order. */
const EXTRAS = ['caller', 'kwargs', 'varargs'] as const;

const macroValue = (
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
