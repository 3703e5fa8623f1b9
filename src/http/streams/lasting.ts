import type { Reply } from '../../contract/route.js';

/** Long responses. */
const isLasting = (reply: Reply): boolean =>
  reply.kind === 'bytes' && reply.contentType.startsWith('text/event-stream');

const guarded = (
  chunks: AsyncIterable<Uint8Array>,
  isStillAdmitted: () => boolean,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const inner = chunks[Symbol.asyncIterator]();
    const finish = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      await inner.return?.();
      return { done: true, value: undefined };
    };
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const got = await inner.next();
      if (got.done === true) return { done: true, value: undefined };
      return isStillAdmitted() ? got : finish();
    };
    return { next, return: finish };
  },
});

/** Ends a long reply with the session of its client. */
export const whileAdmitted = (reply: Reply, isStillAdmitted: () => boolean): Reply =>
  reply.kind === 'bytes' && isLasting(reply)
    ? { ...reply, chunks: guarded(reply.chunks, isStillAdmitted) }
    : reply;
