import { type EventBatch, emptyBatch, textBatch } from './eventBatch.js';
import { headsOfTexts } from './eventHead.js';

/** What stands behind each event in the bytes: the separator that nearly all outputs ask for. */
const LINE_END = 0x0a;
const LINE_END_TEXT = '\n';

/** UTF-8 takes at most three bytes for one unit of UTF-16. */
const MAX_BYTES_PER_UNIT = 3;
const FIRST_CAPACITY = 64 * 1024;
/** Longer texts are left as they are: each copy of one may be more than its thread can bear. */
const LARGE_UNITS = 1024 * 1024;

/** Puts texts one after the other into batches. */
export interface EventCollector {
  readonly add: (text: string) => void;
  /** The events since the last call. */
  readonly take: () => EventBatch;
}

/** Bytes of events, each followed by a line end, and where each begins. */
interface Run {
  readonly bytes: Buffer;
  /** Place of each event; behind the last one, where the next would be. */
  readonly starts: readonly number[];
}

const textsOf = ({ bytes, starts }: Run, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    bytes.toString('utf8', starts[index], (starts[index + 1] ?? 0) - 1),
  );

/**
 * Collects events as UTF-8 at once: a text that is made of many parts, or waits with thousands of others for its
 * batch to be encoded, keeps the garbage collector busy longer than its encoding takes. Once somebody asks a
 * batch for its texts, the following ones keep them, as whoever asked will ask again; so they do once a text is large.
 */
export const eventCollector = (): EventCollector => {
  let keepsTexts = false;
  let texts: string[] = [];
  let bytes = Buffer.allocUnsafeSlow(FIRST_CAPACITY);
  let starts: number[] = [0];
  let at = 0;

  const grow = (needed: number): void => {
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, needed));
    bytes.copy(larger, 0, 0, at);
    bytes = larger;
  };

  const write = (text: string): void => {
    const needed = at + text.length * MAX_BYTES_PER_UNIT + 1;
    if (needed > bytes.length) grow(needed);
    at += bytes.write(text, at);
    bytes[at++] = LINE_END;
    starts.push(at);
  };

  const byteBatch = (run: Run): EventBatch => {
    const count = run.starts.length - 1;
    let read: EventBatch | null = null;
    const asTexts = (): EventBatch => {
      keepsTexts = true;
      read ??= textBatch(textsOf(run, count));
      return read;
    };
    return {
      count,
      texts: () => asTexts().texts(),
      bytes: (separator) => (separator === LINE_END_TEXT ? run.bytes : asTexts().bytes(separator)),
      heads: (limits) => headsOfTexts(textsOf(run, Math.min(count, limits.count)), limits),
    };
  };

  const takeBytes = (): EventBatch => {
    if (at === 0) return emptyBatch;
    const run = { bytes: bytes.subarray(0, at), starts };
    // The next batch is probably about as large.
    bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_CAPACITY, at + (at >> 2)));
    starts = [0];
    at = 0;
    return byteBatch(run);
  };

  return {
    add: (text) => {
      const isLarge = text.length > LARGE_UNITS;
      if (isLarge) keepsTexts = true;
      if (!keepsTexts) return write(text);
      // Reading a character makes one flat text of many parts.
      if (!isLarge) text.charCodeAt(0);
      texts.push(text);
    },
    take: () => {
      if (texts.length === 0) return takeBytes();
      // Somebody has asked for texts while a call was waited for: what it gave before is bytes.
      const taken = at === 0 ? texts : [...takeBytes().texts(), ...texts];
      texts = [];
      return textBatch(taken);
    },
  };
};
