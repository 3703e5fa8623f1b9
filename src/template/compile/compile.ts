import type { Signal } from '../errors.js';
import { allStatements, type Body, readsName, type Statement } from '../parse/ast.js';
import { SyntaxFault } from '../parse/cursor.js';
import type { BlockFunction, Context } from '../runtime/context.js';
import { RUNTIME } from '../runtime/runtime.js';
import type { Value } from '../values/value.js';
import { locals } from './bodies.js';
import { scalarLiteral } from './constants.js';
import { Scope } from './scope.js';
import { statements } from './statements.js';
import {
  type CompileUnit,
  declarations,
  type Frame,
  FunctionState,
  type Language,
  makeUnit,
} from './unit.js';

export interface Compiled {
  /** Renders the template and adds its top-level names to `exported`. */
  readonly root: (context: Context, exported: Map<string, Value> | null) => string | Signal;
  readonly blocks: ReadonlyMap<string, BlockFunction>;
  readonly hasParent: boolean;
  /** True if its names depend on the globals only: macros and constants. */
  readonly isPure: boolean;
}

const rootFrame = (unit: CompileUnit, isRoot: boolean): Frame => {
  const newName = (): string => unit.newName('v');
  return {
    unit,
    scope: new Scope(null, newName),
    fn: new FunctionState(unit),
    out: 'o',
    isTop: isRoot,
    isRoot,
    isConditional: false,
    definite: new Set(),
    loop: null,
    statements,
    whole: { knowsParent: false, hasParent: false },
  };
};

const special = (frame: Frame, body: Body, name: string, source: () => string): (() => string) => {
  if (!readsName(body, name)) return () => '';
  const variable = frame.scope.parameter(name);
  frame.definite.add(variable);
  return () => `let ${variable.js}=${source()};`;
};

const guardedCode = (code: string): string =>
  `const p=P;try{${code}}catch(e){const f=located(e,T,P);P=p;throw f;}`;

const rootCode = (unit: CompileUnit, body: Body): string => {
  const frame = rootFrame(unit, true);
  const self = special(frame, body, 'self', () => `new SelfReference(()=>X.with(${locals(frame)}))`);
  frame.scope.readBody(body);
  const own = declarations(frame.scope, frame.fn, frame.definite);
  const code = statements(frame, body);
  const exported = [...frame.scope.stored].filter((name) => !name.startsWith('_') && name !== 'self');
  const values = exported.map((name) => frame.scope.find(name)?.js ?? 'undefined');
  const exports =
    exported.length === 0
      ? ''
      : `if(EX!==null)exportAll(EX,${JSON.stringify(exported)},[${values.join(',')}]);`;
  const parent = frame.whole.hasParent
    ? `if(parent!==null)return o+renderParent(parent,X.with(${locals(frame)}),EX);`
    : '';
  return `${frame.fn.prologue()}let o="",parent=null;${own}${self()}${code}${exports}${parent}return o;`;
};

const blockCode = (unit: CompileUnit, node: Statement & { kind: 'block' }, js: string): string => {
  const frame = rootFrame(unit, false);
  const self = special(frame, node.body, 'self', () => `new SelfReference(()=>X.with(${locals(frame)}))`);
  const parent = special(frame, node.body, 'super', () => `superOf(X,${JSON.stringify(node.name)},${js})`);
  frame.scope.readBody(node.body);
  const own = declarations(frame.scope, frame.fn, frame.definite);
  const code = statements(frame, node.body);
  return `${frame.fn.prologue()}let o="";${own}${self()}${parent()}${code}return o;`;
};

const blocksOf = (body: Body): ReadonlyMap<string, Statement & { kind: 'block' }> => {
  const blocks = new Map<string, Statement & { kind: 'block' }>();
  for (const node of allStatements(body)) {
    if (node.kind !== 'block') continue;
    if (blocks.has(node.name)) {
      throw new SyntaxFault(`block '${node.name}' defined twice`, node.at, 'TemplateAssertionError');
    }
    blocks.set(node.name, node);
  }
  return blocks;
};

/** With marks, each import is part of the trail. */
const isPure = (unit: CompileUnit, body: Body): boolean =>
  (unit.marking ?? null) === null &&
  body.every(
    (node) =>
      node.kind === 'text' ||
      node.kind === 'macro' ||
      (node.kind === 'set' && node.target.kind === 'name' && scalarLiteral(node.value) !== undefined),
  );

const sourceOf = (unit: CompileUnit, body: Body): string => {
  const blocks = [...blocksOf(body)].map(([name, node]) => {
    const js = unit.newName('B');
    return {
      code: `function ${js}(X){${guardedCode(blockCode(unit, node, js))}}`,
      entry: `[${JSON.stringify(name)},${js}]`,
    };
  });
  const root = rootCode(unit, body);
  const hasParent = [...allStatements(body)].some(({ kind }) => kind === 'extends');
  const library = Object.keys(RUNTIME).join(',');
  const constants = unit.constants.map((_, index) => `K${index}=K[${index}]`);
  return [
    '"use strict";',
    `const {${library}}=rt;`,
    constants.length === 0 ? '' : `const ${constants.join(',')};`,
    'let P=0;',
    `function root(X,EX){${guardedCode(root)}}`,
    ...blocks.map(({ code }) => code),
    `return {root,isPure:${isPure(unit, body)},hasParent:${hasParent},blocks:new Map([${blocks.map(({ entry }) => entry).join(',')}])};`,
  ].join('\n');
};

/**
 * Compiles a template. The generated source contains only our names, numbers and JSON string literals, no
 * text of the template. `owner` goes to `located`; `environment` loads other templates.
 */
export const compile = (body: Body, language: Language, owner: unknown, environment: unknown): Compiled => {
  const unit = makeUnit(language);
  return programOf(sourceOf(unit, body))(RUNTIME, unit.constants, owner, environment);
};

type Program = (...parts: readonly unknown[]) => Compiled;

/** Programs by their source, those used last at the end: another run of a generator need not warm up again. */
const programs = new Map<string, Program>();
const MAX_CHARACTERS = 4_000_000;
let characters = 0;

const programOf = (source: string): Program => {
  const known = programs.get(source);
  if (known !== undefined) {
    programs.delete(source);
    programs.set(source, known);
    return known;
  }
  // Generated code is as fast as hand-written code. Safe: see above.
  const made = new Function('rt', 'K', 'T', 'E', source) as Program;
  programs.set(source, made);
  characters += source.length;
  for (const oldest of programs.keys()) {
    if (characters <= MAX_CHARACTERS) break;
    programs.delete(oldest);
    characters -= oldest.length;
  }
  return made;
};
