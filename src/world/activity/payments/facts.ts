import { MICROS_PER_HOUR, MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';
import type { ActivityFacts } from '../kinds.js';
import type { Act } from '../scribe.js';
import { callId, requestId } from './hex.js';
import { ACQUIRERS } from './shops.js';
import type { PayStep } from './steps.js';

/** A batch for each acquirer and hour. */
const batchOf = (acquirer: string, at: Micros): number =>
  Math.floor(at / MICROS_PER_HOUR) * ACQUIRERS.length + ACQUIRERS.indexOf(acquirer);
/** Messages of settlements are counted: one in so many microseconds. */
const MICROS_PER_OFFSET = 90 * MICROS_PER_MS;

/** One literal for all records: they have one shape, which is read fastest. */
const payFacts = ({
  at,
  event,
  payment,
  state,
  place,
  trace,
  span,
  parent,
  micros,
  given,
}: PayStep): ActivityFacts => {
  const salt = payment?.key ?? 0;
  const isSettled = event === 'payment.settled';
  return {
    event,
    payment,
    state,
    pod: place.pod,
    trace: requestId(trace, salt),
    span: callId(span, salt),
    parent: callId(parent, salt),
    milliseconds: micros / MICROS_PER_MS,
    ip: given.ip,
    agent: given.agent,
    status: given.status,
    acquirer: given.acquirer,
    code: given.code,
    reason: given.reason,
    is_failover: given.isOdd,
    score: given.score,
    tries: given.tries,
    seconds: given.seconds,
    amount: given.amount,
    origin: given.origin,
    destination: given.destination,
    actor: given.actor,
    about: given.about,
    attempt: given.attempt,
    batch: isSettled ? batchOf(given.acquirer ?? '', at) : null,
    offset: isSettled ? Math.floor(at / MICROS_PER_OFFSET) % 2 ** 31 : null,
    circuit: given.circuit,
    failures: given.failures,
  };
};

const serveFacts = (
  { at, event, place, trace, span, parent, micros, given }: PayStep,
  salt = at >>> 0,
): ActivityFacts => ({
  event,
  shop: given.shop,
  pod: place.pod,
  trace: requestId(trace, salt),
  span: callId(span, salt),
  parent: callId(parent, salt),
  milliseconds: micros / MICROS_PER_MS,
  ip: given.ip,
  agent: given.agent,
  status: given.status,
  code: given.code,
  reason: given.reason,
  message: given.message,
  route: given.route,
  dependency: given.acquirer,
  is_slow: given.isOdd,
});

/** A record of a service as an act on the node of its pod. */
export const payAct = (step: PayStep): Act => ({
  kind: step.payment === null ? 'serve_payments' : 'pay',
  at: step.at,
  person: step.person,
  host: step.place.host,
  session: step.payment?.id ?? null,
  facts: step.payment === null ? serveFacts(step) : payFacts(step),
  truth: null,
});
