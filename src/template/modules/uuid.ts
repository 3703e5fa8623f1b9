import type { Random } from '../../domain/random.js';
import type { Micros } from '../../domain/time/micros.js';
import { raise } from '../errors.js';
import { native } from '../values/methods.js';
import { textRepr } from '../values/operations/print.js';
import { needBytes, PyBytes } from '../values/types/bytes.js';
import { textOf } from '../values/types/markup.js';
import { PyTuple } from '../values/types/sequences.js';
import { type HashKey, intOf, isInt, TemplateObject, typeName, type Value } from '../values/value.js';
import type { Digest } from './hashlib.js';
import { HostModule } from './hostModule.js';

const VARIANTS = [
  'reserved for NCS compatibility',
  'specified in RFC 4122',
  'reserved for Microsoft compatibility',
  'reserved for future definition',
] as const;

/** 100 ns intervals between 1582-10-15 and 1970-01-01. */
const GREGORIAN = 0x01b2_1dd2_1381_4000n;
const TICKS_PER_MICRO = 10n;

class PyUuid extends TemplateObject {
  constructor(readonly hex: string) {
    super();
  }
  get typeName(): string {
    return 'UUID';
  }
  private part(from: number, to: number): number {
    return Number.parseInt(this.hex.slice(from, to), 16);
  }
  get bytes(): Uint8Array {
    return Uint8Array.from(Buffer.from(this.hex, 'hex'));
  }
  private get fields(): readonly number[] {
    return [
      this.part(0, 8),
      this.part(8, 12),
      this.part(12, 16),
      this.part(16, 18),
      this.part(18, 20),
      this.part(20, 32),
    ];
  }
  private get variant(): string {
    const bits = this.part(16, 17);
    const index = bits < 8 ? 0 : bits < 12 ? 1 : bits < 14 ? 2 : 3;
    return VARIANTS[index];
  }
  override attribute(name: string): Value | undefined {
    const [low = 0, mid = 0, high = 0, sequenceHigh = 0, sequenceLow = 0, node = 0] = this.fields;
    switch (name) {
      case 'hex':
        return this.hex;
      case 'int':
        return intOf(BigInt(`0x${this.hex}`));
      case 'bytes':
        return new PyBytes(this.bytes);
      case 'urn':
        return `urn:uuid:${this.text()}`;
      case 'variant':
        return this.variant;
      case 'version':
        return this.variant === VARIANTS[1] ? this.part(12, 13) : null;
      case 'fields':
        return new PyTuple(this.fields);
      case 'time_low':
        return low;
      case 'time_mid':
        return mid;
      case 'time_hi_version':
        return high;
      case 'clock_seq_hi_variant':
        return sequenceHigh;
      case 'clock_seq_low':
        return sequenceLow;
      case 'clock_seq':
        return ((sequenceHigh & 0x3f) << 8) | sequenceLow;
      case 'node':
        return node;
      case 'time':
        return intOf((BigInt(high & 0x0fff) << 48n) | (BigInt(mid) << 32n) | BigInt(low));
      default:
        return undefined;
    }
  }
  override int(): bigint {
    return BigInt(`0x${this.hex}`);
  }
  override text(): string {
    const { hex } = this;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  override repr(): string {
    return `UUID(${textRepr(this.text())})`;
  }
  override equals(other: Value): boolean {
    return other instanceof PyUuid && other.hex === this.hex;
  }
  override compare(other: Value): number | undefined {
    if (!(other instanceof PyUuid)) return undefined;
    return this.hex < other.hex ? -1 : Number(this.hex > other.hex);
  }
  override hashKey(): HashKey {
    return `\0u${this.hex}`;
  }
}

const withVersion = (hex: string, version: number): PyUuid => {
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16);
  return new PyUuid(`${hex.slice(0, 12)}${version}${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`);
};

const ofText = (value: Value): string => {
  const text =
    textOf(value) ?? raise('AttributeError', `'${typeName(value)}' object has no attribute 'replace'`);
  const hex = text
    .replaceAll('urn:', '')
    .replaceAll('uuid:', '')
    .replace(/^[{}]+|[{}]+$/g, '')
    .replaceAll('-', '')
    .toLowerCase();
  return /^[0-9a-f]{32}$/.test(hex) ? hex : raise('ValueError', 'badly formed hexadecimal UUID string');
};

const ofInt = (value: Value): string => {
  if (!isInt(value) || value < 0 || BigInt(value) >= 1n << 128n)
    return raise('ValueError', 'int is out of range (need a 128-bit value)');
  return BigInt(value).toString(16).padStart(32, '0');
};

const ofBytes = (value: Value): string => {
  const bytes = needBytes(value);
  return bytes.length === 16
    ? Buffer.from(bytes).toString('hex')
    : raise('ValueError', 'bytes is not a 16-char string');
};

const make = (hex: Value, bytes: Value, whole: Value, version: Value): PyUuid => {
  const given = [hex, bytes, whole].filter((each) => each !== null);
  if (given.length !== 1)
    return raise('TypeError', 'one of the hex, bytes, bytes_le, fields, or int arguments must be given');
  const digits = hex !== null ? ofText(hex) : bytes !== null ? ofBytes(bytes) : ofInt(whole);
  if (version === null) return new PyUuid(digits);
  return typeof version === 'number' && version >= 1 && version <= 5
    ? withVersion(digits, version)
    : raise('ValueError', 'illegal version number');
};

const hexBytes = (random: Random, count: number): string => {
  let hex = '';
  for (let i = 0; i < count; i++) hex += random.integer(0, 255).toString(16).padStart(2, '0');
  return hex;
};

const NAMESPACES = {
  NAMESPACE_DNS: '0',
  NAMESPACE_URL: '1',
  NAMESPACE_OID: '2',
  NAMESPACE_X500: '4',
} as const;

/** Random bits follow the seed; times are the event's timestamp. */
export const uuidModule = (random: () => Random, now: () => Micros, digest: Digest): HostModule => {
  const named = (algorithm: string, version: number) =>
    native(`uuid${version}(namespace, name)`, (namespace = null, name = null) => {
      if (!(namespace instanceof PyUuid))
        return raise('AttributeError', `'${typeName(namespace)}' object has no attribute 'bytes'`);
      const text = textOf(name);
      const bytes = text === null ? needBytes(name) : Buffer.from(text, 'utf8');
      const hash = digest(algorithm, Buffer.concat([namespace.bytes, bytes]));
      return withVersion(Buffer.from(hash).toString('hex').slice(0, 32), version);
    });
  const clockSequence = (value: Value): number =>
    value === null ? random().integer(0, 0x3fff) : Number(value) & 0x3fff;
  /** As on a host without a network card: random, with the group bit. */
  const node = (): string => {
    const hex = hexBytes(random(), 6);
    return (Number.parseInt(hex.slice(0, 2), 16) | 1).toString(16).padStart(2, '0') + hex.slice(2);
  };
  return new HostModule('uuid', {
    ...Object.fromEntries(
      Object.entries(NAMESPACES).map(([name, digit]) => [
        name,
        new PyUuid(`6ba7b81${digit}9dad11d180b400c04fd430c8`),
      ]),
    ),
    UUID: native('UUID(hex=None, bytes=None, int=None, version=None)', (...values) => {
      const [hex = null, bytes = null, whole = null, version = null] = values;
      return make(hex, bytes, whole, version);
    }),
    uuid1: native('uuid1(node=None, clock_seq=None)', (given = null, sequence = null) => {
      const ticks = BigInt(now()) * TICKS_PER_MICRO + GREGORIAN;
      const time = ticks.toString(16).padStart(15, '0').slice(-15);
      const clock = (clockSequence(sequence) | 0x8000).toString(16);
      const station = isInt(given)
        ? BigInt.asUintN(48, BigInt(given)).toString(16).padStart(12, '0')
        : node();
      return new PyUuid(`${time.slice(7)}${time.slice(3, 7)}1${time.slice(0, 3)}${clock}${station}`);
    }),
    uuid3: named('md5', 3),
    uuid4: native('uuid4()', () => withVersion(hexBytes(random(), 16), 4)),
    uuid5: named('sha1', 5),
    getnode: native('getnode()', () => Number.parseInt(node(), 16)),
  });
};
