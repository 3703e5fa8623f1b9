import { isAscii } from 'node:buffer';
import type { EventBatch } from '../../../../domain/events/eventBatch.js';
import { encodingOf } from '../../../../domain/text/encodings.js';
import type { Encoder } from '../encoder.js';

/** Events in one buffer, with the end of each, trailer included. */
export interface Items {
  readonly bytes: Buffer;
  readonly ends: ArrayLike<number>;
  /** Bytes after each event that are not part of it. */
  readonly trailer_bytes: number;
  /** Events that could not be encoded; they are not among the items. */
  readonly failed: number;
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Encodes batches with the end of each event. UTF-8 with line ends needs no conversion. */
export const itemMaker =
  ({ encode, separator }: Encoder, encoding: string) =>
  (batch: EventBatch): Items => {
    const isPlain =
      encodingOf(encoding)?.decoder === 'utf8' && separator.length === 1 && separator[0] === 0x0a;
    if (isPlain) {
      const { bytes, ends } = batch.encoded();
      return { bytes: bufferOf(bytes), ends, trailer_bytes: 1, failed: 0 };
    }
    const { bytes, ends, failed } = encode(batch);
    return { bytes, ends: ends(), trailer_bytes: separator.length, failed };
  };

/** `octet_counting`: RFC 6587, 3.4.1; `newline`: 3.4.2; `none`: one datagram each. */
export type Framing = 'octet_counting' | 'newline' | 'none';

export interface FrameOptions {
  readonly framing: Framing;
  /** Before each event. */
  readonly header: Buffer;
  /** Put a byte order mark before events that are not ASCII. */
  readonly hasMark: boolean;
  /** Longest message, header included. */
  readonly max_bytes: number;
}

export interface Frames {
  readonly bytes: Buffer;
  readonly ends: ArrayLike<number>;
  readonly count: number;
  /** Positions of events over `max_bytes`, and of empty messages that no frame can hold. */
  readonly unfit: readonly number[];
}

const LINE_FEED = 0x0a;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** A line end within a message, as rsyslog escapes it: the frame ends at the first one. */
const ESCAPED = Buffer.from('#012');
/** Digits of a message length and the space after them. */
const COUNT_BYTES = 11;

const lineFeedsIn = (bytes: Buffer, from: number, to: number): number => {
  let count = 0;
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0 && at < to; at = bytes.indexOf(LINE_FEED, at + 1)) {
    count++;
  }
  return count;
};

const copyEscaped = (from: Buffer, to: Buffer, at: number, start: number, end: number): number => {
  let written = at;
  let begin = start;
  for (
    let next = from.indexOf(LINE_FEED, begin);
    next >= 0 && next < end;
    next = from.indexOf(LINE_FEED, begin)
  ) {
    written += from.copy(to, written, begin, next);
    written += ESCAPED.copy(to, written);
    begin = next + 1;
  }
  return written + from.copy(to, written, begin, end);
};

const writeCount = (to: Buffer, at: number, count: number): number =>
  at + to.write(`${count} `, at, 'latin1');

/** Puts a header before each event and frames it. */
export const makeFrames = ({ bytes, ends, trailer_bytes }: Items, options: FrameOptions): Frames => {
  const { framing, header, hasMark, max_bytes } = options;
  const count = ends.length;
  const marks = hasMark && !isAscii(bytes);
  const isLines = framing === 'newline';
  const escapes = isLines ? lineFeedsIn(bytes, 0, bytes.length) * ESCAPED.length : 0;
  const room = bytes.length + escapes + count * (header.length + COUNT_BYTES + MARK.length + 1);
  const made = Buffer.allocUnsafeSlow(room);
  const madeEnds = new Float64Array(count);
  const unfit: number[] = [];
  let [used, frames, start] = [0, 0, 0];
  for (let index = 0; index < count; index++) {
    const next = ends[index] as number;
    const end = next - trailer_bytes;
    const isMarked = marks && !isAscii(bytes.subarray(start, end));
    const feeds = isLines ? lineFeedsIn(bytes, start, end) : 0;
    const length = header.length + (isMarked ? MARK.length : 0) + end - start + feeds * (ESCAPED.length - 1);
    if (length > max_bytes || (length === 0 && framing === 'octet_counting')) {
      unfit.push(index);
    } else {
      if (framing === 'octet_counting') used = writeCount(made, used, length);
      used += header.copy(made, used);
      if (isMarked) used += MARK.copy(made, used);
      if (feeds > 0) used = copyEscaped(bytes, made, used, start, end);
      else used += bytes.copy(made, used, start, end);
      if (isLines) made[used++] = LINE_FEED;
      madeEnds[frames++] = used;
    }
    start = next;
  }
  return { bytes: made.subarray(0, used), ends: madeEnds.subarray(0, frames), count: frames, unfit };
};
