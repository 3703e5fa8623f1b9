import { raise } from '../errors.js';
import { chargeLength, checkLength } from '../limits.js';
import { callMethodOf, type Methods, methodOf, methods, native } from '../values/methods.js';
import { needBytes, PyBytes } from '../values/types/bytes.js';
import { textOf } from '../values/types/markup.js';
import { type Callable, type Kwargs, TemplateObject, type Value } from '../values/value.js';
import { HostModule } from './hostModule.js';

/** Digest by Node's algorithm name; injected, as templates have no `node:crypto`. */
export type Digest = (algorithm: string, bytes: Uint8Array) => Uint8Array;

const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
};

const BLOCK_SIZES: Readonly<Record<string, number>> = {
  sha384: 128,
  sha512: 128,
  sha3_224: 144,
  sha3_256: 136,
  sha3_384: 104,
  sha3_512: 72,
  blake2b: 128,
};

/** Collects bytes until the digest is read. */
class Hash extends TemplateObject {
  private parts: Uint8Array[] = [];
  private length = 0;

  constructor(
    readonly name: string,
    readonly digestOf: Digest,
  ) {
    super();
  }
  get typeName(): string {
    return '_hashlib.HASH';
  }
  update(bytes: Uint8Array): void {
    this.length += bytes.length;
    checkLength(this.length);
    this.parts.push(bytes);
  }
  digest(): Uint8Array {
    chargeLength(this.length * 8);
    return this.digestOf(ALGORITHMS[this.name] ?? '', Buffer.concat(this.parts));
  }
  copy(): Hash {
    const copy = new Hash(this.name, this.digestOf);
    for (const part of this.parts) copy.update(part);
    return copy;
  }
  override attribute(name: string): Value | undefined {
    if (name === 'name') return this.name;
    if (name === 'digest_size') return this.digest().length;
    if (name === 'block_size') return BLOCK_SIZES[this.name] ?? 64;
    return methodOf(HASH_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    const result = callMethodOf(HASH_METHODS, this, name, args, kwargs);
    return result === undefined ? super.callMethod(name, args, kwargs) : result;
  }
}

const hashable = (value: Value): Uint8Array =>
  textOf(value) === null ? needBytes(value) : raise('TypeError', 'Strings must be encoded before hashing');

const HASH_METHODS: Methods<Hash> = methods<Hash>({
  'update(data, /)': (self, data) => {
    self.update(hashable(data));
    return null;
  },
  'digest()': (self) => new PyBytes(self.digest()),
  'hexdigest()': (self) => Buffer.from(self.digest()).toString('hex'),
  'copy()': (self) => self.copy(),
});

const maker = (name: string, digest: Digest): Callable =>
  native(`${name}(string=None, *, usedforsecurity=True)`, (data = null) => {
    const hash = new Hash(name, digest);
    if (data !== null) hash.update(hashable(data));
    return hash;
  });

export const hashlibModule = (digest: Digest): HostModule =>
  new HostModule('hashlib', {
    ...Object.fromEntries(Object.keys(ALGORITHMS).map((name) => [name, maker(name, digest)])),
    new: native('new(name, data=None, *, usedforsecurity=True)', (name = null, data = null) => {
      const known = (textOf(name) ?? '').toLowerCase().replaceAll('-', '_');
      if (!Object.hasOwn(ALGORITHMS, known))
        return raise('ValueError', `unsupported hash type ${textOf(name) ?? ''}`);
      return maker(known, digest)(data === null ? [] : [data], null);
    }),
  });
