import { emptyBatch } from '../../../domain/events/eventBatch.js';
import { eventCollector } from '../../../domain/events/eventCollector.js';
import { WHOLE } from '../../../domain/partitions.js';
import type { EventContext, EventProducer, Produced, ProduceRequest } from '../../kit.js';
import type { Marker } from '../shared/marker.js';
import { problemLog } from '../shared/problemLog.js';
import { scriptCheckpoint } from './checkpoint.js';
import type { LoadedScript } from './loader/load.js';
import { addEvents } from './result.js';
import { DROP, EXHAUST, SIGNALS } from './signals.js';
import { describeThrown, showThrown } from './thrown.js';
import { timestampMaker } from './timestamp.js';

interface ScriptOptions extends LoadedScript {
  readonly marker: Marker | null;
  readonly file: string;
  readonly context: EventContext;
}

interface Tally {
  consumed: number;
  failed: number;
  dropped: number;
  isExhausted: boolean;
}

const deepFrozen = <A>(value: A): A => {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) deepFrozen(part);
    Object.freeze(value);
  }
  return value;
};

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** Ends an asynchronous call on teardown. */
const TORN_DOWN = new Error('torn down');

export const scriptProducer = (options: ScriptOptions): EventProducer => {
  const { produce, files, file, marker, context } = options;
  const { globals, random, signal, log, clock, directory } = context;
  const params = deepFrozen(structuredClone(context.params));
  const partition = Object.freeze({ ...(context.partition ?? WHOLE) });
  const timestampOf = timestampMaker(context.zone);
  const failures = problemLog(log, clock, 'error', 'event failed: error in the script');
  const made = eventCollector();
  let isExhausted = false;
  let giveUp: (() => void) | null = null;
  const onAbort = (): void => giveUp?.();
  signal.addEventListener('abort', onAbort, { once: true });

  const call = (request: ProduceRequest, index: number): unknown =>
    produce({
      timestamp: timestampOf(request.micros[index] as number),
      tags: request.tagsOf(index),
      globals,
      params,
      partition,
      random,
      drop: SIGNALS.drop,
      exhaust: SIGNALS.exhaust,
    });

  const fail = (tally: Tally, request: ProduceRequest, reason: () => string): void => {
    const micros = request.micros[request.from + tally.consumed] as number;
    tally.consumed++;
    tally.failed++;
    failures.report(() => ({ file_path: file, reason: reason(), timestamp: String(timestampOf(micros)) }));
  };

  const settleThrown = (tally: Tally, request: ProduceRequest, thrown: unknown): void => {
    if (thrown === EXHAUST) tally.isExhausted = true;
    else if (thrown === DROP) {
      tally.consumed++;
      tally.dropped++;
    } else fail(tally, request, () => showThrown(describeThrown(thrown, files, directory)));
  };

  const settle = (tally: Tally, request: ProduceRequest, result: unknown): void => {
    if (typeof result === 'string' && marker === null) {
      made.add(result);
      tally.consumed++;
      return;
    }
    const events: string[] = [];
    const micros = request.micros[request.from + tally.consumed] as number;
    const wrong = addEvents(result, events) ?? marker?.markAll(events, micros) ?? null;
    if (wrong !== null) return fail(tally, request, () => wrong);
    for (const event of events) made.add(event);
    tally.consumed++;
  };

  /** The awaited value; rejects on teardown, as a promise may never settle. */
  const awaited = (pending: PromiseLike<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      giveUp = () => reject(TORN_DOWN);
      if (signal.aborted) giveUp();
      pending.then(resolve, reject);
    });

  const finish = (tally: Tally): Produced => {
    isExhausted = tally.isExhausted;
    return {
      consumed: tally.consumed,
      events: made.take(),
      failed: tally.failed,
      dropped: tally.dropped,
      exhausted: isExhausted,
    };
  };

  const isDone = (tally: Tally, request: ProduceRequest): boolean =>
    tally.isExhausted ||
    request.from + tally.consumed >= request.to ||
    (tally.consumed > 0 && request.isSpent());

  /** Makes calls until one returns a promise; returns that promise. */
  const runSync = (tally: Tally, request: ProduceRequest): PromiseLike<unknown> | null => {
    while (!isDone(tally, request)) {
      try {
        const result = call(request, request.from + tally.consumed);
        if (isThenable(result)) return result;
        settle(tally, request, result);
      } catch (thrown) {
        settleThrown(tally, request, thrown);
      }
    }
    return null;
  };

  const runAsync = async (
    tally: Tally,
    request: ProduceRequest,
    first: PromiseLike<unknown>,
  ): Promise<Produced> => {
    for (
      let pending: PromiseLike<unknown> | null = first;
      pending !== null;
      pending = runSync(tally, request)
    ) {
      try {
        settle(tally, request, await awaited(pending));
      } catch (thrown) {
        if (thrown === TORN_DOWN) tally.isExhausted = true;
        else settleThrown(tally, request, thrown);
      }
    }
    return finish(tally);
  };

  return {
    produce: (request) => {
      if (isExhausted) return { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: true };
      const tally: Tally = { consumed: 0, failed: 0, dropped: 0, isExhausted: false };
      const pending = runSync(tally, request);
      return pending === null ? finish(tally) : runAsync(tally, request, pending);
    },
    close: async () => {
      signal.removeEventListener('abort', onAbort);
      failures.close();
    },
    ...scriptCheckpoint({ ...options, directory, log, signal }),
  };
};
