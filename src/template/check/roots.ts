import { isJsonObject, type Json, type JsonObject } from '../../domain/json.js';
import type { ConfigPath } from './finding.js';

/** The renderer: event plugin, formatter, or `anyone` for a file without a config. */
export type Renderer = 'event' | 'formatter' | 'batch_formatter' | 'anyone';

export interface RootTemplate {
  /** Name for the loader; for an inline text, the name in messages. */
  readonly name: string;
  /** An inline text. Null when the template is loaded by name. */
  readonly text: string | null;
  readonly renderer: Renderer;
  readonly vars: JsonObject | null;
  /** Path in the config; `null` for a file given on the command line. */
  readonly path: ConfigPath | null;
}

interface DeclaredSamples {
  readonly names: readonly string[];
  readonly path: ConfigPath;
  /** False if unknown templates may use them too. */
  readonly areUsersKnown: boolean;
}

export interface ConfigTemplates {
  /** Entry templates; templates they load by a literal are checked too. */
  readonly roots: readonly RootTemplate[];
  readonly params: JsonObject | null;
  readonly samples: DeclaredSamples | null;
}

const FORMATTERS: Readonly<Record<string, Renderer>> = {
  template: 'formatter',
  'template-batch': 'batch_formatter',
};

const SAMPLES: ConfigPath = ['event', 'template', 'samples'];

const objectIn = (value: Json | undefined): JsonObject | null => (isJsonObject(value) ? value : null);

const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];

const at = (object: JsonObject | null, key: string): Json | undefined =>
  object !== null && Object.hasOwn(object, key) ? object[key] : undefined;

const fixedText = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' && !value.includes('${') ? value : null;

/** Empty if absent; `null` for a placeholder. */
const objectOrEmpty = (value: Json | undefined): JsonObject | null =>
  value === undefined || value === null ? {} : objectIn(value);

const eventRoots = (event: JsonObject): readonly RootTemplate[] =>
  listIn(at(event, 'templates')).flatMap((item, index) =>
    Object.entries(objectIn(item) ?? {}).flatMap(([alias, value]): readonly RootTemplate[] => {
      const name = fixedText(at(objectIn(value), 'template'));
      if (name === null) return [];
      const path = ['event', 'template', 'templates', index, alias, 'template'];
      const vars = objectOrEmpty(at(objectIn(value), 'vars'));
      return [{ name, text: null, renderer: 'event', vars, path }];
    }),
  );

const formatterRoots = (config: JsonObject): readonly RootTemplate[] =>
  listIn(at(config, 'output')).flatMap((item, index) =>
    Object.entries(objectIn(item) ?? {}).flatMap(([output, value]): readonly RootTemplate[] => {
      const formatter = objectIn(at(objectIn(value), 'formatter'));
      const format = at(formatter, 'format');
      const renderer =
        typeof format === 'string' && Object.hasOwn(FORMATTERS, format) ? FORMATTERS[format] : undefined;
      if (renderer === undefined) return [];
      const path = ['output', index, output, 'formatter'];
      const name = fixedText(at(formatter, 'template_path'));
      if (name !== null) {
        return [{ name, text: null, renderer, vars: null, path: [...path, 'template_path'] }];
      }
      const text = at(formatter, 'template');
      // Placeholders in an inline text are plain text.
      return typeof text === 'string'
        ? [{ name: 'template', text, renderer, vars: null, path: [...path, 'template'] }]
        : [];
    }),
  );

/** Templates of a config with expanded keys. Skips invalid parts: the config check reports them. */
export const templatesOfConfig = (config: Json): ConfigTemplates => {
  const document = objectIn(config) ?? {};
  const event = objectIn(at(objectIn(at(document, 'event')), 'template'));
  const samples = objectOrEmpty(at(event, 'samples'));
  const ofEvent = event === null ? [] : eventRoots(event);
  // A placeholder that names a template leaves its samples unknown.
  const areUsersKnown = ofEvent.length >= listIn(at(event, 'templates')).length;
  return {
    roots: [...ofEvent, ...formatterRoots(document)],
    params: objectOrEmpty(at(event, 'params')),
    samples:
      event === null || samples === null
        ? null
        : { names: Object.keys(samples), path: SAMPLES, areUsersKnown },
  };
};

interface Surroundings {
  /** Names of a template and of templates it includes or imports with context. */
  readonly variables: readonly string[];
  /** Subset that imported templates see. */
  readonly globals: readonly string[];
}

const EVENT: Surroundings = {
  variables: ['timestamp', 'tags', 'activity', 'instance', 'vars'],
  globals: [
    'params',
    'samples',
    'locals',
    'shared',
    'globals',
    'module',
    'dispatch',
    'partition',
    'subprocess',
  ],
};

export const SURROUNDINGS: Readonly<Record<Renderer, Surroundings>> = {
  event: EVENT,
  formatter: { variables: ['event'], globals: [] },
  batch_formatter: { variables: ['events'], globals: [] },
  anyone: { variables: [...EVENT.variables, 'event', 'events'], globals: EVENT.globals },
};

export const LANGUAGE_GLOBALS: readonly string[] = [
  'range',
  'dict',
  'lipsum',
  'cycler',
  'joiner',
  'namespace',
];
