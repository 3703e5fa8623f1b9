/** Milliseconds between the steps of an order, in timestamp time. */
export const PAYMENT_AFTER_MS = 500;
export const SHIPMENT_AFTER_MS = { min: 2_000, max: 8_000 };
