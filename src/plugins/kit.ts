import type { Result, SpateError } from '../domain/errors.js';
import type { EventBatch } from '../domain/events/eventBatch.js';
import type { GlobalsView } from '../domain/globals/globals.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Random } from '../domain/random/random.js';
import type { TemplateLimits } from '../domain/templateLimits.js';
import type { Micros } from '../domain/time/micros.js';
import type { Zone } from '../domain/time/zone.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { RunCommand } from '../ports/runCommand.js';
import type { Fields, Rule, ValueOf } from '../schema/shape.js';

// Functions that take `ValueOf<F>` are written as methods, so that a plugin of certain fields is a plugin of any.

/** What every plugin declares, pure and safe in a browser; behaviour is loaded only where it runs. */
export interface PluginSpec<F extends Fields = Fields> {
  readonly kind: PluginKind;
  /** Key of the plugin in a generator config; for formatters the value of `format`. */
  readonly name: string;
  /** Other accepted keys, read back as they were written. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** What the option table cannot say: behaviour that people must know, one paragraph each, for the README. */
  readonly notes?: readonly string[];
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
  /** Whole parameter objects that decode; the first is the one `spate init` and docs show. */
  readonly examples: readonly { readonly title: string; readonly params: JsonObject }[];
}

/** The kinds of plugins; a generator has inputs, one event plugin and outputs with their formatters. */
export type PluginKind = 'input' | 'event' | 'output' | 'formatter';

/** What every plugin is given when it is built. */
export interface PluginContext {
  /** Absolute folder of the generator config; every relative path of a parameter resolves here. */
  readonly directory: string;
  /** Zone of the generator. */
  readonly zone: Zone;
  readonly clock: Clock;
  /** Stream of this plugin in the seed tree of the generator. */
  readonly random: Random;
  readonly log: Log;
  /** Ends when the pipeline is torn down. */
  readonly signal: AbortSignal;
}

/** What templates may do. */
export interface TemplateSurroundings {
  /** What one render may use. */
  readonly limits: TemplateLimits;
  /** Runs a command of the machine; `null`: templates may not. */
  readonly runCommand: RunCommand | null;
  /** Each event is logged with the templates and lines that made it. */
  readonly isTraced: boolean;
}

/** What formatters and event plugins are given besides: they may render templates. */
export interface FormatterContext extends PluginContext {
  readonly templates: TemplateSurroundings;
}

/** What building a plugin gives; Left says why it cannot be built; a rejection is a bug. */
export type Built<A> = Promise<Result<A>>;

// ---- inputs ---------------------------------------------------------------------------------------

/** Where the timestamps of an input begin. */
export interface InputStart {
  /** The moment generation starts: the base of `now` and of relative times. */
  readonly now: Micros;
  /** Leave out timestamps before `now` (live mode with `skip_past`); each kind says what that means. */
  readonly skipPast: boolean;
}

/** What an input is given besides. */
export interface InputContext extends PluginContext, InputStart {}

/** A lazy, pure source of ascending timestamps: no timers, no clock after it is built. */
export interface Input {
  /**
   * Writes the next timestamps into `out` (never more than its length) and returns how many; fewer
   * than `out.length` is fine, 0 means the input has ended. Must return quickly (well under 10 ms).
   */
  readonly fill: (out: Float64Array) => number;
  /** Position, so that a restored input goes on with the very next timestamp. */
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

/** An input: its declaration and how it is built. */
export interface InputPlugin<F extends Fields> {
  readonly spec: PluginSpec<F>;
  build(params: ValueOf<F>, context: InputContext): Built<Input>;
}

// ---- events ---------------------------------------------------------------------------------------

/** What an event plugin is given besides: the `params` of its generator and the globals of its scenario. */
export interface EventContext extends FormatterContext {
  readonly params: JsonObject;
  readonly globals: GlobalsView;
}

/** Timestamps to turn into events: `micros[i]` for `from <= i < to`, in order. */
export interface ProduceRequest {
  readonly micros: Float64Array;
  readonly from: number;
  readonly to: number;
  /** Tags of the input that made timestamp `i`; the same frozen array for every timestamp of an input. */
  readonly tagsOf: (index: number) => readonly string[];
  /**
   * Asked now and then (after every async call, else at least every 1,000 cheap events): true when the
   * slice has used its time and what is done so far should be returned.
   */
  readonly isSpent: () => boolean;
}

/** What became of some of the timestamps of a request, from its first one on. */
export interface Produced {
  /** Timestamps used up, at least 1 unless `from === to` or `exhausted`. */
  readonly consumed: number;
  readonly events: EventBatch;
  /** Timestamps whose call failed; each was logged by the plugin. */
  readonly failed: number;
  /** Timestamps dropped on purpose. */
  readonly dropped: number;
  /** True when no further event will come: the generator ends after these. */
  readonly exhausted: boolean;
}

/** Turns timestamps into events. Expected failures are counted in the result; a throw is a bug. */
export interface EventProducer {
  readonly produce: (request: ProduceRequest) => Produced | Promise<Produced>;
  readonly close: () => Promise<void>;
  /**
   * State for checkpoint and resume, taken at a batch boundary; absent: the plugin has none. Throws what
   * people must know when it cannot be taken; the checkpoint before is then kept as it is.
   */
  readonly snapshot?: () => Json;
  /** Goes on after a snapshot; called before the first `produce`. Throws, or rejects, when it cannot. */
  readonly restore?: (state: Json) => void | Promise<void>;
  /** What it remembers between timestamps, for a look into it; absent: nothing that has a name. */
  readonly memory?: EventMemory;
}

/** State of an event plugin that a preview shows and changes. */
export interface EventMemory {
  readonly shared: NamedValues;
  /** State of one template; `undefined`: there is none of that alias. */
  readonly local: (alias: string) => NamedValues | undefined;
}

/** Values by name, as JSON. */
export interface NamedValues {
  readonly read: () => JsonObject;
  /** Each key is replaced whole; `null` is a value. */
  readonly merge: (values: JsonObject) => void;
  readonly delete: (key: string) => void;
  readonly clear: () => void;
}

/** An event plugin: its declaration and how it is built. */
export interface EventPlugin<F extends Fields> {
  readonly spec: PluginSpec<F>;
  build(params: ValueOf<F>, context: EventContext): Built<EventProducer>;
}

// ---- formatters -----------------------------------------------------------------------------------

/** One event that could not be formatted. */
export interface FormatFailure {
  readonly event: string;
  readonly reason: string;
}

/** What became of some events. */
export interface Formatted {
  /** What the output writes. */
  readonly batch: EventBatch;
  /** How many of the given events each item of `batch` stands for: 1, or all of them for a joining formatter. */
  readonly eventsPerItem: number;
  /** One for each event that is left out, so that counters add up. */
  readonly failures: readonly FormatFailure[];
  /** True when they failed together, for one reason, which is reported once. */
  readonly failedTogether?: boolean;
}

/** Turns events into what an output writes. */
export interface Formatter {
  /** True when many events become one item: the pipeline collects slices before it is called. */
  readonly joins: boolean;
  readonly format: (events: EventBatch) => Formatted;
}

/** A formatter: its declaration and how it is built. */
export interface FormatterPlugin<F extends Fields> {
  readonly spec: PluginSpec<F>;
  build(params: ValueOf<F>, context: FormatterContext): Built<Formatter>;
}

// ---- outputs --------------------------------------------------------------------------------------

/** Result of one write: items that arrived, items left out each with its reason, bytes put on the wire. */
export interface Written {
  readonly written: number;
  readonly failed: number;
  readonly bytes: number;
  /** Of `failed`, the last items of the batch: the write stopped before them. */
  readonly stopped?: { readonly count: number; readonly reason: SpateError };
}

/** A destination. `open` was successful when it exists; `close` flushes and may be called twice. */
export interface Output {
  /** Bulk destinations get slices collected up to `batch.size` or `batch.delay`; others each slice at once. */
  readonly isBulk: boolean;
  /** True when writes must not overlap: the next batch is written after the one before it. */
  readonly isOrdered: boolean;
  /** True when a slow reader is back-pressure and no failure: `write_timeout` does not apply. */
  readonly isPacedByReader?: boolean;
  /**
   * Writes all items, in order. Left: the whole batch failed (the reason says whether to retry). The
   * signal ends an attempt that takes too long; after it the output must still be usable.
   */
  readonly write: (batch: EventBatch, signal: AbortSignal) => Promise<Result<Written>>;
  readonly flush: () => Promise<Result<void>>;
  readonly close: () => Promise<Result<void>>;
}

/** An output: its declaration and how it is opened. */
export interface OutputPlugin<F extends Fields> {
  readonly spec: PluginSpec<F>;
  open(params: ValueOf<F>, context: PluginContext): Built<Output>;
}
