import { Fault, raise } from '../../errors.js';
import { native } from '../../values/methods.js';
import { truthy } from '../../values/operations/compare.js';
import { repr, textRepr } from '../../values/operations/print.js';
import { PyBytes } from '../../values/types/bytes.js';
import { textOf } from '../../values/types/markup.js';
import { PyTuple } from '../../values/types/sequences.js';
import { type HashKey, isInt, type Value } from '../../values/value.js';
import { HostModule } from '../hostModule.js';
import { checkValue, PyAddress } from './address.js';
import { PyNetwork } from './network.js';
import {
  bitsOf,
  compressedAddress,
  exploded,
  maskOf,
  parseAddress,
  parsePrefix,
  type Version,
} from './parse.js';

/** Longer texts cannot be an address with a mask. */
const MAX_TEXT = 100;

const numberOf = (version: Version, value: Value): bigint => {
  if (isInt(value)) return checkValue(version, BigInt(value));
  if (value instanceof PyBytes) {
    return value.bytes.length * 8 === bitsOf(version)
      ? BigInt(`0x${Buffer.from(value.bytes).toString('hex')}`)
      : raise(
          'AddressValueError',
          `${repr(value)} (len ${value.bytes.length} != ${bitsOf(version) / 8}) is not permitted as an IPv${version} address`,
        );
  }
  if (value instanceof PyAddress) return numberOf(version, value.text());
  const text = textOf(value) ?? repr(value);
  if (text.includes('/')) return raise('AddressValueError', `Unexpected '/' in ${repr(value)}`);
  return parseAddress(version, text.slice(0, MAX_TEXT));
};

/** From `address/mask`, an address, or a pair. */
const withPrefix = (version: Version, value: Value): readonly [bigint, number] => {
  if (value instanceof PyTuple || Array.isArray(value)) {
    const [address = null, mask = bitsOf(version)] = Array.isArray(value) ? value : value.items;
    const prefix = isInt(mask) ? String(mask) : (textOf(mask) ?? '');
    return [numberOf(version, address), parsePrefix(version, prefix)];
  }
  const text =
    textOf(value) ?? (value instanceof PyNetwork || value instanceof PyAddress ? value.text() : null);
  if (text === null) return [numberOf(version, value), bitsOf(version)];
  const [address = '', mask, more] = text.slice(0, MAX_TEXT).split('/');
  if (more !== undefined) return raise('AddressValueError', `Only one '/' permitted in ${repr(value)}`);
  const number = parseAddress(version, address);
  return [number, mask === undefined ? bitsOf(version) : parsePrefix(version, mask)];
};

const network = (version: Version, value: Value, isStrict: boolean): PyNetwork => {
  const [number, prefix] = withPrefix(version, value);
  const base = number & maskOf(version, prefix);
  if (isStrict && base !== number) {
    const shown = textOf(value) ?? repr(value);
    return raise('ValueError', `${shown} has host bits set`);
  }
  return new PyNetwork(version, base, prefix);
};

/** Errors after which the other IP version is tried. */
const isNone = (thrown: unknown): boolean =>
  thrown instanceof Fault && ['AddressValueError', 'NetmaskValueError'].includes(thrown.kind);

const make4Or6 = (value: Value, what: string, make: (version: Version) => Value): Value => {
  for (const version of [4, 6] as const) {
    try {
      return make(version);
    } catch (thrown) {
      if (!isNone(thrown)) throw thrown;
    }
  }
  return refuse(value, what);
};

const refuse = (value: Value, what: string): never =>
  raise('ValueError', `${repr(value)} does not appear to be an IPv4 or IPv6 ${what}`);

const ofVersion = (version: Version) => ({
  [`IPv${version}Address`]: native(
    'Address(address)',
    (value = null) => new PyAddress(version, numberOf(version, value)),
  ),
  [`IPv${version}Network`]: native('Network(address, strict=True)', (value = null, strict = true) =>
    network(version, value, truthy(strict)),
  ),
  [`IPv${version}Interface`]: native(
    'Interface(address)',
    (value = null) => new PyInterface(version, ...withPrefix(version, value)),
  ),
});

export const ipaddressModule = (): HostModule =>
  new HostModule('ipaddress', {
    ip_address: native('ip_address(address)', (value = null) =>
      make4Or6(value, 'address', (version) => new PyAddress(version, numberOf(version, value))),
    ),
    ip_network: native('ip_network(address, strict=True)', (value = null, strict = true) =>
      make4Or6(value, 'network', (version) => network(version, value, truthy(strict))),
    ),
    ip_interface: native('ip_interface(address)', (value = null) =>
      make4Or6(value, 'interface', (version) => new PyInterface(version, ...withPrefix(version, value))),
    ),
    ...ofVersion(4),
    ...ofVersion(6),
  });

class PyInterface extends PyAddress {
  readonly network: PyNetwork;

  constructor(
    version: Version,
    value: bigint,
    readonly prefix: number,
  ) {
    super(version, value);
    this.network = new PyNetwork(version, value & maskOf(version, prefix), prefix);
  }
  override get typeName(): string {
    return `IPv${this.version}Interface`;
  }
  override attribute(name: string): Value | undefined {
    switch (name) {
      case 'ip':
        return new PyAddress(this.version, this.value);
      case 'network':
        return this.network;
      case 'netmask':
      case 'hostmask':
        return this.network.attribute(name);
      case 'with_netmask':
      case 'with_hostmask': {
        const mask = this.network.attribute(name === 'with_netmask' ? 'netmask' : 'hostmask');
        return `${compressedAddress(this.version, this.value)}/${mask instanceof PyAddress ? mask.text() : ''}`;
      }
      case 'with_prefixlen':
      case 'compressed':
        return this.text();
      case 'exploded':
        return `${exploded(this.version, this.value)}/${this.prefix}`;
      default:
        return super.attribute(name);
    }
  }
  override text(): string {
    return `${compressedAddress(this.version, this.value)}/${this.prefix}`;
  }
  override repr(): string {
    return `${this.typeName}(${textRepr(this.text())})`;
  }
  override equals(other: Value): boolean {
    return super.equals(other) && other instanceof PyInterface && other.prefix === this.prefix;
  }
  override hashKey(): HashKey {
    return `\0j${this.version};${this.value};${this.prefix}`;
  }
}
