import { raise } from '../../errors.js';
import { chargeLength, checkLonger, checkText } from '../../limits.js';
import { paced } from '../../text/pieces.js';
import { indexIn } from '../../text/search.js';
import { callMethodOf, type Methods, methodOf, methods } from '../methods.js';
import { asIndex, PySlice, spanOf, subscriptIndexOf } from '../operations/subscript.js';
import { type HashKey, type Kwargs, TemplateObject, typeName, type Value } from '../value.js';

export class PyBytes extends TemplateObject {
  constructor(readonly bytes: Uint8Array) {
    super();
    checkLonger(bytes.length);
    chargeLength(bytes.length);
  }
  get typeName(): string {
    return 'bytes';
  }
  chargedBytes(): Uint8Array {
    chargeLength(this.bytes.length);
    return this.bytes;
  }
  override attribute(name: string): Value | undefined {
    return methodOf(BYTES_METHODS, this, name);
  }
  override callMethod(name: string, args: readonly Value[], kwargs: Kwargs | null): Value | undefined {
    return callMethodOf(BYTES_METHODS, this, name, args, kwargs);
  }
  override item(key: Value): Value | undefined {
    if (key instanceof PySlice) {
      const { start, step, count } = spanOf(key, this.bytes.length);
      if (step === 1) return new PyBytes(this.bytes.slice(start, start + count));
      return new PyBytes(Uint8Array.from({ length: count }, (_, i) => this.bytes[start + i * step] ?? 0));
    }
    const index = subscriptIndexOf(key, this.bytes.length);
    return index === null ? undefined : this.bytes[index];
  }
  override iterator(): Iterator<Value> {
    return this.bytes[Symbol.iterator]();
  }
  override size(): number {
    return this.bytes.length;
  }
  override contains(needle: Value): boolean {
    if (needle instanceof PyBytes) return indexIn(latin1(this.bytes), latin1(needle.bytes)) >= 0;
    const byte = asIndex(needle);
    if (byte === undefined) {
      return raise('TypeError', `a bytes-like object is required, not '${typeName(needle)}'`);
    }
    return this.bytes.includes(byte);
  }
  override repr(): string {
    const text = Buffer.from(this.bytes).toString('latin1');
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    let shown = '';
    for (let at = 0; at < this.bytes.length; at += BYTES_AT_ONCE) {
      const part = this.bytes.subarray(at, at + BYTES_AT_ONCE);
      chargeLength(part.length * 8);
      for (const byte of part) shown += byteText(byte, quote);
      checkLonger(shown.length);
    }
    return `b${quote}${shown}${quote}`;
  }
  override equals(other: Value): boolean {
    chargeLength(this.bytes.length);
    return other instanceof PyBytes && Buffer.compare(this.bytes, other.bytes) === 0;
  }
  override compare(other: Value): number | undefined {
    return other instanceof PyBytes ? Buffer.compare(this.bytes, other.bytes) : undefined;
  }
  override hashKey(): HashKey {
    return `\0b${latin1(this.bytes)}`;
  }
  override operate(operator: string, other: Value, isRight: boolean): Value | undefined {
    if (operator !== '+' || isRight) return undefined;
    if (other instanceof PyBytes) {
      checkLonger(this.bytes.length + other.bytes.length);
      return new PyBytes(Buffer.concat([this.bytes, other.bytes]));
    }
    return raise('TypeError', `can't concat ${typeName(other)} to bytes`);
  }
}

/** Bytes shown per clock read. */
const BYTES_AT_ONCE = 16_384;

const latin1 = (bytes: Uint8Array): string => {
  chargeLength(bytes.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
};

const byteText = (byte: number, quote: string): string => {
  const character = String.fromCharCode(byte);
  if (character === quote || character === '\\') return `\\${character}`;
  if (byte >= 0x20 && byte < 0x7f) return character;
  const named = { 9: '\\t', 10: '\\n', 13: '\\r' }[byte];
  return named ?? `\\x${byte.toString(16).padStart(2, '0')}`;
};

const codecOf = (name: Value): string => {
  if (typeof name !== 'string') return raise('TypeError', `encoding must be str, not ${typeName(name)}`);
  const plain = name.toLowerCase().replaceAll(/[-_ ]/g, '');
  if (['utf8', 'u8'].includes(plain)) return 'utf8';
  if (['ascii', 'usascii'].includes(plain)) return 'ascii';
  if (['latin1', 'iso88591', 'l1'].includes(plain)) return 'latin1';
  if (['utf16le'].includes(plain)) return 'utf16le';
  return raise('LookupError', `unknown encoding: ${name}`);
};

/** Highest code of each single-byte codec. */
const HIGHEST: Readonly<Record<string, number>> = { ascii: 0x7f, latin1: 0xff };

/** UTF-8, ASCII, Latin-1 and UTF-16-LE. */
export const encodeText = (text: string, encoding: Value, errors: Value): PyBytes => {
  const codec = codecOf(encoding);
  const highest = HIGHEST[codec];
  let source = text;
  if (highest !== undefined) {
    let kept = '';
    for (const character of paced(text)) {
      const code = character.codePointAt(0) ?? 0;
      if (code <= highest) kept += character;
      else if (errors === 'replace') kept += '?';
      else if (errors !== 'ignore') {
        const name = codec === 'ascii' ? 'ascii' : 'latin-1';
        return raise(
          'UnicodeEncodeError',
          `'${name}' codec can't encode character in position ${text.indexOf(character)}: ordinal not in range(${highest + 1})`,
        );
      }
    }
    source = kept;
  }
  return new PyBytes(Buffer.from(source, codec === 'ascii' ? 'latin1' : (codec as BufferEncoding)));
};

const decodeBytes = (bytes: Uint8Array, encoding: Value, errors: Value): string => {
  const codec = codecOf(encoding);
  if (codec === 'utf8') {
    try {
      return new TextDecoder('utf-8', { fatal: errors !== 'replace', ignoreBOM: true }).decode(bytes);
    } catch {
      if (errors === 'ignore') return new TextDecoder().decode(bytes).replaceAll('\uFFFD', '');
      return raise('UnicodeDecodeError', "'utf-8' codec can't decode bytes: invalid data");
    }
  }
  if (codec === 'ascii' && errors === 'strict' && bytes.some((byte) => byte > 0x7f)) {
    return raise('UnicodeDecodeError', "'ascii' codec can't decode bytes: ordinal not in range(128)");
  }
  return Buffer.from(bytes).toString(codec as BufferEncoding);
};

const BYTES_METHODS: Methods<PyBytes> = methods<PyBytes>({
  "decode(encoding='utf-8', errors='strict')": (self, encoding, errors) =>
    decodeBytes(self.chargedBytes(), encoding, errors),
  'hex()': (self) => checkText(Buffer.from(self.chargedBytes()).toString('hex')),
});

export const needBytes = (value: Value): Uint8Array =>
  value instanceof PyBytes
    ? value.chargedBytes()
    : raise('TypeError', `a bytes-like object is required, not '${typeName(value)}'`);
