import {
  MICROS_PER_MINUTE,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { InternetAccess } from '../../population/entities.js';
import { gap } from '../gaps.js';
import type { Surroundings } from '../scribe.js';
import { customerId, HOLDERS, type PayEstate, type PayHolder, someCard } from './estate.js';
import { paymentId } from './hex.js';
import type { PayCard, Payment } from './payment.js';
import { APPROVED, acquirerAt, declineAt, otherAcquirer, type PayAnswer, type PayShopRow } from './shops.js';

/** A payment has all but its settlement and its refunds within so much time. */
export const MAX_PAYMENT = 10 * MICROS_PER_MINUTE;
/** Later than this after its begin, nothing is decided about it. */
const MAX_DECISION = 8 * MICROS_PER_MINUTE;

/** What goes wrong with the acquirer of a payment. */
export interface PayTrouble {
  readonly acquirer: string;
  /** Which pod of the gateway has it: each has a circuit of its own. */
  readonly pod: number;
  readonly circuit: 'closed' | 'open' | 'half-open';
  readonly failures: number;
  /** Whether the circuit opens with it. */
  readonly isLast: boolean;
  /** Whether another acquirer takes over. */
  readonly isSaved: boolean;
}

/** What becomes of a payment. It is drawn before its steps, so that those who look back need not draw these. */
export interface PayPlan {
  readonly payment: Payment;
  readonly row: PayShopRow;
  readonly score: number;
  readonly scoredAt: Micros;
  readonly decision: 'accept' | 'challenge' | 'block';
  /** How 3-D Secure ends, and when. Null without. */
  readonly challenge: string | null;
  readonly challengedAt: Micros;
  /** What the acquirer answers, and when; null when it is not asked. */
  readonly answer: PayAnswer | null;
  readonly answeredAt: Micros;
  readonly acquirer: string;
  readonly ending: 'captured' | 'canceled' | null;
  readonly endedAt: Micros;
  readonly trouble: PayTrouble | null;
  /** Payments from the same address just before. */
  readonly tries: number;
}

const SHARES = {
  declined: 0.09,
  manual: 0.4,
  canceled: 0.05,
  /** Small amounts: checks of cards, top-ups, tips. */
  small: 0.06,
  risky: 0.012,
  /** Who tries again after a refusal. */
  again: 0.45,
} as const;
const SMALL = { least: 50, most: 199 } as const;
const AMOUNTS = { least: 100, most: 450_000 } as const;
/** Scores from which a payment is blocked, or its holder asked to confirm. */
const BLOCK_FROM = 75;
const CHALLENGE_FROM = 34;

const challengeAt = weighted([
  [82, 'authenticated'],
  [5, 'attempted'],
  [7, 'failed'],
  [6, 'abandoned'],
] as const);
export const hasPassed = (challenge: string | null): boolean =>
  challenge === null || challenge === 'authenticated' || challenge === 'attempted';

/** Who pays, and what of it is not left to chance. */
interface PayOrder {
  readonly holder: PayHolder;
  readonly card: PayCard;
  readonly row: PayShopRow;
  readonly isSmall: boolean;
  readonly declined: number;
  readonly risk: number;
  readonly trouble: PayTrouble | null;
  readonly tries: number;
}

const clamped = (value: number, least: number, most: number): number =>
  Math.floor(Math.min(most, Math.max(least, value)));

/** A payment that begins at a moment, with all that is decided about it. */
const planOf = (own: KeyedDraws, at: Micros, order: PayOrder): PayPlan => {
  const { holder, card, row, trouble } = order;
  const { customer } = holder;
  const small = own.integer(SMALL.least, SMALL.most);
  const usual = clamped(own.lognormal(row.usual, 0.7), AMOUNTS.least, AMOUNTS.most);
  const key = own.word();
  const payment: Payment = {
    id: paymentId(key, own.word(), own.word()),
    amount: order.isSmall ? small : usual,
    shop: row.shop,
    customer,
    card,
    agent: row.shop.agents[own.chance(0.75) ? 0 : 1] ?? '',
    capture: own.chance(SHARES.manual) ? 'manual' : 'automatic',
    began: at,
    key,
  };
  const away = customer.country === card.country ? 0 : 12;
  const drawnScore = 18 + 14 * own.normal() + away + order.risk + (own.chance(SHARES.risky) ? 50 : 0);
  const score = clamped(drawnScore, 0, 99);
  const drawn =
    trouble !== null || score < CHALLENGE_FROM ? 'accept' : score < BLOCK_FROM ? 'challenge' : 'block';
  const scoredAt = at + ms(own, 62, 0.4);
  const challenge = drawn === 'challenge' ? challengeAt(own.next()) : null;
  const challengedAt =
    challenge === null ? scoredAt : scoredAt + Math.min(MAX_DECISION / 2, gap(own, 48, 0.7));
  const isAsked = drawn !== 'block' && hasPassed(challenge) && trouble?.isSaved !== false;
  const wait = trouble === null ? 0 : trouble.circuit === 'closed' ? 10_000 : 1;
  const answeredAt = challengedAt + ms(own, 260, 0.45) + wait * MICROS_PER_MS;
  const answer = !isAsked ? null : own.chance(order.declined) ? declineAt(own.next()) : APPROVED;
  const isCanceled = own.chance(SHARES.canceled);
  const pause = payment.capture === 'automatic' && !isCanceled ? gap(own, 1.1, 0.6) : gap(own, 130, 0.8);
  const endedAt = answeredAt + pause;
  const isOver = answer === APPROVED && endedAt < at + MAX_DECISION;
  // One literal without a spread: it is made for each payment that somebody looks back for.
  return {
    payment,
    row,
    score,
    scoredAt,
    decision: drawn,
    challenge,
    challengedAt,
    answer,
    answeredAt,
    acquirer: acquirerOf(own, trouble),
    ending: !isOver ? null : isCanceled ? 'canceled' : 'captured',
    endedAt,
    trouble,
    tries: order.tries,
  };
};

/** Another acquirer takes over from one that fails; a circuit that is half open lets one payment pass. */
const acquirerOf = (own: KeyedDraws, trouble: PayTrouble | null): string => {
  if (trouble === null) return acquirerAt(own.next());
  return trouble.circuit === 'half-open' ? trouble.acquirer : otherAcquirer(trouble.acquirer);
};

const ms = (own: KeyedDraws, median: number, sigma: number): Micros =>
  Math.round(own.lognormal(median, sigma) * MICROS_PER_MS);

/** Where payments are drawn. */
export interface PayScene {
  readonly world: Surroundings;
  readonly estate: PayEstate;
  readonly own: KeyedDraws;
  readonly at: Micros;
}

export const someHolder = ({ estate, own }: PayScene): PayHolder =>
  estate.holder(own.integer(0, HOLDERS - 1));

/** Somebody buys something, and tries again when the card is refused. */
export const buy = (scene: PayScene): readonly PayPlan[] => {
  const { estate, own } = scene;
  const holder = someHolder(scene);
  const row = own.pick(estate.shops);
  const isSmall = own.chance(SHARES.small);
  const plans: PayPlan[] = [];
  let { at } = scene;
  for (let tries = own.chance(SHARES.again) ? 3 : 1; tries > 0; tries--) {
    const plan = planOf(own, at, {
      holder,
      card: own.pick(holder.cards),
      row,
      isSmall,
      declined: SHARES.declined,
      risk: 0,
      trouble: null,
      tries: plans.length,
    });
    plans.push(plan);
    if (plan.answer === null || plan.answer === APPROVED) break;
    at = plan.answeredAt + gap(own, 22, 0.7);
  }
  return plans;
};

/** Cards that somebody tries from one address: with small amounts mostly, at last for more. */
export interface CardTries {
  readonly access: InternetAccess;
  readonly tries: number;
  /** Seconds between two. */
  readonly pause: number;
}

/** Where cards are from that somebody tries who is elsewhere. */
const STOLEN_IN = ['US', 'GB', 'FR', 'BR', 'IN', 'DE', 'CA', 'JP'] as const;

/** Somebody tries one card after another at a shop, and buys with one that works. */
export const tryCards = (
  { estate, own, at: from }: PayScene,
  { access, tries, pause }: CardTries,
): readonly PayPlan[] => {
  const { ip, country } = access;
  const row = own.pick(estate.shops);
  const plans: PayPlan[] = [];
  let at = from;
  for (let left = tries; left > 0; left--) {
    const customer = { id: customerId(own), country, ip, device: own.chance(0.5) ? 'web' : 'android' };
    const card = someCard(own, own.chance(0.6) ? country : own.pick(STOLEN_IN));
    const holder = { customer, cards: [card] };
    const base = { holder, card, risk: 4, trouble: null, tries: plans.length };
    const plan = planOf(own, at, { ...base, row, isSmall: own.chance(0.85), declined: 0.8 });
    plans.push(plan);
    at += gap(own, pause, 0.8);
    if (plan.answer !== APPROVED || !own.chance(0.6)) continue;
    plans.push(planOf(own, at, { ...base, row: own.pick(estate.shops), isSmall: false, declined: 0.15 }));
    at += gap(own, pause, 0.8);
  }
  return plans;
};

/** Failures after which a circuit opens. */
export const CIRCUIT_LIMIT = 5;

/** Payments whose acquirer does not answer: the circuit of a pod opens, some payments fail at once, then it recovers. */
export const meetTrouble = (scene: PayScene, acquirer: string, refused: number): readonly PayPlan[] => {
  const { estate, own } = scene;
  const pod = own.integer(0, estate.podsOf['acquirer-gateway'].length - 1);
  const plans: PayPlan[] = [];
  let at = scene.at;
  const meet = (circuit: PayTrouble['circuit'], failures: number): void => {
    const holder = someHolder(scene);
    const isSaved = circuit === 'half-open' || own.chance(0.55);
    const trouble = {
      acquirer,
      pod,
      circuit,
      failures,
      isSaved,
      isLast: circuit === 'closed' && failures === CIRCUIT_LIMIT,
    };
    const order = { holder, card: own.pick(holder.cards), row: own.pick(estate.shops), trouble, tries: 0 };
    plans.push(
      planOf(own, at, { ...order, isSmall: own.chance(SHARES.small), declined: SHARES.declined, risk: 0 }),
    );
    at += gap(own, 5, 0.8);
  };
  for (let failures = 1; failures <= CIRCUIT_LIMIT; failures++) meet('closed', failures);
  at += 10 * MICROS_PER_SECOND;
  for (let left = refused; left > 0; left--) meet('open', CIRCUIT_LIMIT);
  meet('half-open', CIRCUIT_LIMIT);
  return plans;
};
