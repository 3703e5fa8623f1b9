import type { Reply } from '../../contract/route.js';
import type { Admission } from '../access/auth.js';

/** Long responses. */
const isLasting = (reply: Reply): boolean =>
  reply.kind === 'bytes' && reply.contentType.startsWith('text/event-stream');

const guarded = (
  chunks: AsyncIterable<Uint8Array>,
  { isStillAdmitted, onOver }: Admission,
  cut: () => void,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const inner = chunks[Symbol.asyncIterator]();
    const finish = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      stopListening();
      await inner.return?.();
      return { done: true, value: undefined };
    };
    const stopListening = onOver(() => {
      cut();
      // It may wait for its next chunk.
      inner.return?.().catch(() => {});
    });
    const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
      const got = await inner.next();
      // A chunk counts as a use of the session.
      return got.done !== true && isStillAdmitted() ? got : finish();
    };
    return { next, return: finish };
  },
});

/** Ends a long reply with the session of its client, also while nothing is sent or the client does not read. */
export const whileAdmitted = (reply: Reply, admission: Admission): Reply => {
  if (reply.kind !== 'bytes' || !isLasting(reply)) return reply;
  const over = new AbortController();
  return {
    ...reply,
    chunks: guarded(reply.chunks, admission, () => over.abort()),
    over: reply.over === undefined ? over.signal : AbortSignal.any([reply.over, over.signal]),
  };
};
