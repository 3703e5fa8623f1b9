import type { JsonObject } from '../../domain/json.js';
import type { Loaded, LoadedTemplate, ResolvedLink } from './load.js';
import { LANGUAGE_GLOBALS, type Renderer, SURROUNDINGS } from './roots.js';

/**
 * What a template may see from outside, taken together over all ways that lead to it: a name that one of
 * them gives is not called unknown.
 */
export interface Context {
  /** Names of the renderer and the language. */
  readonly base: Set<string>;
  /** The part of them that imported templates see too. */
  readonly globals: Set<string>;
  /** Names that templates which load this one have given values to. */
  readonly given: Set<string>;
  /** Names that parent templates set; blocks see them. */
  readonly fromParents: Set<string>;
  /** Names that would be there if it were loaded with context. */
  readonly withheld: Set<string>;
  readonly vars: Set<JsonObject>;
  readonly renderers: Set<Renderer>;
  /** True where `vars` may hold anything. */
  areVarsOpen: boolean;
  /** True where a parent is not known. */
  isParentOpen: boolean;
  /** True where templates that are not known may load this one. */
  isOpen: boolean;
}

/** Names that statements around an `include` have in store. */
const SPECIAL = ['loop', 'caller', 'varargs', 'kwargs', 'super'];

const emptyContext = (): Context => ({
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

/** Adds to a set; true when something was new. */
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
] as const satisfies readonly (keyof Context)[];
const FLAGS = ['areVarsOpen', 'isParentOpen', 'isOpen'] as const satisfies readonly (keyof Context)[];

/** Adds one context to another; true when something was new. */
const merge = (into: Context, from: Partial<Context>): boolean => {
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

const storedBy = ({ names }: LoadedTemplate): readonly string[] => names.stores.map(({ name }) => name);

/** What a link hands over from one template to the other. */
const handedOver = (
  template: LoadedTemplate,
  context: Context,
  { link: { node } }: ResolvedLink,
): Partial<Context> => {
  const { base, globals, given, vars, renderers, areVarsOpen, isOpen } = context;
  const all = new Set([...given, ...storedBy(template), ...SPECIAL]);
  if (node.kind === 'extends' || node.withContext)
    return { base, globals, given: all, vars, renderers, areVarsOpen, isOpen };
  // The special names are not worth a hint, as `with context` is not what is missing then.
  const withheld = new Set([...base, ...given, ...storedBy(template)]);
  return { base: globals, globals, withheld, renderers };
};

/** The context of every template that was loaded. */
export const contextsOf = ({
  roots,
  templates,
}: Pick<Loaded, 'roots' | 'templates'>): ReadonlyMap<LoadedTemplate, Context> => {
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
  // Sets only grow, so this ends; more rounds than templates bring nothing new.
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const template of templates) {
      const context = contexts.get(template);
      if (context === undefined) continue;
      for (const link of template.links) {
        for (const target of link.targets) {
          const other = contexts.get(target);
          if (other === undefined) continue;
          if (merge(other, handedOver(template, context, link))) isNew = true;
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
