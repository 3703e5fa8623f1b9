import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, reasonOf, systemCodeOf } from '../../../domain/errors.js';
import { type EventBatch, emptyBatch, joinBatches, textBatch } from '../../../domain/events/eventBatch.js';
import { isJsonObject } from '../../../domain/json.js';
import { CHARMAPS } from '../../../domain/text/charmaps.js';
import { type Encoding, encodingOf } from '../../../domain/text/encodings.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Built, EventContext, EventPlugin, EventProducer, Produced, ProduceRequest } from '../../kit.js';
import { generatorFile } from '../../shared/inputFile.js';
import { type Marker, makeMarker } from '../../shared/marker.js';
import { problemLog } from '../../shared/problemLog.js';
import { keepsAscii, strictDecoder } from '../../shared/strictEncoding.js';
import { pageMaker } from './chunks.js';
import { type LineReader, openLineReader } from './lineReader.js';
import { type LineFormat, type LineRun, type Substitution, substitutionOf } from './lineRun.js';
import { type Fetched, type LineSource, type LineSourceOptions, openLineSource } from './lineSource.js';
import type { Remap } from './remap.js';
import { replaySpec } from './spec.js';
import { type LineProblems, type Taken, takeLines } from './take.js';

const NOTHING: Produced = { consumed: 0, events: emptyBatch, failed: 0, dropped: 0, exhausted: false };
const EXHAUSTED: Produced = { ...NOTHING, exhausted: true };
const FAILED: Produced = { ...NOTHING, consumed: 1, failed: 1 };

/** Runs per call: about 1 MiB of long lines. */
const MAX_RUNS = 16;

interface ReplayOptions extends LineSourceOptions {
  readonly marker: Marker | null;
  /** Replaces names and addresses in an event. Null when none are replaced. */
  readonly remap: Remap | null;
}

type Take = typeof takeLines;

/** Like `takeLines`, with other names; bytes become texts. */
const takeRemapped =
  (remap: Remap): Take =>
  (run, request, problems) => {
    const taken = takeLines(run, request, problems);
    const events = textBatch(taken.events.texts().map(remap));
    taken.events.release?.();
    return { ...taken, events };
  };

/** Reports a line that cannot carry a mark, by its number in the run, from 0. */
interface MarkProblem {
  readonly onUnmarkable: (line: number, reason: string) => void;
}

/** Like `inner`, with a mark on every line; bytes become texts. */
const takeMarked =
  (marker: Marker, inner: Take) =>
  (run: LineRun, request: ProduceRequest, problems: LineProblems & MarkProblem): Taken => {
    const first = run.used;
    /** Lines without event shift the pairing of events and timestamps. */
    const undecodable = new Set<number>();
    const taken = inner(run, request, {
      ...problems,
      onUndecodable: (line) => {
        undecodable.add(line);
        problems.onUndecodable(line);
      },
    });
    const events: string[] = [];
    let { failed } = taken;
    let line = first;
    for (const event of taken.events.texts()) {
      while (undecodable.has(line)) line++;
      const micros = request.micros[request.from + line - first] as number;
      const marked = marker.mark(event, micros);
      if (E.isRight(marked)) events.push(marked.right);
      else {
        failed++;
        problems.onUnmarkable(line, marked.left);
      }
      line++;
    }
    taken.events.release?.();
    return { consumed: taken.consumed, events: textBatch(events), failed };
  };

const lineProblems = (
  { log, clock, file }: LineSourceOptions,
  source: LineSource,
): LineProblems & MarkProblem & { readonly close: (lines: number) => void } => {
  let unmatchedLines = 0;
  const undecodable = problemLog(log, clock, 'error', 'line failed: not valid in the encoding of the file');
  const unmatched = problemLog(
    log,
    clock,
    'warning',
    'timestamp_pattern does not match; the line stays unchanged',
  );
  const unmarkable = problemLog(log, clock, 'error', 'line failed: it cannot carry a mark');
  const at = (line: number) => ({ file_path: file, line: source.lineNumber(line) });
  return {
    onUndecodable: (line) => undecodable.report(() => at(line)),
    onUnmatched: (line) => {
      unmatchedLines++;
      unmatched.report(() => at(line));
    },
    onUnmarkable: (line, reason) => unmarkable.report(() => ({ ...at(line), reason })),
    close: (lines) => {
      undecodable.close();
      unmarkable.close();
      if (unmatchedLines > 0)
        log.write('warning', 'timestamp_pattern did not match all lines', {
          file_path: file,
          unmatched: unmatchedLines,
          lines,
        });
    },
  };
};

/** Pairs timestamps with the lines of a file. Opens the file at once. */
const replayProducer = async (options: ReplayOptions): Promise<EventProducer> => {
  const { marker, remap } = options;
  const source = await openLineSource(options);
  const problems = lineProblems(options, source);
  const plain = remap === null ? takeLines : takeRemapped(remap);
  const take = marker === null ? plain : takeMarked(marker, plain);
  let lines = 0;

  /** Takes from runs while there are timestamps, time and lines already read. */
  const takeRuns = (first: LineRun, request: ProduceRequest): Produced => {
    const events: EventBatch[] = [];
    let { from } = request;
    let failed = 0;
    for (let run: LineRun | null = first; run !== null; run = source.run()) {
      const taken = take(run, from === request.from ? request : { ...request, from }, problems);
      events.push(taken.events);
      from += taken.consumed;
      failed += taken.failed;
      lines += taken.consumed;
      if (from === request.to || events.length === MAX_RUNS || request.isSpent()) break;
    }
    return {
      consumed: from - request.from,
      events: joinBatches(events),
      failed,
      dropped: 0,
      exhausted: false,
    };
  };

  const afterFetch = (fetched: Fetched, request: ProduceRequest): Produced => {
    if (fetched === 'failed') return FAILED;
    const run = source.run();
    return run === null ? EXHAUSTED : takeRuns(run, request);
  };

  return {
    produce: (request) => {
      if (request.from === request.to) return NOTHING;
      const run = source.run();
      return run === null
        ? source.fetch().then((fetched) => afterFetch(fetched, request))
        : takeRuns(run, request);
    },
    close: async () => {
      problems.close(lines);
      await source.close();
    },
    snapshot: () => ({
      file: options.name,
      ...source.snapshot(),
      ...(marker === null ? {} : { marks: marker.snapshot() }),
    }),
    restore: async (state) => {
      const { file, marks } = isJsonObject(state) ? state : {};
      // A position in another file is meaningless: start with the first line.
      // Earlier versions saved the absolute path, which differs between the nodes of a cluster.
      if (file === undefined || file === options.name || file === options.file) await source.restore(state);
      // Marks enabled since start their own stream.
      if (marks !== undefined) marker?.restore(marks);
    },
  };
};

type Params = ValueOf<typeof replaySpec.fields>;

/** Bytes per run of text: fits V8's young generation. Text of 128 KiB took up to 10 times as long. */
const TEXT_RUN_BYTES = 64 * 1024;
const BYTE_RUN_BYTES = 1024 * 1024;

const lineEndOf = ({ decoder, name, unit }: Encoding, order: 'little' | 'big'): Buffer => {
  if (decoder === 'charmap') return Buffer.from([CHARMAPS[name as keyof typeof CHARMAPS].indexOf('\n')]);
  const bytes = Buffer.alloc(unit);
  bytes[order === 'little' ? 0 : unit - 1] = 10;
  return bytes;
};

type Opened = { readonly reader: LineReader; readonly format: LineFormat };

const opener = (
  params: Params,
  { file, encoding, clock }: { readonly file: string; readonly encoding: Encoding; readonly clock: Clock },
  substitution: Substitution | null,
) => {
  const takePage = pageMaker();
  return async (): Promise<Opened> => {
    const reader = await openLineReader({
      path: file,
      clock,
      chunk_size: params.chunk_size,
      run_bytes: substitution === null && encoding.decoder === 'utf8' ? BYTE_RUN_BYTES : TEXT_RUN_BYTES,
      encoding,
      takePage,
      lineEnd: (order) => lineEndOf(encoding, order),
    });
    const decoder = strictDecoder(encoding, reader.order);
    if (E.isLeft(decoder)) throw new Error(decoder.left);
    return {
      reader,
      format: {
        decode: decoder.right,
        lineEnd: lineEndOf(encoding, reader.order),
        keepsAscii: keepsAscii(encoding, decoder.right),
        isUtf8: encoding.decoder === 'utf8',
        isStateless: !encoding.isStateful,
        substitution,
      },
    };
  };
};

const build = async (params: Params, context: EventContext): Built<EventProducer> => {
  const remap = params.remap === null ? E.right(null) : (await import('./remap.js')).remapOf(params.remap);
  if (E.isLeft(remap)) return E.left(failure('plugin_failed', remap.left));
  if (params.path !== null) return buildFromFile({ ...params, path: params.path }, remap.right, context);
  const { recordedProducer } = await import('./recordedProducer.js');
  return recordedProducer(params, remap.right, context);
};

const buildFromFile = async (
  params: Params & { readonly path: string },
  remap: Remap | null,
  context: EventContext,
): Built<EventProducer> => {
  const { path } = params;
  const file = generatorFile(context, path);
  const encoding = encodingOf(params.encoding);
  if (encoding === null) return E.left(failure('plugin_failed', `encoding '${params.encoding}' is unknown`));
  const decoder = strictDecoder(encoding, 'little');
  if (E.isLeft(decoder)) return E.left(failure('plugin_failed', decoder.left));
  const substitution = substitutionOf(params, context);
  if (E.isLeft(substitution)) return E.left(failure('plugin_failed', substitution.left));
  try {
    return E.right(
      await replayProducer({
        open: opener(params, { file, encoding, clock: context.clock }, substitution.right),
        repeat: params.repeat,
        file,
        name: path,
        log: context.log,
        clock: context.clock,
        ...(context.partition === undefined ? {} : { partition: context.partition }),
        remap,
        marker: params.marks === null ? null : makeMarker(params.marks, context.random),
      }),
    );
  } catch (thrown) {
    if (thrown instanceof Failed) return E.left(thrown.error);
    const reason = systemCodeOf(thrown) === 'ENOENT' ? 'it does not exist' : reasonOf(thrown);
    return E.left(
      failure('plugin_failed', `replay file ${path} cannot be read: ${reason} (looked for ${file})`, {
        file,
      }),
    );
  }
};

export const replayPlugin: EventPlugin<typeof replaySpec.fields> = { spec: replaySpec, build };
