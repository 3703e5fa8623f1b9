/** Entry of a thread that works on the dead letters of one generator, then ends. */
import { parentPort, workerData } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { hideControls } from '../../adapters/ownThread.js';
import { systemClock } from '../../adapters/systemClock.js';
import { type LogLevel, type Result, thrownError } from '../../domain/errors.js';
import type { PluginSource } from '../../domain/thirdParty.js';
import { loadOnDemand } from '../../plugins/thirdParty/onDemand.js';
import type { Log } from '../../ports/log.js';
import { type DeadLetterAnswer, type DeadLetterTask, runDeadLetterTask } from './tasks.js';

/** `workerData` of the thread. */
export interface DeadLetterThreadData {
  readonly root: string;
  readonly task: DeadLetterTask;
  /** Files of third-party plugins. */
  readonly plugins: readonly PluginSource[];
}

export type FromDeadLetterThread =
  | {
      readonly type: 'log';
      readonly level: LogLevel;
      readonly message: string;
      readonly context: Parameters<Log['with']>[0];
    }
  | { readonly type: 'done'; readonly answer: Result<DeadLetterAnswer> };

const port = parentPort;
if (port === null) throw new Error('src/worker/deadLetters/thread.ts runs in a worker thread only');
const { root, task, plugins } = workerData as DeadLetterThreadData;
hideControls({ isIsolated: false });
const send = port.postMessage.bind(port);
const post = (message: FromDeadLetterThread): void => send(message);

const logWith = (context: Parameters<Log['with']>[0]): Log => ({
  write: (level, message, more) => post({ type: 'log', level, message, context: { ...context, ...more } }),
  with: (more) => logWith({ ...context, ...more }),
});

const stopping = new AbortController();
// The only message: stop after the write in flight.
port.on('message', () => stopping.abort());

const run = async (): Promise<Result<DeadLetterAnswer>> => {
  const ready =
    task.kind === 'resend'
      ? await loadOnDemand(plugins, systemClock).forConfig(task.definition.config)
      : null;
  if (ready !== null && E.isLeft(ready)) return ready;
  return runDeadLetterTask(task, { root, log: logWith({}), stop: stopping.signal });
};

void run()
  .catch((thrown: unknown) => E.left(thrownError('dead letters', thrown)))
  .then((answer) => {
    post({ type: 'done', answer });
    port.close();
  });
