import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const refuseThreads = function Worker(): never {
  throw new Error(
    'a script cannot start threads: their memory and time would count for no generator. Set `isolation: process` for the generator',
  );
};

/**
 * Takes the port to the main thread out of what user code of this thread can import, require or list. The module
 * object itself is changed, so that every way to `node:worker_threads` gives the same. Whoever needs the port must
 * hold it before.
 */
export const hideControls = (options: { readonly mayStartThreads: boolean }): void => {
  const open = threads as unknown as Record<string, unknown>;
  open['parentPort'] = null;
  open['workerData'] = null;
  if (!options.mayStartThreads) open['Worker'] = refuseThreads;
  syncBuiltinESMExports();
  // Undocumented lists of the open handles, with the port among them.
  Object.assign(process, { _getActiveHandles: () => [], _getActiveRequests: () => [] });
};
