/** Entry of the thread that reads and edits long texts while the main thread keeps answering. */
import { parentPort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { failure, reasonOf } from '../domain/errors.js';
import { TEXT_TASKS, type TextTask } from './textTasks.js';

parentPort?.on('message', ({ kind, args }: { readonly kind: TextTask; readonly args: readonly never[] }) => {
  const run = TEXT_TASKS[kind] as (...given: readonly never[]) => unknown;
  try {
    parentPort?.postMessage(run(...args));
  } catch (thrown) {
    parentPort?.postMessage(E.left(failure('bug', `${kind} threw: ${reasonOf(thrown)}`)));
  }
});
