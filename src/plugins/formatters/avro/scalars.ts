import {
  avroKindOf,
  type Codec,
  ensure,
  misfit,
  type Sink,
  writeAvroText,
  writeBigLong,
  writeBytes,
  writeLong,
} from './codec.js';
import type { EnumType, PrimitiveType } from './schema.js';

const MIN_INT = -0x8000_0000;
const MAX_INT = 0x7fff_ffff;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;
const INTEGER = /^-?\d{1,19}$/;

/** A codec for values that `test` accepts. */
const codec = <T>(
  wanted: string,
  fits: (value: unknown) => value is T,
  put: (value: T, sink: Sink) => void,
): Codec => ({
  fits,
  write: (value, sink) => {
    if (!fits(value)) return misfit(`must be ${wanted}, not ${avroKindOf(value)}`);
    put(value, sink);
    return null;
  },
});

const isAvroInt = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= MIN_INT && value <= MAX_INT;

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';

export const intCodec: Codec = {
  fits: isAvroInt,
  write: (value, sink) => {
    if (!isAvroInt(value)) return misfit('must be an integer of 32 bits');
    writeLong(sink, value);
    return null;
  },
};

/** A number that JSON has kept exactly, or digits in a text. */
export const longCodec: Codec = {
  fits: Number.isSafeInteger,
  write: (value, sink) => {
    if (Number.isSafeInteger(value)) {
      writeLong(sink, value as number);
      return null;
    }
    if (typeof value === 'string' && INTEGER.test(value)) {
      const exact = BigInt(value);
      if (exact >= MIN_LONG && exact <= MAX_LONG) {
        writeBigLong(sink, exact);
        return null;
      }
    }
    return misfit(
      'must be an integer of 64 bits; beyond 9007199254740991 only a text keeps all digits of an event',
    );
  },
};

const NOT_FINITE: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

const decimalNumber = (value: unknown): number | null => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && Object.hasOwn(NOT_FINITE, value) ? (NOT_FINITE[value] as number) : null;
};

const fitsFloat = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(Math.fround(value));

const floatCodec: Codec = {
  fits: fitsFloat,
  write: (value, sink) => {
    const number = decimalNumber(value);
    if (number === null || (isNumber(value) && !fitsFloat(value))) {
      return misfit('must be a number of 32 bits, "NaN", "Infinity" or "-Infinity"');
    }
    ensure(sink, 4);
    sink.length = sink.bytes.writeFloatLE(number, sink.length);
    return null;
  },
};

const doubleCodec: Codec = {
  fits: isNumber,
  write: (value, sink) => {
    const number = decimalNumber(value);
    if (number === null) return misfit('must be a number, "NaN", "Infinity" or "-Infinity"');
    ensure(sink, 8);
    sink.length = sink.bytes.writeDoubleLE(number, sink.length);
    return null;
  },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: all bytes
const BEYOND_BYTES = /[^\u0000-\u00ff]/u;

const isByteText = (value: unknown): value is string =>
  typeof value === 'string' && !BEYOND_BYTES.test(value);

const BYTE_TEXT = 'a text with a character up to U+00FF for each byte';

const PRIMITIVE_CODECS: Readonly<Record<PrimitiveType['kind'], Codec>> = {
  null: codec(
    'null',
    (value): value is null => value === null,
    () => {},
  ),
  boolean: codec(
    'a boolean',
    (value): value is boolean => typeof value === 'boolean',
    (value, sink) => {
      ensure(sink, 1);
      sink.bytes[sink.length++] = value ? 1 : 0;
    },
  ),
  int: intCodec,
  long: longCodec,
  float: floatCodec,
  double: doubleCodec,
  bytes: codec(BYTE_TEXT, isByteText, (value, sink) => {
    writeLong(sink, value.length);
    writeBytes(sink, Buffer.from(value, 'latin1'));
  }),
  string: codec('a string', isText, (value, sink) => writeAvroText(sink, value)),
};

/** Values as Avro's JSON encoding has them. */
export const primitiveCodec = (kind: PrimitiveType['kind']): Codec => PRIMITIVE_CODECS[kind];

export const fixedCodec = (size: number): Codec =>
  codec(
    `${BYTE_TEXT}, ${size} in all`,
    (value): value is string => isByteText(value) && value.length === size,
    (value, sink) => writeBytes(sink, Buffer.from(value, 'latin1')),
  );

export const enumCodec = ({ symbols }: EnumType): Codec => {
  const indexes = new Map(symbols.map((symbol, index) => [symbol, index]));
  return {
    fits: (value) => typeof value === 'string' && indexes.has(value),
    write: (value, sink) => {
      const index = typeof value === 'string' ? indexes.get(value) : undefined;
      if (index === undefined) return misfit(`must be one of ${symbols.join(', ')}`);
      writeLong(sink, index);
      return null;
    },
  };
};
