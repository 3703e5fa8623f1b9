import { mixedKey } from '../cluster/estate.js';

const CODES = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
const codeAt = (word: number, shift: number): number => CODES[(word >>> shift) & 15] as number;

/** Sixteen hexadecimal digits of two numbers below 2^32, as one flat text: worlds make millions of them and keep them for a while. */
const hexText = (a: number, b: number): string =>
  String.fromCharCode(
    codeAt(a, 28),
    codeAt(a, 24),
    codeAt(a, 20),
    codeAt(a, 16),
    codeAt(a, 12),
    codeAt(a, 8),
    codeAt(a, 4),
    codeAt(a, 0),
    codeAt(b, 28),
    codeAt(b, 24),
    codeAt(b, 20),
    codeAt(b, 16),
    codeAt(b, 12),
    codeAt(b, 8),
    codeAt(b, 4),
    codeAt(b, 0),
  );

/** The identifier of a call from its number, and the number of its payment: two together are unique. */
export const callId = (key: number, salt: number): string => hexText(mixedKey(key, 16), mixedKey(salt, key));

/** The identifier of a request: twice as long. */
export const requestId = (key: number, salt: number): string =>
  callId(key, salt) + hexText(mixedKey(key, 17), mixedKey(salt, 18));

export const paymentId = (a: number, b: number, c: number): string =>
  `pay_${hexText(a, b)}${hexText(c, 0).slice(0, 4)}`;
