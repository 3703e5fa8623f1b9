import * as E from 'fp-ts/lib/Either.js';
import { failure } from '../../../domain/errors.js';
import type { CallAnswer, NodeCalls } from '../../../ports/cluster.js';
import { disconnected, tooLarge } from '../natsErrors.js';
import type { Session } from '../session.js';
import { channelBoard } from './board.js';
import type { Channel } from './channel.js';
import { FRAME } from './frames.js';
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
  session: Session,
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
    if (request.length > MAX_WHOLE_BYTES) return E.left(tooLarge(place, request.length, MAX_WHOLE_BYTES));
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
