import {
  type Body,
  childrenOf,
  type Expression,
  type Parameters,
  type Statement,
  type Target,
} from '../parse/ast.js';

/** Owner of a scope. `if` has no scope. */
export type ScopeKind = 'template' | 'loop' | 'macro' | 'with' | 'filter' | 'set' | 'block';

export interface ScopeStore {
  readonly name: string;
  readonly at: number;
  readonly scope: ScopeKind;
  /** Value of a plain `set`; `null` otherwise. */
  readonly value: Expression | null;
  readonly from: (Statement & { readonly kind: 'import' | 'fromImport' }) | null;
}

/** A read of a name the template has not set before. */
export interface FreeRead {
  readonly name: string;
  readonly at: number;
  /** Inside a block, which sees names of parent templates. */
  readonly isInBlock: boolean;
  /** The scope that sets it later. Null when none does. */
  readonly later: ScopeKind | null;
}

export interface Names {
  readonly stores: readonly ScopeStore[];
  readonly free: readonly FreeRead[];
  readonly reads: ReadonlySet<string>;
  /** Names set at the top level, which other templates can import. */
  readonly exported: ReadonlySet<string>;
}

const storedIn = (body: Body, names = new Set<string>()): Set<string> => {
  const target = (one: Target): void => {
    if (one.kind === 'name') names.add(one.name);
    else if (one.kind === 'targets') for (const item of one.items) target(item);
  };
  for (const node of body) {
    switch (node.kind) {
      case 'set':
      case 'setBlock':
        target(node.target);
        break;
      case 'macro':
      case 'import':
        names.add(node.name);
        break;
      case 'fromImport':
        for (const { alias } of node.names) names.add(alias);
        break;
      case 'if':
        storedIn(node.then, names);
        storedIn(node.otherwise, names);
        break;
      default:
        break;
    }
  }
  return names;
};

interface NameScope {
  readonly kind: ScopeKind;
  readonly parent: NameScope | null;
  readonly names: Set<string>;
  readonly all: ReadonlySet<string>;
  /** True for bodies that run later: names set after them may have a value. */
  readonly isDeferred: boolean;
  readonly isInBlock: boolean;
}

/** The scope a block without `scoped` sees: the template's, or the enclosing block's. */
const frameOf = (scope: NameScope): NameScope =>
  scope.kind === 'block' || scope.parent === null ? scope : frameOf(scope.parent);

class Walk {
  readonly stores: ScopeStore[] = [];
  readonly free: FreeRead[] = [];
  readonly reads = new Set<string>();

  private readonly top: NameScope;

  constructor(private readonly body: Body) {
    const all = storedIn(body);
    this.top = {
      kind: 'template',
      parent: null,
      names: new Set(['self']),
      all,
      isDeferred: false,
      isInBlock: false,
    };
  }

  run(): Names {
    this.statements(this.top, this.body);
    const { stores, free, reads } = this;
    const exported = new Set([...this.top.all].filter((name) => !name.startsWith('_')));
    return { stores, free, reads, exported };
  }

  private inner(parent: NameScope, kind: ScopeKind, body: Body, extras: readonly string[] = []): NameScope {
    return {
      kind,
      parent,
      names: new Set(extras),
      all: storedIn(body),
      isDeferred: kind === 'macro' || kind === 'block',
      isInBlock: parent.isInBlock || kind === 'block',
    };
  }

  private read(scope: NameScope, name: string, at: number): void {
    this.reads.add(name);
    let isDeferred = false;
    let later: ScopeKind | null = null;
    for (let one: NameScope | null = scope; one !== null; one = one.parent) {
      if (one.names.has(name) || (isDeferred && one.all.has(name))) return;
      if (later === null && one.all.has(name)) later = one.kind;
      isDeferred ||= one.isDeferred;
    }
    this.free.push({ name, at, isInBlock: scope.isInBlock, later });
  }

  private expression(scope: NameScope, node: Expression): void {
    if (node.kind === 'name') this.read(scope, node.name, node.at);
    else for (const child of childrenOf(node)) this.expression(scope, child);
  }

  private give(scope: NameScope, name: string, at: number, more: Partial<ScopeStore> = {}): void {
    scope.names.add(name);
    this.stores.push({ name, at, scope: scope.kind, value: null, from: null, ...more });
  }

  private target(scope: NameScope, target: Target, value: Expression | null = null): void {
    if (target.kind === 'name') this.give(scope, target.name, target.at, { value });
    else if (target.kind === 'member') this.read(scope, target.name, target.at);
    else for (const item of target.items) this.target(scope, item);
  }

  private statements(scope: NameScope, body: Body): void {
    for (const node of body) this.statement(scope, node);
  }

  private statement(scope: NameScope, node: Statement): void {
    switch (node.kind) {
      case 'output':
      case 'do':
        return this.expression(scope, node.value);
      case 'if':
        this.expression(scope, node.condition);
        this.statements(scope, node.then);
        return this.statements(scope, node.otherwise);
      case 'set':
        this.expression(scope, node.value);
        return this.target(scope, node.target, node.value);
      case 'for':
        return this.loop(scope, node);
      case 'macro':
        this.give(scope, node.name, node.at);
        return this.macro(scope, node);
      case 'callBlock':
        this.expression(scope, node.call);
        return this.macro(scope, node);
      case 'import':
      case 'fromImport':
        this.expression(scope, node.template);
        for (const name of node.kind === 'import' ? [node.name] : node.names.map(({ alias }) => alias))
          this.give(scope, name, node.at, { from: node });
        return;
      case 'include':
      case 'extends':
        return this.expression(scope, node.template);
      default:
        return this.enclosed(scope, node);
    }
  }

  private enclosed(scope: NameScope, node: Statement): void {
    switch (node.kind) {
      case 'setBlock':
      case 'filterBlock': {
        const inner = this.inner(scope, node.kind === 'setBlock' ? 'set' : 'filter', node.body);
        this.statements(inner, node.body);
        if (node.filter !== null) this.expression(inner, node.filter);
        if (node.kind === 'setBlock') this.target(scope, node.target);
        return;
      }
      case 'with': {
        for (const value of node.values) this.expression(scope, value);
        const inner = this.inner(scope, 'with', node.body);
        for (const target of node.targets) this.target(inner, target);
        return this.statements(inner, node.body);
      }
      case 'block': {
        const around = node.isScoped ? scope : frameOf(scope);
        return this.statements(this.inner(around, 'block', node.body, ['super']), node.body);
      }
      case 'scope':
        return this.statements(this.inner(scope, 'with', node.body), node.body);
      default:
        return;
    }
  }

  private loop(scope: NameScope, node: Statement & { kind: 'for' }): void {
    this.expression(scope, node.iterable);
    const inner = this.inner(scope, 'loop', node.body);
    this.target(inner, node.target);
    this.give(inner, 'loop', node.at);
    if (node.condition !== null) this.expression(inner, node.condition);
    this.statements(inner, node.body);
    if (node.otherwise !== null) {
      this.statements(this.inner(scope, 'loop', node.otherwise), node.otherwise);
    }
  }

  private macro(scope: NameScope, node: Parameters & { readonly body: Body }): void {
    const inner = this.inner(scope, 'macro', node.body, ['caller', 'varargs', 'kwargs']);
    for (const { name, at } of node.params) this.give(inner, name, at);
    for (const value of node.defaults) this.expression(inner, value);
    this.statements(inner, node.body);
  }
}

export const scopeNamesOf = (body: Body): Names => new Walk(body).run();
