// Shared by orders.ts and ../shop-fulfilment/fulfilment.mjs.

/** An unpaid order, stored in the globals of the scenario. */
export interface Order {
  readonly order_id: string;
  readonly customer: string;
  readonly total_cents: number;
  readonly placed_ms: number;
}

/** Limit of open orders; at the limit the shop places no new ones. */
export const MAX_OPEN = 1_000;

/** The part of the globals used here. */
interface Globals {
  get(key: string, fallback: number): unknown;
}

/** Values to change while the shop runs: default and inclusive range. */
const KNOBS = {
  order_rate_factor: { fallback: 0.5, min: 0, max: 100 },
  sale: { fallback: 0, min: 0, max: 90 },
  decline_share: { fallback: 0.05, min: 0, max: 1 },
} as const;

/**
 * Current value of a knob. Throws if it is out of range: the call fails before it changes anything, and the
 * log says why.
 */
export const knob = (globals: Globals, key: keyof typeof KNOBS): number => {
  const { fallback, min, max } = KNOBS[key];
  const value = globals.get(key, fallback);
  if (typeof value === 'number' && value >= min && value <= max) return value;
  throw new RangeError(
    `"${key}" in the globals must be a number from ${min} to ${max}, not ${JSON.stringify(value)}`,
  );
};
