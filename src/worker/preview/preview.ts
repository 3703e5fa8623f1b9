import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../adapters/systemClock.js';
import { Failed, failure, type Result, type SpateError, thrownError } from '../../domain/errors.js';
import type { GlobalsChange } from '../../domain/globals/globals.js';
import {
  changeOwnedGlobals,
  MAX_GLOBALS_LENGTH,
  type OwnedGlobals,
  ownedGlobalsText,
} from '../../domain/globals/owned.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type {
  LogTimes,
  LogTimesTask,
  NormalizeTask,
  OpenTask,
  PreviewTask,
  StateAction,
  StateScope,
  StateTask,
} from '../../domain/preview.js';
import { parseExpression, resolveExpression } from '../../domain/time/expression.js';
import { isoFormatter, offsetText, parseIso } from '../../domain/time/iso.js';
import { MIN_MICROS, type Micros, NEVER } from '../../domain/time/micros.js';
import { utc, type Zone, zoneOf } from '../../domain/time/zone.js';
import type { FromWorker, PreviewJob } from '../../host/protocol.js';
import type { PipelineRegistry } from '../../plugins/buildParts.js';
import { checkTimes } from '../../plugins/events/replay/guess/check.js';
import { guessTimes } from '../../plugins/events/replay/guess/guess.js';
import { readHumanDate } from '../../plugins/inputs/shared/dateTimeField.js';
import type { NamedValues } from '../../plugins/kit.js';
import { useLinearEngine } from '../../plugins/shared/linearEngine.js';
import type { Log } from '../../ports/log.js';
import type { Python, RunCommand } from '../../ports/processes.js';
import type { AnswerText } from './answer.js';
import { previewFormat } from './format.js';
import { openPreviewSession, type PreviewSession, produceEvents } from './produce.js';
import { previewTimestamps } from './timestamps.js';

/** Logs `info` as `debug`: operators need only warnings from previews. */
const quiet = (log: Log): Log => ({
  write: (level, message, context) => log.write(level === 'info' ? 'debug' : level, message, context),
  with: (context) => quiet(log.with(context)),
});

const errorOf = (thrown: unknown): SpateError =>
  thrown instanceof Failed
    ? failure('plugin_failed', `the preview has ended: ${thrown.message}`)
    : thrownError('the preview threw', thrown);

/** Sections of a config that a task builds. */
const sectionsOf = (task: PreviewTask): Json => {
  switch (task.kind) {
    case 'timestamps':
      return { input: task.inputs };
    case 'format':
      return { formatter: task.formatter };
    case 'open':
      return { event: task.event };
    case 'connect':
      return task.definition.config;
    default:
      return {};
  }
};

/** Runs the previews of this thread, one at a time, and posts each answer as chunks of JSON text. */
export const previewRunner = (options: {
  readonly registry: PipelineRegistry;
  /** Loads third-party plugins that sections of a config use. */
  readonly prepare: (config: Json) => Promise<Result<void>> | null;
  readonly log: Log;
  /** Runs commands of templates. Null when they may run none. */
  readonly runCommand: RunCommand | null;
  readonly python: Python;
  readonly post: (message: FromWorker, transfer: readonly ArrayBuffer[]) => void;
}): ((job: PreviewJob) => Promise<void>) => {
  const { registry, prepare, post, runCommand } = options;
  const log = quiet(options.log);
  let session: PreviewSession | null = null;

  const open = async (task: OpenTask): Promise<AnswerText> => {
    const opened = await openPreviewSession(task, registry, log.with({ preview: task.directory }), options);
    if (E.isLeft(opened)) return opened;
    await session?.close();
    session = opened.right;
    return E.right(['null']);
  };
  const close = async (): Promise<AnswerText> => {
    await session?.close();
    session = null;
    return E.right(['null']);
  };
  const inSession = async (run: (opened: PreviewSession) => AnswerText | Promise<AnswerText>) =>
    session === null
      ? E.left(failure('not_ready', 'no event plugin is in preview on this thread'))
      : run(session);
  const answerTo = async (task: PreviewTask): Promise<AnswerText> => {
    switch (task.kind) {
      case 'timestamps':
        return previewTimestamps(task, registry, log);
      case 'format':
        return previewFormat(task, registry, log, runCommand);
      case 'normalize':
        return previewDateTime(task);
      case 'log_times':
        return previewLogTimes(task);
      case 'learn': {
        // Lazy: other previews need no learner.
        const { previewLearn } = await import('./learn.js');
        return previewLearn(task);
      }
      case 'connect': {
        // Lazy: other previews open no outputs.
        const { connectAll } = await import('../check/connect.js');
        return E.right([JSON.stringify(await connectAll(task.definition, task.timeout_ms))]);
      }
      case 'world': {
        // Lazy: other previews make no worlds.
        const { lookAtWorlds } = await import('./worlds.js');
        return lookAtWorlds(task);
      }
      case 'open':
        return open(task);
      case 'produce':
        return inSession((opened) => produceEvents(opened, task.timestamps));
      case 'close':
        return close();
      case 'state':
        return inSession((opened) => stateOf(opened, task));
    }
  };

  return async ({ job, task }) => {
    try {
      const ready = await prepare(sectionsOf(task));
      const answer = ready !== null && E.isLeft(ready) ? ready : await answerTo(task);
      if (E.isLeft(answer)) return post({ type: 'preview.failed', job, error: answer.left }, []);
      const encoder = new TextEncoder();
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const text of answer.right) chunks.push(encoder.encode(text));
      post(
        { type: 'preview.done', job, chunks },
        chunks.map(({ buffer }) => buffer),
      );
    } catch (thrown) {
      post({ type: 'preview.failed', job, error: errorOf(thrown) }, []);
    }
  };
};

/** Lines with text and their numbers, without line ends. */
const linesOf = (text: string): readonly { readonly number: number; readonly text: string }[] =>
  text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, text: line }))
    .filter((line) => line.text.trim() !== '');

/** Checks the given pattern and format, or guesses them. */
const previewLogTimes = ({ text, timezone, ...given }: LogTimesTask): AnswerText => {
  useLinearEngine();
  const lines = linesOf(text);
  const { timestamp_pattern, timestamp_format } = given;
  const candidates = timestamp_pattern === null ? guessTimes(lines.map((line) => line.text)) : [];
  const chosen = timestamp_pattern === null ? candidates[0] : { timestamp_pattern, timestamp_format };
  const answer = (more: Pick<LogTimes, 'checked' | 'flaws'>): AnswerText =>
    E.right([JSON.stringify({ lines: lines.length, candidates, ...more } satisfies LogTimes)]);
  if (chosen === undefined) return answer({ checked: null, flaws: [] });
  const clock = { now: systemClock.now(), zone: zoneOf(timezone) ?? utc };
  const checked = checkTimes(lines, chosen, clock);
  return E.isLeft(checked)
    ? answer({ checked: null, flaws: [checked.left] })
    : answer({ checked: checked.right, flaws: [] });
};

const refused = (key: string, type: string, message: string): Result<never> =>
  E.left(failure('invalid', `${key} ${message}`, { issues: [{ path: [key], type, message }] }));

/** Ends of the calendar, outside of the exact instants: local times, with the oldest known offset and the last one. */
const ENDS = {
  min: { date: '0001-01-01T00:00:00', offsetAt: MIN_MICROS },
  max: { date: '9999-12-31T23:59:59.999999', offsetAt: Date.parse('9999-12-31T00:00:00Z') * 1000 },
};

const endText = (end: keyof typeof ENDS, zone: Zone): string =>
  ENDS[end].date + offsetText(zone.offsetSecondsAt(ENDS[end].offsetAt));

const baseOf = ({ relative_base }: NormalizeTask, zone: Zone, now: Micros): Result<Micros> => {
  if (relative_base === null) return E.right(now);
  const base = parseIso(relative_base, zone);
  return base === null
    ? refused('relative_base', 'bad_format', 'must be an ISO 8601 date-time of the years 1684 to 2255')
    : E.right(base);
};

const normalized = (task: NormalizeTask, now: Micros): Result<string> => {
  const zone = zoneOf(task.timezone);
  if (zone === null) return refused('timezone', 'not_allowed', 'must be an IANA time zone');
  const base = baseOf(task, zone, now);
  if (E.isLeft(base)) return base;
  const iso = isoFormatter(zone);
  if (task.value === null)
    return E.right(task.none_point === 'now' ? iso(now) : endText(task.none_point, zone));
  const expression = parseExpression(task.value);
  if (E.isLeft(expression)) return refused('value', 'bad_format', expression.left);
  // The base replaces now in words like "tomorrow" too; the keyword `now` is always the clock.
  const instant =
    expression.right.kind === 'now'
      ? E.right(now)
      : resolveExpression(expression.right, base.right, {
          now: base.right,
          zone,
          readHuman: readHumanDate,
        });
  if (E.isLeft(instant)) return refused('value', 'bad_format', instant.left);
  return E.right(instant.right === NEVER ? endText('max', zone) : iso(instant.right));
};

/** The instant of a date-time expression, as ISO text in its zone. */
const previewDateTime = (task: NormalizeTask): AnswerText =>
  E.map((text: string) => [JSON.stringify(text)])(normalized(task, systemClock.now()));

type Change = Exclude<StateAction, { kind: 'read' | 'read_key' }>;

interface Held {
  readonly read: () => JsonObject;
  /** Changes the state. Returns why the change was refused, or null when it was made. */
  readonly change: (change: Change) => SpateError | null;
}

const asGlobalsChange = (change: Change): GlobalsChange => {
  switch (change.kind) {
    case 'merge':
      return { kind: 'shallow', values: change.values };
    case 'clear':
      return { kind: 'replace', values: {} };
    case 'delete_key':
      return change;
  }
};

/** The globals of the preview follow JSON, as those of a scenario do when they are saved. */
const inGlobals = (owned: OwnedGlobals): Held => ({
  read: () => JSON.parse(ownedGlobalsText(owned).text) as JsonObject,
  change: (change) => {
    const changed = changeOwnedGlobals(owned, asGlobalsChange(change), 0, null);
    return E.isLeft(changed) ? changed.left : null;
  },
});

const inMemory = (values: NamedValues): Held => ({
  read: values.read,
  change: (change) => {
    if (change.kind === 'merge') values.merge(change.values);
    else if (change.kind === 'clear') values.clear();
    else values.delete(change.key);
    return null;
  },
});

/** Returns the state of a scope, or an error when the plugin has none. */
const heldBy = ({ kind, producer: { memory }, globals }: PreviewSession, scope: StateScope): Result<Held> => {
  if (scope.kind === 'global') return E.right(inGlobals(globals));
  if (memory === undefined) {
    const reason = `the event plugin in preview is a ${kind}, not a template plugin: it has no ${scope.kind} state`;
    return E.left(failure('not_ready', reason));
  }
  if (scope.kind === 'shared') return E.right(inMemory(memory.shared));
  const local = memory.local(scope.alias);
  return local === undefined
    ? E.left(failure('not_found', `the event plugin in preview has no template "${scope.alias}"`))
    : E.right(inMemory(local));
};

const run = ({ read, change }: Held, scope: StateScope['kind'], action: StateAction): AnswerText => {
  if (action.kind !== 'read' && action.kind !== 'read_key') {
    const refused = change(action);
    return refused === null ? E.right(['null']) : E.left(refused);
  }
  const values = read();
  if (action.kind === 'read_key' && !Object.hasOwn(values, action.key)) {
    return E.left(failure('not_found', `the ${scope} state of the preview has no key "${action.key}"`));
  }
  const text = JSON.stringify(action.kind === 'read' ? values : values[action.key]);
  return text.length > MAX_GLOBALS_LENGTH
    ? E.left(failure('too_large', `the ${scope} state is over ${MAX_GLOBALS_LENGTH} characters: clear it`))
    : E.right([text]);
};

const stateOf = (session: PreviewSession, { scope, action }: StateTask): AnswerText => {
  const held = heldBy(session, scope);
  return E.isLeft(held) ? held : run(held.right, scope.kind, action);
};
