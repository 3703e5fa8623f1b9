import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventsOf } from './eventsOf.js';

interface Step {
  readonly at: string;
  readonly journey: string;
  readonly step: number;
  readonly action: string;
  readonly customer: string;
  readonly page?: string;
  readonly pages?: number;
  readonly seconds?: number;
  readonly outcome?: string;
  readonly item?: { readonly sku: string; readonly quantity: number; readonly price_cents: number };
  readonly cart?: { readonly lines: number; readonly total_cents: number };
  readonly payment?: { readonly attempt: number; readonly result: string };
}

/** The steps of whole journeys, in order; the last one may have been cut. */
const journeysOf = (steps: readonly Step[]): readonly (readonly Step[])[] => {
  const byId = new Map<string, Step[]>();
  for (const step of steps) byId.set(step.journey, [...(byId.get(step.journey) ?? []), step]);
  return [...byId.values()].filter((journey) => journey.at(-1)?.action === 'logout');
};

const actionsOf = (journey: readonly Step[]): string => journey.map(({ action }) => action).join(' ');

/** A product is put into the cart only from its page; who pays has something in the cart. */
const ORDER = /^login(?: browse)+(?: add-to-cart(?: browse)+)*(?: checkout){0,3} logout$/;

describe('the journeys of the example', () => {
  let steps: readonly Step[] = [];
  let journeys: readonly (readonly Step[])[] = [];
  beforeAll(async () => {
    steps = await eventsOf<Step>('shop-journey', 5_000);
    journeys = journeysOf(steps);
  });

  test('come one after the other, each with steps 1, 2, 3 of one customer', () => {
    expect(steps).toHaveLength(5_000);
    expect(journeys.length).toBeGreaterThan(350);
    // Grouped by their names in order of appearance they are the stream itself: none begins within another.
    const whole = journeys.flat();
    expect(whole).toEqual(steps.slice(0, whole.length));
    expect(steps.length - whole.length).toBeLessThan(30);
    for (const [place, journey] of journeys.entries()) {
      expect(journey[0]?.journey).toBe(`j-${String(place + 1).padStart(6, '0')}`);
      expect(journey.map(({ step }) => step)).toEqual(journey.map((_, index) => index + 1));
      expect(new Set(journey.map(({ customer }) => customer)).size).toBe(1);
    }
  });

  test('go from login over pages to the checkout and the logout', () => {
    const odd = journeys.map(actionsOf).filter((actions) => !ORDER.test(actions));
    expect(odd).toEqual([]);
    const paid = journeys.filter((journey) => actionsOf(journey).includes('checkout'));
    expect(paid.length).toBeGreaterThan(journeys.length / 2);
    for (const journey of paid) expect(actionsOf(journey)).toContain('add-to-cart');
  });

  test('have totals that add up, to the cent', () => {
    for (const journey of journeys) {
      let total_cents = 0;
      let lines = 0;
      for (const { item, cart, action } of journey) {
        if (item !== undefined) {
          total_cents += item.quantity * item.price_cents;
          lines++;
        }
        const hasCart = ['add-to-cart', 'checkout', 'logout'].includes(action);
        expect(cart).toEqual(hasCart ? { lines, total_cents } : undefined);
      }
    }
  });

  test('put into the cart what was on the page before, once each', () => {
    for (const journey of journeys) {
      const added = journey.flatMap(({ item }) => item?.sku ?? []);
      expect(new Set(added).size).toBe(added.length);
      for (const [index, { item }] of journey.entries())
        if (item !== undefined) expect(journey[index - 1]?.page).toBe(`/products/${item.sku}`);
    }
  });

  test('pay until it works, three times at most, and say at the end what came of it', () => {
    const outcomes = new Set<string>();
    for (const journey of journeys) {
      const results = journey.flatMap(({ payment }) => payment?.result ?? []);
      expect(results.slice(0, -1).every((result) => result === 'declined')).toBe(true);
      if (results.length > 0 && results.length < 3) expect(results.at(-1)).toBe('accepted');
      const attempts = journey.flatMap(({ payment }) => payment?.attempt ?? []);
      expect(attempts).toEqual(results.map((_, index) => index + 1));
      const end = journey.at(-1);
      expect(end?.outcome === 'bought').toBe(results.at(-1) === 'accepted');
      expect(end?.pages).toBe(journey.filter(({ page }) => page !== undefined).length);
      expect(end?.seconds).toBe((Date.parse(end?.at ?? '') - Date.parse(journey[0]?.at ?? '')) / 1_000);
      outcomes.add(end?.outcome ?? '');
    }
    expect(outcomes).toContain('bought');
    expect(outcomes).toContain('found nothing');
  });

  test('end early where the second input calls the customer away from browsing', () => {
    const away = journeys.filter((journey) => journey.at(-1)?.outcome === 'called away');
    expect(away.length).toBeGreaterThan(20);
    for (const journey of away) {
      expect(journey.at(-2)?.action).toBe('browse');
      // Every twenty seconds.
      expect((Date.parse(journey.at(-1)?.at ?? '') / 1_000) % 20).toBe(0);
    }
  });

  test('take their parameters', async () => {
    const eager = journeysOf(await eventsOf<Step>('shop-journey', 400, { wants: 1, declined: 1 }));
    const ends = eager.map((journey) => journey.at(-1)?.outcome);
    expect(ends).toContain('could not pay');
    expect(ends).not.toContain('bought');
    const shy = journeysOf(await eventsOf<Step>('shop-journey', 400, { wants: 0, prefix: 'b' }));
    expect(shy.some((journey) => actionsOf(journey).includes('add-to-cart'))).toBe(false);
    expect(shy.length).toBeGreaterThan(20);
    expect(shy[0]?.[0]?.journey).toBe('b-000001');
  });
});
