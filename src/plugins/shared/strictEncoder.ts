import * as E from 'fp-ts/lib/Either.js';
import { CHARMAPS } from '../../domain/text/charmaps.js';
import type { Encoding } from '../../domain/text/encodings.js';
import { iconv, type StrictDecoder, strictDecoder } from './strictDecoder.js';

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
