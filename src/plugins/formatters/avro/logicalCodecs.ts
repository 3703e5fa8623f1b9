import { isoParts, parseIso } from '../../../domain/time/iso.js';
import type { Zone } from '../../../domain/time/zone.js';
import {
  type Codec,
  type CodecOptions,
  misfit,
  type Sink,
  writeAvroText,
  writeBytes,
  writeLong,
} from './codec.js';
import { intCodec, longCodec } from './scalars.js';
import type { FixedType, Logical, PrimitiveType } from './schema.js';

const MICROS_PER_MS = 1_000;
const MICROS_PER_DAY = 86_400_000_000;

const TIME = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;

/** Returns microseconds since midnight, or null when the text is no time of day. */
const timeOf = (text: string): number | null => {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [hour, minute, second] = [match[1], match[2], match[3] ?? 0].map(Number) as [number, number, number];
  if (hour > 23 || minute > 59 || second > 59) return null;
  return (
    ((hour * 60 + minute) * 60 + second) * 1_000_000 + Number((match[4] ?? '').padEnd(6, '0').slice(0, 6))
  );
};

const localOf = (text: string): number | null => isoParts(text)?.local ?? null;

const instantIn =
  (zone: Zone) =>
  (text: string): number | null =>
    parseIso(text, zone);

/** A text that stands for a number; numbers are written unchanged. */
const readAs = (
  wanted: string,
  plain: Codec,
  read: (text: string) => number | null,
  unit_micros: number,
): Codec => ({
  fits: (value) => (typeof value === 'string' ? read(value) !== null : plain.fits(value)),
  write: (value, sink) => {
    if (typeof value !== 'string') {
      return plain.fits(value) ? plain.write(value, sink) : misfit(`must be ${wanted}, or a number`);
    }
    const micros = read(value);
    if (micros === null) return misfit(`must be ${wanted}`);
    writeLong(sink, Math.floor(micros / unit_micros));
    return null;
  },
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const uuidCodec = (put: (text: string, sink: Sink) => void): Codec => {
  const fits = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);
  return {
    fits,
    write: (value, sink) => {
      if (!fits(value)) return misfit('must be a UUID');
      put(value, sink);
      return null;
    },
  };
};

const DECIMAL = /^([+-]?)(\d{1,1000})(?:\.(\d{1,1000}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Returns the number times ten to the power of `scale`. Null when it has more digits behind the point, or is no number.
 */
const unscaledOf = (text: string, scale: number): bigint | null => {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const shift = scale - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  if (digits % divisor !== 0n) return null;
  const size = (digits / divisor) * 10n ** BigInt(Math.max(0, shift));
  return sign === '-' ? -size : size;
};

/** Two's complement, most significant byte first. */
const signedBytes = (value: bigint, size: number): Buffer =>
  Buffer.from(
    BigInt.asUintN(size * 8, value)
      .toString(16)
      .padStart(size * 2, '0'),
    'hex',
  );

/** Bytes that a number needs, sign included. */
const sizeOf = (value: bigint): number => {
  const bits = (value < 0n ? ~value : value).toString(2).length;
  return Math.floor(bits / 8) + 1;
};

const decimalCodec = (precision: number, scale: number, size: number | null): Codec => {
  const most = 10n ** BigInt(precision);
  const read = (value: unknown): bigint | null => {
    const text = typeof value === 'number' ? String(value) : value;
    const unscaled = typeof text === 'string' ? unscaledOf(text, scale) : null;
    return unscaled !== null && unscaled < most && -unscaled < most ? unscaled : null;
  };
  return {
    fits: (value) => read(value) !== null,
    write: (value, sink) => {
      const unscaled = read(value);
      if (unscaled === null) {
        return misfit(
          `must be a number, or one in a text, of up to ${precision} digits, ${scale} of them behind the point`,
        );
      }
      if (size === null) writeLong(sink, sizeOf(unscaled));
      writeBytes(sink, signedBytes(unscaled, size ?? sizeOf(unscaled)));
      return null;
    },
  };
};

const ISO_TIME = 'a time in ISO 8601';

export const logicalCodec = (
  type: PrimitiveType | FixedType,
  logical: Logical,
  { zone }: CodecOptions,
): Codec => {
  switch (logical.name) {
    case 'date':
      return readAs('a date in ISO 8601', intCodec, localOf, MICROS_PER_DAY);
    case 'time-millis':
      return readAs('a time of day, hh:mm:ss', intCodec, timeOf, MICROS_PER_MS);
    case 'time-micros':
      return readAs('a time of day, hh:mm:ss', longCodec, timeOf, 1);
    case 'timestamp-millis':
      return readAs(ISO_TIME, longCodec, instantIn(zone), MICROS_PER_MS);
    case 'timestamp-micros':
      return readAs(ISO_TIME, longCodec, instantIn(zone), 1);
    case 'local-timestamp-millis':
      return readAs(ISO_TIME, longCodec, localOf, MICROS_PER_MS);
    case 'local-timestamp-micros':
      return readAs(ISO_TIME, longCodec, localOf, 1);
    case 'uuid':
      return uuidCodec(
        type.kind === 'fixed'
          ? (text, sink) => writeBytes(sink, Buffer.from(text.replaceAll('-', ''), 'hex'))
          : (text, sink) => writeAvroText(sink, text),
      );
    case 'decimal':
      return decimalCodec(logical.precision, logical.scale, type.kind === 'fixed' ? type.size : null);
  }
};
