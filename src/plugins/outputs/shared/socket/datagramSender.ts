import * as dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, systemCodeOf } from '../../../../domain/errors.js';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import { serialQueue } from '../../../../domain/waiting.js';
import type { Clock } from '../../../../ports/clock.js';
import type { Log } from '../../../../ports/log.js';
import type { Missed, Output, Written } from '../../../kit.js';
import { MAX_DATAGRAM_BYTES } from '../../../shared/text/limits.js';
import { makeErrorReporter } from '../errors.js';
import { closedFailure } from '../written.js';
import { peerError, type SocketAddress } from './connect.js';

/** Datagrams in one buffer, with the end of each. */
interface Datagrams {
  readonly bytes: Buffer;
  readonly ends: ArrayLike<number>;
}

interface SentDatagrams {
  readonly sent: number;
  readonly bytes: number;
  /** Positions of datagrams over the limit of UDP. */
  readonly oversized: readonly number[];
  /** Refusals that the kernel reported; each stands for a lost datagram. */
  readonly refused: number;
  /** Datagrams left over after an abort. */
  readonly unsent: number;
}

/** Sends from one connected socket: the kernel reports refusals to it. Calls must not overlap. */
interface DatagramSender {
  /** Returns an error of the network, or a refusal with `on_refused: retry`. */
  readonly send: (datagrams: Datagrams, signal: AbortSignal) => Promise<Result<SentDatagrams>>;
  readonly max_bytes: number;
  readonly close: () => Promise<void>;
}

interface DatagramOptions extends SocketAddress {
  readonly name: string;
  readonly on_refused: 'retry' | 'ignore';
  readonly clock: Clock;
  readonly log: Log;
}

/** Datagrams in flight. */
const BURST = 256;
/** Time for other work of the thread. */
const SLICE_MS = 8;

const connected = (socket: dgram.Socket, port: number, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.connect(port, address, () => {
      socket.off('error', reject);
      resolve();
    });
  });

/** Resolves the name once. */
export const openDatagramSender = async (options: DatagramOptions): Promise<Result<DatagramSender>> => {
  const { host, port, name, on_refused, clock, log } = options;
  const report = makeErrorReporter(name, []);
  let family: 4 | 6;
  let socket: dgram.Socket;
  try {
    const found = await lookup(host);
    family = found.family === 6 ? 6 : 4;
    socket = dgram.createSocket(family === 6 ? 'udp6' : 'udp4');
    try {
      await connected(socket, port, found.address);
    } catch (thrown) {
      socket.close();
      throw thrown;
    }
  } catch (thrown) {
    return E.left(report('cannot open', peerError(thrown)));
  }

  let inFlight = 0;
  let refused = 0;
  let trouble: unknown = null;
  let wake: (() => void) | null = null;
  const notice = (thrown: unknown): void => {
    if (systemCodeOf(thrown) === 'ECONNREFUSED') refused += 1;
    else trouble ??= thrown;
  };
  // One for all datagrams: a closure each would cost more than the send.
  const settled = (thrown: Error | null): void => {
    if (thrown !== null) notice(thrown);
    inFlight -= 1;
    if (inFlight === 0) wake?.();
  };
  socket.on('error', notice);

  const allSettled = (): Promise<void> | undefined =>
    inFlight === 0
      ? undefined
      : new Promise((resolve) => {
          wake = () => {
            wake = null;
            resolve();
          };
        });

  const mustStop = (): boolean => trouble !== null || (on_refused === 'retry' && refused > 0);

  const sendAll = async ({ bytes, ends }: Datagrams, signal: AbortSignal): Promise<SentDatagrams> => {
    const oversized: number[] = [];
    const count = ends.length;
    let [index, start, left_out, sliceStart] = [0, 0, 0, clock.monotonicMs()];
    for (; index < count && !mustStop() && !signal.aborted; ) {
      for (const stop = Math.min(count, index + BURST); index < stop; index++) {
        const end = ends[index] as number;
        if (end - start > MAX_DATAGRAM_BYTES[family]) {
          oversized.push(index);
          left_out += end - start;
        } else {
          inFlight += 1;
          socket.send(bytes, start, end - start, settled);
        }
        start = end;
      }
      await allSettled();
      if (clock.monotonicMs() - sliceStart > SLICE_MS) {
        await clock.yieldTurn();
        sliceStart = clock.monotonicMs();
      }
    }
    // A refusal of the last datagrams shows in the next turn.
    await clock.yieldTurn();
    const unsent = count - index;
    const sent = count - unsent - oversized.length;
    return { sent, bytes: start - left_out, oversized, refused: Math.min(refused, sent), unsent };
  };

  let isClosed = false;
  return E.right({
    max_bytes: MAX_DATAGRAM_BYTES[family],
    send: async (datagrams, signal) => {
      [refused, trouble] = [0, null];
      const sent = await sendAll(datagrams, signal);
      if (trouble !== null) return E.left(report('cannot send to', peerError(trouble)));
      if (refused === 0) return E.right(sent);
      const reason = `nothing listens there (ECONNREFUSED). Start the receiver, or set \`on_refused: ignore\`.`;
      if (on_refused === 'retry')
        return E.left(failure('output_failed', `cannot send to ${name}: ${reason}`));
      log.write('warning', `${name} refused datagrams: nothing listens there`, { count: sent.refused });
      return E.right(sent);
    },
    close: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve();
        isClosed = true;
        socket.close(resolve);
      }),
  });
};

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
  { oversized }: SentDatagrams,
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

  const writtenOf = (batch: EventBatch, payload: DatagramPayload, sent: SentDatagrams): Written => {
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
