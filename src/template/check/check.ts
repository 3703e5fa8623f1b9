import type { Language } from '../compile/unit.js';
import { allStatements, childrenOf, type Expression, expressionsOf } from '../parse/ast.js';
import { type CheckContext, contextsOf } from './context.js';
import { type ConfigPath, Findings, nearName, nearOrAll, type TemplateFinding, wordFrom } from './finding.js';
import {
  HOSTED_MODULES,
  hostObjects,
  type KnownObject,
  knownSamples,
  type NameTree,
  paramsObject,
} from './known.js';
import {
  type CheckedTemplate,
  type LoadedTemplates,
  type LoadTemplate,
  loadAll,
  makeLanguage,
} from './load.js';
import { checkMembers, type SampleUse } from './memberRules.js';
import { checkNames } from './nameRules.js';
import type { ConfigTemplates } from './roots.js';
import { memberOf } from './uses.js';

export interface CheckOptions extends ConfigTemplates {
  /** The text of a template; `null` if missing. May throw a `Fault` if unusable. */
  readonly load: LoadTemplate;
  /** Columns of samples that could be read; default: none are known. */
  readonly columns?: SampleColumns;
  /** Modules beyond the engine's own; default: those of the event plugin. */
  readonly modules?: NameTree;
}

export interface CheckResult {
  readonly findings: readonly TemplateFinding[];
  readonly reached: readonly string[];
  /** False if names are dynamic, or a template is missing or broken. */
  readonly isComplete: boolean;
}

/** Names a template exports, with its parents; `null` if a parent is unknown. */
const exportsOf = (
  template: CheckedTemplate,
  seen = new Set<CheckedTemplate>(),
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
    ...(samples === null ? [] : [['samples', knownSamples(samples.names)] as const]),
  ]);

const isComplete = ({ roots, templates }: LoadedTemplates): boolean =>
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

const INSTEAD: Readonly<Record<string, string>> = {
  'filter fromjson': 'Use module.json.loads(text).',
  'filter from_json': 'Use module.json.loads(text).',
  'filter to_json': 'Use the filter json.',
};

/** Unknown filters and tests, also in branches that never run. */
const checkFilters = (template: CheckedTemplate, { filters, tests }: Language, findings: Findings): void => {
  const { subject, uses } = template;
  for (const { kind, name, near } of uses.named) {
    const table = kind === 'filter' ? filters : tests;
    const key = `${kind} ${name}`;
    if (table.has(name) || uses.askedFor.has(key)) continue;
    const instead = Object.hasOwn(INSTEAD, key) ? INSTEAD[key] : undefined;
    findings.add(subject, wordFrom(subject.source, name, near), () => ({
      severity: 'error',
      code: kind === 'filter' ? 'unknown_filter' : 'unknown_test',
      message: `unknown ${kind} '${name}'`,
      hint: instead ?? nearName(name, [...table.keys()]),
    }));
  }
};

/** True if other templates see its imports. */
const exposesImports = ({ links }: CheckedTemplate): boolean =>
  links.some(({ link: { node } }) => node.kind === 'extends' || node.withContext);

/** Unused imports. Skips templates that others load: they may import for them. */
const checkImports = (
  template: CheckedTemplate,
  loadedByOthers: ReadonlySet<CheckedTemplate>,
  findings: Findings,
): void => {
  if (loadedByOthers.has(template) || exposesImports(template)) return;
  const { names, subject } = template;
  for (const { name, at, from } of names.stores) {
    if (from === null || names.reads.has(name)) continue;
    const behind = wordFrom(subject.source, from.kind === 'import' ? 'as' : 'import', from.template.at);
    findings.add(subject, wordFrom(subject.source, name, Math.max(at, behind)), () => ({
      severity: 'note',
      code: 'unused_import',
      message: `'${name}' is imported and never used`,
    }));
  }
};

/** Unused samples. Call only if all templates are known. */
const checkSamples = (
  samples: readonly string[],
  path: ConfigPath,
  use: SampleUse,
  findings: Findings,
): void => {
  if (use.isAny) return;
  for (const name of samples) {
    if (use.names.has(name)) continue;
    findings.inConfig([...path, name], {
      severity: 'warning',
      code: 'unused_sample',
      message: `no template uses the sample '${name}'`,
      hint: 'Remove it: Spate loads it at every start.',
    });
  }
};

/** Column names by sample; samples without names of columns are absent. */
type SampleColumns = ReadonlyMap<string, readonly string[]>;

/** A column that a call names, and where. */
interface NamedColumn {
  readonly name: string;
  readonly at: number;
}

type Call = Expression & { readonly kind: 'call' };

const constantText = (node: Expression | undefined): string | null =>
  node?.kind === 'constant' && typeof node.value === 'string' ? node.value : null;

/** The sample of `samples.users` or `samples['users']`. */
const sampleNamed = (node: Expression): string | null => {
  const member = memberOf(node);
  return member?.target.kind === 'name' && member.target.name === 'samples' ? member.name : null;
};

const columnsNamed = ({ target, args, kwargs, at }: Call): readonly NamedColumn[] => {
  if (target.kind !== 'attribute') return [];
  if (target.name === 'where') return kwargs.map(({ key }) => ({ name: key, at }));
  if (target.name !== 'weighted_pick' && target.name !== 'weighted_pick_n') return [];
  const column = args[0] ?? kwargs.find(({ key }) => key === 'column')?.value;
  const name = constantText(column);
  return name === null || column === undefined ? [] : [{ name, at: column.at }];
};

/** Reports columns that a sample does not have, in calls that fail without them. */
const checkColumns = (
  template: CheckedTemplate,
  { base, given }: CheckContext,
  columns: SampleColumns,
  findings: Findings,
): void => {
  // Another value of this name is not known.
  if (!base.has('samples') || given.has('samples')) return;
  if (template.names.stores.some(({ name }) => name === 'samples')) return;
  const visit = (node: Expression): void => {
    const sample =
      node.kind === 'call' && node.target.kind === 'attribute' ? sampleNamed(node.target.target) : null;
    const known = sample === null ? undefined : columns.get(sample);
    for (const { name, at } of known === undefined ? [] : columnsNamed(node as Call)) {
      if (known?.includes(name) === true) continue;
      findings.add(template.subject, at, () => ({
        severity: 'error',
        code: 'unknown_column',
        message: `sample '${sample}' has no column '${name}'`,
        hint: nearOrAll(name, known ?? []),
      }));
    }
    for (const child of childrenOf(node)) visit(child);
  };
  for (const node of allStatements(template.body)) {
    for (const expression of expressionsOf(node)) visit(expression);
  }
};
