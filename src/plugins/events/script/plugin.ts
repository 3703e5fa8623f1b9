import { Console } from 'node:console';
import { Writable } from 'node:stream';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type LogLevel, type Result } from '../../../domain/errors.js';
import { emptyBatch } from '../../../domain/events/eventBatch.js';
import { eventCollector } from '../../../domain/events/eventCollector.js';
import { WHOLE } from '../../../domain/partitions.js';
import type { Log } from '../../../ports/log.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Built, EventContext, EventPlugin, EventProducer, Produced, ProduceRequest } from '../../kit.js';
import { generatorFile } from '../../shared/inputFile.js';
import { type Marker, makeMarker } from '../../shared/marker.js';
import { problemLog } from '../../shared/problemLog.js';
import { scriptCheckpoint } from './checkpoint.js';
import { isPython } from './loader/files.js';
import { type LoadedScript, loadScript } from './loader/load.js';
import { addEvents, DROP_SIGNAL, EXHAUST_SIGNAL, SIGNALS, timestampMaker } from './produce.js';
import { scriptSpec } from './spec.js';
import { describeThrown, scriptPath, showThrown } from './thrown.js';

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

/** What is frozen already is frozen all through: people and hosts of a world come again and again. */
const deepFrozen = <A>(value: A): A => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    for (const part of Object.values(value)) deepFrozen(part);
    Object.freeze(value);
  }
  return value;
};

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** Ends an asynchronous call on teardown. */
const TORN_DOWN = new Error('torn down');

const scriptProducer = (options: ScriptOptions): EventProducer => {
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
      activity: deepFrozen(request.activityOf?.(index)),
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
    if (thrown === EXHAUST_SIGNAL) tally.isExhausted = true;
    else if (thrown === DROP_SIGNAL) {
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

const lines = (log: Log, level: LogLevel): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text: string | Buffer, _encoding, done) => {
      log.write(level, String(text).replace(/\n$/, ''), { source: 'console' });
      done();
    },
  });

/** `console` of a script: writes to the log, because stdout may carry events. */
const scriptConsole = (log: Log): Console =>
  new Console({ stdout: lines(log, 'info'), stderr: lines(log, 'warning'), colorMode: false });

/** Returns the loaded script, or an error on teardown: top-level await may never end. */
const unlessTornDown = <A>(loading: Built<A>, signal: AbortSignal, file: string): Promise<Result<A>> =>
  new Promise((answer, reject) => {
    const stop = (): void =>
      answer(E.left(failure('plugin_failed', `script ${file} was stopped while loading`, { file })));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    loading.then(answer, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const NO_DRAFTS: ReadonlyMap<string, string> = new Map();

const build = async (
  { path, marks, python }: ValueOf<typeof scriptSpec.fields>,
  context: EventContext,
): Built<EventProducer> => {
  const file = generatorFile(context, path);
  const marker = marks === null ? null : makeMarker(marks, context.random);
  if (isPython(file)) {
    const { buildPython } = await import('./python/build.js');
    return buildPython({ file, interpreter: python, marker }, context);
  }
  const { directory, drafts = NO_DRAFTS } = context;
  const loading = loadScript(file, { directory, drafts, console: scriptConsole(context.log) });
  const loaded = await unlessTornDown(loading, context.signal, file);
  if (E.isLeft(loaded)) return loaded;
  const shown = scriptPath(file, context.directory);
  return E.right(scriptProducer({ ...loaded.right, marker, file: shown, context }));
};

export const scriptPlugin: EventPlugin<typeof scriptSpec.fields> = { spec: scriptSpec, build };
