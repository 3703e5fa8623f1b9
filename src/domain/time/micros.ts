/** An instant: whole microseconds since 1970-01-01T00:00:00Z, exact up to `MAX_MICROS`; later dates are rejected. */
export type Micros = number;

/** 2^53 - 1: 2255-06-05T23:47:34.740991Z. */
export const MAX_MICROS: Micros = Number.MAX_SAFE_INTEGER;

/** Year 1684. */
export const MIN_MICROS: Micros = Number.MIN_SAFE_INTEGER;

/** `never`: greater than every instant. */
export const NEVER: Micros = Number.POSITIVE_INFINITY;

export const MICROS_PER_MS = 1_000;
export const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_MINUTE = 60_000_000;
export const MICROS_PER_HOUR = 3_600_000_000;
export const MICROS_PER_DAY = 86_400_000_000;
