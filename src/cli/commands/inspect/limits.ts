export const DEFAULT_EVENTS = 10_000;
export const MAX_EVENTS = 100_000_000;

/** About two seconds of counting. */
export const MAX_TIMESTAMPS = 20_000_000;
