import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Issue, type Result, type SpateError } from '../../domain/errors.js';
import { makeTimestampBatch, type TimestampBatch } from '../../domain/events/timestampBatch.js';
import type { Json } from '../../domain/json.js';
import type { TimestampsTask } from '../../domain/preview.js';
import { seededRandom } from '../../domain/random.js';
import { isoFormatter } from '../../domain/time/iso.js';
import { NEVER } from '../../domain/time/micros.js';
import { parseSpan, previewSpans, type SpanCounts } from '../../domain/time/span.js';
import { type Zone, zoneOf } from '../../domain/time/zone.js';
import { merge } from '../../pipeline/schedule/merge.js';
import type { PipelineRegistry } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { Input } from '../../plugins/kit.js';
import type { Log } from '../../ports/log.js';
import { decode, listOf } from '../../schema/index.js';
import { type AnswerText, locatedAt } from './answer.js';

const EDGE_COUNT = 50;
/** Timestamps per turn of the event loop: the thread keeps beating. */
const VALUES_PER_CHUNK = 10_000;
/** An input that observes a world may search for long: what is found until then is shown. */
const MAX_SEARCH_MS = 5_000;

interface Sample {
  readonly batch: TimestampBatch;
  readonly inputs: number;
  readonly zone: Zone;
}

export const previewTimestamps = async (
  task: TimestampsTask,
  registry: PipelineRegistry,
  log: Log,
): Promise<AnswerText> => {
  const ending = new AbortController();
  const sample = await sampleOf(task, { registry, log, signal: ending.signal });
  ending.abort();
  if (E.isLeft(sample)) return sample;
  return E.map((spans: SpanCounts) => jsonText(sample.right, spans))(spansOf(task, sample.right));
};

const sampleOf = async (task: TimestampsTask, context: InputsContext): Promise<Result<Sample>> => {
  const zone = zoneOf(task.timezone);
  if (zone === null) return E.left(queryError('timezone', `"${task.timezone}" is not an IANA time zone`));
  const inputs = await buildPreviewInputs(task, zone, context);
  if (E.isLeft(inputs)) return inputs;
  const batch = makeTimestampBatch(task.size);
  const failures: Issue[] = [];
  const merged = merge(inputs.right, (number, message) =>
    failures.push({ path: [number], type: 'plugin_failed', message }),
  );
  const endsAtMs = systemClock.monotonicMs() + MAX_SEARCH_MS;
  while (batch.length < task.size) {
    const before = batch.length;
    merged.take(batch, Math.min(task.size, before + VALUES_PER_CHUNK), NEVER);
    const isSearching = merged.searchedTo() !== null;
    if (batch.length === before && !isSearching) break;
    if (isSearching && systemClock.monotonicMs() > endsAtMs) break;
    await systemClock.yieldTurn();
  }
  const [first] = failures;
  if (first !== undefined) return E.left(failure('plugin_failed', first.message, { issues: failures }));
  return E.right({ batch, inputs: inputs.right.length, zone });
};

export interface InputsContext {
  readonly registry: PipelineRegistry;
  readonly log: Log;
  /** Aborts when the inputs are asked for nothing any more. */
  readonly signal: AbortSignal;
}

/** Builds the inputs of a task. Returns an error with its path among the inputs when one cannot be built. */
export const buildPreviewInputs = async (
  task: Pick<TimestampsTask, 'inputs' | 'directory' | 'now' | 'skip_past'>,
  zone: Zone,
  { registry, log, signal }: InputsContext,
): Promise<Result<readonly Input[]>> => {
  const entries = decode(listOf(installed().shapes.input), task.inputs);
  if (E.isLeft(entries))
    return E.left(failure('invalid', 'the inputs are invalid', { issues: entries.left }));
  const now = task.now ?? systemClock.now();
  const inputs: Input[] = [];
  for (const [index, { kind, alias, params }] of entries.right.entries()) {
    const plugin = await registry.input(kind);
    const built = await plugin.build(params, {
      directory: task.directory,
      zone,
      clock: systemClock,
      random: seededRandom('preview').fork(`input/${index + 1}`),
      log,
      signal,
      now,
      skipPast: task.skip_past,
    });
    if (E.isLeft(built)) return E.left(locatedAt([index, alias], built.left));
    inputs.push(built.right);
  }
  return E.right(inputs);
};

const queryError = (parameter: string, message: string): SpateError =>
  failure('invalid', message, { issues: [{ path: ['query', parameter], type: 'not_allowed', message }] });

const spansOf = (task: TimestampsTask, sample: Sample): Result<SpanCounts> => {
  const span = task.span === null ? E.right(null) : parseSpan(task.span);
  if (E.isLeft(span)) return E.left(queryError('span', span.left));
  const spans = previewSpans(sample.batch, sample.inputs, span.right, sample.zone);
  return E.isLeft(spans) ? E.left(queryError('span', spans.left)) : spans;
};

/** Keys are those of the API document. */
async function* jsonText({ batch, zone }: Sample, spans: SpanCounts): AsyncGenerator<string> {
  const iso = isoFormatter(zone);
  const times = (from: number, to: number): string =>
    Array.from(batch.micros.subarray(from, to), (micros) => `"${iso(micros)}"`).join(',');
  const counts: Json = spans.counts;
  yield `{"span_edges":[${spans.edges.map((edge) => `"${iso(edge)}"`).join(',')}],`;
  yield `"span_counts":${JSON.stringify(counts)},"total":${batch.length},`;
  yield `"first_timestamps":[${times(0, Math.min(EDGE_COUNT, batch.length))}],`;
  yield `"last_timestamps":[${times(Math.max(0, batch.length - EDGE_COUNT), batch.length)}],"timestamps":[`;
  for (let from = 0; from < batch.length; from += VALUES_PER_CHUNK) {
    yield (from === 0 ? '' : ',') + times(from, Math.min(batch.length, from + VALUES_PER_CHUNK));
    await systemClock.yieldTurn();
  }
  yield ']}';
}
