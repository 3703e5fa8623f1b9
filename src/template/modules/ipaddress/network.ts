import { raise } from '../../errors.js';
import { callMethodOf, type Methods, methodOf, methods } from '../../values/methods.js';
import { PyIterator } from '../../values/operations/iterate.js';
import { textRepr } from '../../values/operations/print.js';
import { asIndex, needIndex } from '../../values/operations/subscript.js';
import {
  type HashKey,
  intOf,
  type Kwargs,
  TemplateObject,
  typeName,
  type Value,
} from '../../values/value.js';
import { addressKindOf, PyAddress } from './address.js';
import { allOnes, bitsOf, compressedAddress, exploded, maskOf, type Version } from './parse.js';

function* addresses(version: Version, first: bigint, last: bigint): Generator<Value> {
  for (let value = first; value <= last; value++) yield new PyAddress(version, value);
}

export class PyNetwork extends TemplateObject {
  constructor(
    readonly version: Version,
    readonly base: bigint,
    readonly prefix: number,
  ) {
    super();
  }
  get typeName(): string {
    return `IPv${this.version}Network`;
  }
  get hostMask(): bigint {
    return allOnes(this.version) ^ maskOf(this.version, this.prefix);
  }
  get last(): bigint {
    return this.base | this.hostMask;
  }
  private address(value: bigint): PyAddress {
    return new PyAddress(this.version, value);
  }
  override attribute(name: string): Value | undefined {
    const { base, last, prefix, version } = this;
    const mask = maskOf(version, prefix);
    switch (name) {
      case 'version':
        return version;
      case 'max_prefixlen':
        return bitsOf(version);
      case 'prefixlen':
        return prefix;
      case 'network_address':
        return this.address(base);
      case 'broadcast_address':
        return this.address(last);
      case 'netmask':
        return this.address(mask);
      case 'hostmask':
        return this.address(this.hostMask);
      case 'num_addresses':
        return intOf(last - base + 1n);
      case 'with_prefixlen':
      case 'compressed':
        return this.text();
      case 'exploded':
        return `${exploded(version, base)}/${prefix}`;
      case 'with_netmask':
        return `${compressedAddress(version, base)}/${compressedAddress(version, mask)}`;
      case 'with_hostmask':
        return `${compressedAddress(version, base)}/${compressedAddress(version, this.hostMask)}`;
      default:
        return addressKindOf(version, name, base, last) ?? methodOf(NETWORK_METHODS, this, name);
    }
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(NETWORK_METHODS, this, name, args, kwargs);
  }
  /** Without network and broadcast addresses, if it has more than two (IPv6 keeps the last). */
  hosts(): Iterator<Value> {
    const { base, last, prefix, version } = this;
    const isSmall = prefix >= bitsOf(version) - 1;
    const end = version === 4 && !isSmall ? last - 1n : last;
    return addresses(version, isSmall ? base : base + 1n, end);
  }
  *subnets(prefix: number): Generator<Value> {
    const step = 1n << BigInt(bitsOf(this.version) - prefix);
    for (let base = this.base; base <= this.last; base += step)
      yield new PyNetwork(this.version, base, prefix);
  }
  holds(other: PyNetwork): boolean {
    return other.version === this.version && other.base >= this.base && other.last <= this.last;
  }
  override item(key: Value): Value | undefined {
    const index = asIndex(key);
    if (index === undefined) return undefined;
    const value = index < 0 ? this.last + 1n + BigInt(index) : this.base + BigInt(index);
    if (value >= this.base && value <= this.last) return this.address(value);
    return raise('IndexError', 'address out of range');
  }
  override iterator(): Iterator<Value> {
    return addresses(this.version, this.base, this.last);
  }
  override truthy(): boolean {
    return true;
  }
  override contains(needle: Value): boolean {
    if (needle instanceof PyNetwork) return false;
    return (
      needle instanceof PyAddress &&
      needle.version === this.version &&
      needle.value >= this.base &&
      needle.value <= this.last
    );
  }
  override text(): string {
    return `${compressedAddress(this.version, this.base)}/${this.prefix}`;
  }
  override repr(): string {
    return `${this.typeName}(${textRepr(this.text())})`;
  }
  override equals(other: Value): boolean {
    return (
      other instanceof PyNetwork &&
      other.version === this.version &&
      other.base === this.base &&
      other.prefix === this.prefix
    );
  }
  override compare(other: Value): number | undefined {
    if (!(other instanceof PyNetwork)) return undefined;
    if (other.version !== this.version)
      return raise('TypeError', `${this.text()} and ${other.text()} are not of the same version`);
    if (this.base !== other.base) return this.base < other.base ? -1 : 1;
    return this.prefix - other.prefix;
  }
  override hashKey(): HashKey {
    return `\0w${this.version};${this.base};${this.prefix}`;
  }
}

const needNetwork = (self: PyNetwork, value: Value): PyNetwork => {
  if (!(value instanceof PyNetwork)) return raise('TypeError', `${typeName(value)} is not a network`);
  if (value.version !== self.version)
    return raise('TypeError', `${self.text()} and ${value.text()} are not of the same version`);
  return value;
};

const newPrefix = (self: PyNetwork, difference: Value, wanted: Value, sign: 1 | -1): number => {
  if (wanted === null) return self.prefix + sign * needIndex(difference);
  const prefix = needIndex(wanted);
  if (sign > 0 && prefix < self.prefix) return raise('ValueError', 'new prefix must be longer');
  if (sign < 0 && prefix > self.prefix) return raise('ValueError', 'new prefix must be shorter');
  if (difference !== 1) return raise('ValueError', 'cannot set prefixlen_diff and new_prefix');
  return prefix;
};

const NETWORK_METHODS: Methods<PyNetwork> = methods<PyNetwork>({
  'hosts()': (self) => new PyIterator(self.hosts()),
  'subnets(prefixlen_diff=1, new_prefix=None)': (self, difference, wanted) => {
    if (self.prefix === bitsOf(self.version)) return new PyIterator([self][Symbol.iterator]());
    const prefix = newPrefix(self, difference, wanted, 1);
    if (prefix < self.prefix) return raise('ValueError', 'prefix length diff must be > 0');
    if (prefix > bitsOf(self.version))
      return raise('ValueError', `prefix length diff ${prefix} is invalid for netblock ${self.text()}`);
    return new PyIterator(self.subnets(prefix));
  },
  'supernet(prefixlen_diff=1, new_prefix=None)': (self, difference, wanted) => {
    if (self.prefix === 0) return self;
    const prefix = newPrefix(self, difference, wanted, -1);
    if (prefix < 0)
      return raise(
        'ValueError',
        `current prefixlen is ${self.prefix}, cannot have a prefixlen_diff of ${self.prefix - prefix}`,
      );
    return new PyNetwork(self.version, self.base & maskOf(self.version, prefix), prefix);
  },
  'overlaps(other)': (self, other) => {
    if (!(other instanceof PyNetwork)) return raise('AttributeError', `'${typeName(other)}' is no network`);
    return other.version === self.version && other.base <= self.last && self.base <= other.last;
  },
  'subnet_of(other)': (self, other) => needNetwork(self, other).holds(self),
  'supernet_of(other)': (self, other) => self.holds(needNetwork(self, other)),
});
