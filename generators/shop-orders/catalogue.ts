/** A product; prices in cents. */
export interface Product {
  readonly sku: string;
  readonly price_cents: number;
}

export const PRODUCTS: readonly Product[] = [
  { sku: 'lamp-17', price_cents: 4_900 },
  { sku: 'shelf-23', price_cents: 12_900 },
  { sku: 'chair-42', price_cents: 34_900 },
  { sku: 'rug-8', price_cents: 7_900 },
  { sku: 'mug-3', price_cents: 1_200 },
];
