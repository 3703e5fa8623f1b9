import { isSpace } from '../text/characters.js';
import type { Body, Expression, NameNode, Parameters, Statement, Target } from './ast.js';
import { type Cursor, fail, SyntaxFault } from './cursor.js';
import { CONSTANTS, type Expressions } from './grammar.js';

/** Node names in the message about an invalid target. */
const NODE_NAMES: Readonly<Record<string, string>> = {
  constant: 'const',
  attribute: 'getattr',
  item: 'getitem',
};

export const RESERVED = new Set(Object.keys(CONSTANTS));

export interface Rules extends Cursor {
  readonly expressions: Expressions;
  readonly target: (options?: { readonly ends?: string; readonly mayBeMember?: boolean }) => Target;
  readonly nameTarget: () => NameNode;
  /** Up to an end tag, which stays the current token. */
  readonly body: (...ends: readonly string[]) => Body;
  /** Up to and including one end tag. */
  readonly bodyTo: (end: string) => Body;
}

export type StatementRule = (rules: Rules, at: number) => Statement | readonly Statement[];

export const asTarget = (node: Expression): Target => {
  if (node.kind === 'name' && !RESERVED.has(node.name)) return node;
  if (node.kind === 'tuple') return { kind: 'targets', items: node.items.map(asTarget), at: node.at };
  return fail(`can't assign to '${NODE_NAMES[node.kind] ?? node.kind}'`, node.at);
};

const forRule: StatementRule = (
  { expressions, target, body, bodyTo, expectName, skipName, isName, next },
  at,
) => {
  const loopTarget = target({ ends: 'in' });
  expectName('in');
  const iterable = expressions.tuple({ part: expressions.withoutConditional, ends: 'recursive' });
  const condition = skipName('if') ? expressions.expression() : null;
  const isRecursive = skipName('recursive');
  const inner = body('endfor', 'else');
  const hasElse = isName('else');
  next();
  const otherwise = hasElse ? bodyTo('endfor') : null;
  return { kind: 'for', target: loopTarget, iterable, condition, isRecursive, body: inner, otherwise, at };
};

const ifRule: StatementRule = (rules, at) => {
  const { expressions, body, bodyTo, isName, next } = rules;
  const condition = expressions.tuple({ part: expressions.withoutConditional });
  const then = body('elif', 'else', 'endif');
  const isElif = isName('elif');
  const isElse = isName('else');
  const { at: place } = next();
  let otherwise: Body = [];
  if (isElif) otherwise = [rules.deeper(() => ifRule(rules, place)) as Statement];
  else if (isElse) otherwise = bodyTo('endif');
  return { kind: 'if', condition, then, otherwise, at };
};

const setRule: StatementRule = ({ expressions, target, bodyTo, skip }, at) => {
  const place = target({ mayBeMember: true });
  if (skip('=')) return { kind: 'set', target: place, value: expressions.tuple(), at };
  const filter = expressions.filters(null, false);
  return { kind: 'setBlock', target: place, filter, body: bodyTo('endset'), at };
};

const withRule: StatementRule = ({ expressions, target, bodyTo, is, expect }, at) => {
  const targets: Target[] = [];
  const values: Expression[] = [];
  while (!is('block_end')) {
    if (targets.length > 0) expect(',');
    targets.push(target());
    expect('=');
    values.push(expressions.expression());
  }
  return { kind: 'with', targets, values, body: bodyTo('endwith'), at };
};

/** Accepts only `autoescape false`: escaping does not exist. */
const autoescapeRule: StatementRule = ({ expressions, bodyTo }, at) => {
  const value = expressions.expression();
  if (value.kind !== 'constant' || value.value !== false) {
    return fail('autoescape can only be false: events are no HTML; use the filter e where one is', at);
  }
  return { kind: 'scope', body: bodyTo('endautoescape'), at };
};

const blockRule: StatementRule = ({ bodyTo, expect, skipName, is, isName, next }, at) => {
  const name = String(expect('name').value);
  const isScoped = skipName('scoped');
  const isRequired = skipName('required');
  if (is('-')) {
    return fail(
      'Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.',
      at,
    );
  }
  const body = bodyTo('endblock');
  if (isRequired && !body.every((each) => each.kind === 'text' && isSpace(each.text))) {
    return fail('Required blocks can only contain comments or whitespace', at);
  }
  if (isName(name)) next();
  return { kind: 'block', name, isScoped, isRequired, body, at };
};

/** `with context` or `without context`. */
const contextMark = ({ isName, look, next }: Rules): boolean | null => {
  if (!isName('with', 'without') || look().type !== 'name' || look().value !== 'context') return null;
  const isWith = next().value === 'with';
  next();
  return isWith;
};

const includeRule: StatementRule = (rules, at) => {
  const template = rules.expressions.expression();
  const ignoresMissing = rules.isName('ignore') && rules.look().value === 'missing';
  if (ignoresMissing) {
    rules.next();
    rules.next();
  }
  return { kind: 'include', template, ignoresMissing, withContext: contextMark(rules) ?? true, at };
};

const importRule: StatementRule = (rules, at) => {
  const template = rules.expressions.expression();
  rules.expectName('as');
  const { name } = rules.nameTarget();
  return { kind: 'import', template, name, withContext: contextMark(rules) ?? false, at };
};

const fromRule: StatementRule = (rules, at) => {
  const template = rules.expressions.expression();
  rules.expectName('import');
  const names: { name: string; alias: string }[] = [];
  let withContext: boolean | null = null;
  for (;;) {
    if (names.length > 0) rules.expect(',');
    if (!rules.is('name')) {
      rules.expect('name');
      break;
    }
    withContext = contextMark(rules);
    if (withContext !== null) break;
    const { name, at: place } = rules.nameTarget();
    if (name.startsWith('_')) {
      throw new SyntaxFault(
        'names starting with an underline can not be imported',
        place,
        'TemplateAssertionError',
      );
    }
    names.push({ name, alias: rules.skipName('as') ? rules.nameTarget().name : name });
    withContext = contextMark(rules);
    if (withContext !== null || !rules.is(',')) break;
  }
  return { kind: 'fromImport', template, names, withContext: withContext ?? false, at };
};

const parameters = ({ expressions, nameTarget, expect, is, skip, current }: Rules): Parameters => {
  const params: NameNode[] = [];
  const defaults: Expression[] = [];
  expect('(');
  while (!is(')')) {
    if (params.length > 0) expect(',');
    const param = nameTarget();
    if (params.some(({ name }) => name === param.name)) {
      fail(`duplicate argument '${param.name}' in macro definition`, param.at);
    }
    params.push(param);
    if (skip('=')) defaults.push(expressions.expression());
    else if (defaults.length > 0) fail('non-default argument follows default argument', current().at);
  }
  expect(')');
  return { params, defaults };
};

const macroRule: StatementRule = (rules, at) => {
  const { name } = rules.nameTarget();
  return { kind: 'macro', name, ...parameters(rules), body: rules.bodyTo('endmacro'), at };
};

const callRule: StatementRule = (rules, at) => {
  const given = rules.is('(') ? parameters(rules) : { params: [], defaults: [] };
  const call = rules.expressions.expression();
  if (call.kind !== 'call') return fail('expected call', at);
  return { kind: 'callBlock', call, ...given, body: rules.bodyTo('endcall'), at };
};

const filterRule: StatementRule = ({ expressions, bodyTo, current }, at) => {
  const filter = expressions.filters(null, true);
  if (filter === null) return fail('expected a filter', current().at);
  return { kind: 'filterBlock', filter, body: bodyTo('endfilter'), at };
};

const printRule: StatementRule = ({ expressions, is, expect }) => {
  const outputs: Statement[] = [];
  while (!is('block_end')) {
    if (outputs.length > 0) expect(',');
    const value = expressions.expression();
    outputs.push({ kind: 'output', value, at: value.at });
  }
  return outputs;
};

export const STATEMENT_RULES: Readonly<Record<string, StatementRule>> = {
  for: forRule,
  if: ifRule,
  set: setRule,
  with: withRule,
  autoescape: autoescapeRule,
  block: blockRule,
  include: includeRule,
  import: importRule,
  from: fromRule,
  macro: macroRule,
  call: callRule,
  filter: filterRule,
  print: printRule,
  extends: ({ expressions }, at) => ({ kind: 'extends', template: expressions.expression(), at }),
  do: ({ expressions }, at) => ({ kind: 'do', value: expressions.tuple(), at }),
  break: (_rules, at) => ({ kind: 'break', at }),
  continue: (_rules, at) => ({ kind: 'continue', at }),
};
