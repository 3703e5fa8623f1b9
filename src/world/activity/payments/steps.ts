import {
  MICROS_PER_DAY,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  type Micros,
} from '../../../domain/time/micros.js';
import { type KeyedDraws, weighted } from '../../draw.js';
import type { Person } from '../../population/entities.js';
import { mixedKey } from '../cluster/estate.js';
import { gap } from '../gaps.js';
import type { PayClerk, PayEstate, PayPlace, PayService } from './estate.js';
import type { Payment, PayShop } from './payment.js';
import { hasPassed, MAX_PAYMENT, type PayPlan, type PayTrouble } from './plans.js';
import { APPROVED, DASHBOARD, type PayShopRow } from './shops.js';

/** What else is known of a step, by what it is. */
interface PayGiven {
  readonly ip: string | null;
  readonly agent: string | null;
  readonly status: number | null;
  readonly acquirer: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** Whether it is another acquirer than the first one, or a dependency is slow. */
  readonly isOdd: boolean;
  readonly score: number | null;
  readonly tries: number | null;
  readonly seconds: number | null;
  readonly amount: number | null;
  readonly origin: string | null;
  readonly destination: string | null;
  readonly actor: string | null;
  readonly about: string | null;
  readonly attempt: number | null;
  readonly circuit: string | null;
  readonly failures: number | null;
  readonly shop: PayShop | null;
  readonly route: string | null;
}

/** A copy of one object with all fields gives all steps one shape: looking for what a step lacks takes longest. */
export const NO_DETAILS: PayGiven = {
  ip: null,
  agent: null,
  status: null,
  acquirer: null,
  code: null,
  reason: null,
  message: null,
  isOdd: false,
  score: null,
  tries: null,
  seconds: null,
  amount: null,
  origin: null,
  destination: null,
  actor: null,
  about: null,
  attempt: null,
  circuit: null,
  failures: null,
  shop: null,
  route: null,
};

/** A record of a service. What only decorates it follows from the key when its minute is made. */
export interface PayStep {
  readonly at: Micros;
  readonly event: string;
  /** Null for what services tell besides payments. */
  readonly payment: Payment | null;
  readonly state: string;
  readonly place: PayPlace;
  readonly trace: number;
  readonly span: number;
  readonly parent: number;
  readonly micros: number;
  readonly person: Person | null;
  readonly given: PayGiven;
}

/** Names a request or a call: an identifier is made of it when it is written down. Below 2^31, as it is kept for long. */
const spanKey = (own: KeyedDraws): number => own.word() >>> 1;

/** A request and the call before the next one, as numbers. */
export interface PayTrace {
  readonly trace: number;
  readonly parent: number;
}

/** Times of services in milliseconds. */
const SIGMA = 0.45;

/** Writes records of services. A class, because all that belongs together ends in time. */
export class PayWriter {
  readonly steps: PayStep[] = [];
  private readonly end: Micros;

  constructor(
    readonly own: KeyedDraws,
    readonly estate: PayEstate,
    begin: Micros,
    private readonly person: Person | null = null,
  ) {
    this.end = begin + MAX_PAYMENT;
  }

  /** A request that nothing in the services led to. */
  request(): PayTrace {
    return { trace: spanKey(this.own), parent: spanKey(this.own) };
  }

  /** A record at a moment of a pod, or of any pod of a service, that took some time. Returns its span. */
  tell(
    at: Micros,
    event: string,
    where: PayService | PayPlace,
    { trace, parent }: PayTrace,
    median: number,
    payment: Payment | null,
    state: string,
    given: PayGiven,
  ): number {
    const { own, person } = this;
    const span = spanKey(own);
    const place = typeof where === 'string' ? own.pick(this.estate.podsOf[where]) : where;
    const micros = Math.max(1, Math.round(own.lognormal(median, SIGMA) * MICROS_PER_MS));
    if (at < this.end)
      this.steps.push({ at, event, payment, state, place, trace, span, parent, micros, person, given });
    return span;
  }
}

const hookStatus = weighted([
  [80, 200],
  [14, 204],
  [2, 500],
  [2, 503],
  [1, 404],
  [1, 408],
] as const);
const MAX_ATTEMPTS = 5;

/** What becomes of a payment that its shop may hear of, with the name of the record that tells so. */
const NEWS = {
  authorized: 'payment.authorized',
  declined: 'payment.declined',
  failed: 'payment.failed',
  captured: 'payment.captured',
  canceled: 'payment.canceled',
  refunded: 'payment.refunded',
} as const;
export type PayNews = keyof typeof NEWS;

/** The shop hears of a payment, if it wants to: again after a while when that fails. */
export const tellShop = (
  writer: PayWriter,
  { wants }: PayShopRow,
  payment: Payment,
  news: PayNews,
  from: Micros,
  trace: PayTrace,
): void => {
  const { own } = writer;
  if (!wants.has(news)) return;
  let at = from + gap(own, 0.5, 0.7);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const status = hookStatus(own.next());
    const event = status >= 400 ? 'webhook.failed' : 'webhook.delivered';
    const given = { ...NO_DETAILS, status, about: NEWS[news], attempt };
    writer.tell(at, event, 'webhook-dispatcher', trace, 148, payment, news, given);
    if (status < 400) return;
    at += 30 * attempt * attempt * MICROS_PER_SECOND + gap(own, 0.8, 0.6);
  }
};

/** Who asks for something: the server of the shop, or a clerk in the dashboard. */
export const asked = ({ shop, agent }: Payment, clerk: PayClerk | null): PayGiven =>
  clerk === null
    ? { ...NO_DETAILS, ip: shop.ip, agent }
    : { ...NO_DETAILS, ip: clerk.ip, agent: DASHBOARD, actor: clerk.user };

/** The shop reads a payment, or a clerk. */
export const readPayment = (
  writer: PayWriter,
  payment: Payment,
  state: string,
  at: Micros,
  clerk: PayClerk | null = null,
): void => {
  const given = { ...asked(payment, clerk), status: writer.own.chance(0.4) ? 304 : 200 };
  writer.tell(at, 'payment.read', 'payments-api', writer.request(), 11, payment, state, given);
};

/** How often a shop reads a payment after something has become of it. */
const READS = 0.42;
const readSoon = (writer: PayWriter, payment: Payment, state: PayNews, from: Micros): void => {
  for (let count = writer.own.poisson(READS); count > 0; count--)
    readPayment(writer, payment, state, from + gap(writer.own, 9, 1));
};

/** A pod of the gateway: that of the trouble, where there is some. */
const gatewayOf = ({ estate }: PayWriter, trouble: PayTrouble | null): PayService | PayPlace =>
  (trouble === null ? undefined : estate.podsOf['acquirer-gateway'][trouble.pod]) ?? 'acquirer-gateway';

/** The acquirer fails. */
const tellTrouble = (writer: PayWriter, plan: PayPlan, trouble: PayTrouble, trace: PayTrace): void => {
  const { payment, challengedAt } = plan;
  const { acquirer, circuit, failures, isSaved, isLast } = trouble;
  const { own } = writer;
  const isSlow = circuit === 'closed';
  const place = gatewayOf(writer, trouble);
  const at = challengedAt + (isSlow ? 10 * MICROS_PER_SECOND : 0) + own.integer(1_000, 30_000);
  const state = isSaved ? 'scored' : 'failed';
  const given = {
    ...NO_DETAILS,
    ...{
      acquirer,
      circuit,
      failures,
      status: isSlow ? 504 : 503,
      ip: payment.customer.ip,
      agent: payment.agent,
    },
    code: isSlow ? 'deadline_exceeded' : 'circuit_open',
  };
  writer.tell(at, 'dependency.failed', place, trace, isSlow ? 10_066 : 2, payment, state, given);
  if (!isLast) return;
  const opened = { ...given, status: 503, circuit: 'open' };
  const openedAt = at + own.integer(300, 4_000);
  writer.tell(openedAt, 'dependency.circuit.opened', place, trace, 1, payment, state, opened);
};

/** What the acquirer says, or that it has failed. */
const tellAnswer = (writer: PayWriter, plan: PayPlan, trace: PayTrace): void => {
  const { payment, answer, answeredAt: at, acquirer, trouble, row } = plan;
  if (answer === null) {
    if (trouble !== null) tellShop(writer, row, payment, 'failed', at, trace);
    return;
  }
  const isHalfOpen = trouble?.circuit === 'half-open';
  const news = answer === APPROVED ? 'authorized' : 'declined';
  const place = gatewayOf(writer, trouble);
  const parent = writer.tell(at, NEWS[news], place, trace, 221, payment, news, {
    ...NO_DETAILS,
    acquirer,
    ip: payment.customer.ip,
    code: answer[0],
    reason: answer[1],
    isOdd: trouble !== null && !isHalfOpen,
  });
  const next = { trace: trace.trace, parent };
  if (isHalfOpen) {
    const given = {
      ...asked(payment, null),
      acquirer,
      status: 200,
      circuit: 'closed',
      failures: 0,
      code: 'none',
    };
    const recoveredAt = at + writer.own.integer(300, 4_000);
    writer.tell(recoveredAt, 'dependency.recovered', place, next, 1, payment, news, {
      ...given,
      ip: payment.customer.ip,
    });
  }
  tellShop(writer, row, payment, news, at, next);
  readSoon(writer, payment, news, at);
};

const cancelReason = weighted([
  [45, 'requested_by_customer'],
  [20, 'out_of_stock'],
  [12, 'duplicate'],
  [18, 'expired'],
  [5, 'fraud_suspected'],
] as const);

/** Tells of a payment from its begin to the capture. */
export const tellPayment = (writer: PayWriter, plan: PayPlan): void => {
  const { payment, score, scoredAt, decision, challenge, challengedAt, ending, endedAt, tries, trouble } =
    plan;
  const { own } = writer;
  const { began, customer, agent } = payment;
  const { ip } = customer;
  const request = writer.request();
  const created = { ...NO_DETAILS, ip, agent, status: 201 };
  const parent = writer.tell(
    began,
    'payment.created',
    'payments-api',
    request,
    24,
    payment,
    'created',
    created,
  );
  const trace = { trace: request.trace, parent };
  const scored = { ...NO_DETAILS, ip, score, reason: decision, tries };
  writer.tell(scoredAt, 'risk.evaluated', 'risk-engine', trace, 33, payment, SCORED[decision], scored);
  if (challenge !== null) {
    const isPassed = hasPassed(challenge);
    const seconds = (challengedAt - began) / MICROS_PER_SECOND;
    const given = { ...NO_DETAILS, ip, agent, reason: challenge, seconds, status: isPassed ? 200 : 402 };
    const state = isPassed ? 'scored' : 'failed';
    writer.tell(
      challengedAt,
      'payment.challenge.completed',
      'payments-api',
      trace,
      20,
      payment,
      state,
      given,
    );
  }
  if (trouble !== null && trouble.circuit !== 'half-open') tellTrouble(writer, plan, trouble, trace);
  tellAnswer(writer, plan, trace);
  if (ending === null) return;
  const next = writer.request();
  const isCanceled = ending === 'canceled';
  const given = {
    ...asked(payment, null),
    status: 200,
    acquirer: plan.acquirer,
    reason: isCanceled ? cancelReason(own.next()) : null,
    seconds: isCanceled ? (endedAt - began) / MICROS_PER_SECOND : null,
  };
  const median = isCanceled ? 45 : 60;
  const span = writer.tell(endedAt, NEWS[ending], 'payments-api', next, median, payment, ending, given);
  tellShop(writer, plan.row, payment, ending, endedAt, { trace: next.trace, parent: span });
  readSoon(writer, payment, ending, endedAt);
};

const SCORED = { accept: 'scored', challenge: 'challenged', block: 'blocked' } as const;

/** A payment is settled about a day after its capture. */
export const settledAt = ({ payment, endedAt }: PayPlan): Micros =>
  endedAt + MICROS_PER_DAY + (mixedKey(payment.key, 21) % (60 * MICROS_PER_SECOND));

/** What becomes of captured payments a day later. */
export const settlePayments = (writer: PayWriter, plans: readonly PayPlan[]): void => {
  for (const plan of plans) {
    if (plan.ending !== 'captured') continue;
    const given = { ...NO_DETAILS, acquirer: plan.acquirer };
    const at = settledAt(plan);
    writer.tell(
      at,
      'payment.settled',
      'acquirer-gateway',
      writer.request(),
      99,
      plan.payment,
      'settled',
      given,
    );
  }
};
