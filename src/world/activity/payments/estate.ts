import { type KeyedDraws, textNumber } from '../../draw.js';
import type { WorldHost } from '../../population/entities.js';
import type { WorldGround } from '../../population/population.js';
import { rememberAll, rememberOfWorld } from '../../remember.js';
import { keyedUuid } from '../cluster/estate.js';
import { HOMES } from '../web/visitors.js';
import type { PayCard, PayCustomer, PayPod } from './payment.js';
import { brandAt, type PayShopRow, shopsOf } from './shops.js';

/** Purposes of draws: customers with their cards, pods, and agents of the call center. */
const WHY = { customer: 600, pod: 601, clerk: 602 } as const;

export type PayService = 'payments-api' | 'risk-engine' | 'acquirer-gateway' | 'webhook-dispatcher';

const SERVICES: Readonly<Record<PayService, readonly [version: string, language: string]>> = {
  'payments-api': ['4.18.2', 'java'],
  'risk-engine': ['2.7.0', 'python'],
  'acquirer-gateway': ['3.2.5', 'go'],
  'webhook-dispatcher': ['1.9.1', 'nodejs'],
};
/** Pods of each service, on three nodes. */
const PODS = 6;
const STACKED_NODES = 3;

/** A pod, with its node. */
export interface PayPlace {
  readonly pod: PayPod;
  readonly host: WorldHost;
}

/** Somebody who pays. */
export interface PayHolder {
  readonly customer: PayCustomer;
  readonly cards: readonly PayCard[];
}

/** Somebody who looks after payments in the dashboard. */
export interface PayClerk {
  readonly user: string;
  readonly ip: string;
}

/** What the payments of a world have in common. Made once for each. */
export interface PayEstate {
  /** Each as often as it sells. */
  readonly shops: readonly PayShopRow[];
  readonly podsOf: Readonly<Record<PayService, readonly PayPlace[]>>;
  readonly pods: readonly PayPlace[];
  readonly holder: (number: number) => PayHolder;
  /** Agents of a call center, who are there at any hour. */
  readonly clerk: (number: number) => PayClerk;
}

/** Customers are those whom the web site has as visitors. */
export const HOLDERS = HOMES.count;
export const CLERKS = 90;
const FIRST_CLERK = 71_000;

const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const letters = (own: KeyedDraws, count: number): string =>
  Array.from({ length: count }, () => CHARACTERS[own.integer(0, CHARACTERS.length - 1)]).join('');

export const customerId = (own: KeyedDraws): string => `cus_${letters(own, 12)}`;

/** Where cards are from that are not from where their holder is. */
const ELSEWHERE = ['DE', 'FR', 'GB', 'IT', 'ES', 'US', 'NL', 'PL', 'SE'] as const;

export const someCard = (own: KeyedDraws, country: string): PayCard => {
  const [brand, bin] = brandAt(own.next());
  return {
    brand,
    funding: own.chance(0.5) ? 'credit' : 'debit',
    bin,
    last4: String(own.integer(0, 9_999)).padStart(4, '0'),
    fingerprint: own.hex(16),
    country: own.chance(0.12) ? own.pick(ELSEWHERE) : country,
    three_ds: own.chance(0.3) ? '2.1.0' : '2.2.0',
  };
};

const DEVICES = ['web', 'web', 'ios', 'android'] as const;

export const payEstateOf = rememberOfWorld(({ draws, population }: WorldGround): PayEstate => {
  const nodes = population.serversOf('kubernetes_node');
  const [first] = nodes;
  if (first === undefined) throw new Error('a world has no nodes');
  const count = Math.max(PODS, Math.round((PODS * nodes.length) / STACKED_NODES));
  const placesOf = (service: PayService): readonly PayPlace[] => {
    const [version, language] = SERVICES[service];
    const set = draws.of(textNumber(service, 31), 0, WHY.pod).hex(9);
    return Array.from({ length: count }, (_, index) => {
      const own = draws.of(textNumber(service, 31), index + 1, WHY.pod);
      const number = own.integer(0, nodes.length - 1);
      const host = nodes[number] ?? first;
      const name = `${service}-${set}-${own.hex(5)}`;
      const place = { node: host.fqdn, zone: 'abc'[number % 3] ?? 'a' };
      return {
        host,
        pod: { service, name, ...place, version, language, instance: keyedUuid(own.word(), 0) },
      };
    });
  };
  const podsOf = {
    'payments-api': placesOf('payments-api'),
    'risk-engine': placesOf('risk-engine'),
    'acquirer-gateway': placesOf('acquirer-gateway'),
    'webhook-dispatcher': placesOf('webhook-dispatcher'),
  };
  return {
    shops: shopsOf({ draws, population }),
    podsOf,
    pods: Object.values(podsOf).flat(),
    holder: rememberAll((number: number): PayHolder => {
      const own = draws.of(number, 0, WHY.customer);
      const { ip, country } = population.outsider(HOMES.first + number);
      const cards = Array.from({ length: own.integer(1, 3) }, () => someCard(own, country));
      return { cards, customer: { id: customerId(own), country, ip, device: own.pick(DEVICES) } };
    }),
    clerk: rememberAll((number: number): PayClerk => {
      const own = draws.of(number, 0, WHY.clerk);
      const { ip } = population.outsider(FIRST_CLERK + number);
      return { user: `agent_${String(own.integer(0, 9_999)).padStart(4, '0')}`, ip };
    }),
  };
});
