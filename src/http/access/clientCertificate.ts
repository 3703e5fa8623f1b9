import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { failure, type SpateError } from '../../domain/errors.js';
import type { Tls } from '../listener/tls.js';

/** Texts for errors of OpenSSL. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  INVALID_PURPOSE: 'it is not meant for clients',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is not signed by an authority of this service',
  SELF_SIGNED_CERT_IN_CHAIN: 'it is not signed by an authority of this service',
  UNABLE_TO_GET_ISSUER_CERT: 'it is not signed by an authority of this service',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it is not signed by an authority of this service',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it is not signed by an authority of this service',
  CERT_SIGNATURE_FAILURE: 'it is not signed by an authority of this service',
};

const MISSING = failure(
  'forbidden',
  'A client certificate is required. Send one that is signed by the authority of this service.',
);

/** Node types it as an error; it is the code of OpenSSL. */
const reasonFor = (code: unknown): string =>
  REASONS[String(code)] ?? `it cannot be verified (${String(code)})`;

/** Why a client certificate is rejected, or `null`. A presented one must be valid even if not required. */
export const certificateTrouble = (clients: Tls['clients'], socket: Socket): SpateError | null => {
  if (clients === 'none') return null;
  if (!(socket instanceof TLSSocket)) return MISSING;
  if (socket.authorized) return null;
  const isShown = Object.keys(socket.getPeerCertificate()).length > 0;
  if (!isShown) return clients === 'required' ? MISSING : null;
  return failure(
    'forbidden',
    `The client certificate is rejected: ${reasonFor(socket.authorizationError)}. Send one that is signed by the authority of this service.`,
  );
};
