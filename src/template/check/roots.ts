import type { JsonObject } from '../../domain/json.js';
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

interface Surroundings {
  /** Names of a template and of templates it includes or imports with context. */
  readonly variables: readonly string[];
  /** Subset that imported templates see. */
  readonly globals: readonly string[];
}

const EVENT: Surroundings = {
  variables: ['timestamp', 'tags', 'instance', 'vars'],
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
