import hooks from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const refuse = (what: string, why: string) =>
  function refused(): never {
    throw new Error(
      `a script cannot ${what} on a thread of the daemon: ${why}. Set \`isolation: process\` for the generator`,
    );
  };

/** Blocks threads and the inspector. */
const refuseOthers = (): void => {
  Object.assign(threads, {
    Worker: refuse('start threads', 'their memory and time would not be charged to any generator'),
  });
  if (!process.features.inspector) return;
  const load = createRequire(import.meta.url);
  const inspector = load('node:inspector') as typeof import('node:inspector');
  // Must load before its base class is replaced.
  const promises = load('node:inspector/promises') as object;
  const debug = refuse('use the inspector', 'it reaches into Node itself and into the other threads');
  Object.assign(inspector.Session.prototype, { connect: debug, connectToMainThread: debug });
  Object.assign(inspector, { Session: debug, open: debug });
  Object.assign(promises, { Session: debug, open: debug });
};

/** While a message is handled, the resource is the port it came through. */
const hideResource = (): void => {
  const { executionAsyncResource } = hooks;
  const { MessagePort } = threads;
  Object.assign(hooks, {
    executionAsyncResource: () => {
      const resource: unknown = executionAsyncResource();
      return resource instanceof MessagePort ? {} : resource;
    },
  });
};

/**
 * Hides the port to the main thread from user code: import, require, lists of handles. Patches the modules of
 * Node, so every way leads to the same; take the port before. An isolated process may use the rest of Node
 * freely.
 */
export const hideControls = (options: { readonly isIsolated: boolean }): void => {
  Object.assign(threads, { parentPort: null, workerData: null });
  hideResource();
  if (!options.isIsolated) refuseOthers();
  syncBuiltinESMExports();
  // Undocumented lists of handles, including the port.
  Object.assign(process, { _getActiveHandles: () => [], _getActiveRequests: () => [] });
};
