import type { Fields } from '../schema/shape.js';
import type { PipelineRegistry } from './buildParts.js';
import type {
  EventPlugin,
  FormatterPlugin,
  InputPlugin,
  OutputPlugin,
  PluginKind,
  PluginSpec,
} from './kit.js';
import type { PluginSpecs } from './specs.js';

/** What a row of each kind loads. */
interface PluginOf<F extends Fields> {
  readonly input: InputPlugin<F>;
  readonly event: EventPlugin<F>;
  readonly output: OutputPlugin<F>;
  readonly formatter: FormatterPlugin<F>;
}

type FieldsOf<S> = S extends PluginSpec<infer F> ? F : never;

type Loaders<K extends PluginKind> = {
  readonly [N in keyof PluginSpecs[K]]: () => Promise<PluginOf<FieldsOf<PluginSpecs[K][N]>>[K]>;
};

/** The same rows as `PLUGIN_SPECS`, each loading its behaviour; a missing or wrong row does not compile. */
export const PLUGIN_LOADERS: { readonly [K in PluginKind]: Loaders<K> } = {
  input: {
    cron: async () => (await import('./inputs/cron/plugin.js')).cronPlugin,
    timer: async () => (await import('./inputs/timer/plugin.js')).timerPlugin,
    static: async () => (await import('./inputs/static/plugin.js')).staticPlugin,
    linspace: async () => (await import('./inputs/linspace/plugin.js')).linspacePlugin,
    timestamps: async () => (await import('./inputs/timestamps/plugin.js')).timestampsPlugin,
  },
  event: {
    template: async () => (await import('./events/template/plugin.js')).templatePlugin,
    replay: async () => (await import('./events/replay/plugin.js')).replayPlugin,
    script: async () => (await import('./events/script/plugin.js')).scriptPlugin,
  },
  output: {
    stdout: async () => (await import('./outputs/stdout/plugin.js')).stdoutPlugin,
    file: async () => (await import('./outputs/file/plugin.js')).filePlugin,
    clickhouse: async () => (await import('./outputs/clickhouse/plugin.js')).clickhousePlugin,
  },
  formatter: {
    plain: async () => (await import('./formatters/plain/plugin.js')).plainPlugin,
    json: async () => (await import('./formatters/json/plugin.js')).jsonPlugin,
    'json-batch': async () => (await import('./formatters/json-batch/plugin.js')).jsonBatchPlugin,
    template: async () => (await import('./formatters/template/plugin.js')).templatePlugin,
    'template-batch': async () => (await import('./formatters/template-batch/plugin.js')).templateBatchPlugin,
    'spate-http-input': async () => (await import('./formatters/spate-http-input/plugin.js')).httpInputPlugin,
  },
};

/** A row by the name of a decoded entry; rejects only for a name that no spec has, which is a bug. */
const rowOf = <K extends PluginKind>(kind: K, name: string): Promise<PluginOf<Fields>[K]> => {
  const rows = PLUGIN_LOADERS[kind] as Readonly<Record<string, () => Promise<PluginOf<Fields>[K]>>>;
  const load = Object.hasOwn(rows, name) ? rows[name] : undefined;
  return load === undefined ? Promise.reject(new Error(`no ${kind} plugin is named ${name}`)) : load();
};

/** Behaviour by kind and name for the pipeline, which knows decoded configs only by their names. */
export const registry: PipelineRegistry = {
  input: (name) => rowOf('input', name),
  event: (name) => rowOf('event', name),
  output: (name) => rowOf('output', name),
  formatter: (name) => rowOf('formatter', name),
};

/**
 * Loads the plugins of these names, of whatever kind; other names mean nothing. A failure is told to whoever
 * asks for the plugin.
 */
export const loadNamed = (names: readonly string[]): void => {
  for (const load of Object.values(registry)) for (const name of names) load(name).catch(() => {});
};
