import type { Json } from '../domain/json.js';

/** Requests to the preview worker. */
export interface PreviewRequests {
  /** Answers ready JSON text in chunks, so that a large preview is never stringified on the main thread. */
  'preview.timestamps': {
    payload: {
      readonly name: string;
      /** Array of input plugin objects; checked by the contract. */
      readonly inputs: Json;
      readonly size: number;
      readonly skip_past: boolean;
      readonly timezone: string;
      /** Span expression; `null` chooses automatically. */
      readonly span: string | null;
    };
    answer: AsyncIterable<Uint8Array>;
  };
}
