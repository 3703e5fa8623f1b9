import * as E from 'fp-ts/lib/Either.js';
import { type RequestError, retryableError } from '../shared/requestErrors.js';
import { type Connection, type ConnectOptions, connect } from './connection.js';
import { brokerError } from './protocol/errorCodes.js';
import {
  readApiVersions,
  readSaslAuthenticate,
  readSaslHandshake,
  writeSaslAuthenticate,
  writeSaslHandshake,
} from './protocol/requests.js';
import { conversationOf, type Login } from './sasl.js';

export interface BrokerOptions extends ConnectOptions {
  readonly login: Login | null;
}

const NOTHING = Buffer.alloc(0);
/** Share of the login's lifetime after which a new connection takes over. */
const LIFETIME_SHARE = 0.8;
/** PLAIN takes one step, SCRAM two. */
const MAX_STEPS = 4;

const refusal = (what: string, remedy: string): RequestError => ({
  ...retryableError(what, remedy),
  isRetryable: false,
});

const logIn = async (
  connection: Connection,
  { login, address, clock }: BrokerOptions,
  signal: AbortSignal,
): Promise<RequestError | null> => {
  if (login === null) return null;
  const { saslHandshake, saslAuthenticate } = connection.versions;
  if (saslHandshake === undefined || saslAuthenticate === undefined) {
    return refusal('the broker offers no SASL login', 'Check `security_protocol`.');
  }
  const body = writeSaslHandshake(login.mechanism);
  const hands = await connection.request(
    'saslHandshake',
    { body, version: saslHandshake, signal },
    readSaslHandshake,
  );
  if (E.isLeft(hands)) return hands.left;
  if (hands.right !== null && hands.right.error !== 0) {
    const { error, mechanisms } = hands.right;
    return brokerError(error, `it offers ${mechanisms.join(', ')}`);
  }
  const conversation = conversationOf(login);
  let token: Buffer | null = conversation.first;
  for (let step = 0; token !== null && step < MAX_STEPS; step++) {
    const reply: E.Either<RequestError, ReturnType<typeof readSaslAuthenticate> | null> =
      await connection.request(
        'saslAuthenticate',
        { body: writeSaslAuthenticate(token), version: saslAuthenticate, signal },
        (reader) => readSaslAuthenticate(reader, saslAuthenticate),
      );
    if (E.isLeft(reply)) return reply.left;
    if (reply.right === null) return retryableError('the broker sent no reply to the login', '');
    const { error, message, token: answer, lifetime_ms } = reply.right;
    if (error !== 0) return brokerError(error, message);
    const next: E.Either<string, Buffer | null> = await conversation.next(answer);
    if (E.isLeft(next)) {
      return refusal(`broker ${address.host}:${address.port}: ${next.left}`, 'Check `bootstrap_servers`.');
    }
    token = next.right;
    if (lifetime_ms > 0) connection.validUntil_ms = clock.monotonicMs() + lifetime_ms * LIFETIME_SHARE;
  }
  return null;
};

/** A connection that is logged in and knows the versions of its broker. */
export const openBroker = async (
  options: BrokerOptions,
  signal: AbortSignal,
): Promise<E.Either<RequestError, Connection>> => {
  const connected = await connect(options, signal);
  if (E.isLeft(connected)) return connected;
  const connection = connected.right;
  const fail = async (error: RequestError): Promise<E.Either<RequestError, Connection>> => {
    await connection.close();
    return E.left(error);
  };
  const versions = await connection.request(
    'apiVersions',
    { body: NOTHING, version: 0, signal },
    readApiVersions,
  );
  if (E.isLeft(versions)) return fail(versions.left);
  if (versions.right === null || versions.right.error !== 0) {
    return fail(brokerError(versions.right?.error ?? -1, null));
  }
  connection.versions = versions.right.versions;
  const { produce, metadata } = connection.versions;
  if (produce === undefined || metadata === undefined) {
    return fail(refusal('the broker is older than Kafka 0.11', 'Update it.'));
  }
  const error = await logIn(connection, options, signal);
  return error === null ? E.right(connection) : fail(error);
};
