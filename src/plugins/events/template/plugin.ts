import * as E from 'fp-ts/lib/Either.js';
import { WHOLE } from '../../../domain/partitions.js';
import type { ValueOf } from '../../../schema/shape.js';
import { fromJson, limited, PyDict, UTC_ZONE, type Value, zoneValue } from '../../../template/index.js';
import type { Built, EventContext, EventPlugin, EventProducer } from '../../kit.js';
import { makeMarker } from '../shared/marker.js';
import { problemLog } from '../shared/problemLog.js';
import type { TemplateProgram } from './compiled.js';
import { dispatchModule } from './context/dispatch.js';
import { loadModules } from './context/modules.js';
import { loadSamples } from './context/samples/load.js';
import { rowKind } from './context/samples/row.js';
import { samplesObject } from './context/samples/samplesObject.js';
import { subprocessModule } from './context/subprocess.js';
import { type Instances, makeInstances, type Think } from './fsm/instances.js';
import { loadTemplates, withNames } from './load.js';
import { makePicker } from './picker.js';
import { templateProducer } from './producer.js';
import { templateSpec } from './spec.js';
import { templateGlobals } from './state/globals.js';
import { dictStore, StateObject } from './state/state.js';
import { aliasesOf } from './templatesField.js';

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
