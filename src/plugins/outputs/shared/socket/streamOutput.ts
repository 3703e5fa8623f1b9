import * as E from 'fp-ts/lib/Either.js';
import type { Result } from '../../../../domain/errors.js';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../../domain/waiting.js';
import type { ValueOf } from '../../../../schema/shape.js';
import type { Missed, Output, PluginContext } from '../../../kit.js';
import type { TlsOptions } from '../tls.js';
import { closedFailure } from '../written.js';
import { connector, type SocketAddress } from './connect.js';
import type { streamFields } from './fields.js';
import { makeStreamSender, type StreamSender } from './streamSender.js';

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

interface OpenOptions {
  /** For messages. */
  readonly name: string;
  readonly params: ValueOf<typeof streamFields> & SocketAddress;
  readonly tls: TlsOptions | null;
  readonly preamble: Uint8Array;
  readonly context: Pick<PluginContext, 'clock' | 'log' | 'signal'>;
}

/** Returns a connected sender, or an error that says why there is no connection. */
export const openStreamSender = async ({
  name,
  params,
  tls,
  preamble,
  context,
}: OpenOptions): Promise<Result<StreamSender>> => {
  const { clock, log, signal } = context;
  const { host, port } = params;
  const sender = makeStreamSender({
    name,
    connect: connector({ host, port, tls, connect_timeout_ms: params.connect_timeout * 1000, clock }),
    preamble,
    stall_ms: params.stall_timeout * 1000,
    resend_ms: params.resend_seconds * 1000,
    resend_bytes: params.resend_bytes,
    clock,
    log,
  });
  const opened = await sender.open(signal);
  return E.isLeft(opened) ? opened : E.right(sender);
};
