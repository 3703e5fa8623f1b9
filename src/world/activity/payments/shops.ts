import { textNumber, weighted } from '../../draw.js';
import type { WorldGround } from '../../population/population.js';
import type { PayShop } from './payment.js';

type ShopRow = readonly [
  weight: number,
  logarithm: number,
  id: string,
  name: string,
  code: string,
  country: string,
  currency: string,
  plan: string,
  key: string,
];

/** Shops, with how much they sell and the logarithm of their usual amount. */
const SHOPS: readonly ShopRow[] = [
  [1, 7.4, 'mer_JXX5FHEHZE', 'Amber Books', '5942', 'PL', 'EUR', 'standard', 'key_live_b02aff'],
  [13, 8.9, 'mer_5334Z83J5R', 'Birch Shoes', '5661', 'PL', 'PLN', 'custom', 'key_live_faeaa5'],
  [2, 6.4, 'mer_9YTZEXQFGS', 'Cedar Coffee', '5814', 'IT', 'EUR', 'standard', 'key_live_796273'],
  [3, 9.9, 'mer_YEPWQAP5HR', 'Delta Hotels', '7011', 'US', 'EUR', 'custom', 'key_live_26dec3'],
  [8, 8.6, 'mer_SX6YHR5BYB', 'Ember Tickets', '7922', 'SE', 'EUR', 'custom', 'key_live_42a131'],
  [2, 7.2, 'mer_TTBQLCA9DK', 'Fjord Games', '5816', 'IT', 'PLN', 'plus', 'key_live_9175d0'],
  [5, 7.6, 'mer_R9SRXKBS7Z', 'Grove Pharmacy', '5912', 'IT', 'GBP', 'plus', 'key_live_ad4953'],
  [2, 10.1, 'mer_GMBNC2VA2G', 'Harbor Furniture', '5712', 'US', 'SEK', 'plus', 'key_live_608f20'],
  [2, 9.6, 'mer_GKNBEMQ69B', 'Iris Bikes', '5940', 'PL', 'EUR', 'standard', 'key_live_2c5e82'],
  [1, 7, 'mer_7XC7CJ4BH4', 'Juniper Streaming', '4899', 'ES', 'SEK', 'standard', 'key_live_cc3608'],
  [13, 7.4, 'mer_V82MNETJM7', 'Kestrel Books', '5942', 'NL', 'EUR', 'custom', 'key_live_1bdfc6'],
  [5, 8.9, 'mer_YK2DK9RJ3Q', 'Linden Shoes', '5661', 'DE', 'SEK', 'plus', 'key_live_045e3d'],
  [1, 6.4, 'mer_F43PEU8Q2Y', 'Maple Coffee', '5814', 'ES', 'EUR', 'plus', 'key_live_90d219'],
  [1, 9.9, 'mer_6RS4GZWP8A', 'North Hotels', '7011', 'NL', 'EUR', 'plus', 'key_live_d208e4'],
  [13, 8.6, 'mer_VHSAQ2LHBY', 'Orchid Tickets', '7922', 'GB', 'EUR', 'standard', 'key_live_eb1eed'],
  [1, 7.2, 'mer_MHKCYEFDTE', 'Prairie Games', '5816', 'PL', 'EUR', 'plus', 'key_live_ce6d79'],
  [1, 7.6, 'mer_7Q8LX7XNCR', 'Quarry Pharmacy', '5912', 'GB', 'EUR', 'custom', 'key_live_dcf769'],
  [13, 10.1, 'mer_CGELK8G7KG', 'River Furniture', '5712', 'FR', 'EUR', 'standard', 'key_live_af8a5f'],
  [3, 9.6, 'mer_FBP9F2PCRS', 'Summit Bikes', '5940', 'FR', 'EUR', 'plus', 'key_live_50dcb1'],
  [5, 7, 'mer_PHKUT7JYDW', 'Timber Streaming', '4899', 'NL', 'EUR', 'standard', 'key_live_df4c34'],
  [1, 7.4, 'mer_QDYUPYHLMA', 'Amber Books', '5942', 'US', 'EUR', 'custom', 'key_live_bcd40e'],
  [8, 8.9, 'mer_WEMPPMLMGE', 'Birch Shoes', '5661', 'NL', 'PLN', 'plus', 'key_live_260f61'],
  [13, 6.4, 'mer_GE83NN7NCH', 'Cedar Coffee', '5814', 'NL', 'PLN', 'plus', 'key_live_c071d8'],
  [5, 9.9, 'mer_E2BZA9BJP2', 'Delta Hotels', '7011', 'ES', 'USD', 'plus', 'key_live_6973c6'],
  [8, 8.6, 'mer_HXG6GBASXN', 'Ember Tickets', '7922', 'PL', 'EUR', 'custom', 'key_live_d777a1'],
  [13, 7.2, 'mer_YAYRFZAYTG', 'Fjord Games', '5816', 'US', 'EUR', 'standard', 'key_live_604c82'],
  [5, 7.6, 'mer_9FCFRG9AYC', 'Grove Pharmacy', '5912', 'FR', 'EUR', 'standard', 'key_live_b18290'],
  [2, 10.1, 'mer_VZ6X9EWWFE', 'Harbor Furniture', '5712', 'ES', 'PLN', 'custom', 'key_live_8cb91b'],
  [8, 9.6, 'mer_NP2K2A2QY3', 'Iris Bikes', '5940', 'NL', 'EUR', 'custom', 'key_live_0cf89e'],
  [13, 7, 'mer_6X7EL9ANDB', 'Juniper Streaming', '4899', 'SE', 'USD', 'standard', 'key_live_0d1e1c'],
  [5, 7.4, 'mer_U6QYQY8LZM', 'Kestrel Books', '5942', 'GB', 'GBP', 'standard', 'key_live_dd9f29'],
  [13, 8.9, 'mer_UXK3PGGUNB', 'Linden Shoes', '5661', 'IT', 'USD', 'standard', 'key_live_f7a619'],
  [5, 6.4, 'mer_DVXA8AFL3Z', 'Maple Coffee', '5814', 'GB', 'EUR', 'custom', 'key_live_e2f02c'],
  [8, 9.9, 'mer_H5SGD9BHM6', 'North Hotels', '7011', 'GB', 'SEK', 'standard', 'key_live_a0b3ff'],
  [3, 8.6, 'mer_ZHD5QKTCPW', 'Orchid Tickets', '7922', 'GB', 'EUR', 'custom', 'key_live_73113a'],
  [3, 7.2, 'mer_NGSDX8QPNM', 'Prairie Games', '5816', 'GB', 'SEK', 'standard', 'key_live_24b712'],
  [2, 7.6, 'mer_WYALP6ZNFW', 'Quarry Pharmacy', '5912', 'GB', 'SEK', 'custom', 'key_live_1b1d67'],
  [13, 10.1, 'mer_NCJYA44RJF', 'River Furniture', '5712', 'IT', 'EUR', 'standard', 'key_live_dcd0ec'],
  [5, 9.6, 'mer_5675MRFNP9', 'Summit Bikes', '5940', 'FR', 'EUR', 'standard', 'key_live_fffcd0'],
  [8, 7, 'mer_H9QZFYD3SD', 'Timber Streaming', '4899', 'GB', 'EUR', 'plus', 'key_live_74e94e'],
];

/** Programs with which shops call the API. */
const AGENTS = [
  'payments-node/9.1.0 (linux; arm64)',
  'payments-node/9.0.4 (linux; arm64)',
  'payments-node/8.12.2 (windows; x64)',
  'payments-java/6.3.1 (windows; x64)',
  'payments-java/6.2.0 (linux; arm64)',
  'payments-php/4.8.0 (linux; x64)',
  'payments-php/4.7.3 (windows; x64)',
  'payments-php/4.1.0 (linux; arm64)',
  'payments-python/5.0.2 (linux; x64)',
  'payments-python/4.9.9 (linux; x64)',
  'payments-dotnet/3.3.0 (linux; x64)',
  'payments-ruby/7.2.1 (linux; x64)',
  'payments-ruby/7.0.0 (windows; x64)',
  'payments-go/2.15.0 (linux; arm64)',
  'payments-go/2.14.1 (linux; arm64)',
  'shop-plugin/1.22.0 (linux; x64)',
  'shop-plugin/1.21.7 (windows; x64)',
  'shop-plugin/1.20.3 (windows; x64)',
  'checkout-web/2026.2.1 (windows; x64)',
  'checkout-web/2026.1.4 (linux; arm64)',
] as const;

/** What people use who look after payments by hand. */
export const DASHBOARD = 'dashboard/2026.2';

/** Servers of shops: numbers of outsiders. */
const FIRST_SHOP = 70_000;

/** A shop, the usual amount of its payments, and the news that its webhooks want. */
export interface PayShopRow {
  readonly shop: PayShop;
  readonly usual: number;
  readonly wants: ReadonlySet<string>;
}

/** What shops want to hear of: some all, others only how it ends. */
const WANTED: readonly (readonly string[])[] = [
  ['authorized', 'declined', 'failed', 'captured', 'canceled', 'refunded'],
  ['captured', 'refunded', 'failed', 'declined'],
  ['authorized', 'declined', 'canceled', 'refunded'],
  ['authorized', 'captured', 'refunded'],
];

/** Shops of a world, each as often as it sells. */
export const shopsOf = ({ population }: WorldGround): readonly PayShopRow[] =>
  SHOPS.flatMap(([weight, logarithm, id, name, category_code, country, currency, plan, key], index) => {
    const number = textNumber(id, 31);
    const agent = (step: number): string => AGENTS[(number + step) % AGENTS.length] ?? '';
    const domain = `${name.toLowerCase().replace(' ', '-')}.example`;
    const { ip } = population.outsider(FIRST_SHOP + index);
    const agents = [agent(0), agent(7)];
    const shop = { id, name, category_code, country, currency, plan, key, domain, ip, agents };
    const row = { shop, usual: Math.exp(logarithm), wants: new Set(WANTED[index % WANTED.length]) };
    return Array.from({ length: weight }, () => row);
  });

/** Cards by the first digits that are reserved for tests. */
export const brandAt = weighted<readonly [brand: string, bin: string]>(
  (
    [
      [20, 'visa', '424242'],
      [20, 'visa', '400005'],
      [20, 'visa', '411111'],
      [20, 'visa', '401200'],
      [16, 'mastercard', '555555'],
      [16, 'mastercard', '520082'],
      [16, 'mastercard', '222300'],
      [16, 'mastercard', '510510'],
      [4, 'amex', '378282'],
      [4, 'amex', '371449'],
      [1, 'discover', '601111'],
      [1, 'discover', '601100'],
      [1, 'jcb', '356600'],
      [1, 'jcb', '353011'],
      [1, 'diners', '305693'],
      [1, 'diners', '385200'],
    ] as const
  ).map(([weight, brand, bin]) => [weight, [brand, bin]] as const),
);

/** What an acquirer answers. */
export type PayAnswer = readonly [code: string, reason: string];

export const APPROVED: PayAnswer = ['00', 'approved'];

/** Why cards are declined. */
export const declineAt = weighted<PayAnswer>(
  (
    [
      [30, '05', 'do_not_honor'],
      [28, '51', 'insufficient_funds'],
      [9, '54', 'expired_card'],
      [4, '14', 'invalid_card_number'],
      [8, '82', 'incorrect_cvv'],
      [5, '61', 'amount_limit_exceeded'],
      [4, '65', 'frequency_limit_exceeded'],
      [4, '57', 'transaction_not_permitted'],
      [1, '41', 'lost_card'],
      [1, '43', 'stolen_card'],
      [2, '62', 'restricted_card'],
      [3, '91', 'issuer_unavailable'],
      [1, '96', 'system_malfunction'],
      [2, '12', 'invalid_transaction'],
      [1, '13', 'invalid_amount'],
      [1, '15', 'no_such_issuer'],
      [1, '19', 'reenter_transaction'],
      [3, '59', 'suspected_fraud'],
      [1, '75', 'pin_tries_exceeded'],
      [9, '1A', 'authentication_required'],
    ] as const
  ).map(([weight, code, reason]) => [weight, [code, reason]] as const),
);

export type PayProblem = readonly [status: number, type: string, code: string, message: string];

/** Why the API refuses requests. */
export const problemAt = weighted<PayProblem>(
  (
    [
      [9, 400, 'invalid_request', 'parameter_missing', 'Parameter amount is missing'],
      [6, 400, 'invalid_request', 'parameter_invalid', 'Parameter currency is no ISO 4217 code'],
      [5, 400, 'invalid_request', 'amount_too_small', 'Amount is below the minimum of the currency'],
      [4, 400, 'invalid_request', 'amount_too_large', 'Refund exceeds the captured amount'],
      [6, 401, 'authentication_error', 'key_unknown', 'The API key does not exist'],
      [4, 401, 'authentication_error', 'key_expired', 'The API key has expired'],
      [3, 403, 'permission_error', 'scope_missing', 'The API key lacks the scope refunds:write'],
      [8, 404, 'invalid_request', 'payment_unknown', 'No payment has this id'],
      [2, 404, 'invalid_request', 'route_unknown', 'No route has this path'],
      [1, 405, 'invalid_request', 'method_not_allowed', 'The route does not accept this method'],
      [5, 409, 'conflict', 'idempotency_mismatch', 'The idempotency key was used with another body'],
      [6, 409, 'conflict', 'state_conflict', 'The payment is already captured'],
      [3, 409, 'conflict', 'lock_timeout', 'Another request changes this payment'],
      [1, 413, 'invalid_request', 'body_too_large', 'The body exceeds 64 KB'],
      [2, 415, 'invalid_request', 'media_type', 'The body is no JSON'],
      [2, 422, 'invalid_request', 'metadata_invalid', 'Metadata has more than 50 keys'],
      [9, 429, 'rate_limit', 'too_many_requests', 'The key exceeds 100 requests a second'],
      [2, 500, 'api_error', 'internal', 'The request failed for an internal reason'],
      [2, 502, 'api_error', 'acquirer_reply', 'The acquirer sent an invalid reply'],
      [1, 503, 'api_error', 'shutdown', 'The instance shuts down'],
    ] as const
  ).map(([weight, ...problem]) => [weight, problem] as const),
);

/** Acquirers, by the payments that they get. */
export const acquirerAt = weighted([
  [55, 'acquirer-a'],
  [30, 'acquirer-b'],
  [15, 'acquirer-c'],
] as const);

/** Who takes over when an acquirer fails. */
export const otherAcquirer = (acquirer: string): string =>
  acquirer === 'acquirer-c' ? 'acquirer-b' : 'acquirer-c';

export const ACQUIRERS: readonly string[] = ['acquirer-a', 'acquirer-b', 'acquirer-c'];

/** What the services need. */
export const DEPENDENCIES = [...ACQUIRERS, 'token-vault', 'payments-db', 'event-queue', 'session-cache'];
