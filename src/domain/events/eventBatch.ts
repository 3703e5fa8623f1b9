import { type EncodedEvents, encodeEach, joinEnds, lineEnds, pickEncoded } from './encodedEvents.js';
import { type EventHead, type HeadLimits, headsOfBytes, headsOfRuns, headsOfTexts } from './eventHead.js';

/** Frame of an item that is a file of its own. A file of several items has `header` once, at its beginning. */
export interface Container {
  readonly header: Uint8Array;
  /** Ends each item. */
  readonly trailer: Uint8Array;
}

/** Events in order, as texts or as UTF-8 bytes: plugins make the cheaper one, and it is converted at most once. */
export interface EventBatch {
  readonly count: number;
  readonly texts: () => readonly string[];
  /** Events that items of bytes were made of, none when an item holds many. Undefined when the texts are the events. */
  readonly documents?: () => readonly string[];
  /** Undefined when items are no files. */
  readonly container?: Container;
  /** All events as UTF-8, each followed by `separator`; valid until the batch is released, copied only if needed. */
  readonly bytes: (separator: string) => Uint8Array;
  /** Like `bytes` with a line end as separator, with the end of each event. */
  readonly encoded: () => EncodedEvents;
  /** Beginnings of the first events within the limits; converts nothing else. */
  readonly heads: (limits: HeadLimits) => readonly EventHead[];
  /** The events at ascending positions, in the form that this batch has; valid until it is released. */
  readonly pick: (positions: readonly number[]) => EventBatch;
  /** Frees the memory for reuse. Called at most once, by the pipeline only. */
  readonly release?: () => void;
}

/** What keys and topics are read from. */
export const documentsOf = (batch: EventBatch): readonly string[] => batch.documents?.() ?? batch.texts();

const encodedLines = (bytes: Uint8Array, count: number): EncodedEvents => ({
  bytes,
  ends: lineEnds(bytes, count),
  areLines: true,
});

/** Separator of lines that plugins hold as bytes. */
const LINE_END = '\n';

export const emptyBatch: EventBatch = {
  count: 0,
  texts: () => NO_TEXTS,
  bytes: () => NO_BYTES,
  encoded: () => ({ bytes: NO_BYTES, ends: NO_ENDS }),
  heads: () => NO_HEADS,
  pick: () => emptyBatch,
};

const NO_HEADS: readonly EventHead[] = Object.freeze([]);
const NO_TEXTS: readonly string[] = Object.freeze([]);
const NO_BYTES = new Uint8Array(0);
const NO_ENDS = new Uint32Array(0);

/** Caches the bytes of the last separator: outputs of a generator nearly always use the same. */
const cachedBytes = (make: (separator: string) => Uint8Array): EventBatch['bytes'] => {
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

export const textBatch = (texts: readonly string[]): EventBatch => {
  if (texts.length === 0) return emptyBatch;
  return {
    count: texts.length,
    texts: () => texts,
    bytes: cachedBytes((separator) => encodeTexts(texts, separator)),
    encoded: () => encodeEach(texts),
    heads: (limits) => headsOfTexts(texts, limits),
    pick: (positions) => textBatch(positions.map((position) => texts[position] as string)),
  };
};

/** Events of valid UTF-8 that may contain line ends. */
export const encodedBatch = (encoded: EncodedEvents): EventBatch => {
  const { bytes, ends } = encoded;
  const count = ends.length;
  if (count === 0) return emptyBatch;
  const first = (most: number): readonly string[] =>
    Array.from(ends.subarray(0, most), (end, index) =>
      Buffer.from(bytes.buffer, bytes.byteOffset, end - 1).toString('utf8', ends[index - 1] ?? 0),
    );
  let texts: readonly string[] | null = null;
  const readTexts = (): readonly string[] => {
    texts ??= first(count);
    return texts;
  };
  const otherBytes = cachedBytes((separator) => encodeTexts(readTexts(), separator));
  return {
    count,
    texts: readTexts,
    bytes: (separator) => (separator === LINE_END ? bytes : otherBytes(separator)),
    encoded: () => encoded,
    heads: (limits) => headsOfTexts(first(limits.count), limits),
    pick: (positions) => encodedBatch(pickEncoded(encoded, positions)),
  };
};

/** `count` events of valid UTF-8, each followed by `separator`, which none contains. Takes ownership of the bytes. */
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
  const otherBytes = cachedBytes((wanted) => encodeTexts(readTexts(), wanted));
  return {
    count,
    texts: readTexts,
    bytes: (wanted) => (wanted === separator ? bytes : otherBytes(wanted)),
    encoded: () => (separator === LINE_END ? encodedLines(bytes, count) : textBatch(readTexts()).encoded()),
    heads: (limits) =>
      texts === null ? headsOfBytes(bytes, separator, limits) : headsOfTexts(texts, limits),
    pick: (positions) =>
      separator === LINE_END
        ? encodedBatch(pickEncoded(encodedLines(bytes, count), positions))
        : textBatch(readTexts()).pick(positions),
  };
};

/** Concatenates: a view if the parts are adjacent in memory, else a copy. */
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

/** The picked events of each part. */
const pickParts = (parts: readonly EventBatch[], positions: readonly number[]): readonly EventBatch[] => {
  const picked: EventBatch[] = [];
  let start = 0;
  let at = 0;
  for (const part of parts) {
    const from = at;
    while (at < positions.length && (positions[at] as number) < start + part.count) at++;
    if (at > from) picked.push(part.pick(positions.slice(from, at).map((position) => position - start)));
    start += part.count;
  }
  return picked;
};

export const joinBatches = (batches: readonly EventBatch[]): EventBatch => {
  const parts = batches.filter(({ count }) => count > 0);
  const [first] = parts;
  if (first === undefined) return emptyBatch;
  if (parts.length === 1) return first;
  let texts: readonly string[] | null = null;
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return {
    count,
    texts: () => {
      texts ??= parts.flatMap((part) => part.texts());
      return texts;
    },
    bytes: cachedBytes((separator) => joinBytes(parts.map((part) => part.bytes(separator)))),
    encoded: () => {
      const encoded = parts.map((part) => part.encoded());
      return {
        bytes: joinBytes(encoded.map(({ bytes }) => bytes)),
        ends: joinEnds(encoded, count),
        ...(encoded.every(({ areLines }) => areLines === true) ? { areLines: true } : {}),
      };
    },
    heads: (limits) => headsOfRuns(parts, limits),
    pick: (positions) => joinBatches(pickParts(parts, positions)),
    release: () => {
      for (const part of parts) part.release?.();
    },
  };
};

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * Items of any bytes, each followed by a line end. Their texts are Base64, for people. `documents`: the events that they
 * were made of, one each; empty: an item holds many.
 */
export const binaryBatch = (
  encoded: EncodedEvents,
  documents: readonly string[],
  container?: Container,
): EventBatch => {
  const { bytes, ends } = encoded;
  const whole = bufferOf(bytes);
  const itemAt = (index: number): Buffer =>
    whole.subarray(index === 0 ? 0 : ends[index - 1], (ends[index] as number) - 1);
  const first = (most: number): readonly string[] =>
    Array.from({ length: Math.min(most, ends.length) }, (_, index) => itemAt(index).toString('base64'));
  return {
    count: ends.length,
    texts: () => first(ends.length),
    documents: () => documents,
    ...(container === undefined ? {} : { container }),
    bytes: (separator) => {
      if (separator === LINE_END) return bytes;
      const end = Buffer.from(separator);
      return Buffer.concat(Array.from(ends, (_, index) => [itemAt(index), end]).flat());
    },
    encoded: () => encoded,
    heads: (limits) => headsOfTexts(first(limits.count), limits),
    pick: (positions) =>
      binaryBatch(
        pickEncoded(encoded, positions),
        documents.length === 0 ? documents : positions.map((position) => documents[position] as string),
        container,
      ),
  };
};
