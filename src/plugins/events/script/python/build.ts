import { statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure } from '../../../../domain/errors.js';
import {
  bytesBatch,
  type EventBatch,
  emptyBatch,
  encodedBatch,
  textBatch,
} from '../../../../domain/events/eventBatch.js';
import type { JsonObject } from '../../../../domain/json.js';
import { WHOLE } from '../../../../domain/partitions.js';
import type { Python } from '../../../../ports/processes.js';
import type { Built, EventContext, EventProducer, Produced, ProduceRequest } from '../../../kit.js';
import { generatorFile } from '../../../shared/inputFile.js';
import type { Marker } from '../../../shared/marker.js';
import { problemLog } from '../../../shared/problemLog.js';
import { scriptCheckpoint } from '../checkpoint.js';
import { isPython } from '../loader/files.js';
import { timestampMaker } from '../produce.js';
import { scriptPath } from '../thrown.js';
import { loadedChild, type PythonChild } from './child.js';
import { answerGlobals, globalsLock } from './globals.js';
import { type PythonAnswer, produceFrame, readEvents, seedFrame } from './wire.js';

/** Lock of this thread. The members of a scenario share it. */
const lock = globalsLock();

const DEFAULT_INTERPRETER = 'python3';

/** A name is searched on PATH, a path starts at the folder of the generator. */
const interpreterOf = (given: string | null, context: EventContext): string => {
  if (given === null) return DEFAULT_INTERPRETER;
  return given.includes('/') ? generatorFile(context, given) : given;
};

const checkFile = (file: string, shown: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return `${shown} does not exist (looked for ${file})`;
  return found.isFile() ? null : `${shown} is not a file`;
};

const initOf = (
  file: string,
  shown: string,
  python: Python,
  marker: Marker | null,
  context: EventContext,
): JsonObject => ({
  file,
  shown,
  directory: context.directory,
  drafts: Object.fromEntries([...(context.drafts ?? [])].filter(([path]) => isPython(path))),
  zone: context.zone.id,
  params: context.params,
  partition: { ...(context.partition ?? WHOLE) },
  seed: String(context.random.fork('python').uint32()),
  memory_mb: python.memory_mb,
  parent: python.pid,
  counts_calls: marker !== null,
});

/** Runs a Python script in a process of its own. */
export const buildPython = async (
  { file, interpreter, marker }: { file: string; interpreter: string | null; marker: Marker | null },
  context: EventContext,
): Built<EventProducer> => {
  const { directory, python, clock, log, signal, globals } = context;
  const shown = scriptPath(file, directory);
  const refuse = (sentence: string) => E.left(failure('plugin_failed', `script ${sentence}`, { file }));
  const wrong = context.drafts?.has(file) === true ? null : checkFile(file, shown);
  if (wrong !== null) return refuse(wrong);
  if (python === undefined) return refuse(`${shown}: Python scripts cannot run here`);
  const self = {};
  const child = await loadedChild(
    {
      python,
      interpreter: interpreterOf(interpreter, context),
      directory,
      shown,
      env: {
        // Hashes of strings, and so the order of sets, follow the seed.
        PYTHONHASHSEED: String(context.random.fork('python hashes').uint32()),
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONUTF8: '1',
      },
      clock,
      log,
      signal,
      onAsked: (asked, tell) => {
        const [operation] = Array.isArray(asked) ? asked : [];
        if (operation === 'acquire') return void lock.acquire(self).then(() => tell({}));
        if (operation !== 'release') return tell(answerGlobals(globals, asked));
        lock.release(self);
        tell({});
      },
      onEnd: () => lock.release(self),
    },
    initOf(file, shown, python, marker, context),
  );
  return E.map((loaded: typeof child extends E.Either<unknown, infer A> ? A : never) =>
    pythonProducer({ child: loaded, marker, shown, context }),
  )(child);
};

/** Timestamps in one request: twice as many as the last one used, so that few are sent again. */
const FIRST_TIMESTAMPS = 64;
const MAX_TIMESTAMPS = 16_384;

interface PythonProducerOptions {
  readonly child: PythonChild;
  readonly marker: Marker | null;
  /** Path of the script, for messages. */
  readonly shown: string;
  readonly context: EventContext;
}

const NOTHING_MORE: Produced = { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: true };

const batchOf = ({ bytes, ends, count }: PythonAnswer): EventBatch =>
  ends === null ? bytesBatch(bytes, count) : encodedBatch({ bytes, ends });

/** Draws the seed of a run. After a checkpoint was restored it differs from that of the run before. */
const nextSeed = ({ random }: EventContext): string => `${random.uint32()}-${random.uint32()}`;

const pythonProducer = ({ child, marker, shown, context }: PythonProducerOptions): EventProducer => {
  const { log, clock, directory, signal } = context;
  const timestampOf = timestampMaker(context.zone);
  const failures = problemLog(log, clock, 'error', 'event failed: error in the script');
  let isExhausted = false;
  let isSeeded = false;
  let most = FIRST_TIMESTAMPS;

  const fail = (micros: number, reason: string): void =>
    failures.report(() => ({ file_path: shown, reason, timestamp: String(timestampOf(micros)) }));

  /** Marks the events of each timestamp; those that cannot carry a mark fail. */
  const marked = (made: PythonAnswer, request: ProduceRequest, by: Marker) => {
    const texts = batchOf(made).texts();
    const events: string[] = [];
    let failed = 0;
    let from = 0;
    for (const [index, count] of made.calls.entries()) {
      const own = texts.slice(from, from + count);
      from += count;
      const micros = request.micros[request.from + index] as number;
      const wrong = by.markAll(own, micros);
      if (wrong !== null) fail(micros, wrong);
      if (wrong !== null) failed++;
      else for (const event of own) events.push(event);
    }
    return { batch: textBatch(events), failed };
  };

  const produced = (frame: Uint8Array, request: ProduceRequest, sent: number): Produced => {
    const made = readEvents(frame);
    const { consumed, dropped } = made;
    if (consumed > sent || (consumed === 0 && !made.isExhausted))
      throw new Error('a frame has invalid counts');
    most = Math.min(MAX_TIMESTAMPS, Math.max(FIRST_TIMESTAMPS, 2 * consumed));
    for (const [at, reason] of made.failed) fail(request.micros[request.from + at] as number, reason);
    const { batch, failed } =
      marker === null ? { batch: batchOf(made), failed: 0 } : marked(made, request, marker);
    ({ isExhausted } = made);
    return { consumed, events: batch, failed: failed + made.failed.length, dropped, exhausted: isExhausted };
  };

  const produce = async (request: ProduceRequest): Promise<Produced> => {
    if (isExhausted || request.from === request.to) return { ...NOTHING_MORE, exhausted: isExhausted };
    if (!isSeeded) child.tell(seedFrame(nextSeed(context)));
    isSeeded = true;
    const to = Math.min(request.to, request.from + most);
    const frame = await child.call(produceFrame(request, to));
    if (frame === null) {
      isExhausted = true;
      return NOTHING_MORE;
    }
    try {
      return produced(frame, request, to - request.from);
    } catch {
      throw new Failed(
        failure('host_crashed', `the Python process of script ${shown} was lost: ${MALFORMED}`),
      );
    }
  };

  return {
    produce,
    close: async () => {
      failures.close();
      await child.close();
    },
    // Variables of the script are lost: a snapshot would be a call, and checkpoints are taken between calls.
    ...scriptCheckpoint({ state: null, marker, file: shown, files: NO_FILES, directory, log, signal }),
  };
};

const MALFORMED = 'it sent malformed events';
const NO_FILES: ReadonlySet<string> = new Set();
