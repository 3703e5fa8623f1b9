import { isAscii, isUtf8 } from 'node:buffer';
import * as E from 'fp-ts/lib/Either.js';
import { CHARMAPS } from '../../domain/text/charmaps.js';
import type { Encoding } from '../../domain/text/encodings.js';
import { lateRequire } from './lateRequire.js';

/** For encodings that Node lacks: its tables take as long to load as a short run. */
const iconv = lateRequire<typeof import('iconv-lite')>('iconv-lite');

/** Decodes bytes. Returns null when they are not valid in the encoding. Never replaces characters. */
export type StrictDecoder = (bytes: Buffer) => string | null;

const REPLACEMENT = '\ufffd';
const LONE_SURROGATE = /\p{Surrogate}/u;
const KEEP_MARK = { stripBOM: false, addBOM: false } as const;

/**
 * iconv-lite replaces invalid bytes. A replacement character that encodes back to the same bytes was in the file; any
 * other is an error.
 */
const decodeStrictly =
  (name: string, unit: number): StrictDecoder =>
  (bytes) => {
    if (bytes.length % unit !== 0) return null;
    const text = iconv().decode(bytes, name, KEEP_MARK);
    if (LONE_SURROGATE.test(text)) return null;
    if (!text.includes(REPLACEMENT)) return text;
    return iconv().encode(text, name, KEEP_MARK).equals(bytes) ? text : null;
  };

const decodeCharmap =
  (characters: string): StrictDecoder =>
  (bytes) => {
    let text = '';
    for (const byte of bytes) text += characters[byte] ?? REPLACEMENT;
    return text.includes(REPLACEMENT) ? null : text;
  };

const NATIVE: Readonly<Record<string, StrictDecoder>> = {
  utf8: (bytes) => (isUtf8(bytes) ? bytes.toString('utf8') : null),
  ascii: (bytes) => (isAscii(bytes) ? bytes.toString('latin1') : null),
  latin1: (bytes) => bytes.toString('latin1'),
};

const ORDERED: Readonly<Record<string, { readonly little: string; readonly big: string }>> = {
  'utf-16': { little: 'utf-16le', big: 'utf-16be' },
  'utf-32': { little: 'utf-32le', big: 'utf-32be' },
};

/**
 * Returns the decoder of an encoding, or an error of one sentence when it is not supported. `order` is the byte order
 * where the encoding leaves it open.
 */
export const strictDecoder = (
  encoding: Encoding,
  order: 'little' | 'big',
): E.Either<string, StrictDecoder> => {
  const { decoder, name, unit } = encoding;
  if (decoder === null) {
    return E.left(`encoding ${name} is not supported. Convert the file to UTF-8, for example with iconv.`);
  }
  if (decoder === 'charmap') return E.right(decodeCharmap(CHARMAPS[name as keyof typeof CHARMAPS]));
  return E.right(NATIVE[decoder] ?? decodeStrictly(ORDERED[decoder]?.[order] ?? decoder, unit));
};

/** Whether bytes below 0x80 always mean ASCII: such text is already UTF-8. */
export const keepsAscii = (encoding: Encoding, decode: StrictDecoder): boolean => {
  if (encoding.unit !== 1 || encoding.isStateful) return false;
  const all = Buffer.from(Array.from({ length: 128 }, (_, code) => code));
  return decode(all) === all.toString('latin1');
};

/** Encodes text without a byte order mark, and decodes it to find characters that the encoding lacks. */
export interface StrictEncoder {
  readonly encode: (text: string) => Buffer;
  readonly decode: StrictDecoder;
  /** Byte order mark for a new file or stream; usually empty. */
  readonly mark: Buffer;
}

/** Default byte order, as in Python on this hardware. */
const LITTLE: Readonly<Record<string, string>> = { 'utf-16': 'utf-16le', 'utf-32': 'utf-32le' };

const WITHOUT_MARK = { addBOM: false } as const;

/** Any code works: text with a character that the encoding lacks fails the round trip. */
const NO_SPELLING = 0x3f;

const charmapEncoder = (characters: string): ((text: string) => Buffer) => {
  const codes = new Map<string, number>();
  // The lowest code of a character wins.
  for (let code = 255; code >= 0; code--) codes.set(characters.charAt(code), code);
  return (text) => Buffer.from(Array.from(text, (character) => codes.get(character) ?? NO_SPELLING));
};

const encoderOf = ({ decoder, name }: Encoding): ((text: string) => Buffer) => {
  if (decoder === 'charmap') return charmapEncoder(CHARMAPS[name as keyof typeof CHARMAPS]);
  if (decoder === 'utf8') return (text) => Buffer.from(text);
  const known = decoder === null ? name : (LITTLE[decoder] ?? decoder);
  return (text) => iconv().encode(text, known, WITHOUT_MARK);
};

export const strictEncoder = (encoding: Encoding): E.Either<string, StrictEncoder> => {
  const decode = strictDecoder(encoding, 'little');
  if (E.isLeft(decode))
    return E.left(`encoding ${encoding.name} is not supported. Choose another, such as utf_8.`);
  const encode = encoderOf(encoding);
  const mark = encoding.order === 'mark' ? encode('\ufeff') : Buffer.alloc(0);
  return E.right({ encode, decode: decode.right, mark });
};
