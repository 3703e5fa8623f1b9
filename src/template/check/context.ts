import type { JsonObject } from '../../domain/json.js';
import type { CheckedTemplate, LoadedTemplates, ResolvedLink } from './load.js';
import { LANGUAGE_GLOBALS, type Renderer, SURROUNDINGS } from './roots.js';

/** Names a template may see from outside: the union over all templates that load it. */
export interface CheckContext {
  readonly base: Set<string>;
  /** Subset that imported templates see. */
  readonly globals: Set<string>;
  /** Names set by templates that load this one. */
  readonly given: Set<string>;
  /** Names set by parent templates; visible in blocks. */
  readonly fromParents: Set<string>;
  /** Names that loading with context would add. */
  readonly withheld: Set<string>;
  readonly vars: Set<JsonObject>;
  readonly renderers: Set<Renderer>;
  areVarsOpen: boolean;
  isParentOpen: boolean;
  /** True if unknown templates may load this one. */
  isOpen: boolean;
}

/** Names set by statements around an `include`. */
const SPECIAL = ['loop', 'caller', 'varargs', 'kwargs', 'super'];

const emptyContext = (): CheckContext => ({
  base: new Set(LANGUAGE_GLOBALS),
  globals: new Set(LANGUAGE_GLOBALS),
  given: new Set(),
  fromParents: new Set(),
  withheld: new Set(),
  vars: new Set(),
  renderers: new Set(),
  areVarsOpen: false,
  isParentOpen: false,
  isOpen: false,
});

const addAll = <A>(into: Set<A>, more: Iterable<A>): boolean => {
  const before = into.size;
  for (const one of more) into.add(one);
  return into.size > before;
};

const SETS = [
  'base',
  'globals',
  'given',
  'fromParents',
  'withheld',
  'vars',
  'renderers',
] as const satisfies readonly (keyof CheckContext)[];
const FLAGS = ['areVarsOpen', 'isParentOpen', 'isOpen'] as const satisfies readonly (keyof CheckContext)[];

const merge = (into: CheckContext, from: Partial<CheckContext>): boolean => {
  let isNew = false;
  for (const key of SETS) {
    const [target, more]: [Set<unknown>, Set<unknown> | undefined] = [into[key], from[key]];
    if (more !== undefined && addAll(target, more)) isNew = true;
  }
  for (const key of FLAGS) {
    if (from[key] !== true || into[key]) continue;
    into[key] = true;
    isNew = true;
  }
  return isNew;
};

const storedBy = ({ names }: CheckedTemplate): readonly string[] => names.stores.map(({ name }) => name);

const passedNames = (
  template: CheckedTemplate,
  context: CheckContext,
  { link: { node } }: ResolvedLink,
): Partial<CheckContext> => {
  const { base, globals, given, vars, renderers, areVarsOpen, isOpen } = context;
  const all = new Set([...given, ...storedBy(template), ...SPECIAL]);
  if (node.kind === 'extends' || node.withContext)
    return { base, globals, given: all, vars, renderers, areVarsOpen, isOpen };
  // Special names are excluded from the hint: `with context` would not help.
  const withheld = new Set([...base, ...given, ...storedBy(template)]);
  return { base: globals, globals, withheld, renderers };
};

export const contextsOf = ({
  roots,
  templates,
}: Pick<LoadedTemplates, 'roots' | 'templates'>): ReadonlyMap<CheckedTemplate, CheckContext> => {
  const contexts = new Map(templates.map((template) => [template, emptyContext()]));
  for (const [{ renderer, vars }, template] of roots) {
    const context = template === null ? undefined : contexts.get(template);
    if (context === undefined) continue;
    const { variables, globals } = SURROUNDINGS[renderer];
    merge(context, {
      base: new Set([...variables, ...globals]),
      globals: new Set(globals),
      vars: new Set(vars === null ? [] : [vars]),
      renderers: new Set([renderer]),
      areVarsOpen: vars === null && variables.includes('vars'),
      isOpen: renderer === 'anyone',
    });
  }
  // Sets only grow, so this terminates within one round per template.
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const template of templates) {
      const context = contexts.get(template);
      if (context === undefined) continue;
      for (const link of template.links) {
        for (const target of link.targets) {
          const other = contexts.get(target);
          if (other === undefined) continue;
          if (merge(other, passedNames(template, context, link))) isNew = true;
          if (link.link.node.kind !== 'extends') continue;
          const fromParents = new Set([...storedBy(target), ...other.fromParents]);
          if (merge(context, { fromParents, isParentOpen: other.isParentOpen })) isNew = true;
        }
        if (link.link.node.kind === 'extends' && link.isOpen && merge(context, { isParentOpen: true }))
          isNew = true;
      }
    }
  }
  return contexts;
};
