import * as E from 'fp-ts/lib/Either.js';
import { Failed, failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import { type CallFrame, type Channel, FRAME, type FrameKind } from './channel.js';
import { unavailable } from './natsErrors.js';

/** Largest request or head. */
export const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

const NOTHING = new Uint8Array(0);

const partsOf = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / size)) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** Sends bytes in parts; the last one has the kind `last`. Returns false when the channel is over. */
export const sendWhole = async (
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
export const takeWhole = async (
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
export const sendStream = async (
  channel: Channel,
  stream: AsyncIterable<Uint8Array>,
  partBytes: number,
): Promise<void> => {
  const iterator = stream[Symbol.asyncIterator]();
  let isDone = false;
  const end = async (): Promise<void> => {
    if (isDone) return;
    isDone = true;
    try {
      await iterator.return?.();
    } catch {
      // Nobody is left to tell.
    }
  };
  channel.onOver(() => void end());
  try {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true) break;
      if (value.length === 0) continue;
      for (const part of partsOf(value, partBytes)) if (!(await channel.send(FRAME.item, part))) return;
    }
    isDone = true;
    await channel.send(FRAME.end, NOTHING);
  } catch (thrown) {
    isDone = true;
    await channel.send(FRAME.fail, Buffer.from(reasonOf(thrown), 'utf8'));
  } finally {
    channel.close(null, true);
  }
};

/** The stream that the other side sends. It throws `Failed` when that side fails or goes away. */
export const takenStream = (place: string, channel: Channel): AsyncIterable<Uint8Array> => {
  let isOver = false;
  const hasEnded = (): boolean => isOver;
  const finish = (): IteratorResult<Uint8Array> => {
    isOver = true;
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    if (hasEnded()) return finish();
    const frame = await channel.take();
    if (hasEnded()) return finish();
    if (frame?.kind === FRAME.item) return { done: false, value: frame.payload };
    isOver = true;
    channel.close(null, true);
    if (frame === null) throw new Failed(overError(place, channel));
    if (frame.kind === FRAME.fail) throw new Failed(saidBy(place, frame));
    return finish();
  };
  const end = (): Promise<IteratorResult<Uint8Array>> => {
    const result = finish();
    channel.close(null);
    return Promise.resolve(result);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
};
