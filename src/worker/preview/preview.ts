import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, type SpateError, thrownError } from '../../domain/errors.js';
import type { Json } from '../../domain/json.js';
import type { OpenTask, PreviewTask } from '../../domain/preview.js';
import type { FromWorker, PreviewJob } from '../../host/protocol.js';
import type { PipelineRegistry } from '../../plugins/buildParts.js';
import type { Log } from '../../ports/log.js';
import type { Python } from '../../ports/python.js';
import type { RunCommand } from '../../ports/runCommand.js';
import type { AnswerText } from './answer.js';
import { previewDateTime } from './dateTime.js';
import { previewFormat } from './format.js';
import { previewLogTimes } from './logTimes.js';
import { produceEvents } from './produce.js';
import { openSession, type PreviewSession } from './session.js';
import { stateOf } from './state.js';
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
    const opened = await openSession(task, registry, log.with({ preview: task.directory }), options);
    if (E.isLeft(opened)) return opened;
    await session?.producer.close();
    session = opened.right;
    return E.right(['null']);
  };
  const close = async (): Promise<AnswerText> => {
    await session?.producer.close();
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
