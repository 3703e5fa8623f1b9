import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { failure, type Issue, type Result } from '../../domain/errors.js';
import { globalsView, makeOwnedGlobals, type OwnedGlobals } from '../../domain/globals/owned.js';
import type { Json } from '../../domain/json.js';
import type { GivenTimestamp, OpenTask } from '../../domain/preview.js';
import { seededRandom } from '../../domain/random.js';
import { parseIso } from '../../domain/time/iso.js';
import type { Micros } from '../../domain/time/micros.js';
import { type Zone, zoneOf } from '../../domain/time/zone.js';
import { withActivities } from '../../plugins/activities.js';
import type { PipelineRegistry } from '../../plugins/buildParts.js';
import { installed } from '../../plugins/installed.js';
import type { EventProducer, Input, Produced } from '../../plugins/kit.js';
import type { Log } from '../../ports/log.js';
import type { Python, RunCommand } from '../../ports/processes.js';
import { decode } from '../../schema/index.js';
import {
  type AnswerText,
  answerTooLarge,
  type Caught,
  type CaughtProblem,
  catchingLog,
  jsonItems,
  locatedAt,
  MAX_ANSWER_LENGTH,
} from './answer.js';
import { buildPreviewInputs, type InputsContext } from './timestamps.js';

/** Below the deadline of the host: a plugin that is only slow keeps its state. */
const MAX_PRODUCE_MS = 8_000;
const MAX_MESSAGE_LENGTH = 2_000;

interface ProduceError {
  /** Number in the body, from 0. */
  readonly index: number;
  readonly message: string;
  readonly context: Json;
}

interface ProduceAnswer {
  readonly events: string[];
  readonly errors: ProduceError[];
  isExhausted: boolean;
  length: number;
}

const OUT_OF_RANGE = 'lies outside the years 1684 to 2255, where microseconds are exact';

const microsOf = (timestamps: readonly GivenTimestamp[], zone: Zone): Result<Float64Array> => {
  const issues: Issue[] = [];
  const micros = Float64Array.from(timestamps, ({ timestamp }, index) => {
    const instant = parseIso(timestamp, zone);
    if (instant === null)
      issues.push({ path: [index, 'timestamp'], type: 'out_of_range', message: OUT_OF_RANGE });
    return instant ?? 0;
  });
  return issues.length === 0
    ? E.right(micros)
    : E.left(failure('invalid', 'timestamps are out of range', { issues }));
};

const cut = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH)} ...` : text;

const errorOf = (index: number, problem: CaughtProblem | null): ProduceError => {
  if (problem === null) return { index, message: 'the timestamp got no event', context: {} };
  const { reason, ...context } = problem.context;
  const message = typeof reason === 'string' ? `${problem.message}: ${reason}` : problem.message;
  return { index, message: cut(message), context };
};

const add = (answer: ProduceAnswer, index: number, produced: Produced, { caught }: PreviewSession): void => {
  for (const text of produced.events.texts()) {
    answer.events.push(text);
    answer.length += text.length;
  }
  const problem = caught.take();
  answer.isExhausted = produced.exhausted;
  if (produced.failed === 0) return;
  const error = errorOf(index, problem);
  answer.errors.push(error);
  answer.length += JSON.stringify(error).length;
};

async function* textOf({ events, errors, isExhausted }: ProduceAnswer): AsyncGenerator<string> {
  yield '{"events":[';
  yield* jsonItems(events);
  yield '],"errors":[';
  yield* jsonItems(errors);
  yield `],"exhausted":${isExhausted}}`;
}

/** Number of the input that gives a timestamp: the first that has an activity then. */
const inputAt = (inputs: readonly Input[], micros: Micros): number =>
  Math.max(
    0,
    inputs.findIndex(({ activities }) => activities?.at(micros) != null),
  );

/** Produces events one timestamp at a time, to number each failure. State advances even when the answer is refused. */
export const produceEvents = async (
  session: PreviewSession,
  timestamps: readonly GivenTimestamp[],
): Promise<AnswerText> => {
  const micros = microsOf(timestamps, session.zone);
  if (E.isLeft(micros)) return micros;
  const tags = timestamps.map((given) => Object.freeze([...given.tags]));
  const answer: ProduceAnswer = { events: [], errors: [], isExhausted: false, length: 0 };
  const endsAtMs = systemClock.monotonicMs() + MAX_PRODUCE_MS;
  for (let index = 0; index < timestamps.length && !answer.isExhausted; index++) {
    const used = `the plugin has used up the first ${index} timestamps`;
    if (answer.length > MAX_ANSWER_LENGTH) return E.left(answerTooLarge(`ask for fewer events; ${used}`));
    if (systemClock.monotonicMs() > endsAtMs) {
      const seconds = MAX_PRODUCE_MS / 1000;
      const slow = `the preview was stopped after ${seconds} s: ask for fewer events; ${used}`;
      return E.left(failure('timed_out', slow));
    }
    session.caught.begin();
    const produced = session.producer.produce({
      micros: micros.right,
      from: index,
      to: index + 1,
      tagsOf: (at) => tags[at] ?? [],
      inputOf: (at) => inputAt(session.inputs, micros.right[at] as Micros),
      isSpent: () => false,
    });
    add(answer, index, produced instanceof Promise ? await produced : produced, session);
  }
  return answer.length > MAX_ANSWER_LENGTH
    ? E.left(answerTooLarge('ask for fewer events; the plugin has used up all timestamps'))
    : E.right(textOf(answer));
};

/** Event plugins in preview have their own globals, never those of a scenario. */
const PREVIEW = 'preview';

export interface PreviewSession {
  readonly kind: string;
  readonly zone: Zone;
  readonly producer: EventProducer;
  /** Those whose timestamps have an activity. */
  readonly inputs: readonly Input[];
  readonly globals: OwnedGlobals;
  readonly caught: Caught;
  readonly close: () => Promise<void>;
}

interface SessionOptions {
  readonly runCommand: RunCommand | null;
  readonly python: Python;
}

/** Builds the event plugin of a task. Returns an error with its path in the body when it cannot be built. */
export const openPreviewSession = async (
  task: OpenTask,
  registry: PipelineRegistry,
  log: Log,
  options: SessionOptions,
): Promise<Result<PreviewSession>> => {
  const ending = new AbortController();
  const opened = await sessionOf(task, { registry, log, signal: ending.signal }, options);
  if (E.isLeft(opened)) {
    ending.abort();
    return opened;
  }
  const close = async (): Promise<void> => {
    ending.abort();
    await opened.right.producer.close();
  };
  return E.right({ ...opened.right, close });
};

const sessionOf = async (
  task: OpenTask,
  context: InputsContext,
  { runCommand, python }: SessionOptions,
): Promise<Result<Omit<PreviewSession, 'close'>>> => {
  const entry = decode(installed().shapes.event, task.event);
  if (E.isLeft(entry))
    return E.left(failure('invalid', 'the event plugin is invalid', { issues: entry.left }));
  const zone = zoneOf(task.timezone);
  if (zone === null)
    return E.left(failure('invalid', `timezone "${task.timezone}" is not an IANA time zone`));
  const { kind, alias, params } = entry.right;
  const { directory, files } = task;
  const { registry, log, signal } = context;
  const inputs = await observedInputs(task, zone, context);
  if (E.isLeft(inputs)) return inputs;
  const globals = makeOwnedGlobals(PREVIEW, {}, 0);
  const caught = catchingLog(log);
  const plugin = await registry.event(kind);
  const built = await plugin.build(params, {
    directory,
    zone,
    clock: systemClock,
    // The same seed each time: a different event comes from a change of the plugin.
    random: seededRandom('preview').fork('event/1'),
    log: caught.log,
    signal,
    templates: { limits: task.template_limits, runCommand, isTraced: false },
    params: {},
    globals: globalsView(globals, []),
    python,
    drafts: new Map(Object.entries(files ?? {}).map(([path, text]) => [join(directory, path), text])),
  });
  if (E.isLeft(built)) return E.left(locatedAt([...(files === null ? [] : ['event']), alias], built.left));
  const producer = withActivities(built.right, globalsView(globals, []));
  producer.observe?.(inputs.right);
  return E.right({ kind, zone, producer, inputs: inputs.right, globals, caught });
};

/** The inputs of a task whose timestamps have an activity. */
const observedInputs = async (
  { inputs, directory }: OpenTask,
  zone: Zone,
  context: InputsContext,
): Promise<Result<readonly Input[]>> => {
  if (inputs === null) return E.right([]);
  const built = await buildPreviewInputs({ inputs, directory, skip_past: true }, zone, context);
  if (E.isLeft(built)) return E.left(locatedAt(['inputs'], built.left));
  return E.right(built.right.filter(({ activities }) => activities !== undefined));
};
