import { allStatements, childrenOf, type Expression, expressionsOf } from '../parse/ast.js';
import type { CheckContext } from './context.js';
import { type Complaint, type Findings, nearOrAll, wordFrom } from './finding.js';
import { type KnownObject, templateObject, varsObject } from './known.js';
import type { CheckedTemplate } from './load.js';
import type { ScopeStore } from './scopes.js';
import { memberOf, pathOf } from './uses.js';

export interface SampleUse {
  readonly names: Set<string>;
  isAny: boolean;
}

export interface Objects {
  /** `module`, `timestamp` ..., and `params` and `samples` if the config is known. */
  readonly byName: ReadonlyMap<string, KnownObject>;
  /** Objects that templates modify, whose members are unknown. */
  readonly changed: ReadonlySet<string>;
  readonly exportsOf: (template: CheckedTemplate) => ReadonlySet<string> | null;
}

const MAX_ALIASES = 8;

const complaintOf = (object: KnownObject, name: string): Complaint => {
  const code = 'unknown_attribute';
  const hint = nearOrAll(name, object.names);
  switch (object.kind) {
    case 'params':
      return {
        severity: 'warning',
        code,
        message: `'${object.label}.${name}' is not in the config`,
        hint: hint ?? `Add it, or read it with ${object.label}.get('${name}', ...).`,
      };
    case 'vars':
      return {
        severity: 'warning',
        code,
        message: `'${object.label}.${name}' is not in the vars of any alias of this template`,
        hint,
      };
    case 'samples':
      return { severity: 'error', code, message: `the config has no sample '${name}'`, hint };
    case 'template':
      return {
        severity: 'error',
        code: 'unknown_export',
        message: `the template '${object.label}' does not export '${name}'`,
        hint,
      };
    case 'host':
      return { severity: 'error', code, message: `'${object.label}' has no '${name}'`, hint };
  }
};

class MemberCheck {
  private readonly stores = new Map<string, ScopeStore[]>();

  constructor(
    private readonly template: CheckedTemplate,
    private readonly context: CheckContext,
    private readonly objects: Objects,
    private readonly samples: SampleUse,
    private readonly findings: Findings,
  ) {
    for (const store of template.names.stores) {
      const known = this.stores.get(store.name);
      if (known === undefined) this.stores.set(store.name, [store]);
      else known.push(store);
    }
  }

  run(): void {
    for (const node of allStatements(this.template.body)) {
      for (const expression of expressionsOf(node)) this.visit(expression);
    }
    this.imports();
  }

  private visit(node: Expression): void {
    const member = memberOf(node);
    if (member !== null) {
      this.member(node, member);
      // `samples.users` uses one sample; `samples` alone may use all.
      if (member.target.kind === 'name') return;
    } else if (node.kind === 'name' && node.name === 'samples') this.samples.isAny = true;
    for (const child of childrenOf(node)) this.visit(child);
  }

  private member(
    node: Expression,
    { target, name, at }: { target: Expression; name: string; at: number },
  ): void {
    const object = this.objectOf(target, 0);
    if (object?.kind === 'samples') this.samples.names.add(name);
    else if (object === null && target.kind === 'name' && target.name === 'samples') {
      this.samples.names.add(name);
    }
    if (object === null || object.has(name)) return;
    const { uses, subject } = this.template;
    const path = pathOf(node) ?? '';
    if (uses.optional.has(path) || uses.truthTested.has(path)) return;
    const location = node.kind === 'attribute' ? wordFrom(subject.source, name, at) : at;
    this.findings.add(subject, location, () => complaintOf(object, name));
  }

  /** The object of an expression, if it is the same in every render. */
  private objectOf(node: Expression, depth: number): KnownObject | null {
    if (node.kind === 'name') return this.named(node.name, depth);
    const member = memberOf(node);
    if (member === null) return null;
    return this.objectOf(member.target, depth)?.inner(member.name) ?? null;
  }

  private named(name: string, depth: number): KnownObject | null {
    const stores = this.stores.get(name);
    if (stores !== undefined) return this.stored(stores, depth);
    const { base, given, vars, areVarsOpen } = this.context;
    if (!base.has(name) || given.has(name) || this.objects.changed.has(name)) return null;
    if (name === 'vars') return areVarsOpen || vars.size === 0 ? null : varsObject([...vars]);
    return this.objects.byName.get(name) ?? null;
  }

  private stored(stores: readonly ScopeStore[], depth: number): KnownObject | null {
    const [store, ...more] = stores;
    if (store === undefined || more.length > 0 || depth >= MAX_ALIASES) return null;
    // Outside the store's scope, the name may refer to an outer value.
    if (this.context.base.has(store.name) || this.context.given.has(store.name)) return null;
    if (store.from?.kind === 'import') return this.imported(store.from);
    return store.value === null ? null : this.objectOf(store.value, depth + 1);
  }

  private imported(node: NonNullable<ScopeStore['from']>): KnownObject | null {
    const link = this.template.links.find((one) => one.link.node === node);
    const [target, ...more] = link?.targets ?? [];
    if (link === undefined || target === undefined || link.isOpen || more.length > 0) return null;
    const exported = this.objects.exportsOf(target);
    return exported === null ? null : templateObject(target.subject.name, exported);
  }

  private imports(): void {
    const { links, subject, uses } = this.template;
    for (const { link } of links) {
      const { node } = link;
      if (node.kind !== 'fromImport') continue;
      const object = this.imported(node);
      if (object === null) continue;
      const behind = wordFrom(subject.source, 'import', node.template.at) + 'import'.length;
      for (const { name, alias } of node.names) {
        if (object.has(name) || uses.optional.has(alias)) continue;
        const at = wordFrom(subject.source, name, behind);
        this.findings.add(subject, at, () => complaintOf(object, name));
      }
    }
  }
}

/** Reports unknown attributes and imports of known objects; records sample use. */
export const checkMembers = (
  template: CheckedTemplate,
  context: CheckContext,
  objects: Objects,
  samples: SampleUse,
  findings: Findings,
): void => new MemberCheck(template, context, objects, samples, findings).run();
