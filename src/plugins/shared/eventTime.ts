import { parseIso } from '../../domain/time/iso.js';
import type { Zone } from '../../domain/time/zone.js';
import type { Clock } from '../../ports/clock.js';
import { compileText } from './text/compile.js';

/** Digits of whole seconds tell the unit of a Unix time, from 2001 to 5138. */
const DIGITS = /^(\d{1,20})(?:\.(\d{1,9})\d*)?$/;
/** The last instant that an unsigned 64-bit field holds is in 2554. */
const MAX_NANOS = 2n ** 63n - 1n;

const unixNanos = (written: string): bigint | null => {
  const match = DIGITS.exec(written);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  // Seconds, milliseconds, microseconds, nanoseconds.
  const decimals = whole.length <= 11 ? 9 : whole.length <= 14 ? 6 : whole.length <= 17 ? 3 : 0;
  const nanos = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return nanos > MAX_NANOS ? null : nanos;
};

/**
 * Nanoseconds since 1970 of a value in an event: ISO 8601, or a Unix time in seconds, milliseconds, microseconds or
 * nanoseconds, told apart by their digits. Null when it is no time, or one before 1970.
 */
export const nanosOf = (value: unknown, zone: Zone): bigint | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? unixNanos(plainDigits(value)) : null;
  if (typeof value !== 'string') return null;
  const written = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(written) && !/^\d{8}$/.test(written)) return unixNanos(written);
  const micros = parseIso(written, zone);
  return micros === null || micros < 0 ? null : BigInt(micros) * 1_000n;
};

/** Without an exponent; a double has no digits that matter behind the sixth of Unix seconds. */
const plainDigits = (value: number): string =>
  Number.isInteger(value) ? (value < 1e21 ? String(BigInt(value)) : '') : value.toFixed(6);

/** Nanoseconds since 1970 of the clock. */
export const nanosNow = (clock: Clock): bigint => BigInt(clock.now()) * 1_000n;

export interface EventTime {
  readonly readsJson: boolean;
  /** Returns nanoseconds since 1970, or null when the event has no valid time. */
  readonly nanos: (document: unknown) => bigint | null;
}

/** Reads the time of events in a text of `timeField`. The text is null when they have none. */
export const eventTime = (written: string | null, zone: Zone): EventTime => {
  if (written === null) return { readsJson: false, nanos: () => null };
  const { readsJson, value } = compileText(written);
  return { readsJson, nanos: (document) => nanosOf(value(document), zone) };
};
