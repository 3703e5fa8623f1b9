import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import type { EventBatch } from '../../../domain/events/eventBatch.js';
import { encodingOf } from '../../../domain/text/encodings.js';
import type { Log } from '../../../ports/log.js';
import { type StrictEncoder, strictEncoder } from '../../shared/strictEncoding.js';

export interface Encoder {
  readonly encode: (batch: EventBatch) => Encoded;
  readonly separator: Buffer;
  /** Byte order mark for a new file or stream; usually empty. */
  readonly preamble: Buffer;
}

const MAX_LOGGED = 3;

/** Returns the error `plugin_failed` when the encoding is not supported or lacks a character of the separator. */
export const makeEncoder = (spelling: string, separator: string, log: Log): Result<Encoder> => {
  const encoding = encodingOf(spelling);
  if (encoding === null)
    return E.left(
      failure('plugin_failed', `encoding: ${spelling} is unknown. Choose another, such as utf_8.`),
    );
  const made = strictEncoder(encoding);
  if (E.isLeft(made)) return E.left(failure('plugin_failed', `encoding: ${made.left}`));
  const strict = made.right;
  const mark = strict.encode(separator);
  if (strict.decode(mark) !== separator) {
    return E.left(
      failure('plugin_failed', `separator: ${encoding.name} cannot encode it. Choose another separator.`),
    );
  }
  const isUtf8 = encoding.decoder === 'utf8';
  const encode = isUtf8
    ? utf8(separator, mark)
    : checked(strict, separator, mark, { log, name: encoding.name });
  return E.right({ encode, separator: mark, preamble: strict.mark });
};

/** One buffer for the batch, no work per event. */
const utf8 =
  (separator: string, mark: Buffer) =>
  (batch: EventBatch): Encoded => {
    const given = batch.bytes(separator);
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    return {
      bytes,
      count: batch.count,
      failed: 0,
      ends: () => Array.from(batch.encoded().ends, (end, index) => end + (index + 1) * (mark.length - 1)),
    };
  };

/** Encodes the batch at once; checks single events only if a character is missing in the encoding. */
const checked =
  (
    { encode, decode }: StrictEncoder,
    separator: string,
    mark: Buffer,
    { log, name }: { readonly log: Log; readonly name: string },
  ) =>
  (batch: EventBatch): Encoded => {
    const isSpelled = (text: string, bytes: Buffer): boolean => decode(bytes) === text;
    const encoded = (texts: readonly string[], failed: number): Encoded => {
      const bytes = encode(texts.length === 0 ? '' : texts.join(separator) + separator);
      const ends = (): readonly number[] => endsOf(texts, mark.length, (text) => encode(text).length);
      return { bytes, count: texts.length, failed, ends };
    };
    const texts = batch.texts();
    const all = encoded(texts, 0);
    if (isSpelled(texts.join(separator) + separator, all.bytes)) return all;
    const good: string[] = [];
    const bad: string[] = [];
    for (const text of texts) (isSpelled(text, encode(text)) ? good : bad).push(text);
    for (const text of bad.slice(0, MAX_LOGGED)) {
      log.write('error', `event dropped: ${name} cannot encode it`, { original_event: text });
    }
    return encoded(good, bad.length);
  };

export interface Encoded {
  readonly bytes: Buffer;
  /** Events in `bytes`, each with its separator. */
  readonly count: number;
  readonly failed: number;
  /** End of each event with its separator; computed only after a partial write. */
  readonly ends: () => readonly number[];
}

interface Cut {
  /** Complete events. */
  readonly whole: number;
  /** End of the torn event, or of the write if none is torn. */
  readonly end: number;
}

export const cutAt = (ends: readonly number[], at: number): Cut => {
  const after = ends.findIndex((end) => end > at);
  const whole = after < 0 ? ends.length : after;
  const isClean = at === 0 || ends[whole - 1] === at;
  return { whole, end: isClean ? at : (ends[whole] ?? at) };
};

/** Ends of events with a separator of `separator_bytes` after each. */
export const endsOf = (
  texts: readonly string[],
  separator_bytes: number,
  lengthOf: (text: string) => number,
): readonly number[] => {
  let end = 0;
  return texts.map((text) => {
    end += lengthOf(text) + separator_bytes;
    return end;
  });
};
