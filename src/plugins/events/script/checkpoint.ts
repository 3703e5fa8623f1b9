import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject, type Json } from '../../../domain/json.js';
import type { Log } from '../../../ports/log.js';
import type { EventProducer } from '../../kit.js';
import type { Marker } from '../shared/marker.js';
import { jsonOf } from './jsonValue.js';
import type { ScriptState } from './loader/load.js';
import { describeThrown, showThrown } from './thrown.js';

/** What the position of a script is made of. */
export interface ScriptCheckpointOptions {
  readonly state: ScriptState | null;
  readonly marker: Marker | null;
  /** Script file as it is shown to people. */
  readonly file: string;
  readonly files: ReadonlySet<string>;
  readonly directory: string;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** The awaited value; rejects when the pipeline is torn down, because a promise may stay pending for ever. */
const unlessTornDown = (pending: unknown, signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('the generator was stopped meanwhile'));
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    Promise.resolve(pending)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });

/**
 * Snapshot and restore of a script with state or marks; of another one nothing. A snapshot that the script
 * cannot give is thrown: the checkpoint before stays, whose parts all belong to one moment.
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
    if (E.isLeft(copy)) throw new Error(`snapshot() of script ${file} returned no JSON: ${copy.left}`);
    return copy.right;
  };

  const given = async (saved: Json | undefined): Promise<void> => {
    if (state === null) {
      if (saved !== undefined)
        log.write('warning', 'the script has no restore() for the state of its checkpoint');
      return;
    }
    // The script had no state when the checkpoint was made.
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
      if (!isJsonObject(saved))
        throw new Error(`the state of script ${file} has not the form that was saved`);
      const { script, marks } = saved;
      await given(script);
      // Marks that were switched on since begin a stream of their own.
      if (marks !== undefined) marker?.restore(marks);
    },
  };
};
