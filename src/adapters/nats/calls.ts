import { createInbox, type Msg } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../domain/errors.js';
import type { CallAnswer, NodeCalls } from '../../ports/cluster.js';
import { type Channel, type ChannelEnd, FRAME, openChannel, writtenFrame } from './channel.js';
import { disconnected, unavailable, valueTooLarge } from './natsErrors.js';
import type { NatsSession } from './session.js';
import { MAX_WHOLE_BYTES, sendStream, sendWhole, takenStream, takeWhole } from './transfer.js';

const PART_BYTES = 64 * 1024;
/** Room for subjects and the header of a frame. */
const OVERHEAD_BYTES = 1024;
/** One process answers each call, also while the former one of a node still ends. */
const QUEUE = 'node';

/** Any name as one token of a subject. */
const nodeToken = (node: string): string => `n${Buffer.from(node, 'utf8').toString('base64url')}`;

/** Calls between the nodes of a cluster, over the connection of a session. */
export const nodeCalls = (
  session: NatsSession,
  cluster: string,
): { readonly calls: NodeCalls; readonly close: () => void } => {
  const { client, clock } = session;
  const board = channelBoard(session);
  const partBytes = (): number => Math.min(PART_BYTES, session.maxPayload() - OVERHEAD_BYTES);
  const subjectOf = (node: string): string => `spate.${cluster}.call.${nodeToken(node)}`;
  const placeOf = (node: string): string => `node ${node}`;

  const answer = async (
    channel: Channel,
    handler: (request: Uint8Array) => Promise<CallAnswer>,
  ): Promise<void> => {
    const request = await takeWhole('call', channel);
    if (E.isLeft(request)) return channel.close(request.left);
    const { head, stream } = await handler(request.right.bytes);
    if (head.length > MAX_WHOLE_BYTES) {
      const what = `the answer of ${head.length} bytes exceeds ${MAX_WHOLE_BYTES} bytes`;
      await channel.send(FRAME.fail, Buffer.from(what, 'utf8'));
      if (stream !== null) await stream[Symbol.asyncIterator]().return?.();
      return channel.close(null, true);
    }
    const last = stream === null ? FRAME.last : FRAME.lastBeforeStream;
    const isSent = await sendWhole(channel, head, partBytes(), last);
    if (stream === null) return channel.close(null, true);
    if (isSent) return sendStream(channel, stream, partBytes());
    await stream[Symbol.asyncIterator]().return?.();
  };

  const serve: NodeCalls['serve'] = (node, handler, signal) => {
    const own = new Set<Channel>();
    const subscription = client.subscribe(subjectOf(node), {
      queue: QUEUE,
      callback: (error, message) => {
        if (error !== null) return session.log.write('warning', `calls to this node: ${error.message}`);
        if (!message.reply) return;
        const channel = board.accept('call', message);
        own.add(channel);
        channel.onOver(() => void own.delete(channel));
        void answer(channel, handler);
      },
    });
    const end = (): void => {
      subscription.unsubscribe();
      for (const channel of [...own]) channel.close(null);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  };

  const call: NodeCalls['call'] = async (node, request, timeout_ms) => {
    const place = placeOf(node);
    if (!session.isConnected()) return E.left(disconnected(place));
    if (request.length > MAX_WHOLE_BYTES)
      return E.left(valueTooLarge(place, request.length, MAX_WHOLE_BYTES));
    const channel = board.dial(place, subjectOf(node));
    const stopTimer = clock.after(timeout_ms, () => {
      const what = `${place}: no answer within ${timeout_ms / 1000} s. Check its load and its log.`;
      channel.close(failure('timed_out', what));
    });
    void sendWhole(channel, request, partBytes(), FRAME.last);
    const head = await takeWhole(place, channel);
    stopTimer();
    if (E.isLeft(head)) {
      channel.close(null);
      return head;
    }
    if (head.right.last === FRAME.lastBeforeStream) {
      return E.right({ head: head.right.bytes, stream: takenStream(place, channel) });
    }
    channel.close(null, true);
    return E.right({ head: head.right.bytes, stream: null });
  };

  return { calls: { serve, call }, close: board.close };
};

/** The open channels of a link. */
interface Board {
  /** Opens a channel to whoever serves `subject`. */
  readonly dial: (place: string, subject: string) => Channel;
  /** Opens a channel for a first frame, which is in `message`. */
  readonly accept: (place: string, message: Msg) => Channel;
  readonly close: () => void;
}

const BEAT_MS = 1_500;
const SILENCE_MS = 5_000;
const NO_RESPONDERS = 503;
const CLOSED = 'the link is closed';

/** Channels share a subscription and a timer, which sends heartbeats and ends channels whose other side is silent. */
const channelBoard = (session: NatsSession): Board => {
  const { client, clock, closing } = session;
  const channels = new Map<string, ChannelEnd>();
  const inbox = createInbox();
  let next = 0;
  let isBeating = false;
  let stopBeat = (): void => {};

  const publish = (subject: string, bytes: Uint8Array, reply: string | null): void => {
    if (client.isClosed()) return;
    client.publish(subject, bytes, reply === null ? {} : { reply });
  };
  client.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error !== null) return session.log.write('warning', `calls between nodes: ${error.message}`);
      const channel = channels.get(message.subject.slice(inbox.length + 1));
      if (channel === undefined) {
        // The caller is gone already.
        if (message.reply) publish(message.reply, writtenFrame(FRAME.cancel, 0, new Uint8Array(0)), null);
      } else if (message.headers?.code === NO_RESPONDERS) channel.onRefused();
      else channel.onMessage(message.data, message.reply ?? '');
    },
  });

  const beat = (): void => {
    if (isBeating || channels.size === 0) return;
    isBeating = true;
    const from = clock.monotonicMs();
    stopBeat = clock.after(BEAT_MS, () => {
      isBeating = false;
      const now = clock.monotonicMs();
      // A process that stood still has not listened.
      const hasStalled = now - from > 2 * BEAT_MS;
      for (const channel of [...channels.values()]) {
        if (hasStalled) channel.hear();
        if (now - channel.heardAt() > SILENCE_MS) {
          channel.close(unavailable('call', 'the other node went away', 'Retry when it is connected again.'));
        } else channel.beat();
      }
      beat();
    });
  };
  const open = (place: string, first: string, peer: string | null): ChannelEnd => {
    const token = String(next++);
    const channel = openChannel({
      place,
      first,
      peer,
      own: `${inbox}.${token}`,
      publish,
      now: clock.monotonicMs,
      onOver: () => void channels.delete(token),
    });
    channels.set(token, channel);
    if (closing.aborted) channel.close(unavailable(place, CLOSED, 'Connect again.'));
    beat();
    return channel;
  };
  return {
    dial: (place, subject) => open(place, subject, null),
    accept: (place, message) => {
      const channel = open(place, '', message.reply ?? '');
      channel.onMessage(message.data, '');
      return channel;
    },
    close: () => {
      stopBeat();
      for (const channel of [...channels.values()])
        channel.close(unavailable('call', CLOSED, 'Connect again.'));
    },
  };
};
