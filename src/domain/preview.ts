import type { SpateError } from './errors.js';
import type { GeneratorDefinition, TemplateLimits } from './generator.js';
import type { Json, JsonObject } from './json.js';
import type { Micros } from './time/micros.js';
import type { WorldQuestion } from './worlds/reports.js';

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

export interface ConnectTask {
  readonly kind: 'connect';
  readonly definition: GeneratorDefinition;
  /** Longest time for one output to open. */
  readonly timeout_ms: number;
}

/** An output of a config, and whether it could be opened. */
export interface CheckedOutput {
  readonly kind: string;
  /** Null for an output that was opened and closed. */
  readonly error: SpateError | null;
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
  /** Inputs whose activities the timestamps observe, beside `event` in the body. Null without any. */
  readonly inputs: Json | null;
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

/** Looks at the worlds of a folder. */
export interface WorldTask {
  readonly kind: 'world';
  readonly folder: string;
  readonly question: WorldQuestion;
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
  | ConnectTask
  | OpenTask
  | ProduceTask
  | StateTask
  | WorldTask
  | CloseTask;

/** Sample of a log; with a pattern it is checked, without one it is guessed. */
export interface LogSample {
  readonly text: string;
  readonly timestamp_pattern: string | null;
  readonly timestamp_format: string | null;
}

/** A guess where the timestamps of a log are and how they are written. */
export interface LogTimesCandidate {
  readonly name: string;
  /** Parameter of the `replay` event plugin, as is the format. */
  readonly timestamp_pattern: string;
  readonly timestamp_format: string;
  /** Lines of the sample that the pattern matches. */
  readonly matched: number;
  /** The first timestamp of the sample. */
  readonly example: string;
}

/** A line of the sample; `start` and `end` of the timestamp in `text` in UTF-16 units, `null` without a match. */
export interface LogTimesLine {
  /** From 1. */
  readonly number: number;
  /** The part of the line around the timestamp, if the line is long. */
  readonly text: string;
  readonly start: number | null;
  readonly end: number | null;
}

/** What a pattern and a format do with the lines of a sample. */
export interface LogTimesCheck {
  readonly timestamp_pattern: string;
  readonly timestamp_format: string | null;
  readonly matched: number;
  /** Matched timestamps that look as `timestamp_format` writes them; `null` without a format. */
  readonly alike: number | null;
  /** The present time as `timestamp_format` writes it; `null` without a format. */
  readonly written: string | null;
  /** The first lines, and the first ones without a match. */
  readonly lines: readonly LogTimesLine[];
}

/** Which field is refused, and why: `has no group named ...`. */
export interface LogTimesFlaw {
  readonly field: 'timestamp_pattern' | 'timestamp_format';
  readonly message: string;
}

export interface LogTimes {
  /** Lines of the sample that are not blank. */
  readonly lines: number;
  /** Best first; empty if a pattern was given. */
  readonly candidates: readonly LogTimesCandidate[];
  /** Check of the given pattern, or of the best candidate. Null when there is none, or when it has a flaw. */
  readonly checked: LogTimesCheck | null;
  /** Flaws of the given pattern and format. While these are typed, flaws are no errors of the request. */
  readonly flaws: readonly LogTimesFlaw[];
}
