import hooks from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/** Takes the place of a class or function that scripts on a thread of the daemon may not use. */
const refuse = (what: string, why: string) =>
  function refused(): never {
    throw new Error(
      `a script cannot ${what} on a thread of the daemon: ${why}. Set \`isolation: process\` for the generator`,
    );
  };

/** What reaches over the border of a thread. */
const refuseOthers = (): void => {
  Object.assign(threads, {
    Worker: refuse('start threads', 'their memory and time would count for no generator'),
  });
  // Node can be built without it.
  if (!process.features.inspector) return;
  const load = createRequire(import.meta.url);
  const inspector = load('node:inspector') as typeof import('node:inspector');
  // Loaded while the class it builds on is still there.
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
 * Takes the port to the main thread out of what user code of this thread can import, require or list. The modules of
 * Node themselves are changed, so that every way to them gives the same. Whoever needs the port must hold it before.
 * In a process of its own a script may use the rest of Node as it likes.
 */
export const hideControls = (options: { readonly isIsolated: boolean }): void => {
  Object.assign(threads, { parentPort: null, workerData: null });
  hideResource();
  if (!options.isIsolated) refuseOthers();
  syncBuiltinESMExports();
  // Undocumented lists of the open handles, with the port among them.
  Object.assign(process, { _getActiveHandles: () => [], _getActiveRequests: () => [] });
};
