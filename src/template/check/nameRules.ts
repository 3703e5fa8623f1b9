import type { CheckContext } from './context.js';
import { type Complaint, type Findings, nearName } from './finding.js';
import type { CheckedTemplate } from './load.js';
import { SURROUNDINGS } from './roots.js';
import type { FreeRead, ScopeKind, ScopeStore } from './scopes.js';

const MAX_CANDIDATES = 1_000;

const IN_NAMESPACE = (name: string): string =>
  `Use a namespace: {% set ns = namespace(${name}=none) %} before the loop, {% set ns.${name} = ... %} in it.`;

/** Why a name set only in an inner scope is unknown. */
const GONE: Readonly<
  Record<ScopeKind, (name: string) => { readonly what: string; readonly hint: string | null }>
> = {
  loop: (name) => ({ what: 'is set in a loop and undefined after it', hint: IN_NAMESPACE(name) }),
  macro: () => ({ what: 'exists only in a macro or call block', hint: null }),
  with: () => ({ what: 'exists only in its block (with, autoescape)', hint: null }),
  filter: () => ({
    what: 'is set in a filter block and undefined after it',
    hint: 'Set it before the block.',
  }),
  set: () => ({
    what: 'is set in a set block and undefined after it',
    hint: 'Set it before the block.',
  }),
  block: () => ({ what: 'is set in a block and undefined after it', hint: 'Set it before the block.' }),
  template: () => ({ what: 'is set outside this block', hint: null }),
};

/** Names known only in some statements. */
const PLACES: Readonly<Record<string, string>> = {
  loop: 'in the body of a for',
  caller: 'in a macro',
  varargs: 'in a macro',
  kwargs: 'in a macro',
  super: 'in a block',
};

const isLoopTarget = ({ scope, value, from }: ScopeStore): boolean =>
  scope === 'loop' && value === null && from === null;

const outOfScope = (read: FreeRead, stores: readonly ScopeStore[]): Complaint | null => {
  const { name, later } = read;
  const about = { severity: 'warning', code: 'name_out_of_scope' } as const;
  if (later !== null) {
    return {
      ...about,
      message:
        later === 'loop'
          ? `'${name}' has no value yet: each iteration starts without it`
          : `'${name}' is read before it is set`,
      hint: later === 'loop' ? IN_NAMESPACE(name) : null,
    };
  }
  const store = stores.find((one) => one.name === name);
  if (store === undefined) return null;
  if (isLoopTarget(store)) {
    return {
      ...about,
      message: `'${name}' is a loop variable and exists only in its loop`,
      hint: read.isInBlock ? 'Write {% block name scoped %} to use it in the block.' : null,
    };
  }
  const { what, hint } = GONE[store.scope](name);
  return { ...about, message: `'${name}' ${what}`, hint };
};

/** A name of another renderer, or of a loader `with context`. */
const elsewhere = ({ name }: FreeRead, context: CheckContext): Complaint | null => {
  const about = { severity: 'error', code: 'unknown_name' } as const;
  if (context.withheld.has(name)) {
    return {
      ...about,
      message: `'${name}' is not available: this template is loaded without context`,
      hint: "Hand it to the macro as an argument, or load this template 'with context'.",
    };
  }
  const { variables, globals } = SURROUNDINGS.event;
  if (!context.renderers.has('event') && [...variables, ...globals].includes(name)) {
    const own = [...context.renderers].flatMap((one) => SURROUNDINGS[one].variables);
    return {
      ...about,
      message: `'${name}' is available only in templates of events`,
      hint: `Templates of formatters have ${own.map((one) => `'${one}'`).join(' and ')}.`,
    };
  }
  return null;
};

const unknown = ({ name }: FreeRead, template: CheckedTemplate, context: CheckContext): Complaint => {
  const known = [...new Set([...context.base, ...context.given, ...template.names.exported])];
  const near = nearName(name, known.slice(0, MAX_CANDIDATES));
  const code = 'unknown_name';
  const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
  if (place !== undefined) return { severity: 'error', code, message: `'${name}' exists only ${place}` };
  if (context.isOpen) {
    return {
      severity: near === null ? 'note' : 'warning',
      code,
      message: `'${name}' is never set in this template`,
      hint: near ?? 'Ignore this if a template that includes this one sets it.',
    };
  }
  // Undefined is false: it renders, but never as intended.
  const severity = template.uses.truthTested.has(name) ? 'warning' : 'error';
  return { severity, code, message: `'${name}' is not defined`, hint: near };
};

export const checkNames = (template: CheckedTemplate, context: CheckContext, findings: Findings): void => {
  const { names, uses, subject } = template;
  for (const read of names.free) {
    const { name, at, isInBlock } = read;
    if (context.base.has(name) || context.given.has(name) || uses.optional.has(name)) continue;
    if (isInBlock && (context.isParentOpen || context.fromParents.has(name))) continue;
    findings.add(
      subject,
      at,
      () => outOfScope(read, names.stores) ?? elsewhere(read, context) ?? unknown(read, template, context),
    );
  }
};
