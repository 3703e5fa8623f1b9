import { textRepr } from '../../values/operations/print.js';
import type { HashKey, Value } from '../../values/value.js';
import { PyAddress } from './address.js';
import { PyNetwork } from './network.js';
import { compressed, exploded, maskOf, type Version } from './parse.js';

export class PyInterface extends PyAddress {
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
        return `${compressed(this.version, this.value)}/${mask instanceof PyAddress ? mask.text() : ''}`;
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
    return `${compressed(this.version, this.value)}/${this.prefix}`;
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
