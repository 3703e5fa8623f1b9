import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { WHOLE } from '../../../domain/partitions.js';
import type { ValueOf } from '../../../schema/shape.js';
import {
  fromJson,
  limited,
  makeEnvironment,
  PyDict,
  type Template,
  UTC_ZONE,
  type Value,
  zoneValue,
} from '../../../template/index.js';
import type { Built, EventContext, EventPlugin, EventProducer } from '../../kit.js';
import { makeMarker } from '../../shared/marker.js';
import { problemLog } from '../../shared/problemLog.js';
import { templateFiles } from '../../shared/templateFiles.js';
import { dispatchModule } from './context/dispatch.js';
import { loadModules } from './context/modules.js';
import { loadSamples, samplesObject } from './context/samples/load.js';
import { rowKind } from './context/samples/row.js';
import { subprocessModule } from './context/subprocess.js';
import { type Instances, makeInstances, type Think } from './fsm/instances.js';
import { makePicker } from './picker.js';
import { templateProducer } from './producer.js';
import { templateSpec } from './spec.js';
import { dictStore, StateObject, templateGlobals } from './state.js';
import { aliasesOf, type TemplateItem } from './templatesField.js';
import type { CompiledTemplate, TemplateProgram } from './timestampRenderer.js';

type Aliased = readonly (readonly [alias: string, item: TemplateItem])[];

/** Templates by alias, and the text of every file they use. */
interface LoadedTemplates {
  readonly byAlias: readonly (readonly [alias: string, item: TemplateItem, template: Template])[];
  readonly sources: readonly string[];
}

/** `dispatch` ends renders. */
const ENDERS: ReadonlySet<string> = new Set(['dispatch']);

/** Reads and compiles each file once, with its includes, imports and parents. Returns the first error. */
const loadTemplates = (
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
const withNames = (
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

type Params = ValueOf<typeof templateSpec.fields>;

const commonNames = (given: {
  readonly params: Params;
  readonly context: EventContext;
  readonly module: Value;
  readonly samples: Value;
}) => {
  const sharedValues = new PyDict();
  const shared = new StateObject('shared', dictStore(sharedValues));
  const globals = templateGlobals(given.context.globals);
  const names = new Map<string, Value>([
    ['module', given.module],
    ['samples', given.samples],
    ['params', fromJson(given.params.params)],
    ['shared', shared],
    ['globals', globals.object],
    ['dispatch', dispatchModule()],
    ['partition', fromJson({ ...(given.context.partition ?? WHOLE) })],
    ['subprocess', subprocessModule(given.context.templates.runCommand)],
  ]);
  return { names, shared, sharedValues, globals };
};

const NO_PAUSE: Think = { min: 0, max: 0 };

/** Partitions share the instances, so that each id exists once. */
const instancesOf = (
  { mode, templates, instances, think }: Params,
  { partition }: EventContext,
  more: Pick<Parameters<typeof makeInstances>[0], 'random' | 'now'>,
): Instances | null => {
  if (mode !== 'fsm' || instances === null) return null;
  const { index, count } = partition ?? WHOLE;
  const all = Array.from({ length: instances }, (_, id) => id);
  const aliased = aliasesOf(templates);
  return makeInstances({
    ids: all.filter((id) => id % count === index),
    thinks: aliased.map(([, item]) => item.think ?? think ?? NO_PAUSE),
    initial: aliased.findIndex(([, item]) => item.initial === true),
    ...more,
  });
};

const build = async (params: Params, context: EventContext): Built<EventProducer> => {
  const { random, log, clock } = context;
  const aliased = aliasesOf(params.templates);
  const loaded = loadTemplates(aliased, context);
  if (E.isLeft(loaded)) return loaded;
  const samples = await loadSamples(params.samples, context);
  if (E.isLeft(samples)) return samples;
  const moment = { micros: 0 };
  const modules = await loadModules({
    random,
    now: () => moment.micros,
    zone: zoneValue(context.zone.id) ?? UTC_ZONE,
    sources: loaded.right.sources,
  });
  const { names, ...states } = commonNames({
    params,
    context,
    module: modules.object,
    samples: samplesObject(samples.right),
  });
  const conditionProblems = problemLog(
    log,
    clock,
    'warning',
    'a condition could not compare a field and is false',
  );
  const thinking = random.fork('pick/think');
  const instances = instancesOf(params, context, { random: thinking, now: () => moment.micros });
  const picking = random.fork('pick');
  const tagged = random.fork('pick/tagged');
  const program: TemplateProgram = {
    ...states,
    templates: loaded.right.byAlias.map(([alias, item, template]) =>
      withNames(alias, item, template, names, instances?.locals ?? null),
    ),
    picker: makePicker({
      mode: params.mode,
      templates: aliased,
      chain: params.chain,
      random: picking,
      tagged,
      warn: (reason) => conditionProblems.report(() => ({ reason })),
      instances,
      within: (run) => limited(context.templates.limits, clock.monotonicMs, run),
    }),
    instances,
    streams: new Map([
      ['pick', picking],
      ['pick/tagged', tagged],
      ...(instances === null ? [] : ([['pick/think', thinking]] as const)),
      ...modules.streams,
    ]),
    kinds: [rowKind],
    needsActivity: params.mode === 'activity',
    moment,
  };
  const producer = templateProducer({
    program,
    context,
    marker: params.marks === null ? null : makeMarker(params.marks, random),
    dropsEmpty: params.drop_empty,
  });
  return E.right({
    ...producer,
    close: async () => {
      conditionProblems.close();
      await producer.close();
    },
  });
};

export const templatePlugin: EventPlugin<typeof templateSpec.fields> = { spec: templateSpec, build };
