import type { Body, Statement } from '../parse/ast.js';
import type { Methods } from '../values/methods.js';
import type { Value } from '../values/value.js';
import { Scope, type Variable } from './scope.js';

export interface Language {
  readonly filters: Methods<Value>;
  readonly tests: Methods<Value>;
  readonly marking?: Marking | null;
  /** Names of the host with methods that may end a render. */
  readonly enders?: ReadonlySet<string>;
}

/** One template during compilation: its constants and names. */
export interface CompileUnit extends Language {
  /** Name of a constant in the generated code. */
  readonly constant: (value: unknown) => string;
  readonly newName: (prefix: string) => string;
  readonly constants: readonly unknown[];
}

export const makeUnit = (language: Language): CompileUnit => {
  const constants: unknown[] = [];
  const known = new Map<unknown, string>();
  let names = 0;
  return {
    ...language,
    constants,
    constant: (value) => {
      const name = known.get(value);
      if (name !== undefined) return name;
      constants.push(value);
      const made = `K${constants.length - 1}`;
      known.set(value, made);
      return made;
    },
    newName: (prefix) => `${prefix}${names++}`,
  };
};

export class FunctionState {
  private readonly temps: string[] = [];
  private readonly fromContext = new Map<string, string>();

  constructor(
    private readonly unit: CompileUnit,
    private readonly outer: FunctionState | null = null,
  ) {}

  temp(): string {
    const name = this.unit.newName('t');
    this.temps.push(name);
    return name;
  }

  /** Variable for a name of the context, looked up once at function start. */
  contextName(name: string): string {
    if (this.outer !== null) return this.outer.contextName(name);
    const known = this.fromContext.get(name);
    if (known !== undefined) return known;
    const made = this.unit.newName('c');
    this.fromContext.set(name, made);
    return made;
  }

  prologue(): string {
    const temps = this.temps.length === 0 ? '' : `let ${this.temps.join(',')};`;
    const names = [...this.fromContext].map(
      ([name, js]) => `const ${js}=known(X.resolve(${JSON.stringify(name)}),${JSON.stringify(name)});`,
    );
    return `${temps}${names.join('')}\n`;
  }
}

export interface Frame {
  readonly unit: CompileUnit;
  readonly scope: Scope;
  readonly fn: FunctionState;
  readonly out: string;
  /** True at the top level, also inside `if`: names set here are exported. */
  readonly isTop: boolean;
  /** True in the template's own code, not in blocks and macros: with `extends` it prints nothing. */
  readonly isRoot: boolean;
  /** True under a condition: unknown filters fail only when they run. */
  readonly isConditional: boolean;
  /** Variables that surely have a value here. */
  readonly definite: Set<Variable>;
  /** Label for `break`; `null` outside loops. */
  readonly loop: string | null;
  /** Here to avoid a cyclic import by loops and macros. */
  readonly statements: (frame: Frame, body: Body) => string;
  readonly whole: { knowsParent: boolean; hasParent: boolean };
}

export const innerScope = (frame: Frame): Scope => new Scope(frame.scope, () => frame.unit.newName('v'));

/** Declarations of a scope's variables, after its body was read. */
export const declarations = (scope: Scope, fn: FunctionState, definite: Set<Variable>): string => {
  let code = '';
  for (const [name, start] of scope.starts) {
    const variable = scope.find(name);
    if (variable === null || start.kind === 'parameter') continue;
    if (start.kind === 'missing') code += `let ${variable.js};`;
    else if (start.kind === 'copy') {
      code += `let ${variable.js}=${start.of.js};`;
      if (definite.has(start.of)) definite.add(variable);
    } else {
      const outside = fn.contextName(name);
      definite.add(variable);
      if (scope.stored.has(name)) code += `let ${variable.js}=${outside};`;
      else variable.js = outside;
    }
  }
  return code;
};

/** Statements that mark their lines; declarations and containers do not. */
const ACTIVE: ReadonlySet<Statement['kind']> = new Set([
  'text',
  'output',
  'do',
  'set',
  'setBlock',
  'callBlock',
  'filterBlock',
  'include',
  'break',
  'continue',
]);

/** Source that marks the lines of a statement; may be empty. */
type Marking = (node: Statement) => string;

/** Offsets without surrounding white space; `null` if blank. */
const visibleRange = (text: string): readonly [from: number, to: number] | null => {
  const from = text.search(/\S/);
  return from < 0 ? null : [from, text.trimEnd().length - 1];
};

export const markingOf = (source: string): Marking => {
  const ends: number[] = [];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) ends.push(at);
  const lineOf = (at: number): number => 1 + ends.filter((end) => end < at).length;
  return (node) => {
    if (!ACTIVE.has(node.kind)) return '';
    const span = node.kind === 'text' ? visibleRange(node.text) : ([0, 0] as const);
    return span === null ? '' : `mark(T,${lineOf(node.at + span[0])},${lineOf(node.at + span[1])});`;
  };
};
