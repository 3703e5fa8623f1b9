import { knob } from '../shop-orders/shop.ts';
import { PAYMENT_AFTER_MS, SHIPMENT_AFTER_MS } from './delays.mjs';

/** Orders processed per call. */
const PER_CALL = 5;

/**
 * Pays and ships open orders. Reads one knob from the globals of the scenario: `decline_share` (0 to 1,
 * default 0.05), the share of declined payments.
 */
export const produce = ({ timestamp, globals, random }) => {
  const now = timestamp.epochMilliseconds;
  const open = globals.get('open_orders', []);
  const paid = globals.get('paid_orders', []);
  const share = knob(globals, 'decline_share');
  const events = [];
  const tell = (event, order, more) =>
    events.push(
      JSON.stringify({
        at: `${timestamp}`,
        event,
        order_id: order.order_id,
        customer: order.customer,
        ...more,
      }),
    );

  for (let n = 0; n < PER_CALL && open.length > 0 && open[0].placed_ms + PAYMENT_AFTER_MS <= now; n++) {
    const order = open.shift();
    if (random.next() < share) {
      tell('payment_declined', order, { amount_cents: order.total_cents });
      tell('order_cancelled', order, { reason: 'payment_declined' });
      globals.increment('cancelled');
    } else {
      tell('payment_authorised', order, { amount_cents: order.total_cents });
      paid.push({ ...order, ships_ms: now + random.integer(SHIPMENT_AFTER_MS.min, SHIPMENT_AFTER_MS.max) });
      globals.increment('revenue_cents', order.total_cents);
    }
  }
  const waiting = [];
  for (const order of paid) {
    if (order.ships_ms > now) waiting.push(order);
    else {
      tell('order_shipped', order, { parcels: 1 + (order.total_cents > 50_000 ? 1 : 0) });
      globals.increment('shipped');
    }
  }
  globals.update({ open_orders: open, paid_orders: waiting });
  return events;
};
