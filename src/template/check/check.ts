import type { JsonObject } from '../../domain/json.js';
import { checkColumns, type SampleColumns } from './columnRules.js';
import { contextsOf } from './context.js';
import { checkFilters } from './filterRules.js';
import { type ConfigPath, type Finding, Findings } from './finding.js';
import {
  HOSTED_MODULES,
  hostObjects,
  type KnownObject,
  type NameTree,
  paramsObject,
  samplesObject,
} from './known.js';
import { type Loaded, type LoadedTemplate, type LoadTemplate, loadAll } from './load.js';
import { checkMembers, type SampleUse } from './memberRules.js';
import { checkNames } from './nameRules.js';
import { makeLanguage } from './read.js';
import type { RootTemplate } from './roots.js';
import { checkImports, checkSamples } from './unusedRules.js';

interface DeclaredSamples {
  readonly names: readonly string[];
  readonly path: ConfigPath;
  /** False if unknown templates may use them too. */
  readonly areUsersKnown: boolean;
}

export interface CheckOptions {
  /** Entry templates; templates they load by a literal are checked too. */
  readonly roots: readonly RootTemplate[];
  /** The text of a template; `null` if missing. May throw a `Fault` if unusable. */
  readonly load: LoadTemplate;
  readonly params: JsonObject | null;
  readonly samples: DeclaredSamples | null;
  /** Columns of samples that could be read; default: none are known. */
  readonly columns?: SampleColumns;
  /** Modules beyond the engine's own; default: those of the event plugin. */
  readonly modules?: NameTree;
}

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly reached: readonly string[];
  /** False if names are dynamic, or a template is missing or broken. */
  readonly isComplete: boolean;
}

/** Names a template exports, with its parents; `null` if a parent is unknown. */
const exportsOf = (
  template: LoadedTemplate,
  seen = new Set<LoadedTemplate>(),
): ReadonlySet<string> | null => {
  seen.add(template);
  const names = new Set(template.names.exported);
  for (const { link, targets, isOpen } of template.links) {
    if (link.node.kind !== 'extends') continue;
    if (isOpen) return null;
    for (const target of targets) {
      const inherited = seen.has(target) ? new Set<string>() : exportsOf(target, seen);
      if (inherited === null) return null;
      for (const name of inherited) names.add(name);
    }
  }
  return names;
};

const objectsOf = ({ params, samples, modules }: CheckOptions): ReadonlyMap<string, KnownObject> =>
  new Map([
    ...hostObjects(modules ?? HOSTED_MODULES),
    ...(params === null ? [] : [['params', paramsObject(params)] as const]),
    ...(samples === null ? [] : [['samples', samplesObject(samples.names)] as const]),
  ]);

const isComplete = ({ roots, templates }: Loaded): boolean =>
  roots.every(([, template]) => template !== null) &&
  templates.every(({ links }) => links.every(({ isOpen }) => !isOpen));

/** Checks templates without rendering them. Reads only through `load`. */
export const inspectTemplates = (options: CheckOptions): CheckResult => {
  const { samples } = options;
  const findings = new Findings();
  const language = makeLanguage();
  const loaded = loadAll(options.roots, options.load, language, findings);
  const contexts = contextsOf(loaded);
  const objects = {
    byName: objectsOf(options),
    changed: new Set(loaded.templates.flatMap(({ uses }) => [...uses.changed])),
    exportsOf,
  };
  const use: SampleUse = { names: new Set(), isAny: false };
  const loadedByOthers = new Set(
    loaded.templates.flatMap(({ links }) => links.flatMap(({ targets }) => targets)),
  );
  for (const template of loaded.templates) {
    const context = contexts.get(template);
    if (context === undefined) continue;
    checkFilters(template, language, findings);
    checkNames(template, context, findings);
    checkMembers(template, context, objects, use, findings);
    checkImports(template, loadedByOthers, findings);
    if (options.columns !== undefined) checkColumns(template, context, options.columns, findings);
  }
  const isAllKnown = isComplete(loaded);
  if (samples?.areUsersKnown === true && isAllKnown) checkSamples(samples.names, samples.path, use, findings);
  return { findings: findings.all(), reached: [...loaded.reached], isComplete: isAllKnown };
};
