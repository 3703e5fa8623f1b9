import { createInbox, type Msg } from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import type { CallAnswer, NodeCalls } from '../../ports/cluster.js';
import { type CallFrame, type Channel, FRAME, type FrameKind, openChannel, writtenFrame } from './channel.js';
import { disconnected, unavailable, valueTooLarge } from './natsErrors.js';
import type { NatsSession } from './session.js';

const PART_BYTES = 64 * 1024;
/** Room for subjects and the header of a frame. */
const OVERHEAD_BYTES = 1024;
/** One process answers each call, also while the former one of a node still ends. */
const QUEUE = 'node';

/** Any name as one token of a subject. */
const nodeToken = (node: string): string => `n${Buffer.from(node, 'utf8').toString('base64url')}`;

/** Calls between the nodes of a cluster, over the connection of a session. */
export const nodeCalls = (session: NatsSession, cluster: string): NodeCalls => {
  const { client, clock } = session;
  const board = channelBoard(session);
  const partBytes = (): number => Math.min(PART_BYTES, session.maxPayload() - OVERHEAD_BYTES);
  const subjectOf = (node: string): string => `spate.${cluster}.call.${nodeToken(node)}`;

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
    const place = `node ${node}`;
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

  return { serve, call };
};

const BEAT_MS = 1_500;
const NO_RESPONDERS = 503;
const CLOSED = 'the link is closed';

/** Channels share a subscription and a timer, which sends heartbeats and ends channels whose other side is silent. */
const channelBoard = (session: NatsSession) => {
  const { client, clock, closing } = session;
  const channels = new Map<string, Channel>();
  const inbox = createInbox();
  let next = 0;

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

  const beat = async (): Promise<void> => {
    for (;;) {
      const from = clock.monotonicMs();
      await clock.sleepMs(BEAT_MS, closing);
      // A process that stood still has not listened.
      const hasStalled = clock.monotonicMs() - from > 2 * BEAT_MS;
      const isClosed = closing.aborted;
      for (const channel of [...channels.values()]) {
        if (isClosed) channel.close(unavailable('call', CLOSED, 'Connect again.'));
        else channel.beat(hasStalled);
      }
      if (isClosed) return;
    }
  };
  void beat();
  const open = (place: string, first: string, peer: string | null): Channel => {
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
    return channel;
  };
  return {
    /** Opens a channel to whoever serves `subject`. */
    dial: (place: string, subject: string) => open(place, subject, null),
    /** Opens a channel for a first frame, which is in `message`. */
    accept: (place: string, message: Msg) => {
      const channel = open(place, '', message.reply ?? '');
      channel.onMessage(message.data, '');
      return channel;
    },
  };
};

/** Largest request or head. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

const partsOf = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / size)) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** Sends bytes in parts; the last one has the kind `last`. Returns false when the channel is over. */
const sendWhole = async (
  channel: Channel,
  bytes: Uint8Array,
  partBytes: number,
  last: FrameKind,
): Promise<boolean> => {
  const parts = partsOf(bytes, partBytes);
  for (const [index, part] of parts.entries()) {
    if (!(await channel.send(index === parts.length - 1 ? last : FRAME.part, part))) return false;
  }
  return true;
};

const overError = (place: string, channel: Channel): SpateError =>
  channel.failed() ?? unavailable(place, 'the other node ended the call', 'Retry.');

const saidBy = (place: string, { payload }: CallFrame): SpateError =>
  unavailable(place, Buffer.from(payload).toString('utf8').replace(/\.$/, ''), 'Check the log of that node.');

/** Bytes that the other side sends with `sendWhole`, and the kind of their last part. */
const takeWhole = async (
  place: string,
  channel: Channel,
): Promise<Result<{ readonly bytes: Uint8Array; readonly last: number }>> => {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const frame = await channel.take();
    if (frame === null) return E.left(overError(place, channel));
    if (frame.kind === FRAME.fail) return E.left(saidBy(place, frame));
    parts.push(frame.payload);
    length += frame.payload.length;
    if (length > MAX_WHOLE_BYTES) {
      const what = `${place}: a message exceeds ${MAX_WHOLE_BYTES} bytes. Ask for less.`;
      return E.left(failure('too_large', what));
    }
    if (frame.kind !== FRAME.part) {
      return E.right({ bytes: parts.length === 1 ? frame.payload : Buffer.concat(parts), last: frame.kind });
    }
  }
};

/** Sends a stream as fast as the other side reads it, then closes the channel. */
const sendStream = async (
  channel: Channel,
  stream: AsyncIterable<Uint8Array>,
  partBytes: number,
): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]();
  // When it fails, nobody is left to tell.
  channel.onOver(() => void iterator.return?.().catch(() => undefined));
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      if (value.length === 0) continue;
      for (const part of partsOf(value, partBytes)) if (!(await channel.send(FRAME.item, part))) return;
    }
    await channel.send(FRAME.end, NOTHING);
  } catch (thrown) {
    await channel.send(FRAME.fail, Buffer.from(reasonOf(thrown), 'utf8'));
  } finally {
    channel.close(null, true);
  }
};

/** The stream that the other side sends. It throws `Failed` when that side fails or goes away. */
const takenStream = (place: string, channel: Channel): AsyncIterable<Uint8Array> => {
  const state = { isReturned: false };
  const frames = (async function* () {
    for (;;) {
      const frame = await channel.take();
      if (state.isReturned) return;
      if (frame?.kind === FRAME.item) {
        yield frame.payload;
        continue;
      }
      channel.close(null, true);
      if (frame === null) throw new Failed(overError(place, channel));
      if (frame.kind === FRAME.fail) throw new Failed(saidBy(place, frame));
      return;
    }
  })();
  const end = (): Promise<IteratorResult<Uint8Array>> => {
    state.isReturned = true;
    // A read that waits must not hold it up.
    channel.close(null);
    return frames.return(undefined);
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => frames.next(), return: end }) };
};
