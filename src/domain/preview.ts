import type { Json, JsonObject } from './json.js';
import type { TemplateLimits } from './templateLimits.js';

/** A timestamp to make events of: ISO 8601, without an offset a wall clock of the session's zone. */
export interface GivenTimestamp {
  readonly timestamp: string;
  readonly tags: readonly string[];
}

/** Which state of an event plugin is meant: that of one template, of all its templates, or its globals. */
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

/** What a missing date-time stands for. */
export const NONE_POINTS = ['now', 'min', 'max'] as const;
export type NonePoint = (typeof NONE_POINTS)[number];

/** Timestamps that inputs would give. */
export interface TimestampsTask {
  readonly kind: 'timestamps';
  /** Absolute folder of the generator. */
  readonly directory: string;
  /** List of input plugin objects. */
  readonly inputs: Json;
  readonly size: number;
  readonly skip_past: boolean;
  readonly timezone: string;
  /** Span expression; `null` chooses automatically. */
  readonly span: string | null;
}

/** Events through a formatter. */
export interface FormatTask {
  readonly kind: 'format';
  readonly directory: string;
  readonly timezone: string;
  readonly template_limits: TemplateLimits;
  readonly formatter: Json;
  readonly events: readonly string[];
}

/** The instant that a date-time expression means. */
export interface NormalizeTask {
  readonly kind: 'normalize';
  /** `null`: what `none_point` says. */
  readonly value: string | number | null;
  readonly timezone: string;
  /** ISO 8601; what relative times count from; `null`: now. */
  readonly relative_base: string | null;
  readonly none_point: NonePoint;
}

/** Builds an event plugin, which the thread keeps from then on. */
export interface OpenTask {
  readonly kind: 'open';
  readonly directory: string;
  readonly timezone: string;
  readonly template_limits: TemplateLimits;
  readonly event: Json;
}

/** Events of the plugin that was opened. */
export interface ProduceTask {
  readonly kind: 'produce';
  readonly timestamps: readonly GivenTimestamp[];
}

/** State of the plugin that was opened. */
export interface StateTask {
  readonly kind: 'state';
  readonly scope: StateScope;
  readonly action: StateAction;
}

/** What a preview thread is asked; the answer is JSON text. */
export type PreviewTask = TimestampsTask | FormatTask | NormalizeTask | OpenTask | ProduceTask | StateTask;
