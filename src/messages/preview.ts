import type { Upload } from '../domain/directory.js';
import type {
  FormatTask,
  GivenTimestamp,
  LearnTask,
  LogTimesTask,
  NormalizeTask,
  OpenTask,
  StateAction,
  StateScope,
  TimestampsTask,
} from '../domain/preview.js';

/** A generator directory. Requests return the error `not_found` when there is none. */
interface InDirectory {
  readonly name: string;
}

/** JSON text in chunks: a large preview is not serialized on the main thread. */
type JsonText = AsyncIterable<Uint8Array>;

/**
 * Requests for previews. Errors are `plugin_failed` (the plugin was not built, or it ended its thread) and `timed_out`
 * (its thread was terminated).
 */
export interface PreviewRequests {
  'preview.timestamps': {
    payload: InDirectory & Omit<TimestampsTask, 'kind' | 'directory'>;
    answer: JsonText;
  };
  'preview.format': {
    payload: InDirectory & Pick<FormatTask, 'formatter' | 'events'>;
    answer: JsonText;
  };
  'preview.normalize': { payload: InDirectory & Omit<NormalizeTask, 'kind'>; answer: JsonText };
  /** Without a directory; the JSON is `LogTimes`. */
  'preview.log_times': { payload: Omit<LogTimesTask, 'kind'>; answer: JsonText };
  /** The JSON is `LearnedLog`. The sender keeps the upload until the answer. `timezone`: `null` is the settings'. */
  'preview.learn': {
    payload: Pick<LearnTask, 'name' | 'seed' | 'keep_values'> & {
      readonly upload: Upload;
      readonly timezone: string | null;
    };
    answer: JsonText;
  };
  /** An earlier plugin stays if this fails, also with `too_many_requests`. A null `timezone` is the settings'. */
  'preview.open': {
    payload: InDirectory &
      Pick<OpenTask, 'event' | 'files' | 'inputs'> & { readonly timezone: string | null };
    answer: null;
  };
  /** Another error is `not_ready` without an event plugin in preview; so for all below. */
  'preview.produce': {
    payload: InDirectory & { readonly timestamps: readonly GivenTimestamp[] };
    answer: JsonText;
  };
  'preview.state': {
    payload: InDirectory & { readonly scope: StateScope; readonly action: StateAction };
    answer: JsonText;
  };
  'preview.release': { payload: InDirectory; answer: null };
}
