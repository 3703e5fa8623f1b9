import { type EventHead, type HeadLimits, headsOfBytes, headsOfRuns, headsOfTexts } from './eventHead.js';

/**
 * A run of events in order, as texts or as ready UTF-8 bytes. Plugins make whichever is cheaper;
 * outputs ask for whichever they need; the conversion happens at most once.
 */
export interface EventBatch {
  readonly count: number;
  /** Each event as text. Must not be changed. */
  readonly texts: () => readonly string[];
  /**
   * All events as UTF-8, each followed by `separator`, in one buffer that is the caller's to read until
   * the batch is released; bytes are not copied when the batch was made with the same separator.
   */
  readonly bytes: (separator: string) => Uint8Array;
  /** Beginnings of the first events, as far as the limits go; nothing else is converted for it. */
  readonly heads: (limits: HeadLimits) => readonly EventHead[];
  /**
   * Gives the memory behind the batch back to its maker, who uses it again: the batch is of no use afterwards.
   * To be called at most once, by the pipeline alone. Absent where there is nothing to give back.
   */
  readonly release?: () => void;
}

/** Separator of lines that plugins hold as bytes. */
const LINE_END = '\n';

/** A run without events. */
export const emptyBatch: EventBatch = {
  count: 0,
  texts: () => NO_TEXTS,
  bytes: () => NO_BYTES,
  heads: () => NO_HEADS,
};

const NO_HEADS: readonly EventHead[] = Object.freeze([]);
const NO_TEXTS: readonly string[] = Object.freeze([]);
const NO_BYTES = new Uint8Array(0);

/** Bytes of the last separator asked for; outputs of one generator nearly always ask for the same one. */
const keptBytes = (make: (separator: string) => Uint8Array): EventBatch['bytes'] => {
  let made: Uint8Array | null = null;
  let madeFor = '';
  return (separator) => {
    if (made === null || madeFor !== separator) {
      made = make(separator);
      madeFor = separator;
    }
    return made;
  };
};

const encodeTexts = (texts: readonly string[], separator: string): Uint8Array =>
  Buffer.from(texts.join(separator) + separator, 'utf8');

/** Events that were made as texts. The array now belongs to the batch. */
export const textBatch = (texts: readonly string[]): EventBatch =>
  texts.length === 0
    ? emptyBatch
    : {
        count: texts.length,
        texts: () => texts,
        bytes: keptBytes((separator) => encodeTexts(texts, separator)),
        heads: (limits) => headsOfTexts(texts, limits),
      };

/**
 * Events that were made as bytes: `count` runs of valid UTF-8, each followed by `separator`, which none
 * of them contains. The bytes now belong to the batch; with the same separator they are never copied.
 */
export const bytesBatch = (bytes: Uint8Array, count: number, separator: string = LINE_END): EventBatch => {
  if (count === 0) return emptyBatch;
  let texts: readonly string[] | null = null;
  const readTexts = (): readonly string[] => {
    if (texts === null) {
      const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      texts = whole.slice(0, whole.length - separator.length).split(separator);
    }
    return texts;
  };
  const otherBytes = keptBytes((wanted) => encodeTexts(readTexts(), wanted));
  return {
    count,
    texts: readTexts,
    bytes: (wanted) => (wanted === separator ? bytes : otherBytes(wanted)),
    heads: (limits) =>
      texts === null ? headsOfBytes(bytes, separator, limits) : headsOfTexts(texts, limits),
  };
};

/** Bytes one after the other: a view where they are so in memory already, else a copy. */
const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => {
  const [first] = parts;
  if (first === undefined) return NO_BYTES;
  let end = first.byteOffset;
  for (const { buffer, byteOffset, byteLength } of parts) {
    if (buffer !== first.buffer || byteOffset !== end) return Buffer.concat(parts);
    end += byteLength;
  }
  return new Uint8Array(first.buffer, first.byteOffset, end - first.byteOffset);
};

/** All events of several batches, in order; nothing is converted before it is asked for. */
export const joinBatches = (batches: readonly EventBatch[]): EventBatch => {
  const parts = batches.filter(({ count }) => count > 0);
  const [first] = parts;
  if (first === undefined) return emptyBatch;
  if (parts.length === 1) return first;
  let texts: readonly string[] | null = null;
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    texts: () => {
      texts ??= parts.flatMap((part) => part.texts());
      return texts;
    },
    bytes: keptBytes((separator) => joinBytes(parts.map((part) => part.bytes(separator)))),
    heads: (limits) => headsOfRuns(parts, limits),
    release: () => {
      for (const part of parts) part.release?.();
    },
  };
};
