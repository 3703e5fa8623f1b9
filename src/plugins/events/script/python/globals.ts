import { reasonOf } from '../../../../domain/errors.js';
import type { GlobalsView } from '../../../../domain/globals/globals.js';
import { isJsonObject, type Json, type JsonObject } from '../../../../domain/json.js';

/** Lock of the Python scripts of a thread: members of a scenario share one. Templates and JavaScript run in one piece. */
export interface GlobalsLock {
  /** Resolves when the lock is held. */
  readonly acquire: (holder: object) => Promise<void>;
  readonly release: (holder: object) => void;
}

export const globalsLock = (): GlobalsLock => {
  const queue: { readonly holder: object; readonly take: () => void }[] = [];
  return {
    acquire: (holder) =>
      new Promise((take) => {
        queue.push({ holder, take });
        if (queue.length === 1) take();
      }),
    release: (holder) => {
      const at = queue.findIndex((entry) => entry.holder === holder);
      if (at < 0) return;
      queue.splice(at, 1);
      if (at === 0) queue[0]?.take();
    },
  };
};

const valueAt = (globals: GlobalsView, key: string): JsonObject =>
  globals.has(key) ? { value: globals.get(key) } : {};

type Operation = (globals: GlobalsView, first: Json, second: Json) => JsonObject;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  get: (globals, key) => valueAt(globals, String(key)),
  update: (globals, values) => {
    if (isJsonObject(values)) globals.update(values);
    return {};
  },
  pop: (globals, key) => {
    const found = valueAt(globals, String(key));
    globals.delete(String(key));
    return found;
  },
  clear: (globals) => {
    for (const key of Object.keys(globals.snapshot())) globals.delete(key);
    return {};
  },
  snapshot: (globals) => ({ value: globals.snapshot() }),
  increment: (globals, key, by) => {
    if (typeof by !== 'number') return { problem: 'increment() adds a number' };
    return { value: globals.increment(String(key), by) };
  },
};

/** Answer to an operation of a script: its value, none, or a problem, which the script gets as a ValueError. */
export const answerGlobals = (globals: GlobalsView, asked: Json): JsonObject => {
  const [name, first = null, second = null] = Array.isArray(asked) ? asked : [];
  const operation =
    typeof name === 'string' && Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name] : undefined;
  if (operation === undefined) return { problem: 'unknown operation' };
  try {
    return operation(globals, first, second);
  } catch (thrown) {
    // The scenario refuses it, for example as too large.
    return { problem: reasonOf(thrown) };
  }
};
