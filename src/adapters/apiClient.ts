import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, systemCodeOf } from '../domain/errors.js';

export interface ApiCall {
  /** Upper case. */
  readonly method: string;
  /** With the query; sent as it is, so the service sees `..` and refuses it. */
  readonly target: string;
  readonly contentType: string;
  /** Body of the request. Null without one. */
  readonly body: string | null;
}

/** Where a service listens, and with which credentials it is asked. */
export interface ApiAddress {
  /** `http://host:port` or `https://host:port`. */
  readonly origin: string;
  readonly auth: { readonly user: string; readonly password: string } | { readonly token: string } | null;
}

/** The service answers a start or a stop after 120 s at the latest. */
const ANSWER_MS = 150_000;

const START = 'Start the service with spate run, or check the address';
const TRUST = 'Name the file with its authority in NODE_EXTRA_CA_CERTS';

/** Reasons and what to do, by code. */
const REASONS: Readonly<Record<string, readonly [reason: string, advice: string]>> = {
  ECONNREFUSED: ['nothing listens there', START],
  ECONNRESET: ['the connection was closed', START],
  ENOTFOUND: ['the name does not resolve', 'Check the address'],
  EAI_AGAIN: ['the name does not resolve', 'Check the address'],
  ETIMEDOUT: ['the machine does not answer', 'Check the address'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is self-signed', TRUST],
  SELF_SIGNED_CERT_IN_CHAIN: ['its certificate has an unknown authority', TRUST],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its certificate has an unknown authority', TRUST],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another name', 'Use that name in the address'],
};

const unanswered = (origin: string, thrown: unknown): Result<never> => {
  const [reason, advice] = REASONS[systemCodeOf(thrown)] ?? [reasonOf(thrown), START];
  return E.left(failure('unavailable', `No answer from Spate at ${origin}: ${reason}. ${advice}.`));
};

const open = (
  { origin, auth }: ApiAddress,
  { method, target, contentType, body }: ApiCall,
): ClientRequest => {
  const { protocol, hostname, port } = new URL(origin);
  const bytes = body === null ? null : Buffer.from(body, 'utf8');
  const send = protocol === 'https:' ? tlsRequest : plainRequest;
  const request = send({
    method,
    // An IPv6 address has brackets in a URL.
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port,
    path: target,
    timeout: ANSWER_MS,
    headers: {
      ...(auth === null
        ? {}
        : {
            Authorization:
              'token' in auth
                ? `Bearer ${auth.token}`
                : `Basic ${Buffer.from(`${auth.user}:${auth.password}`, 'utf8').toString('base64')}`,
          }),
      ...(bytes === null ? {} : { 'Content-Type': contentType, 'Content-Length': bytes.length }),
    },
  });
  request.on('timeout', () => request.destroy(new Error(`nothing came for ${ANSWER_MS / 1_000} s`)));
  request.end(bytes ?? undefined);
  return request;
};

/** Sends one request to a service; `read` takes its answer. Returns the error `unavailable` when there was none. */
export const callApi = <A>(
  address: ApiAddress,
  call: ApiCall,
  read: (answer: IncomingMessage, chunks: AsyncIterable<Uint8Array>) => Promise<A>,
): Promise<Result<A>> =>
  new Promise((resolve) => {
    const fail = (thrown: unknown): void => resolve(unanswered(address.origin, thrown));
    const request = open(address, call);
    request.on('error', fail);
    request.on('response', (answer) => {
      read(answer, answer).then((value) => {
        resolve(E.right(value));
        // What is left of a long answer is not needed.
        request.destroy();
      }, fail);
    });
  });
