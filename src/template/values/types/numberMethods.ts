import { raise } from '../../errors.js';
import { type Methods, methodOf, methods } from '../methods.js';
import { needIndex } from '../operations/subscript.js';
import { floatOf, floatValue, intOf, type Value } from '../value.js';
import { PyBytes } from './bytes.js';
import { PyTuple } from './sequences.js';

const bigOf = (value: Value): bigint =>
  typeof value === 'bigint' ? value : BigInt(typeof value === 'number' ? value : Number(value));

const sizeOf = (value: Value): bigint => {
  const big = bigOf(value);
  return big < 0n ? -big : big;
};

const ratio = (value: number): readonly [bigint, bigint] => {
  let bottom = 1n;
  let top = value;
  while (!Number.isInteger(top)) {
    top *= 2;
    bottom *= 2n;
  }
  return [BigInt(top), bottom];
};

const ratioOf = (value: Value): PyTuple => {
  const float = floatValue(value);
  if (float === undefined) return new PyTuple([typeof value === 'boolean' ? Number(value) : value, 1]);
  if (Number.isNaN(float)) return raise('ValueError', 'cannot convert NaN to integer ratio');
  if (!Number.isFinite(float)) return raise('OverflowError', 'cannot convert Infinity to integer ratio');
  return new PyTuple(ratio(float).map(intOf));
};

const toBytes = (value: Value, length: number, order: Value, isSigned: boolean): PyBytes => {
  let rest = bigOf(value);
  if (rest < 0n && !isSigned) return raise('OverflowError', "can't convert negative int to unsigned");
  const bytes = new Uint8Array(length);
  if (rest < 0n) rest += 1n << BigInt(8 * length);
  for (let i = length - 1; i >= 0; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  if (rest !== 0n) return raise('OverflowError', 'int too big to convert');
  return new PyBytes(order === 'little' ? bytes.reverse() : bytes);
};

const NUMBER_METHODS: Methods<Value> = methods<Value>({
  'bit_length()': (self) => {
    const size = sizeOf(self);
    return size === 0n ? 0 : size.toString(2).length;
  },
  'bit_count()': (self) => sizeOf(self).toString(2).replaceAll('0', '').length,
  'conjugate()': (self) => (typeof self === 'boolean' ? Number(self) : self),
  'as_integer_ratio()': ratioOf,
  "to_bytes(length=1, byteorder='big', *, signed=False)": (self, length, order, signed) =>
    toBytes(self, needIndex(length), order, signed === true),
  'is_integer()': (self) => Number.isInteger(floatValue(self) ?? 0),
  'hex()': (self) => hexText(floatValue(self) ?? 0),
});

const hexText = (value: number): string => {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === 0) return `${sign}0x0.0p+0`;
  let exponent = Math.max(-1022, Math.floor(Math.log2(size)));
  if (size / 2 ** exponent >= 2) exponent++;
  const mantissa = size / 2 ** exponent;
  const lead = Math.floor(mantissa);
  const digits = BigInt((mantissa - lead) * 2 ** 52)
    .toString(16)
    .padStart(13, '0');
  return `${sign}0x${lead}.${digits}p${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`;
};

const FLOAT_ONLY = new Set(['is_integer', 'hex']);
const INT_ONLY = new Set(['bit_length', 'bit_count', 'to_bytes', 'numerator', 'denominator']);

export const numberAttribute = (value: Value, name: string): Value | undefined => {
  const float = floatValue(value);
  if (float === undefined ? FLOAT_ONLY.has(name) : INT_ONLY.has(name)) return undefined;
  const whole = typeof value === 'boolean' ? Number(value) : value;
  if (name === 'real' || name === 'numerator') return whole;
  if (name === 'imag') return float === undefined ? 0 : floatOf(0);
  if (name === 'denominator') return 1;
  return methodOf(NUMBER_METHODS, value, name);
};
