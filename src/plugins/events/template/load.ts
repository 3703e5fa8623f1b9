import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { fromJson, makeEnvironment, PyDict, type Template, type Value } from '../../../template/index.js';
import type { EventContext } from '../../kit.js';
import { templateFiles } from '../../shared/templateFiles.js';
import type { CompiledTemplate } from './compiled.js';
import { dictStore, StateObject } from './state/state.js';
import type { TemplateItem } from './templatesField.js';

type Aliased = readonly (readonly [alias: string, item: TemplateItem])[];

/** Templates by alias, and the text of every file they use. */
interface LoadedTemplates {
  readonly byAlias: readonly (readonly [alias: string, item: TemplateItem, template: Template])[];
  readonly sources: readonly string[];
}

/** `dispatch` ends renders. */
const ENDERS: ReadonlySet<string> = new Set(['dispatch']);

/** Reads and compiles each file once, with its includes, imports and parents. Returns the first error. */
export const loadTemplates = (
  templates: Aliased,
  {
    directory,
    random,
    clock,
    drafts,
    templates: { limits, isTraced },
  }: Pick<EventContext, 'directory' | 'random' | 'clock' | 'drafts' | 'templates'>,
): Result<LoadedTemplates> => {
  const environment = makeEnvironment({
    loader: templateFiles(directory, drafts),
    random,
    limits,
    monotonicMs: clock.monotonicMs,
    requiresNamed: true,
    enders: ENDERS,
    isTraced,
  });
  const byAlias: (readonly [string, TemplateItem, Template])[] = [];
  for (const [index, [alias, item]] of templates.entries()) {
    const loaded = environment.load(item.template);
    if (E.isLeft(loaded)) {
      const { kind, message } = loaded.left;
      const where = kind === 'TemplateNotFound' ? ` (below ${directory})` : '';
      const reason = `template '${alias}': ${message}${where}`;
      const issue = { path: ['templates', index, alias, 'template'], type: 'bad_format', message: reason };
      return E.left(failure('plugin_failed', reason, { issues: [issue] }));
    }
    byAlias.push([alias, item, loaded.right]);
  }
  return E.right({ byAlias, sources: environment.sources() });
};

/** `common` has the names of all templates of the generator, `instanceLocals` replaces the locals of the template. */
export const withNames = (
  alias: string,
  { vars }: TemplateItem,
  template: Template,
  common: ReadonlyMap<string, Value>,
  instanceLocals: StateObject | null,
): CompiledTemplate => {
  const localValues = new PyDict();
  const locals = instanceLocals ?? new StateObject('locals', dictStore(localValues));
  const variables = new Map<string, Value>([['vars', fromJson(vars)]]);
  const globals = new Map<string, Value>([...common, ['locals', locals]]);
  return { alias, template, variables, names: { variables, globals }, locals, localValues };
};
