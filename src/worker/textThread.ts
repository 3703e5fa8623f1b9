/** Entry of the thread that reads and edits long texts while the main thread keeps answering. */
import { parentPort, workerData } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../adapters/systemClock.js';
import { thrownError } from '../domain/errors.js';
import type { TextThreadData } from '../host/textHost.js';
import { loadOnDemand } from '../plugins/thirdParty/onDemand.js';
import { TEXT_TASKS, type TextTask } from './textTasks.js';

const { plugins } = workerData as TextThreadData;
const thirdParty = loadOnDemand(plugins, systemClock);

const answerTo = async (kind: TextTask, args: readonly never[]): Promise<unknown> => {
  const run = TEXT_TASKS[kind] as (...given: readonly never[]) => unknown;
  try {
    const ready = await thirdParty.all();
    return ready !== null && E.isLeft(ready) ? ready : run(...args);
  } catch (thrown) {
    return E.left(thrownError(`${kind} threw`, thrown));
  }
};

parentPort?.on('message', ({ kind, args }: { readonly kind: TextTask; readonly args: readonly never[] }) => {
  void answerTo(kind, args).then((answer) => parentPort?.postMessage(answer));
});
