import type { Json, JsonObject } from './json.js';
import type { LogSample } from './logTimes.js';
import type { TemplateLimits } from './templateLimits.js';
import type { Micros } from './time/micros.js';

/** ISO 8601; without offset in the zone of the session. */
export interface GivenTimestamp {
  readonly timestamp: string;
  readonly tags: readonly string[];
}

/** State of an event plugin: of one template, of all its templates, or its globals. */
export type StateScope =
  | { readonly kind: 'local'; readonly alias: string }
  | { readonly kind: 'shared' }
  | { readonly kind: 'global' };

export type StateAction =
  | { readonly kind: 'read' }
  | { readonly kind: 'read_key'; readonly key: string }
  /** Each top-level key is replaced whole; `null` is a value. */
  | { readonly kind: 'merge'; readonly values: JsonObject }
  | { readonly kind: 'clear' }
  | { readonly kind: 'delete_key'; readonly key: string };

export const NONE_POINTS = ['now', 'min', 'max'] as const;
export type NonePoint = (typeof NONE_POINTS)[number];

export interface TimestampsTask {
  readonly kind: 'timestamps';
  /** Start of generation. Undefined for the time of the preview. */
  readonly now?: Micros;
  /** Absolute folder of the generator. */
  readonly directory: string;
  readonly inputs: Json;
  readonly size: number;
  readonly skip_past: boolean;
  readonly timezone: string;
  /** Span expression. Null for an automatic span. */
  readonly span: string | null;
}

export interface FormatTask {
  readonly kind: 'format';
  readonly directory: string;
  readonly timezone: string;
  readonly template_limits: TemplateLimits;
  readonly formatter: Json;
  readonly events: readonly string[];
}

export interface NormalizeTask {
  readonly kind: 'normalize';
  /** Value to normalize. Null stands for what `none_point` says. */
  readonly value: string | number | null;
  readonly timezone: string;
  /** Base of relative times, ISO 8601. Null stands for now. */
  readonly relative_base: string | null;
  readonly none_point: NonePoint;
}

export interface LogTimesTask extends LogSample {
  readonly kind: 'log_times';
  readonly timezone: string;
}

export interface LearnTask {
  readonly kind: 'learn';
  /** Absolute path of the log. */
  readonly file: string;
  readonly name: string;
  /** Key of the pseudonyms; `null` draws one. */
  readonly seed: string | null;
  readonly keep_values: boolean;
  readonly timezone: string;
  /** Name of the config file of a generator. */
  readonly config_file: string;
}

export interface OpenTask {
  readonly kind: 'open';
  readonly directory: string;
  readonly timezone: string;
  readonly template_limits: TemplateLimits;
  readonly event: Json;
  /**
   * Texts that stand for files, by path in the directory, beside `event` in the body. Null when the body is the event
   * plugin.
   */
  readonly files: Readonly<Record<string, string>> | null;
}

export interface ProduceTask {
  readonly kind: 'produce';
  readonly timestamps: readonly GivenTimestamp[];
}

export interface StateTask {
  readonly kind: 'state';
  readonly scope: StateScope;
  readonly action: StateAction;
}

/** Closes the event plugin: the process of a Python script must be collected by its own thread. */
export interface CloseTask {
  readonly kind: 'close';
}

/** Tasks of a preview thread; each answer is JSON text. */
export type PreviewTask =
  | TimestampsTask
  | FormatTask
  | NormalizeTask
  | LogTimesTask
  | LearnTask
  | OpenTask
  | ProduceTask
  | StateTask
  | CloseTask;
