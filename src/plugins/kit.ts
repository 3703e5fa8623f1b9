import type { Result, SpateError } from '../domain/errors.js';
import type { EventBatch } from '../domain/events/eventBatch.js';
import type { TemplateLimits } from '../domain/generator.js';
import type { GlobalsView } from '../domain/globals/globals.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { Partition } from '../domain/partitions.js';
import type { Random } from '../domain/random.js';
import type { Micros } from '../domain/time/micros.js';
import type { Zone } from '../domain/time/zone.js';
import type { ImperfectSource } from '../imperfections/skew.js';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';
import type { Python, RunCommand } from '../ports/processes.js';
import type { Fields, Rule, ValueOf } from '../schema/shape.js';
import type { Activity } from '../world/activity/kinds.js';
import type { Activities, Records } from './pairs.js';

// Functions that take `ValueOf<F>` are methods: their bivariance lets a table hold plugins of any fields.

/** Kinds of plugins: a generator has inputs, one event plugin, and outputs with a formatter each. */
export type PluginKind = 'input' | 'event' | 'output' | 'formatter';

/** Pure, browser-safe declaration of a plugin. Make one with the functions of `declare.ts`. */
export interface PluginSpec<F extends Fields = Fields> {
  readonly kind: PluginKind;
  /** Key of the plugin in a generator config; for formatters the value of `format`. */
  readonly name: string;
  /** Other accepted names; read-back keeps the one in the config. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Behavior that the option table cannot show, one paragraph each, for the README. */
  readonly notes?: readonly string[];
  readonly fields: F;
  readonly rules?: readonly Rule<F>[];
  /** Complete parameters that decode; `spate init` and docs show the first. */
  readonly examples: readonly { readonly title: string; readonly params: JsonObject }[];
}

/** Items of bytes: one for each event, or one for all events of a write. */
export type BytesForm = 'items' | 'whole';

export interface FormatterSpec<F extends Fields = Fields> extends PluginSpec<F> {
  readonly kind: 'formatter';
  /** One item holds all events of a write. */
  readonly joins?: true;
  /** Form of the items of a formatter, given its parameters, when they are bytes. Undefined when they are texts. */
  bytes?(params: ValueOf<F>): BytesForm;
}

/** Says whether an output sends items of bytes unchanged. */
export interface TakesBytes {
  /** Fields of the output that `whyNot` looks at. */
  readonly fields: readonly string[];
  /** Returns what is in the way and what to do, or null when nothing is. */
  readonly whyNot: (value: Readonly<Record<string, unknown>>, form: BytesForm) => string | null;
}

export interface OutputSpec<F extends Fields = Fields> extends PluginSpec<F> {
  readonly kind: 'output';
  /** How the output takes items of bytes. Undefined when it writes text: formatters that make bytes are refused. */
  readonly takesBytes?: TakesBytes;
  /** Name of the default formatter. Undefined for `plain`. */
  readonly formatter?: 'plain' | 'json' | 'json-batch';
}

/** Part of the specs of inputs and event plugins. */
export interface MayBlock {
  /**
   * Whether the plugin may block its thread without end, given undecoded parameters: its generator then gets
   * a thread of its own. Undefined when it never does.
   */
  readonly mayBlock?: (params: Json | undefined, settings: BlockingSettings) => boolean;
}

export interface EventSpec<F extends Fields = Fields> extends PluginSpec<F>, MayBlock {
  readonly kind: 'event';
}

export interface BlockingSettings {
  readonly allowsSubprocess: boolean;
}

export interface PluginContext {
  /** Absolute folder of the generator config, the base of relative paths. */
  readonly directory: string;
  readonly zone: Zone;
  /** The partition that the plugin works for. Undefined when the generator has no partitions. */
  readonly partition?: Partition;
  readonly clock: Clock;
  /** This plugin's stream in the seed tree of the generator. */
  readonly random: Random;
  readonly log: Log;
  /** Aborts when the pipeline is torn down. */
  readonly signal: AbortSignal;
}

export interface TemplateSurroundings {
  readonly limits: TemplateLimits;
  /** Runs a command of the machine. Null when that is not allowed. */
  readonly runCommand: RunCommand | null;
  /** Log each event with the templates and lines that made it. */
  readonly isTraced: boolean;
}

export interface FormatterContext extends PluginContext {
  readonly templates: TemplateSurroundings;
}

/** Resolves to an error when the plugin cannot be built. A rejection is a bug. */
export type Built<A> = Promise<Result<A>>;

// ---- inputs ---------------------------------------------------------------------------------------

export interface InputStart {
  /** Base of `now` and of relative times. */
  readonly now: Micros;
  /** Skip timestamps before `now` (live mode with `skip_past`). */
  readonly skipPast: boolean;
  /** The last tick of the input whose place this one takes in a live patch, at or before `now`. */
  readonly lastTick?: Micros;
}

export interface InputContext extends PluginContext, InputStart {
  /**
   * The globals, when nobody but the event plugin of the generator changes them. Undefined in a scenario, and for a
   * partition: all partitions need the same timestamps.
   */
  readonly ownGlobals?: Pick<GlobalsView, 'get'>;
}

/** A lazy source of ascending timestamps. It sets no timers and reads no clock once built. */
export interface Input {
  /**
   * Writes up to `out.length` timestamps and returns their number; 0: the input has ended; `WAITING`: it needs sizes
   * first; `SEARCHING`: it has found none yet. Takes well under 10 ms.
   */
  readonly fill: (out: Float64Array) => number;
  /** Position from which a restored input continues with the next timestamp. */
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
  /**
   * Timestamps that it still gives: infinite for an endless input, null when counting would take long. An input that
   * cannot tell leaves it out.
   */
  readonly remaining?: () => number | null;
  /**
   * The last tick at or before a time, or the start before the first one. For an input that counts from its start: it
   * hands its phase over to the input that takes its place.
   */
  readonly tickBefore?: (time: Micros) => Micros;
  /** Takes the sizes of events for a target in bytes. Undefined when sizes do not matter. */
  readonly sizes?: SizeMeter;
  /** The requests that the input waits for. Undefined when all its timestamps are scheduled. */
  readonly requests?: InputRequests;
  /** Records of the recording that the input plays. Undefined when its timestamps have no records. */
  readonly records?: Records;
  /** Activities of the world that the input observes. Undefined when its timestamps have no activities. */
  readonly activities?: Activities;
  /** For an input that is `SEARCHING`: it has given all timestamps before this. */
  readonly searchedTo?: () => Micros;
}

/** A source of requests for timestamps, which are due at once. */
export interface InputRequests {
  /** Begins to accept requests, once at most. Returns an error when the run cannot start. */
  readonly open: () => Promise<Result<void>>;
  /** Takes the next request, at least 1 timestamp. Returns null when it has stopped and none is pending. */
  readonly next: () => Promise<number | null>;
  /** Accepts no more requests. */
  readonly stop: () => void;
  /** A second call does nothing. */
  readonly close: () => Promise<void>;
}

/**
 * Tells an input the sizes of events, so that its rate in bytes is exact. It gives timestamps in blocks, and no block
 * before all events of the one before are measured: the stream depends on the events only, never on time.
 */
export interface SizeMeter {
  /** Sizes will come. Without them (a preview), the input assumes some. */
  readonly attach: () => void;
  /** Events of `bytes` were made of `timestamps`, of all inputs. */
  readonly add: (timestamps: number, bytes: number) => void;
  /** All timestamps of the block are given. */
  readonly isBlockGiven: () => boolean;
  /** All events of the block are added. */
  readonly endBlock: () => void;
  /** Sums of the block, for a checkpoint within it; restored after the timestamps. */
  readonly snapshot: () => Json;
  readonly restore: (state: Json) => void;
}

export interface InputPlugin<F extends Fields> {
  readonly spec: PluginSpec<F>;
  build(params: ValueOf<F>, context: InputContext): Built<Input>;
}

// ---- events ---------------------------------------------------------------------------------------

/** Context of event plugins: `params` of the generator, globals of its scenario. */
export interface EventContext extends FormatterContext {
  readonly params: JsonObject;
  readonly globals: GlobalsView;
  /** Runs Python scripts. Undefined when they cannot run. */
  readonly python?: Python;
  /** Texts that stand for files in a preview, by absolute path. */
  readonly drafts?: ReadonlyMap<string, string>;
}

/** Timestamps to turn into events: `micros[i]` for `from <= i < to`, in order. */
export interface ProduceRequest {
  readonly micros: Float64Array;
  readonly from: number;
  readonly to: number;
  /** Tags of the input of timestamp `i`: one frozen array per input. */
  readonly tagsOf: (index: number) => readonly string[];
  /** Number of the input of timestamp `i`, from 0. Undefined when all timestamps are of the first one. */
  readonly inputOf?: (index: number) => number;
  /** Activity of timestamp `i`, null when it has none. Undefined when no input observes a world. */
  readonly activityOf?: (index: number) => Activity | null;
  /** True when the time slice is used up: return. Check after each async call, else every 1,000 cheap events. */
  readonly isSpent: () => boolean;
}

/** Outcome for the first timestamps of a request. */
export interface Produced {
  /** At least 1 unless `from === to` or `exhausted`. */
  readonly consumed: number;
  readonly events: EventBatch;
  /** Timestamps that failed; the plugin logs each. */
  readonly failed: number;
  readonly dropped: number;
  /** No more events will come: the generator ends after these. */
  readonly exhausted: boolean;
  /** The consumed timestamps that the events are of. Undefined when they may be of any of them. */
  readonly used?: Float64Array;
  /**
   * Number of the template of each event, from 0, valid until the next call. Undefined when the plugin has fewer than
   * two templates.
   */
  readonly templates?: Uint32Array;
}

/** Turns timestamps into events. It counts expected failures in the result; a throw is a bug. */
export interface EventProducer {
  readonly produce: (request: ProduceRequest) => Produced | Promise<Produced>;
  readonly close: () => Promise<void>;
  /** Takes state for checkpoints between batches. Undefined without state. On a throw the previous checkpoint stays. */
  readonly snapshot?: () => Json;
  /** Continues from a snapshot, before the first `produce`. Throws or rejects when it cannot. */
  readonly restore?: (state: Json) => void | Promise<void>;
  /** Named state, for previews. Undefined when there is none. */
  readonly memory?: EventMemory;
  /**
   * Hands the inputs to a producer that gives each timestamp one of their records. Called before their first timestamp
   * and with new inputs, after `restore`. `skip` is how many timestamps of this partition, from there on, are used
   * already. Returns an error when these inputs do not fit.
   */
  readonly follow?: (inputs: readonly Input[], skip: number) => Result<void>;
  /**
   * Hands the inputs to a producer that looks up the activities of their timestamps. Called before their first
   * timestamp and with new inputs.
   */
  readonly observe?: (inputs: readonly Input[]) => void;
}

export interface EventMemory {
  readonly shared: NamedValues;
  /** Returns the state of one template, or undefined when its alias is unknown. */
  readonly local: (alias: string) => NamedValues | undefined;
}

export interface NamedValues {
  readonly read: () => JsonObject;
  /** Replaces each given key; `null` is a value. */
  readonly merge: (values: JsonObject) => void;
  readonly delete: (key: string) => void;
  readonly clear: () => void;
}

export interface EventPlugin<F extends Fields> {
  readonly spec: EventSpec<F>;
  build(params: ValueOf<F>, context: EventContext): Built<EventProducer>;
}

// ---- formatters -----------------------------------------------------------------------------------

export interface FormatFailure {
  readonly event: string;
  readonly reason: string;
}

export interface Formatted {
  readonly batch: EventBatch;
  /** Events in each item of `batch`: 1, or all of them for a joining formatter. */
  readonly eventsPerItem: number;
  readonly failures: readonly FormatFailure[];
  /** All failed for one reason; it is reported once. */
  readonly failedTogether?: boolean;
}

/** Turns events into the items an output writes. */
export interface Formatter {
  /** Many events become one item: the pipeline collects slices first. */
  readonly joins: boolean;
  readonly format: (events: EventBatch) => Formatted;
}

export interface FormatterPlugin<F extends Fields> {
  readonly spec: FormatterSpec<F>;
  build(params: ValueOf<F>, context: FormatterContext): Built<Formatter>;
}

// ---- outputs --------------------------------------------------------------------------------------

/** Items (positions in the batch, ascending) that did not arrive. The error code says whether a retry may help. */
export interface Missed {
  readonly items: readonly number[];
  readonly reason: SpateError;
}

/** Outcome of one write: items written, items rejected, bytes sent. `written`, `failed` and `missed` add up to the batch. */
export interface Written {
  readonly written: number;
  readonly failed: number;
  readonly bytes: number;
  /** The last of the `failed` items: the write stopped before them. */
  readonly stopped?: { readonly count: number; readonly reason: SpateError };
  /** Items that a partly accepted write left out: tried again alone, or given up, by the code of their reason. */
  readonly missed?: readonly Missed[];
}

/** An open destination. `close` flushes; a second call does nothing. */
export interface Output {
  /** Collect slices up to `batch.size` or `batch.delay` before a write; else write each slice at once. */
  readonly isBulk: boolean;
  /** Writes must not overlap. */
  readonly isOrdered: boolean;
  /** A slow reader is back-pressure, not a failure: `write_timeout` does not apply. */
  readonly isPacedByReader?: boolean;
  /**
   * Tells an output that joins writes whether to wait for more. With true, no more come until one in flight ends; also
   * before the first call. With false, more may come.
   */
  readonly onBackPressure?: (isHeldBack: boolean) => void;
  /**
   * Writes all items in order. Returns an error when the whole batch failed; its code says whether to retry. The signal
   * ends an attempt that takes too long; the output stays usable.
   */
  readonly write: (batch: EventBatch, signal: AbortSignal) => Promise<Result<Written>>;
  readonly flush: () => Promise<Result<void>>;
  readonly close: () => Promise<Result<void>>;
}

/** Delivery of one output, where its config differs from the generator's. */
export interface DeliveryChoices {
  readonly retry: { readonly attempts?: number; readonly base_ms?: number; readonly cap_ms?: number };
  readonly write_timeout_ms: number | null;
  /** One attempt, no dead letters; holds neither the checkpoint nor, in live mode, the generator back. */
  readonly isBestEffort: boolean;
}

/** Chooses the events that an output gets: `when` and `sample` of its config. */
export interface OutputRoute {
  /** Needs the tags of each event: batches then hold events of the same tags. */
  readonly needsTags: boolean;
  /** Returns the ascending positions of the chosen events, or null for all. Called once for each batch, in order. */
  readonly choose: (events: EventBatch, tags: readonly string[]) => readonly number[] | null;
  /** Returns what is written in place of the chosen events. Undefined when they are written themselves. */
  readonly describe?: (events: ChosenEvents) => EventBatch;
}

/** Events of the same tags, with the number and the time of each. */
export interface ChosenEvents {
  readonly events: EventBatch;
  readonly tags: readonly string[];
  /** In the stream of the generator, from 0. */
  readonly ordinals: readonly number[];
  readonly times: Float64Array;
}

/** Errors that an output makes on purpose: `imperfections` of its config. */
export interface Imperfections extends ImperfectSource {
  /** Number and name of the output, for its labels. */
  readonly output: string;
  /** Takes the labels. Null when none are kept. */
  readonly truth: Output | null;
}

export interface OutputPlugin<F extends Fields> {
  readonly spec: OutputSpec<F>;
  open(params: ValueOf<F>, context: PluginContext): Built<Output>;
}
