// What both halves of the shop share: orders.ts imports it, and so does ../shop-fulfilment/fulfilment.mjs.

/** An order that waits for its payment; kept in the globals of the scenario. */
export interface Order {
  readonly order_id: string;
  readonly customer: string;
  readonly total_cents: number;
  readonly placed_ms: number;
}

/** Orders that may wait; while there are as many, the shop takes no new ones. */
export const MAX_OPEN = 1_000;

/** The parts of the globals that are used here. */
interface Globals {
  get(key: string, fallback: number): unknown;
}

/** Default and ends (inclusive) of each value that may be changed while the shop runs. */
const KNOBS = {
  order_rate_factor: { fallback: 0.5, min: 0, max: 100 },
  sale: { fallback: 0, min: 0, max: 90 },
  decline_share: { fallback: 0.05, min: 0, max: 1 },
} as const;

/**
 * The value of a knob now. Throws when it is no number of its range: the call then fails, the log says
 * why, and nothing was changed, so that the shop goes on as soon as the value is right.
 */
export const knob = (globals: Globals, key: keyof typeof KNOBS): number => {
  const { fallback, min, max } = KNOBS[key];
  const value = globals.get(key, fallback);
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new RangeError(
    `"${key}" in the globals must be a number from ${min} to ${max}, not ${JSON.stringify(value)}`,
  );
};
