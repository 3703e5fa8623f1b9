import { describe, expect, test } from '@jest/globals';
import { produce as placeOrders } from '../../generators/shop-orders/orders.js';
import type { GlobalsView } from '../../src/domain/globals/globals.js';
import { globalsView, makeOwnedGlobals } from '../../src/domain/globals/owned.js';
import { seededRandom } from '../../src/domain/random.js';

type Produce = (given: {
  readonly timestamp: { readonly epochMilliseconds: number; readonly toString: () => string };
  readonly globals: GlobalsView;
  readonly random: ReturnType<typeof seededRandom>;
}) => string[];

/** A script of the examples is plain JavaScript without types. */
const importScript = (path: string): Promise<unknown> => import(path);

const fulfil = (
  (await importScript('../../generators/shop-fulfilment/fulfilment.mjs')) as { produce: Produce }
).produce;

interface ShopEvent {
  readonly event: string;
  readonly order_id: string;
  readonly total_cents?: number;
  readonly amount_cents?: number;
  readonly sale?: number;
  readonly items?: readonly { readonly quantity: number; readonly price_cents: number }[];
}

type Knobs = Readonly<Record<string, number>>;

/** Runs both scripts in turn, a tenth of a second apart; `knobs` are set before the run, `patch` after `at` calls. */
const runShop = (
  calls: number,
  knobs: Knobs = {},
  later?: { readonly at: number; readonly patch: Knobs },
) => {
  const globals = globalsView(makeOwnedGlobals('shop', knobs, 0), []);
  const orders = seededRandom('orders');
  const fulfilment = seededRandom('fulfilment');
  const events: ShopEvent[] = [];
  for (let call = 0; call < calls; call++) {
    if (call === later?.at) globals.update({ ...later.patch, patched_after: events.length });
    const ms = 1_700_000_000_000 + call * 100;
    const timestamp = { epochMilliseconds: ms, toString: () => new Date(ms).toISOString() };
    for (const text of [
      ...placeOrders({ timestamp, globals: globals as never, random: orders }),
      ...fulfil({ timestamp, globals, random: fulfilment }),
    ]) {
      events.push(JSON.parse(text) as ShopEvent);
    }
  }
  return { events, globals };
};

const count = (events: readonly ShopEvent[], name: string): number =>
  events.filter(({ event }) => event === name).length;

describe('the shop', () => {
  test('pays only what was ordered, ships only what was paid, and the totals add up', () => {
    const { events, globals } = runShop(8_000);
    const state = new Map<string, string>();
    const totals = new Map<string, number>();
    let revenue = 0;
    for (const { event, order_id, total_cents, amount_cents, items } of events) {
      const before = state.get(order_id);
      if (event === 'order_placed') {
        expect(before).toBeUndefined();
        expect(items?.reduce((sum, item) => sum + item.quantity * item.price_cents, 0)).toBe(total_cents);
        totals.set(order_id, total_cents ?? 0);
      } else if (event.startsWith('payment_')) {
        expect(before).toBe('order_placed');
        expect(amount_cents).toBe(totals.get(order_id));
        if (event === 'payment_authorised') revenue += amount_cents ?? 0;
      } else expect(before).toBe(event === 'order_shipped' ? 'payment_authorised' : 'payment_declined');
      state.set(order_id, event);
    }
    expect(events.length).toBeGreaterThan(10_000);
    expect(globals.get('revenue_cents')).toBe(revenue);
    expect(globals.get('shipped')).toBe(count(events, 'order_shipped'));
    expect(globals.get('cancelled')).toBe(count(events, 'order_cancelled'));
  });

  test('its knobs change what happens', () => {
    const declined = (share: number): number => {
      const { events } = runShop(3_000, { decline_share: share });
      return (
        count(events, 'payment_declined') /
        (count(events, 'payment_declined') + count(events, 'payment_authorised'))
      );
    };
    expect(declined(0)).toBe(0);
    expect(declined(1)).toBe(1);
    expect(Math.abs(declined(0.5) - 0.5)).toBeLessThan(0.1);
    expect(count(runShop(1_000, { order_rate_factor: 3 }).events, 'order_placed')).toBe(3_000);
    expect(count(runShop(1_000, { order_rate_factor: 0 }).events, 'order_placed')).toBe(0);
    const [order] = runShop(50, { sale: 50, order_rate_factor: 1 }).events;
    const [full] = runShop(50, { order_rate_factor: 1 }).events;
    expect(order?.total_cents).toBe((full?.total_cents ?? 0) / 2);
  });

  test('a knob that is changed while it runs acts from the next call on', () => {
    const patch = { decline_share: 1, sale: 50, order_rate_factor: 2 };
    const { events, globals } = runShop(2_000, { decline_share: 0 }, { at: 1_000, patch });
    const before = events.slice(0, globals.get('patched_after') as number);
    const after = events.slice(before.length);
    expect(count(before, 'payment_authorised')).toBeGreaterThan(400);
    expect(count(before, 'payment_declined')).toBe(0);
    expect(count(after, 'payment_authorised')).toBe(0);
    expect(count(after, 'payment_declined')).toBeGreaterThan(1_900);
    const sales = (of: readonly ShopEvent[]) =>
      new Set(of.filter(({ event }) => event === 'order_placed').map(({ sale }) => sale));
    expect(sales(before)).toEqual(new Set([0]));
    expect(sales(after)).toEqual(new Set([50]));
    expect(count(after, 'order_placed')).toBe(2_000);
  });

  test.each([
    ['order_rate_factor', 0, 100],
    ['sale', 0, 90],
    ['decline_share', 0, 1],
  ])('a bad value of %s is refused with its range, and nothing is changed', (key, min, max) => {
    for (const value of ['abc', null, {}, min - 1, max + 1]) {
      const globals = globalsView(makeOwnedGlobals('shop', { [key]: value }, 0), []);
      const timestamp = { epochMilliseconds: 0, toString: () => '' };
      const given = { timestamp, globals: globals as never, random: seededRandom(1) };
      expect(() => (key === 'decline_share' ? fulfil(given) : placeOrders(given))).toThrow(
        `"${key}" in the globals must be a number from ${min} to ${max}, not ${JSON.stringify(value)}`,
      );
      expect(globals.snapshot()).toEqual({ [key]: value });
    }
  });

  test('what it keeps is bounded however many orders come', () => {
    const { globals } = runShop(2_000, { order_rate_factor: 50 });
    expect(globals.get('open_orders')).toHaveProperty('length', 1_000 - 5);
    const size = JSON.stringify(globals.snapshot()).length;
    expect(size).toBeLessThan(200_000);
  });

  test('the same seed gives the same events', () => {
    expect(runShop(500).events).toEqual(runShop(500).events);
  });
});
