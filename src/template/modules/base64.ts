import { chargeLength, checkLength } from '../limits.js';
import { native } from '../values/calls/method.js';
import { raise } from '../values/fault.js';
import { needBytes, PyBytes } from '../values/types/bytes.js';
import { textOf } from '../values/types/markup.js';
import type { Value } from '../values/value.js';
import { HostModule } from './hostModule.js';

const bytesOf = (value: Value | undefined): Uint8Array => {
  const text = textOf(value ?? null);
  if (text === null) return needBytes(value ?? null);
  if (!/^\p{ASCII}*$/u.test(text))
    return raise('ValueError', 'string argument should contain only ASCII characters');
  return Buffer.from(text, 'latin1');
};

const text = (source: string): PyBytes => {
  checkLength(source.length);
  return new PyBytes(Buffer.from(source, 'latin1'));
};

/** Ignores characters outside the alphabet, as Python does. */
const decode64 = (value: Value | undefined): PyBytes => {
  const source = Buffer.from(bytesOf(value))
    .toString('latin1')
    .replace(/[^A-Za-z0-9+/=]/g, '');
  const [digits = '', ...padding] = source.split('=');
  if (digits.length % 4 === 1) {
    return raise(
      'Error',
      `Invalid base64-encoded string: number of data characters (${digits.length}) cannot be 1 more than a multiple of 4`,
    );
  }
  if (digits.length % 4 !== 0 && padding.length < 4 - (digits.length % 4))
    return raise('Error', 'Incorrect padding');
  return new PyBytes(Buffer.from(digits, 'base64'));
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const encode32 = (bytes: Uint8Array): string => {
  let result = '';
  let bits = 0;
  let count = 0;
  for (const [index, byte] of bytes.entries()) {
    if ((index & 0x3fff) === 0x3fff) chargeLength(0x20000);
    bits = (bits << 8) | byte;
    count += 8;
    while (count >= 5) {
      count -= 5;
      result += ALPHABET[(bits >> count) & 31] ?? '';
    }
    bits &= (1 << count) - 1;
  }
  if (count > 0) result += ALPHABET[(bits << (5 - count)) & 31] ?? '';
  return result.padEnd(Math.ceil(result.length / 8) * 8, '=');
};

const urlSafe = (source: string): string => source.replaceAll('+', '-').replaceAll('/', '_');

export const base64Module = (): HostModule => {
  const encode = (value: Value | undefined): string =>
    Buffer.from(needBytes(value ?? null)).toString('base64');
  return new HostModule('base64', {
    b64encode: native('b64encode(s)', (value) => text(encode(value))),
    standard_b64encode: native('standard_b64encode(s)', (value) => text(encode(value))),
    urlsafe_b64encode: native('urlsafe_b64encode(s)', (value) => text(urlSafe(encode(value)))),
    b64decode: native('b64decode(s)', decode64),
    standard_b64decode: native('standard_b64decode(s)', decode64),
    urlsafe_b64decode: native('urlsafe_b64decode(s)', (value) => {
      const source = Buffer.from(bytesOf(value)).toString('latin1');
      return decode64(source.replaceAll('-', '+').replaceAll('_', '/'));
    }),
    b32encode: native('b32encode(s)', (value) => text(encode32(needBytes(value ?? null)))),
    b16encode: native('b16encode(s)', (value) =>
      text(
        Buffer.from(needBytes(value ?? null))
          .toString('hex')
          .toUpperCase(),
      ),
    ),
    b16decode: native('b16decode(s, casefold=False)', (value, folds) => {
      const source = Buffer.from(bytesOf(value)).toString('latin1');
      const isRight = (folds === true ? /^(?:[0-9A-Fa-f]{2})*$/ : /^(?:[0-9A-F]{2})*$/).test(source);
      return isRight ? new PyBytes(Buffer.from(source, 'hex')) : raise('Error', 'Non-base16 digit found');
    }),
  });
};
