import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { makeMovedBody } from '../shared/movedBody.js';
import type { Actions } from './actions.js';

export interface BulkBody {
  readonly bytes: Uint8Array;
  /** Positions in the batch of the events in `bytes`, in order. */
  readonly items: readonly number[];
  /** Positions of empty events and of those with a line break: the server would read other lines. */
  readonly broken: readonly number[];
}

const LINE_FEED = 0x0a;

/** A line of the action, then the line of the event, for each event that has an action. */
export const bulkBody = (
  batch: EventBatch,
  { lineOf, bytes: action_bytes }: Pick<Actions, 'lineOf' | 'bytes'>,
): BulkBody => {
  const { bytes, ends, areLines } = batch.encoded();
  const body = makeMovedBody(bytes.length + action_bytes, bytes);
  const items: number[] = [];
  const broken: number[] = [];
  let start = 0;
  for (let item = 0; item < batch.count; item++) {
    const end = ends[item] as number;
    const action = lineOf(item);
    if (action !== null && isBroken(bytes, start, end - 1, areLines === true)) broken.push(item);
    else if (action !== null) {
      body.put(action);
      body.move(start, end);
      items.push(item);
    }
    start = end;
  }
  return { bytes: body.take(), items, broken };
};

/** `end` is the position of the line end after the event. An empty line would be an event without a body. */
const isBroken = (bytes: Uint8Array, start: number, end: number, isLine: boolean): boolean =>
  start === end || (!isLine && bytes.indexOf(LINE_FEED, start) < end);
