import type { Body } from '../parse/ast.js';
import type { Methods } from '../values/method.js';
import type { Value } from '../values/value.js';
import type { Marking } from './marking.js';
import { Scope, type Variable } from './scope.js';

/** What the compiler needs to know of the environment. */
export interface Language {
  readonly filters: Methods<Value>;
  readonly tests: Methods<Value>;
  /** Only for templates that leave a trail. */
  readonly marking?: Marking | null;
}

/** One template being compiled: its constants and its names. */
export interface Unit extends Language {
  /** Name in the generated code of a value that is made once. */
  readonly constant: (value: unknown) => string;
  readonly newName: (prefix: string) => string;
  /** Names of the constants in order, and their values. */
  readonly constants: readonly unknown[];
}

export const makeUnit = (language: Language): Unit => {
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

/** One JavaScript function being written: what stands at its top. */
export class FunctionState {
  private readonly temps: string[] = [];
  private readonly fromContext = new Map<string, string>();

  /** `outer` is the function around it, whose names it sees. */
  constructor(
    private readonly unit: Unit,
    private readonly outer: FunctionState | null = null,
  ) {}

  temp(): string {
    const name = this.unit.newName('t');
    this.temps.push(name);
    return name;
  }

  /** The variable that holds what a name means in the context; looked up once, when the function begins. */
  contextName(name: string): string {
    if (this.outer !== null) return this.outer.contextName(name);
    const known = this.fromContext.get(name);
    if (known !== undefined) return known;
    const made = this.unit.newName('c');
    this.fromContext.set(name, made);
    return made;
  }

  /** The top of the function, once its body is written. */
  prologue(): string {
    const temps = this.temps.length === 0 ? '' : `let ${this.temps.join(',')};`;
    const names = [...this.fromContext].map(
      ([name, js]) => `const ${js}=known(X.resolve(${JSON.stringify(name)}),${JSON.stringify(name)});`,
    );
    return `${temps}${names.join('')}\n`;
  }
}

/** Where a statement stands. */
export interface Frame {
  readonly unit: Unit;
  readonly scope: Scope;
  readonly fn: FunctionState;
  /** Variable that collects the text. */
  readonly out: string;
  /** True at the top level of the template (inside `if` too): what is set here is exported. */
  readonly isTop: boolean;
  /** True in the template's own code, not in blocks and macros: a template that extends another prints nothing there. */
  readonly isRoot: boolean;
  /** True below a condition, where unknown filters are found only when they run. */
  readonly isConditional: boolean;
  /** Variables that surely have a value at this place. */
  readonly definite: Set<Variable>;
  /** Label of the loop that `break` ends; `null` outside loops. */
  readonly loop: string | null;
  /** Writes statements; here so that loops and macros need not import what imports them. */
  readonly statements: (frame: Frame, body: Body) => string;
  /** What the template as a whole has met so far. */
  readonly whole: { knowsParent: boolean; hasParent: boolean };
}

export const innerScope = (frame: Frame): Scope => new Scope(frame.scope, () => frame.unit.newName('v'));

/** Declarations of a scope's variables, once its body was read. */
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
