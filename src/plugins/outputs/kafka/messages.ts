import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../../domain/errors.js';
import { documentsOf, type EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import { encodingOf } from '../../../domain/text/encodings.js';
import type { Log } from '../../../ports/log.js';
import { type StrictEncoder, strictEncoder } from '../../shared/strictEncoding.js';
import { compileText, type EventText } from '../../shared/text/compile.js';
import { encodeHeaders, type RecordMessages } from './protocol/recordBatch.js';

export interface Prepared {
  readonly messages: RecordMessages;
  /** Positions of the messages in the batch. Null when they are those of the events. */
  readonly positions: readonly number[] | null;
  /** Events that the encoding cannot spell. */
  readonly failed: number;
}

export interface MessageOptions {
  readonly encoding: string;
  /** Texts with placeholders. */
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly generator: string;
}

const MAX_LOGGED = 3;

type Spell = (text: string) => Buffer | null;

/** Makes a function that encodes a text. It returns null when the encoding lacks a character. */
const speller =
  ({ encode, decode }: StrictEncoder): Spell =>
  (text) => {
    const bytes = encode(text);
    return decode(bytes) === text ? bytes : null;
  };

/** Values in another encoding, one by one; the last byte of each is not a line end. */
const respelled = (texts: readonly string[], spell: Spell, keys: readonly (Buffer | null | undefined)[]) => {
  const values: Buffer[] = [];
  const positions: number[] = [];
  const bad: number[] = [];
  texts.forEach((text, index) => {
    const value = keys[index] === undefined ? null : spell(text);
    if (value === null) bad.push(index);
    else {
      values.push(value);
      positions.push(index);
    }
  });
  const ends = new Uint32Array(values.length);
  let end = 0;
  values.forEach(({ length }, index) => {
    end += length;
    ends[index] = end;
  });
  return { bytes: Buffer.concat(values), ends, positions, bad };
};

/** Encodes headers of an event, without those that lack a value. */
const headerMaker = (texts: readonly (readonly [string, EventText])[]): ((event: unknown) => Buffer) => {
  const headers = texts.map(([name, text]) => ({
    name,
    constant: text.constant === null ? null : Buffer.from(text.constant, 'utf8'),
    text,
  }));
  return (event) =>
    encodeHeaders(
      headers.flatMap(({ name, constant, text }): readonly (readonly [string, Buffer])[] => {
        if (constant !== null) return [[name, constant]];
        const value = text.text(event);
        return value === null ? [] : [[name, Buffer.from(value, 'utf8')]];
      }),
    );
};

const NO_HEADERS = encodeHeaders([]);

/**
 * Returns what makes messages of a batch: values, keys and headers. Returns an error when the encoding is unknown, not
 * supported or lacks a character of the key.
 */
export const kafkaMessageMaker = (
  options: MessageOptions,
  log: Log,
): Result<(batch: EventBatch) => Prepared> => {
  const refuse = (what: string) => E.left(failure('plugin_failed', `output kafka: ${what}`));
  const encoding = encodingOf(options.encoding);
  if (encoding === null) {
    return refuse(`encoding ${options.encoding} is unknown. Choose another, such as utf_8.`);
  }
  const made = strictEncoder(encoding);
  if (E.isLeft(made)) return refuse(made.left);
  const isUtf8 = encoding.decoder === 'utf8';
  const spell = isUtf8 ? (text: string) => Buffer.from(text, 'utf8') : speller(made.right);
  const { generator } = options;
  const keyText = compileText(options.key ?? '', { generator });
  const key = options.key === null || keyText.constant === null ? null : spell(keyText.constant);
  if (options.key !== null && keyText.constant !== null && key === null) {
    return refuse(`encoding ${encoding.name} cannot spell \`key\`. Change one of them.`);
  }
  const headerTexts = Object.entries(options.headers).map(
    ([name, value]) => [name, compileText(value, { generator })] as const,
  );
  const hasOwnHeaders = headerTexts.some(([, { readsJson }]) => readsJson);
  const isRead = keyText.readsJson || hasOwnHeaders;
  const headersOfEvent = headerMaker(headerTexts);
  const constantHeaders = hasOwnHeaders ? NO_HEADERS : headersOfEvent(undefined);

  /** Keys and headers of events that are read as JSON; a key is `undefined` when the encoding cannot spell it. */
  const partsOf = (texts: readonly string[]) => {
    const keys: (Buffer | null | undefined)[] = [];
    const headers: Buffer[] = [];
    for (const text of texts) {
      const event = parsedJson(text);
      const found = keyText.constant === null ? keyText.text(event) : null;
      keys.push(found === null ? key : (spell(found) ?? undefined));
      if (hasOwnHeaders) headers.push(headersOfEvent(event));
    }
    return { keys, headers };
  };

  return E.right((batch) => {
    const { keys, headers } = isRead ? partsOf(documentsOf(batch)) : { keys: [], headers: [] };
    const keyOf = (at: number): Uint8Array | null => (isRead ? (keys[at] ?? null) : key);
    const headersOf = (at: number): Uint8Array => headers[at] ?? constantHeaders;
    if (isUtf8) {
      const messages: RecordMessages = { ...batch.encoded(), count: batch.count, gap: 1, keyOf, headersOf };
      return { messages, positions: null, failed: 0 };
    }
    const texts = batch.texts();
    const { bytes, ends, positions, bad } = respelled(texts, spell, isRead ? keys : texts.map(() => null));
    for (const position of bad.slice(0, MAX_LOGGED)) {
      log.write('error', `event dropped: ${encoding.name} cannot encode it`, {
        original_event: texts[position] ?? '',
      });
    }
    const messages: RecordMessages = {
      count: positions.length,
      bytes,
      ends,
      gap: 0,
      keyOf: (index) => keyOf(positions[index] as number),
      headersOf: (index) => headersOf(positions[index] as number),
    };
    return { messages, positions, failed: bad.length };
  });
};
