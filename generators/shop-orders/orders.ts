import { PRODUCTS, type Product } from './catalogue.js';
import { knob, MAX_OPEN, type Order } from './shop.js';

/** The parts of the context of `produce` used here. */
interface Given {
  readonly timestamp: { readonly epochMilliseconds: number; readonly toString: () => string };
  readonly globals: {
    get(key: string, fallback: number | readonly Order[]): unknown;
    set(key: string, value: Order[]): void;
    readonly increment: (key: string) => number;
  };
  readonly random: { readonly next: () => number; readonly integer: (min: number, max: number) => number };
}

/**
 * Places orders. Reads two knobs from the globals of the scenario: `order_rate_factor` (mean orders per
 * call, default 0.5) and `sale` (discount in percent, default 0).
 */
export const produce = ({ timestamp, globals, random }: Given): string[] => {
  const open = globals.get('open_orders', []) as Order[];
  const rate = knob(globals, 'order_rate_factor');
  const sale = knob(globals, 'sale');
  const events: string[] = [];
  let wanted = Math.floor(rate) + (random.next() < rate % 1 ? 1 : 0);
  for (; wanted > 0 && open.length < MAX_OPEN; wanted--) {
    const number = globals.increment('orders');
    const items = Array.from({ length: random.integer(1, 3) }, () => {
      const { sku, price_cents } = PRODUCTS[random.integer(0, PRODUCTS.length - 1)] as Product;
      const quantity = random.integer(1, 2);
      const price = Math.round((price_cents * (100 - sale)) / 100);
      return { sku, quantity, price_cents: price };
    });
    const total_cents = items.reduce((sum, item) => sum + item.quantity * item.price_cents, 0);
    const order_id = `o-${String(number).padStart(6, '0')}`;
    const customer = `c-${random.integer(1, 500)}`;
    open.push({ order_id, customer, total_cents, placed_ms: timestamp.epochMilliseconds });
    events.push(
      JSON.stringify({
        at: `${timestamp}`,
        event: 'order_placed',
        order_id,
        customer,
        items,
        sale,
        total_cents,
      }),
    );
  }
  globals.set('open_orders', open);
  return events;
};
