import {
  allStatements,
  type Body,
  childrenOf,
  type Expression,
  expressionsOf,
  type Statement,
} from '../parse/ast.js';

/** `near`: an offset at or before the name. */
interface NamedUse {
  readonly kind: 'filter' | 'test';
  readonly name: string;
  readonly near: number;
}

export interface LinkedName {
  readonly name: string;
  readonly at: number;
}

type LinkStatement = Statement & { readonly kind: 'include' | 'import' | 'fromImport' | 'extends' };

export interface TemplateLink {
  readonly node: LinkStatement;
  readonly names: readonly LinkedName[];
  /** True if a name is dynamic: any template may load. */
  readonly isDynamic: boolean;
}

export interface Uses {
  readonly named: readonly NamedUse[];
  readonly links: readonly TemplateLink[];
  /** Names and paths such as `params.host` the template tests before use. */
  readonly optional: ReadonlySet<string>;
  /** Names and paths tested for truth, where undefined is false and no error. */
  readonly truthTested: ReadonlySet<string>;
  /** Filters and tests (`filter x`, `test x`) the template tests for by `'x' is filter`. */
  readonly askedFor: ReadonlySet<string>;
  /** First names of paths that the template modifies, such as `params.update(...)`. */
  readonly changed: ReadonlySet<string>;
}

const textOf = (node: Expression | undefined): string | null =>
  node?.kind === 'constant' && typeof node.value === 'string' ? node.value : null;

/** `a.b.c` or `a['b'].c` as `a.b.c`; `null` otherwise. */
export const pathOf = (node: Expression): string | null => {
  if (node.kind === 'name') return node.name;
  const member = memberOf(node);
  if (member === null) return null;
  const owner = pathOf(member.target);
  return owner === null ? null : `${owner}.${member.name}`;
};

/** An attribute, or an item with a string literal as key. */
export const memberOf = (
  node: Expression,
): { readonly target: Expression; readonly name: string; readonly at: number } | null => {
  if (node.kind === 'attribute') return node;
  if (node.kind !== 'item') return null;
  const name = textOf(node.key);
  return name === null ? null : { target: node.target, name, at: node.key.at };
};

/** Filters that take a filter or test by name, and the argument's position. */
const BY_NAME: Readonly<Record<string, readonly ['filter' | 'test', number]>> = {
  map: ['filter', 0],
  select: ['test', 0],
  reject: ['test', 0],
  selectattr: ['test', 1],
  rejectattr: ['test', 1],
};

const CHANGING = new Set(['update', 'setdefault']);

class Collector {
  readonly named: NamedUse[] = [];
  readonly optional = new Set<string>();
  readonly truthTested = new Set<string>();
  readonly askedFor = new Set<string>();
  readonly changed = new Set<string>();

  private ask(node: Expression, into: Set<string>): void {
    const path = pathOf(node);
    if (path !== null) into.add(path);
  }

  truth(node: Expression): void {
    if (node.kind === 'and' || node.kind === 'or') {
      this.truth(node.left);
      this.truth(node.right);
    } else if (node.kind === 'unary' && node.operator === 'not') this.truth(node.operand);
    else this.ask(node, this.truthTested);
  }

  expression(node: Expression): void {
    switch (node.kind) {
      case 'filter':
        this.filter(node);
        break;
      case 'test':
        this.test(node);
        break;
      case 'and':
      case 'or':
        this.truth(node);
        break;
      case 'unary':
        if (node.operator === 'not') this.truth(node.operand);
        break;
      case 'conditional':
        this.truth(node.condition);
        break;
      case 'compare':
        this.membership(node);
        break;
      case 'call':
        if (node.target.kind === 'attribute' && CHANGING.has(node.target.name)) {
          const [first] = (pathOf(node.target.target) ?? '').split('.');
          if (first !== undefined) this.changed.add(first);
        }
        break;
      default:
        break;
    }
    for (const child of childrenOf(node)) this.expression(child);
  }

  private filter(node: Expression & { kind: 'filter' }): void {
    this.named.push({ kind: 'filter', name: node.name, near: node.at });
    if ((node.name === 'default' || node.name === 'd') && node.target !== null)
      this.ask(node.target, this.optional);
    const [kind, index] = Object.hasOwn(BY_NAME, node.name) ? (BY_NAME[node.name] ?? []) : [];
    if (kind === undefined || index === undefined) return;
    const given = node.args[index];
    const name = textOf(given);
    if (given !== undefined && name !== null) this.named.push({ kind, name, near: given.at });
  }

  private test(node: Expression & { kind: 'test' }): void {
    this.named.push({ kind: 'test', name: node.name, near: node.at });
    if (node.name === 'defined' || node.name === 'undefined') this.ask(node.target, this.optional);
    const asked = textOf(node.target);
    if (asked !== null && (node.name === 'filter' || node.name === 'test'))
      this.askedFor.add(`${node.name} ${asked}`);
  }

  private membership(node: Expression & { kind: 'compare' }): void {
    const key = textOf(node.first);
    const [only, ...more] = node.rest;
    if (key === null || only === undefined || more.length > 0) return;
    if (only.operator !== 'in' && only.operator !== 'not in') return;
    const owner = pathOf(only.operand);
    if (owner !== null) this.optional.add(`${owner}.${key}`);
  }
}

const linkOf = (node: LinkStatement): TemplateLink => {
  const { template } = node;
  const parts = template.kind === 'list' || template.kind === 'tuple' ? template.items : [template];
  const names = parts.flatMap((part) => {
    const name = textOf(part);
    return name === null ? [] : [{ name, at: part.at }];
  });
  return { node, names, isDynamic: names.length < parts.length };
};

const isLink = (node: Statement): node is LinkStatement =>
  node.kind === 'include' || node.kind === 'import' || node.kind === 'fromImport' || node.kind === 'extends';

export const linksIn = (body: Body): readonly TemplateLink[] =>
  [...allStatements(body)].flatMap((node) => (isLink(node) ? [linkOf(node)] : []));

export const usesOf = (body: Body): Uses => {
  const collector = new Collector();
  for (const node of allStatements(body)) {
    if (node.kind === 'if') collector.truth(node.condition);
    if (node.kind === 'for' && node.condition !== null) collector.truth(node.condition);
    for (const expression of expressionsOf(node)) collector.expression(expression);
  }
  const { named, optional, truthTested, askedFor, changed } = collector;
  return { named, links: linksIn(body), optional, truthTested, askedFor, changed };
};
