import type { JsonObject } from '../../domain/json.js';
import { contextsOf } from './context.js';
import { checkFilters } from './filterRules.js';
import { type ConfigPath, type Finding, Findings } from './finding.js';
import type { Nearest } from './hints.js';
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

export interface DeclaredSamples {
  readonly names: readonly string[];
  /** Where they stand in the config. */
  readonly path: ConfigPath;
  /** False where templates that are no roots may use them too. */
  readonly areUsersKnown: boolean;
}

export interface CheckOptions {
  /** The templates to begin with; what they load by literals is checked too. */
  readonly roots: readonly RootTemplate[];
  /**
   * The text of a template by its name; `null` when there is none. It may throw a `Fault` for one that is
   * there and cannot be used.
   */
  readonly load: LoadTemplate;
  /** What templates see as `params`; `null` when that is not known. */
  readonly params: JsonObject | null;
  /** The samples; `null` when they are not known. */
  readonly samples: DeclaredSamples | null;
  /** Finds the name that was probably meant. */
  readonly nearest: Nearest;
  /** Names of the modules that are not the engine's own, in place of those of the event plugin. */
  readonly modules?: NameTree;
}

/** What a check found, and what it saw. */
export interface CheckResult {
  readonly findings: readonly Finding[];
  /** Names of the templates that were loaded. */
  readonly reached: readonly string[];
  /** False where templates load others by names that only a render knows, or something was missing or broken. */
  readonly isComplete: boolean;
}

/** Names that a template exports with its parents; `null` when a parent is not known. */
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

/** Checks templates without rendering them, and says what was looked at. Reads nothing but through `load`. */
export const inspectTemplates = (options: CheckOptions): CheckResult => {
  const { nearest, samples } = options;
  const findings = new Findings();
  const language = makeLanguage();
  const loaded = loadAll(options.roots, options.load, language, findings);
  const contexts = contextsOf(loaded);
  const objects = {
    byName: objectsOf(options),
    changed: new Set(loaded.templates.flatMap(({ uses }) => [...uses.changed])),
    exportsOf,
    nearest,
  };
  const use: SampleUse = { names: new Set(), isAny: false };
  const loadedByOthers = new Set(
    loaded.templates.flatMap(({ links }) => links.flatMap(({ targets }) => targets)),
  );
  for (const template of loaded.templates) {
    const context = contexts.get(template);
    if (context === undefined) continue;
    checkFilters(template, language, nearest, findings);
    checkNames(template, context, nearest, findings);
    checkMembers(template, context, objects, use, findings);
    checkImports(template, loadedByOthers, findings);
  }
  const isAllKnown = isComplete(loaded);
  if (samples?.areUsersKnown === true && isAllKnown) checkSamples(samples.names, samples.path, use, findings);
  return { findings: findings.all(), reached: [...loaded.reached], isComplete: isAllKnown };
};

/** What is wrong with templates, found without rendering them. Reads nothing but through `load`. */
export const checkTemplates = (options: CheckOptions): readonly Finding[] =>
  inspectTemplates(options).findings;
