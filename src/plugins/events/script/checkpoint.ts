import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Log } from '../../../ports/log.js';
import type { EventProducer } from '../../kit.js';
import type { Marker } from '../shared/marker.js';
import { jsonOf } from './jsonValue.js';
import type { ScriptState } from './loader/load.js';
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
