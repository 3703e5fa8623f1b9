import type { Micros } from '../../../domain/time/micros.js';

/** A shop that takes payments over the API. */
export interface PayShop {
  readonly id: string;
  readonly name: string;
  readonly category_code: string;
  readonly country: string;
  readonly currency: string;
  readonly plan: string;
  readonly key: string;
  /** Its webhooks go below this name. */
  readonly domain: string;
  /** Its server, and the programs there. */
  readonly ip: string;
  readonly agents: readonly string[];
}

export interface PayCard {
  readonly brand: string;
  readonly funding: string;
  readonly bin: string;
  readonly last4: string;
  readonly fingerprint: string;
  readonly country: string;
  /** Version of 3-D Secure. */
  readonly three_ds: string;
}

export interface PayCustomer {
  readonly id: string;
  readonly country: string;
  readonly ip: string;
  readonly device: string;
}

/** A payment: one object for all of its steps. */
export interface Payment {
  readonly id: string;
  /** In the smallest unit of the currency of the shop. */
  readonly amount: number;
  readonly shop: PayShop;
  readonly customer: PayCustomer;
  readonly card: PayCard;
  readonly agent: string;
  /** Who says when it is captured: automatic, or manual. */
  readonly capture: string;
  readonly began: Micros;
  /** Its own number, from which ids of its requests follow. */
  readonly key: number;
}

/** A pod of one of the services. */
export interface PayPod {
  readonly service: string;
  readonly name: string;
  /** Its node, and the letter of its zone. */
  readonly node: string;
  readonly zone: string;
  readonly version: string;
  readonly language: string;
  readonly instance: string;
}
