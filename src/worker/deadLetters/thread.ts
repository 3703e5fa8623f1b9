/** Entry of a thread that works on the dead letters of one generator, then ends. */
import { parentPort, workerData } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { hideControls } from '../../adapters/ownThread.js';
import { systemClock } from '../../adapters/systemClock.js';
import { type LogLevel, type Result, thrownError } from '../../domain/errors.js';
import type { PluginSource } from '../../domain/thirdParty.js';
import { loadOnDemand } from '../../plugins/thirdParty/onDemand.js';
import type { Log } from '../../ports/log.js';
import { type LetterAnswer, type LetterTask, runLetterTask } from './tasks.js';

/** `workerData` of the thread. */
export interface LetterThreadData {
  readonly root: string;
  readonly task: LetterTask;
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
}

export type FromLetterThread =
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly context: Parameters<Log['with']>[0];
    }
  | { readonly type: 'done'; readonly answer: Result<LetterAnswer> };

const port = parentPort;
if (port === null) throw new Error('src/worker/deadLetters/thread.ts runs in a worker thread only');
const { root, task, plugins } = workerData as LetterThreadData;
hideControls({ isIsolated: false });
const send = port.postMessage.bind(port);
const post = (message: FromLetterThread): void => send(message);

const logWith = (context: Parameters<Log['with']>[0]): Log => ({
  write: (level, message, more) => post({ type: 'log', level, message, context: { ...context, ...more } }),
  with: (more) => logWith({ ...context, ...more }),
});

const stopping = new AbortController();
// The only message: stop after the write in flight.
port.on('message', () => stopping.abort());

const run = async (): Promise<Result<LetterAnswer>> => {
  const ready =
    task.kind === 'resend'
      ? await loadOnDemand(plugins, systemClock).forConfig(task.definition.config)
      : null;
  if (ready !== null && E.isLeft(ready)) return ready;
  return runLetterTask(task, { root, log: logWith({}), stop: stopping.signal });
};

void run()
  .catch((thrown: unknown) => E.left(thrownError('dead letters', thrown)))
  .then((answer) => {
    post({ type: 'done', answer });
    port.close();
  });
