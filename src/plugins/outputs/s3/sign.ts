import { createHash, createHmac } from 'node:crypto';
import { MICROS_PER_MS, type Micros } from '../../../domain/time/micros.js';

/** Signature version 4 of AWS, with the signature in the header `Authorization` and one hash of the whole body. */

export interface Credentials {
  readonly access_key_id: string;
  readonly secret_access_key: string;
  readonly session_token: string | null;
}

export interface Signable {
  readonly method: string;
  /** Percent-encoded with `encodePath`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** All of them are signed; with `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  readonly payload_hash: string;
}

export interface SigningOptions {
  readonly credentials: Credentials;
  readonly region: string;
  readonly now: Micros;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SERVICE = 's3';

export const EMPTY_HASH = createHash('sha256').digest('hex');

/** Percent-encodes all but the unreserved characters of RFC 3986. */
export const encodeSegment = (text: string): string =>
  encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const encodePath = (path: string): string => path.split('/').map(encodeSegment).join('/');

const inCodeOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The query of an address, in the order that is signed. */
export const encodeQuery = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(([name, value]) => `${encodeSegment(name)}=${encodeSegment(value)}`)
    .sort(inCodeOrder)
    .join('&');

const timeOf = (now: Micros): string =>
  new Date(now / MICROS_PER_MS).toISOString().replace(/[-:]|\.\d+/g, '');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The headers to send: those given, with date, hash, token and signature. */
export const sign = (request: Signable, options: SigningOptions): Readonly<Record<string, string>> => {
  const { credentials, region, now } = options;
  const time = timeOf(now);
  const day = time.slice(0, 8);
  const headers: Readonly<Record<string, string>> = {
    ...request.headers,
    'x-amz-content-sha256': request.payload_hash,
    'x-amz-date': time,
    ...(credentials.session_token === null ? {} : { 'x-amz-security-token': credentials.session_token }),
  };
  const signed = Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => inCodeOrder(a, b));
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    request.path,
    encodeQuery(request.query),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    request.payload_hash,
  ].join('\n');
  const scope = `${day}/${region}/${SERVICE}/aws4_request`;
  const key = [day, region, SERVICE, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${credentials.secret_access_key}`,
  );
  const signature = hmac(key, [ALGORITHM, time, scope, hashOf(canonical)].join('\n'));
  return {
    ...headers,
    Authorization: `${ALGORITHM} Credential=${credentials.access_key_id}/${scope},SignedHeaders=${names},Signature=${signature.toString('hex')}`,
  };
};
