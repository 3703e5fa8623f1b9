import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { Failed, failure, type Result, reasonOf } from '../../domain/errors.js';
import { emptyBatch, textBatch } from '../../domain/events/eventBatch.js';
import { makeTimestampBatch } from '../../domain/events/timestampBatch.js';
import type { GeneratorDefinition } from '../../domain/generator.js';
import type { JsonObject } from '../../domain/json.js';
import type { KnownSecrets } from '../../domain/secrets.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { type Micros, NEVER } from '../../domain/time/micros.js';
import { utc, type Zone } from '../../domain/time/zone.js';
import { buildAll } from '../../pipeline/build.js';
import { makeTurn } from '../../pipeline/produce.js';
import { type Merged, type Sizes, sizesFor } from '../../pipeline/schedule/merge.js';
import type { EventProducer, Formatted, Formatter, Produced, ProduceRequest } from '../../plugins/kit.js';
import type { Log } from '../../ports/log.js';
import { limitedProducer, MAX_BARREN } from '../bounds.js';
import { type Caught, catchingLog } from '../preview/answer.js';
import {
  LOOK_AHEAD,
  load,
  MAX_SEARCH_MS,
  mergedInputs,
  partsOf,
  type SampleOptions,
  SILENT,
} from './parts.js';

export interface SampleEventsOptions extends SampleOptions {
  /** Globals at the start. */
  readonly globals: JsonObject;
  /** The clock stands here. */
  readonly now: Micros;
  /** Number of events to produce. Null to produce until the inputs end. */
  readonly events: number | null;
  /** Number of the output whose formatter is used, from 1. */
  readonly output: number;
  readonly allow_subprocess: boolean;
  /** Takes warnings of the plugins; reasons of failures are in the batches. */
  readonly log?: Log;
}

export interface SampleFailure {
  readonly kind: 'input' | 'produce' | 'format';
  /** Timestamp of the event; `null` for an input. */
  readonly micros: Micros | null;
  readonly reason: string;
  /** The event that cannot be formatted. */
  readonly event: string | null;
}

export interface SampledBatch {
  /** Timestamps that the events and failures were made of. */
  readonly timestamps: number;
  /** Timestamp of each event. */
  readonly micros: readonly Micros[];
  /** As produced. */
  readonly events: readonly string[];
  /** As an output writes them, without line ends. */
  readonly formatted: readonly string[];
  /** Position in `events` of each formatted text; of its first event where the formatter joins events. */
  readonly origins: readonly number[];
  readonly failures: readonly SampleFailure[];
}

export interface Sampled {
  readonly definition: GeneratorDefinition;
  readonly zone: Zone;
  readonly seed: string;
  /** Whether the formatter joins the events of a batch into one text. */
  readonly joins: boolean;
  /** To be read once; closes the event plugin at its end. */
  readonly batches: AsyncIterable<SampledBatch>;
}

/** Events per batch, except where a formatter joins them. */
const BATCH_EVENTS = 1_000;

/** UTF-16 units that end a batch early. */
const BATCH_LENGTH = 8 * 1024 * 1024;

interface Assembly {
  readonly merged: Merged;
  readonly sizes: Sizes;
  readonly tags: readonly (readonly string[])[];
  readonly producer: EventProducer;
  /** Ends the inputs and closes the producer. */
  readonly close: () => Promise<void>;
  readonly formatter: Formatter;
  readonly caught: Caught;
  readonly known: KnownSecrets;
  readonly batchEvents: number;
  /** Timestamps pulled at once: few where few events are wanted, as the next ones may be years ahead. */
  readonly lookAhead: number;
  /** Filled by the inputs and the limit. */
  readonly failures: SampleFailure[];
}

const reasonIn = (caught: Caught): string => {
  const problem = caught.take();
  if (problem === null) return 'the timestamp got no event';
  const { reason, template_alias, source } = problem.context;
  const location = typeof template_alias === 'string' ? ` (template ${template_alias})` : '';
  const line = typeof source === 'string' ? `; in ${source}` : '';
  return `${typeof reason === 'string' ? reason : problem.message}${location}${line}`;
};

/** Position of each formatted text: events that cannot be formatted are left out in order. */
const originsOf = (events: readonly string[], failures: readonly { readonly event: string }[]) => {
  const left = new Map<string, number>();
  for (const { event } of failures) left.set(event, (left.get(event) ?? 0) + 1);
  const origins: number[] = [];
  const failed: number[] = [];
  for (const [index, event] of events.entries()) {
    const times = left.get(event) ?? 0;
    if (times > 0) left.set(event, times - 1);
    (times > 0 ? failed : origins).push(index);
  }
  return { origins, failed };
};

/** As a run: when the formatter throws, all events of the batch fail. */
const formatSafely = (formatter: Formatter, events: readonly string[]): Formatted => {
  try {
    return formatter.format(textBatch(events));
  } catch (thrown) {
    const reason = `the formatter threw: ${reasonOf(thrown)}`;
    return { batch: emptyBatch, eventsPerItem: 1, failures: events.map((event) => ({ event, reason })) };
  }
};

const formatted = (
  timestamps: number,
  micros: readonly Micros[],
  events: readonly string[],
  { formatter, known, failures }: Assembly,
): SampledBatch => {
  const earlier = failures.splice(0);
  if (events.length === 0)
    return { timestamps, micros, events, formatted: [], origins: [], failures: earlier };
  const result = formatSafely(formatter, events);
  const { origins, failed } = originsOf(events, result.failures);
  const reasons = new Map(result.failures.map(({ event, reason }) => [event, reason]));
  const texts = result.batch.texts();
  return {
    timestamps,
    micros,
    events,
    formatted: texts,
    origins: origins.slice(0, texts.length),
    failures: [
      ...earlier,
      ...failed.map((index): SampleFailure => {
        const event = events[index] as string;
        const reason = known.hideText(reasons.get(event) ?? '');
        return { kind: 'format', micros: micros[index] as Micros, reason, event };
      }),
    ],
  };
};

/** The end of a producer that cannot go on, as a Python script whose process is lost. */
const LOST: Produced = { consumed: 1, events: emptyBatch, failed: 0, dropped: 0, exhausted: true };

/** Sampling ends there with a failure, which the report shows. */
const withLoss = (
  producer: EventProducer,
  onLost: (micros: Micros, reason: string) => void,
): EventProducer => ({
  ...producer,
  produce: (request) => {
    const made = producer.produce(request);
    if (!(made instanceof Promise)) return made;
    return made.catch((thrown: unknown): Produced => {
      if (!(thrown instanceof Failed)) throw thrown;
      onLost(request.micros[request.from] as Micros, thrown.message);
      return LOST;
    });
  },
});

/** Each timestamp by itself, so that the timestamp and the failure of each event are known. */
async function* batchesOf(assembly: Assembly): AsyncGenerator<SampledBatch> {
  const { merged, sizes, producer, close, caught, tags, known, failures, batchEvents, lookAhead } = assembly;
  const turn = makeTurn(systemClock);
  const ahead = makeTimestampBatch(lookAhead);
  const inputOf = (index: number): number => ahead.inputs[index] as number;
  const request = { micros: ahead.micros, inputOf, isSpent: () => false };
  const tagsOf: ProduceRequest['tagsOf'] = (index) => tags[ahead.inputs[index] as number] ?? [];
  let [micros, events, length, isExhausted]: [Micros[], string[], number, boolean] = [[], [], 0, false];
  let timestamps = 0;
  let foundAtMs = systemClock.monotonicMs();
  try {
    while (!isExhausted) {
      ahead.length = 0;
      merged.take(ahead, lookAhead, NEVER);
      if (ahead.length === 0) {
        const searchedTo = merged.searchedTo();
        if (searchedTo === null) break;
        if (systemClock.monotonicMs() - foundAtMs > MAX_SEARCH_MS) {
          failures.push(nothingFound(searchedTo));
          break;
        }
        await systemClock.yieldTurn();
        continue;
      }
      foundAtMs = systemClock.monotonicMs();
      for (let index = 0; index < ahead.length && !isExhausted; index++) {
        caught.begin();
        const at = ahead.micros[index] as Micros;
        const result = producer.produce({ ...request, from: index, to: index + 1, tagsOf });
        const produced: Produced = result instanceof Promise ? await result : result;
        sizes.add(ahead, index, index + 1, produced.events);
        for (const text of produced.events.texts()) {
          micros.push(at);
          events.push(text);
          length += text.length;
        }
        isExhausted = produced.exhausted;
        timestamps += produced.consumed;
        if (produced.failed > 0)
          failures.push({
            kind: 'produce',
            micros: at,
            reason: known.hideText(reasonIn(caught)),
            event: null,
          });
        if (events.length >= batchEvents || length > BATCH_LENGTH || failures.length >= BATCH_EVENTS) {
          yield formatted(timestamps, micros, events, assembly);
          [micros, events, length, timestamps] = [[], [], 0, 0];
        }
        if (turn.isOver()) {
          await systemClock.yieldTurn();
          turn.begin();
        }
      }
    }
    if (events.length > 0 || failures.length > 0) yield formatted(timestamps, micros, events, assembly);
  } finally {
    await close();
  }
}

const nothingFound = (searchedTo: Micros): SampleFailure => ({
  kind: 'input',
  micros: null,
  reason: `no activity matched within ${MAX_SEARCH_MS / 1000} s of searching, up to ${isoFormatter(utc)(searchedTo)}`,
  event: null,
});

const barren = (micros: Micros): SampleFailure => ({
  kind: 'produce',
  micros,
  reason: `${MAX_BARREN} timestamps in a row gave no event: all failed or were dropped`,
  event: null,
});

/**
 * Runs a generator in memory, without opening an output. The formatted texts are those that
 * `spate generate --live-mode false` writes with the same seed, clock and limit; where a formatter joins events, they
 * join `batch.size` of them. Needs a thread that may load scripts (`SCRIPT_THREAD_FLAGS`) for the script plugin.
 */
export const sampleEvents = async (options: SampleEventsOptions): Promise<Result<Sampled>> => {
  const loaded = await load(options);
  if (E.isLeft(loaded)) return loaded;
  const { known, definition, zone, seed } = loaded.right;
  const caught = catchingLog(options.log ?? SILENT);
  const ending = new AbortController();
  const { signal } = ending;
  const parts = await partsOf(loaded.right, { ...options, log: caught.log, signal });
  if (E.isLeft(parts)) return E.left(known.hideError(parts.left));
  const { builders, tags } = parts.right;
  const build = builders.formatters[options.output - 1];
  if (build === undefined) {
    const what = `there is no output ${options.output}, only ${builders.formatters.length}`;
    return E.left(failure('invalid', `${definition.params.path}: ${what}`));
  }
  const failures: SampleFailure[] = [];
  const producer = await buildAll([builders.producer]);
  if (E.isLeft(producer)) return E.left(known.hideError(producer.left));
  const [made] = producer.right as readonly [EventProducer];
  const close = async (): Promise<void> => {
    ending.abort();
    await made.close();
  };
  const formatter = await buildAll([build]);
  const merged = await mergedInputs(parts.right, options, (reason) =>
    failures.push({ kind: 'input', micros: null, reason: known.hideText(reason), event: null }),
  );
  if (E.isLeft(formatter) || E.isLeft(merged)) {
    await close();
    const error = E.isLeft(formatter) ? formatter.left : (merged as E.Left<never>).left;
    return E.left(known.hideError(error));
  }
  const followed = made.follow?.(merged.right.inputs, 0);
  if (followed !== undefined && E.isLeft(followed)) {
    await close();
    return E.left(known.hideError(followed.left));
  }
  made.observe?.(merged.right.inputs);
  const [formatterMade] = formatter.right as readonly [Formatter];
  const { size } = definition.params.batch;
  return E.right({
    definition,
    zone,
    seed,
    joins: formatterMade.joins,
    batches: batchesOf({
      merged: merged.right.merged,
      sizes: sizesFor(merged.right.inputs),
      tags,
      producer: withLoss(
        limitedProducer(made, options.events, () => failures.push(barren(options.now))),
        (micros, reason) =>
          failures.push({ kind: 'produce', micros, reason: known.hideText(reason), event: null }),
      ),
      close,
      formatter: formatterMade,
      caught,
      known,
      lookAhead: Math.min(LOOK_AHEAD, options.events ?? LOOK_AHEAD),
      batchEvents: formatterMade.joins ? (size ?? BATCH_EVENTS) : BATCH_EVENTS,
      failures,
    }),
  });
};
