import {
  type Body,
  childrenOf,
  type Expression,
  expressionsOf,
  type Statement,
  type Target,
} from '../parse/ast.js';

/**
 * Resolves names to variables. A scope (template, loop body, macro ...) has a variable for each name it
 * stores, and for each unknown one. Stored first: starts without a value. Read first: starts with the outer
 * value. A name stored in one branch of an `if` counts as read first.
 */
export interface Variable {
  readonly name: string;
  js: string;
}

type Start =
  | { readonly kind: 'parameter' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'context' }
  | { readonly kind: 'copy'; readonly of: Variable };

interface Names {
  readonly starts: Map<string, Start>;
  readonly stored: Set<string>;
}

export class Scope {
  readonly variables = new Map<string, Variable>();
  private names: Names = { starts: new Map(), stored: new Set() };

  constructor(
    readonly parent: Scope | null,
    private readonly newName: () => string,
  ) {}

  get starts(): ReadonlyMap<string, Start> {
    return this.names.starts;
  }
  get stored(): ReadonlySet<string> {
    return this.names.stored;
  }

  /** True for a name that the scope only reads, from the context. */
  isOutside(name: string): boolean {
    return this.names.starts.get(name)?.kind === 'context' && !this.names.stored.has(name);
  }

  find(name: string): Variable | null {
    if (this.names.starts.has(name)) return this.own(name);
    return this.parent?.find(name) ?? null;
  }

  private own(name: string): Variable {
    const known = this.variables.get(name);
    if (known !== undefined) return known;
    const made = { name, js: this.newName() };
    this.variables.set(name, made);
    return made;
  }

  parameter(name: string): Variable {
    this.names.stored.add(name);
    this.names.starts.set(name, { kind: 'parameter' });
    return this.own(name);
  }

  private load(name: string): void {
    if (this.find(name) === null) this.names.starts.set(name, { kind: 'context' });
  }

  private store(name: string): void {
    this.names.stored.add(name);
    if (this.names.starts.has(name)) return;
    const outer = this.parent?.find(name) ?? null;
    this.names.starts.set(name, outer === null ? { kind: 'missing' } : { kind: 'copy', of: outer });
  }

  readExpression(node: Expression): void {
    if (node.kind === 'name') this.load(node.name);
    else for (const child of childrenOf(node)) this.readExpression(child);
  }

  storeTarget(target: Target): void {
    if (target.kind === 'name') this.store(target.name);
    else if (target.kind === 'member') this.load(target.name);
    else for (const item of target.items) this.storeTarget(item);
  }

  readBody(body: Body): void {
    for (const node of body) this.readStatement(node);
  }

  private readStatement(node: Statement): void {
    switch (node.kind) {
      case 'if':
        this.readExpression(node.condition);
        this.readBranches([node.then, node.otherwise]);
        return;
      case 'set':
        this.readExpression(node.value);
        this.storeTarget(node.target);
        return;
      case 'setBlock':
        this.storeTarget(node.target);
        return;
      case 'for':
        this.readExpression(node.iterable);
        return;
      case 'callBlock':
        this.readExpression(node.call);
        return;
      case 'macro':
        this.store(node.name);
        return;
      case 'import':
        this.readExpression(node.template);
        this.store(node.name);
        return;
      case 'fromImport':
        this.readExpression(node.template);
        for (const { alias } of node.names) this.store(alias);
        return;
      default:
        for (const expression of expressionsOf(node)) this.readExpression(expression);
    }
  }

  private readBranches(branches: readonly Body[]): void {
    const before = this.names;
    const after = branches.map((body) => {
      this.names = { starts: new Map(before.starts), stored: new Set(before.stored) };
      this.readBody(body);
      return this.names;
    });
    this.names = before;
    const counts = new Map<string, number>();
    for (const { stored } of after) {
      for (const name of stored) if (!before.stored.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const { starts, stored } of after) {
      for (const [name, start] of starts) before.starts.set(name, start);
      for (const name of stored) before.stored.add(name);
    }
    for (const [name, count] of counts) {
      if (count === branches.length) continue;
      const outer = this.parent?.find(name) ?? null;
      before.starts.set(name, outer === null ? { kind: 'context' } : { kind: 'copy', of: outer });
    }
  }
}
