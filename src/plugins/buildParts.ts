import * as E from 'fp-ts/lib/Either.js';
import { failure, type Issue, type Result } from '../domain/errors.js';
import type { GeneratorDefinition } from '../domain/generator.js';
import type { GlobalsView } from '../domain/globals/globals.js';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.js';
import { type Partition, WHOLE } from '../domain/partitions.js';
import type { Random } from '../domain/random.js';
import type { Zone } from '../domain/time/zone.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Python } from '../ports/processes.js';
import { decode, showPath } from '../schema/index.js';
import type { Fields } from '../schema/shape.js';
import { withActivities } from './activities.js';
import { type InputGlobals, inputGlobals } from './inputGlobals.js';
import type {
  Built,
  DeliveryChoices,
  EventPlugin,
  EventProducer,
  Formatter,
  FormatterPlugin,
  FormatterSpec,
  Imperfections,
  Input,
  InputPlugin,
  InputStart,
  Output,
  OutputPlugin,
  OutputRoute,
  OutputSpec,
  PluginContext,
  PluginSpec,
  TemplateSurroundings,
} from './kit.js';
import type { DeliveryParams } from './outputs/shared/delivery.js';
import { formatterShapeOf, shapesOf, withOutputFields } from './shapes.js';

export interface PipelineRegistry {
  readonly input: (name: string) => Promise<InputPlugin<Fields>>;
  readonly event: (name: string) => Promise<EventPlugin<Fields>>;
  readonly output: (name: string) => Promise<OutputPlugin<Fields>>;
  readonly formatter: (name: string) => Promise<FormatterPlugin<Fields>>;
}

export interface PartsContext {
  readonly zone: Zone;
  readonly clock: Clock;
  /** Root of the seed tree; each plugin gets a branch. */
  readonly random: Random;
  /** The partition to build. Undefined when it is the only one. */
  readonly partition?: Partition;
  /** The piece of time to build, which outputs and templates see as a partition. Null or undefined when it is the only one. */
  readonly piece?: Partition | null;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly globals: GlobalsView;
  readonly templates: TemplateSurroundings;
  readonly python?: Python;
  /** Texts that stand for files of the event plugin, by absolute path. */
  readonly drafts?: ReadonlyMap<string, string>;
  /** Values that inputs lay over the globals, patched parts included. Undefined when the generator is not patched. */
  readonly inputGlobals?: InputGlobals;
}

interface GeneratorParts {
  readonly builders: {
    readonly producer: () => Built<EventProducer>;
    readonly formatters: readonly (() => Built<Formatter>)[];
    readonly outputs: readonly (() => Built<Output>)[];
    /** Chooses the events of each output. Null when the output gets every event. */
    readonly routes: readonly (() => Built<OutputRoute | null>)[];
    /** Errors that each output makes on purpose. Null when the output makes none. */
    readonly imperfections: readonly (() => Built<Imperfections | null>)[];
    readonly inputs: readonly ((start: InputStart) => Built<Input>)[];
  };
  /** Tags of each input, frozen. */
  readonly tags: readonly (readonly string[])[];
  readonly outputLog: (index: number) => Log;
  readonly delivery: (index: number) => DeliveryChoices;
  /** Random numbers of the event plugin; a checkpoint holds their position. */
  readonly eventRandom: Random;
}

const choicesOf = ({ delivery, retry, write_timeout }: DeliveryParams): DeliveryChoices => ({
  retry: {
    ...(retry?.attempts == null ? {} : { attempts: retry.attempts }),
    ...(retry?.base_delay == null ? {} : { base_ms: retry.base_delay * 1000 }),
    ...(retry?.max_delay == null ? {} : { cap_ms: retry.max_delay * 1000 }),
  },
  write_timeout_ms: write_timeout === null ? null : write_timeout * 1000,
  isBestEffort: delivery === 'best_effort',
});

/** Decodes the config of a definition into builders for its plugins. */
export const buildersOf = async (
  definition: GeneratorDefinition,
  registry: PipelineRegistry,
  shared: PartsContext,
): Promise<Result<GeneratorParts>> => {
  const decoded = await decodeUsed(definition.config, registry);
  if (E.isLeft(decoded)) {
    const problems = decoded.left.map(({ path, message }) => `${showPath(path)} ${message}`);
    return E.left(
      failure('invalid', `${definition.params.path}: ${problems.join('; ')}`, { issues: decoded.left }),
    );
  }
  const config = decoded.right;
  const { path, params } = definition.params;
  const { templates, globals, python, drafts } = shared;
  const dealt = shared.partition ?? WHOLE;
  const partition = shared.piece ?? dealt;
  const own = partition.count === 1 ? shared.random : shared.random.fork(`partition/${partition.index}`);
  // Inputs draw the same in all partitions, because their timestamps are dealt. Those of a piece of time are its own.
  const isDealt = dealt.count > 1;
  const contextOf = (type: string, index: number, name: string): PluginContext => ({
    directory: path.slice(0, path.lastIndexOf('/')),
    zone: shared.zone,
    clock: shared.clock,
    random: (type === 'input' && isDealt ? shared.random : own).fork(`${type}/${index + 1}`),
    ...(partition.count === 1 ? {} : { partition }),
    log: shared.log.with({ plugin_type: type, plugin_name: name, plugin_id: index + 1 }),
    signal: shared.signal,
  });
  const eventContext = contextOf('event', 0, config.event.kind);
  const laid = shared.inputGlobals ?? inputGlobals();
  const tags = config.input.map(({ params: given }) => {
    const own = Object.freeze([...(given['tags'] as readonly string[])]);
    laid.note(own, given['globals'] as JsonObject);
    return own;
  });
  const outputContexts = config.output.map(({ kind }, index) => contextOf('output', index, kind));
  return E.right({
    builders: {
      producer: async () => {
        const plugin = await registry.event(config.event.kind);
        const view = laid.view(globals);
        const built = await plugin.build(config.event.params, {
          ...eventContext,
          templates,
          params,
          globals: view,
          ...(python === undefined ? {} : { python }),
          ...(drafts === undefined ? {} : { drafts }),
        });
        return E.map((producer: EventProducer) => laid.producer(withActivities(producer, view)))(built);
      },
      formatters: config.output.map((entry, index) => async () => {
        const formatter = entry.params['formatter'] as PluginEntry;
        const plugin = await registry.formatter(formatter.kind);
        return plugin.build(formatter.params, {
          ...contextOf('formatter', index, formatter.kind),
          templates,
        });
      }),
      outputs: config.output.map(({ kind, params: given }, index) => async () => {
        const plugin = await registry.output(kind);
        return plugin.open(given, outputContexts[index] as PluginContext);
      }),
      routes: config.output.map(({ params: given }, index) => async () => {
        const { when, sample, ground_truth_of } = given as DeliveryParams;
        if (when === null && sample === null && ground_truth_of === null) return E.right(null);
        const [{ routeOf }, { labelled }] = await Promise.all([
          import('./outputs/shared/route.js'),
          import('./outputs/shared/groundTruth.js'),
        ]);
        const route = routeOf(when, sample, (outputContexts[index] as PluginContext).random.fork('sample'));
        return E.right(
          ground_truth_of === null
            ? route
            : labelled(
                route,
                ground_truth_of,
                definition.params.id,
                (outputContexts[index] as PluginContext).log,
              ),
        );
      }),
      imperfections: config.output.map(({ kind, params: given }, index) => async () => {
        const { imperfections } = given as DeliveryParams;
        if (imperfections === null) return E.right(null);
        const { openImperfections } = await import('./outputs/shared/imperfections.js');
        return openImperfections(imperfections, {
          output: `${index + 1}-${kind}`,
          plugins: registry.output,
          context: outputContexts[index] as PluginContext,
        });
      }),
      inputs: config.input.map(({ kind, params: given }, index) => async (start) => {
        const plugin = await registry.input(kind);
        const isOwn = definition.scenarios.length === 0 && !isDealt;
        return plugin.build(given, {
          ...contextOf('input', index, kind),
          ...start,
          ...(isOwn ? { ownGlobals: laid.over(tags[index] ?? [], globals) } : {}),
        });
      }),
    },
    tags,
    eventRandom: eventContext.random,
    outputLog: (index) => (outputContexts[index] as PluginContext).log,
    delivery: (index) => choicesOf((config.output[index] as PluginEntry).params as DeliveryParams),
  });
};

/** An entry of a decoded config. */
interface PluginEntry {
  readonly kind: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface DecodedConfig {
  readonly input: readonly PluginEntry[];
  readonly event: PluginEntry;
  readonly output: readonly PluginEntry[];
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  (Array.isArray(value) ? value : [value]).flatMap((entry: unknown) =>
    isJsonObject(entry) ? Object.entries(entry) : [],
  );

const sectionsOf = (config: Json): Readonly<Record<string, unknown>> => (isJsonObject(config) ? config : {});

const namesIn = (section: unknown): readonly string[] => entriesOf(section).map(([name]) => name);

/** Returns the formats that the outputs of a config name, or undefined for an output with its default. */
const formatsIn = (section: unknown): readonly (string | undefined)[] =>
  entriesOf(section).map(([, params]) => {
    const formatter = isJsonObject(params) ? params['formatter'] : undefined;
    const format = isJsonObject(formatter) ? formatter['format'] : undefined;
    return typeof format === 'string' ? format : undefined;
  });

/** Declarations of the plugins with these names. */
const specsOf = async <S extends PluginSpec>(
  names: readonly string[],
  load: (name: string) => Promise<{ readonly spec: PluginSpec }>,
): Promise<Readonly<Record<string, S>>> => {
  const plugins = await Promise.all([...new Set(names)].map(load));
  return Object.fromEntries(plugins.map(({ spec }) => [spec.name, spec as S]));
};

/**
 * Decodes a config that is known to be valid with the declarations of the plugins that it names: those of all others would
 * only take memory of the thread. Rejects for an unknown name.
 */
const decodeUsed = async (
  config: Json,
  registry: PipelineRegistry,
): Promise<E.Either<readonly Issue[], DecodedConfig>> => {
  const sections = sectionsOf(config);
  const [input, event, output] = await Promise.all([
    specsOf(namesIn(sections['input']), registry.input),
    specsOf(namesIn(sections['event']), registry.event),
    specsOf<OutputSpec>(namesIn(sections['output']), registry.output),
  ]);
  const formats = formatsIn(sections['output']);
  const defaults = formats.includes(undefined)
    ? Object.values(output).map(({ formatter = 'plain' }) => formatter)
    : [];
  const named = formats.filter((format) => format !== undefined);
  const formatter = await specsOf<FormatterSpec>([...named, ...defaults], registry.formatter);
  const formatters = { shape: formatterShapeOf(formatter), specs: formatter };
  const { generator } = shapesOf({
    input,
    event,
    output: withOutputFields(output, formatters),
    formatter,
  });
  return decode(generator, config);
};
