import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Log } from '../../../ports/log.js';
import type { EventProducer } from '../../kit.js';
import type { Marker } from '../../shared/marker.js';
import type { ScriptState } from './loader/load.js';
import { resultTypeName } from './produce.js';
import { describeThrown, showThrown } from './thrown.js';

interface ScriptCheckpointOptions {
  readonly state: ScriptState | null;
  readonly marker: Marker | null;
  readonly file: string;
  readonly files: ReadonlySet<string>;
  readonly directory: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The awaited value; rejects on teardown, as a promise may never settle. */
const unlessTornDown = (pending: unknown, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('the generator was stopped'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(pending)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });

/**
 * Snapshot and restore of state and marks; neither without them. A failed snapshot throws, so the previous checkpoint
 * stays consistent.
 */
export const scriptCheckpoint = (
  options: ScriptCheckpointOptions,
): Pick<EventProducer, 'snapshot' | 'restore'> => {
  const { state, marker, file, files, directory, log, signal } = options;
  if (state === null && marker === null) return {};

  const failed = (what: string, thrown: unknown): Error =>
    new Error(`${what} of script ${file} failed: ${showThrown(describeThrown(thrown, files, directory))}`);

  const taken = ({ snapshot }: ScriptState): Json => {
    let copy: E.Either<string, Json>;
    try {
      copy = jsonOf(snapshot());
    } catch (thrown) {
      throw failed('snapshot()', thrown);
    }
    if (E.isLeft(copy)) throw new Error(`snapshot() of script ${file} did not return JSON: ${copy.left}`);
    return copy.right;
  };

  const given = async (saved: Json | undefined): Promise<void> => {
    if (state === null) {
      if (saved !== undefined)
        log.write('warning', 'the checkpoint has state, but the script has no restore()');
      return;
    }
    // The script had no state at the checkpoint.
    if (saved === undefined) return;
    try {
      await unlessTornDown(state.restore(saved), signal);
    } catch (thrown) {
      throw failed('restore()', thrown);
    }
  };

  return {
    snapshot: () => ({
      ...(state === null ? {} : { script: taken(state) }),
      ...(marker === null ? {} : { marks: marker.snapshot() }),
    }),
    restore: async (saved) => {
      if (!isJsonObject(saved)) throw new Error(`the saved state of script ${file} is invalid`);
      const { script, marks } = saved;
      await given(script);
      // Marks enabled since start their own stream.
      if (marks !== undefined) marker?.restore(marks);
    },
  };
};

/** Deepest nesting; also ends circular values. */
const MAX_DEPTH = 100;
/** Keeps a snapshot within milliseconds. */
const MAX_VALUES = 1_000_000;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of other realms have another Object.prototype, with a null prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const member = (location: string, key: string | number): string =>
  typeof key === 'number' ? `${location}[${key}]` : `${location}.${key}`;

/**
 * Copies a JSON value; `undefined` members are dropped. Returns an error with location and type of a value that JSON
 * lacks. Throws what getters and proxies throw.
 */
const jsonOf = (value: unknown): E.Either<string, Json> => {
  let count = 0;
  const problems: string[] = [];

  const refuse = (what: string): null => {
    problems.push(what);
    return null;
  };

  const copyObject = (object: object, location: string, depth: number): Json => {
    const copy: Record<string, Json> = {};
    for (const [key, item] of Object.entries(object)) {
      if (problems.length > 0) return null;
      if (item === undefined) continue;
      const inner = copyOf(item, member(location, key), depth + 1);
      // Assigning this key would set the prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: inner, enumerable: true });
      else copy[key] = inner;
    }
    return copy;
  };

  const copyOf = (item: unknown, location: string, depth: number): Json => {
    if (++count > MAX_VALUES) return refuse(`the state has more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) return refuse(`${location.slice(0, 60)}... is nested too deeply, or circular`);
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (typeof item === 'number') {
      return Number.isFinite(item) ? item : refuse(`${location} is ${item}, which is not JSON`);
    }
    if (Array.isArray(item)) {
      return Array.from(item, (one, i) =>
        problems.length === 0 ? copyOf(one, member(location, i), depth + 1) : null,
      );
    }
    return typeof item === 'object' && isPlain(item)
      ? copyObject(item, location, depth)
      : refuse(`${location} is ${resultTypeName(item)}, which is not JSON`);
  };

  const copy = copyOf(value, 'the state', 0);
  const [wrong] = problems;
  return wrong === undefined ? E.right(copy) : E.left(wrong);
};
