import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../../domain/errors.js';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../../domain/waiting.js';
import type { Log } from '../../../../ports/log.js';
import type { Missed, Output, Written } from '../../../kit.js';
import { closedFailure } from '../streamOutput.js';
import type { DatagramSender, Datagrams, Sent } from './datagramSender.js';

interface DatagramPayload extends Datagrams {
  /** Events that could not be encoded. */
  readonly failed: number;
  /** Events that no message can hold. */
  readonly missed?: readonly Missed[];
  /** Position in the batch of each datagram. Undefined when it is the number of the datagram. */
  readonly positions?: readonly number[];
}

interface DatagramParts {
  readonly name: string;
  readonly sender: DatagramSender;
  readonly log: Log;
  readonly payloadOf: (batch: EventBatch) => DatagramPayload;
}

const missedOf = (
  { missed = [], positions, failed }: DatagramPayload,
  { oversized }: Sent,
  max_bytes: number,
): readonly Missed[] => {
  // Without the positions of unencodable events, those of others are unknown: all count as failed.
  if (oversized.length === 0 || failed > 0) return missed;
  const items = oversized.map((index) => positions?.[index] ?? index);
  const reason = failure('unroutable', `a datagram holds up to ${max_bytes} bytes. Make the event shorter.`);
  return [...missed, { items, reason }];
};

const sum = (missed: readonly Missed[]): number => missed.reduce((all, { items }) => all + items.length, 0);

/** Output of one datagram per event. */
export const datagramOutput = ({ name, sender, log, payloadOf }: DatagramParts): Output => {
  const inTurn = serialQueue();
  let isClosed = false;

  const writtenOf = (batch: EventBatch, payload: DatagramPayload, sent: Sent): Written => {
    const missed = missedOf(payload, sent, sender.max_bytes);
    const written = sent.sent - sent.refused;
    const failed = batch.count - written - sum(missed);
    const stopped =
      sent.unsent === 0
        ? {}
        : {
            stopped: {
              count: sent.unsent,
              reason: failure('timed_out', `the attempt ended before all datagrams to ${name} were sent`),
            },
          };
    return { written, failed, bytes: sent.bytes, ...stopped, ...(missed.length === 0 ? {} : { missed }) };
  };

  return {
    isBulk: false,
    isOrdered: true,
    write: (batch, signal) =>
      inTurn(async () => {
        if (isClosed) return E.left(closedFailure(name));
        const payload = payloadOf(batch);
        const sent = await sender.send(payload, signal);
        if (E.isLeft(sent)) return sent;
        if (sent.right.oversized.length > 0) {
          log.write('error', 'events larger than a datagram', { count: sent.right.oversized.length });
        }
        return E.right(writtenOf(batch, payload, sent.right));
      }),
    flush: async () => E.right(undefined),
    close: () =>
      inTurn(async () => {
        isClosed = true;
        await sender.close();
        return E.right(undefined);
      }),
  };
};
