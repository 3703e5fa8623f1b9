import type { Json } from '../domain/json.js';
import type {
  FormatTask,
  GivenTimestamp,
  NormalizeTask,
  StateAction,
  StateScope,
  TimestampsTask,
} from '../domain/preview.js';

/** A generator directory by its name; one that does not exist is `not_found`. */
interface InDirectory {
  readonly name: string;
}

/** Ready JSON text in chunks, so that a large preview is never stringified on the main thread. */
type JsonText = AsyncIterable<Uint8Array>;

/**
 * Previews. What is built comes from the request and never from the stored config. `plugin_failed`: it cannot
 * be built, or it ended its thread; `timed_out`: it was busy for too long, its thread was ended.
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
  /**
   * Builds an event plugin and keeps it for the directory, in place of an earlier one, which stays when the new
   * one cannot be built. `timezone`: `null` is that of the settings. Left also: `too_many_requests`.
   */
  'preview.open': {
    payload: InDirectory & { readonly event: Json; readonly timezone: string | null };
    answer: null;
  };
  /** Left also: `not_ready` (no event plugin is in preview), as of the following. */
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
