import hooks from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { setPriority } from 'node:os';
import { Writable } from 'node:stream';
import threads from 'node:worker_threads';
import type { LogLevel } from '../domain/errors.js';
import { MAX_MESSAGE_CHARS, shortened } from '../domain/text/shown.js';

/** Receives text written to a standard stream, or a warning of Node. */
type TakeText = (level: LogLevel, text: string, source: 'stdout' | 'stderr' | 'warning') => void;

const MAX_BYTES_PER_CHAR = 3;

/** Decodes no more than a log message can hold. */
const textOf = (chunk: string | Uint8Array): string => {
  if (typeof chunk === 'string') return chunk;
  const bytes = chunk.subarray(0, MAX_MESSAGE_CHARS * MAX_BYTES_PER_CHAR + 1);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
};

const streamTo = (take: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      const text = textOf(chunk).replace(/\n$/, '');
      if (text !== '') take(text);
      done();
    },
  });

/**
 * Replaces the standard streams and the warning printer. Those of Node message the main thread without limit: a
 * script that prints each event would block the API.
 */
export const ownStreams = (take: TakeText): void => {
  for (const [source, level] of [
    ['stdout', 'info'],
    ['stderr', 'warning'],
  ] as const) {
    let stream: Writable | null = null;
    Object.defineProperty(process, source, {
      configurable: true,
      enumerable: true,
      // Lazy: most threads never print.
      get: () => {
        stream ??= streamTo((text) => take(level, text, source));
        return stream;
      },
    });
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    // Disabled for these threads (`--disable-warning`).
    if (warning.name === 'ExperimentalWarning') return;
    take('warning', `${shortened(warning.name)}: ${shortened(warning.message)}`, 'warning');
  });
};

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

/** Nice value: a third of the weight of nice 0. */
const STEP_BACK = 5;

/**
 * Lowers the priority of this thread in favor of the API; free processors are used as before. Linux only:
 * elsewhere it would be that of the whole process.
 */
export const stepBack = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(STEP_BACK);
  } catch {
    // Not permitted.
  }
};
