import * as E from 'fp-ts/lib/Either.js';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../../domain/waiting.js';
import type { Missed, Output } from '../../../kit.js';
import { closedFailure } from '../streamOutput.js';
import type { StreamSender } from './streamSender.js';

/** A batch as bytes to send. */
export interface Payload {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Events that could not be encoded. */
  readonly failed: number;
  readonly missed?: readonly Missed[];
}

/** Output over a connection: ordered, paced by its reader. */
export const senderOutput = (
  name: string,
  sender: StreamSender,
  payloadOf: (batch: EventBatch) => Payload,
): Output => {
  const inTurn = serialQueue();
  let isClosed = false;
  return {
    isBulk: false,
    isOrdered: true,
    isPacedByReader: true,
    write: (batch, signal) =>
      inTurn(async () => {
        if (isClosed) return E.left(closedFailure(name));
        const { bytes, count, failed, missed } = payloadOf(batch);
        const more = missed === undefined ? {} : { missed };
        if (count === 0) return E.right({ written: 0, failed, bytes: 0, ...more });
        const sent = await sender.send(bytes, signal);
        return E.isLeft(sent) ? sent : E.right({ written: count, failed, bytes: sent.right, ...more });
      }),
    flush: async () => E.right(undefined),
    close: () =>
      inTurn(async () => {
        if (!isClosed) {
          isClosed = true;
          await sender.close();
        }
        return E.right(undefined);
      }),
  };
};
