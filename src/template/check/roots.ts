import type { JsonObject } from '../../domain/json.js';
import type { ConfigPath } from './finding.js';

/**
 * Who renders a template: the event plugin `template`, one of the two formatters, or `anyone` for a file
 * of which only the text is known.
 */
export type Renderer = 'event' | 'formatter' | 'batch_formatter' | 'anyone';

/** A template that is rendered as such, and not only loaded by others. */
export interface RootTemplate {
  /** Its name for the loader; for an inline text what messages call it. */
  readonly name: string;
  /** An inline text; `null`: it is loaded by its name. */
  readonly text: string | null;
  readonly renderer: Renderer;
  /** What templates see as `vars`; `null` when that is not known. */
  readonly vars: JsonObject | null;
  /** Where it stands in the config; `null` for a file that was named by a person. */
  readonly path: ConfigPath | null;
}

interface Surroundings {
  /** Names that a template sees, and what it includes or imports with context. */
  readonly variables: readonly string[];
  /** Names that imported templates see too. */
  readonly globals: readonly string[];
}

const EVENT: Surroundings = {
  variables: ['timestamp', 'tags', 'vars'],
  globals: ['params', 'samples', 'locals', 'shared', 'globals', 'module', 'dispatch', 'subprocess'],
};

export const SURROUNDINGS: Readonly<Record<Renderer, Surroundings>> = {
  event: EVENT,
  formatter: { variables: ['event'], globals: [] },
  batch_formatter: { variables: ['events'], globals: [] },
  anyone: { variables: [...EVENT.variables, 'event', 'events'], globals: EVENT.globals },
};

/** Names that every template of the language has. */
export const LANGUAGE_GLOBALS: readonly string[] = [
  'range',
  'dict',
  'lipsum',
  'cycler',
  'joiner',
  'namespace',
];
