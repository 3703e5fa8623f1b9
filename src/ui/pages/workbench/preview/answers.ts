import type { Json } from '../../../../domain/json.js';
import { type CallParts, call } from '../../../api/client.js';
import type { TimestampPreview } from './timeline.js';

interface ProducedEvents {
  readonly events: readonly string[];
  readonly errors: readonly { readonly index: number; readonly message: string; readonly context: Json }[];
  readonly exhausted: boolean;
}

interface FormattedEvents {
  readonly events: readonly string[];
  readonly errors: readonly { readonly message: string }[];
}

/** Previews answer with the text of a thread, so the route table has no types for it. */
interface Answers {
  readonly previewTimestamps: TimestampPreview;
  readonly produceEventPreview: ProducedEvents;
  readonly previewFormatter: FormattedEvents;
}

export const askPreview = <I extends keyof Answers>(id: I, parts: CallParts<I>): Promise<Answers[I]> =>
  call(id, parts) as Promise<unknown> as Promise<Answers[I]>;
