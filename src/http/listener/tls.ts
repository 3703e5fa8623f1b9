import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { createSecureContext, type TlsOptions } from 'node:tls';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf, type SpateError } from '../../domain/errors.js';
import { MICROS_PER_MS } from '../../domain/time/micros.js';
import type { Clock } from '../../ports/clock.js';
import type { Files } from '../../ports/files.js';

/** The settings section `server.ssl` with absolute paths. */
export interface SslSettings {
  readonly enabled: boolean;
  readonly verify_mode: 'none' | 'optional' | 'required' | null;
  readonly ca_cert: string | null;
  readonly cert: string | null;
  readonly cert_key: string | null;
}

export interface Tls {
  readonly options: TlsOptions;
  /** A presented certificate is always checked. */
  readonly clients: 'none' | 'optional' | 'required';
  /** Problems that clients will see although the server starts. */
  readonly warnings: readonly string[];
}

/** Bytes; all public authorities together take a fifth of it. */
const MAX_PEM_BYTES = 1_048_576;

/** Warn this long before a certificate expires. */
const NOTICE_MS = 14 * 86_400_000;

/** For TLS 1.2, only ciphers with forward secrecy (Mozilla's list without DHE). */
const CIPHERS = [
  ...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
  ...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ...['ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ...['ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
];

type Setting = 'cert' | 'cert_key' | 'ca_cert';

const refuse = (code: SpateError['code'], setting: Setting, path: string, what: string): Result<never> =>
  E.left(failure(code, `${what} (setting server.ssl.${setting})`, { file: path }));

interface Pem {
  readonly setting: Setting;
  readonly path: string;
  readonly text: string;
}

const readPem = async (
  files: Pick<Files, 'readText'>,
  setting: Setting,
  path: string,
): Promise<Result<Pem>> => {
  const text = await files.readText(path, MAX_PEM_BYTES);
  if (E.isRight(text)) return E.right({ setting, path, text: text.right });
  const { code, message } = text.left;
  const why = code === 'invalid' ? `cannot read ${path}: it is not text` : message;
  return refuse(
    code === 'invalid' ? 'unreadable' : code,
    setting,
    path,
    `${why}; it must be a PEM file that the service can read`,
  );
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

const certificatesOf = ({ setting, path, text }: Pem): Result<readonly X509Certificate[]> => {
  const blocks = text.match(CERTIFICATE) ?? [];
  const hint = /PRIVATE KEY-----/.test(text) ? ', it holds a private key' : '';
  if (blocks.length === 0)
    return refuse(
      'invalid',
      setting,
      path,
      `${path} contains no certificate in PEM${hint}; set the file of the certificate`,
    );
  try {
    return E.right(blocks.map((block) => new X509Certificate(block)));
  } catch (thrown) {
    const what = `${path} contains a certificate that cannot be parsed: ${reasonOf(thrown)}; create it again`;
    return refuse('invalid', setting, path, what);
  }
};

const privateKeyOf = ({ setting, path, text }: Pem): Result<KeyObject> => {
  const isLocked = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text);
  if (isLocked) {
    const what = `${path} is a key with a passphrase; remove it (openssl pkey) and let only the service read the file`;
    return refuse('invalid', setting, path, what);
  }
  try {
    return E.right(createPrivateKey(text));
  } catch {
    // OpenSSL's message could reveal parts of the key.
    return refuse('invalid', setting, path, `${path} is not a private key in PEM; set the file of the key`);
  }
};

const dateOf = (certificate: X509Certificate, which: 'validFrom' | 'validTo'): string =>
  new Date(Date.parse(certificate[which])).toISOString().slice(0, 10);

const agingOf = (certificate: X509Certificate, path: string, now_ms: number): readonly string[] => {
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  if (now_ms < from)
    return [
      `The certificate ${path} is not valid before ${dateOf(certificate, 'validFrom')}: clients reject it.`,
    ];
  if (now_ms > to)
    return [
      `The certificate ${path} has expired on ${dateOf(certificate, 'validTo')}: clients reject it. Renew it.`,
    ];
  return to - now_ms > NOTICE_MS
    ? []
    : [
        `The certificate ${path} expires on ${dateOf(certificate, 'validTo')}: renew it, then restart Spate or send SIGHUP.`,
      ];
};

interface Identity {
  readonly cert: Pem;
  readonly key: Pem;
  readonly certificates: readonly X509Certificate[];
}

const readIdentity = async (
  files: Pick<Files, 'readText'>,
  certPath: string,
  keyPath: string,
): Promise<Result<Identity>> => {
  const cert = await readPem(files, 'cert', certPath);
  if (E.isLeft(cert)) return cert;
  const key = await readPem(files, 'cert_key', keyPath);
  if (E.isLeft(key)) return key;
  const certificates = certificatesOf(cert.right);
  if (E.isLeft(certificates)) return certificates;
  const privateKey = privateKeyOf(key.right);
  if (E.isLeft(privateKey)) return privateKey;
  // The first certificate is the server's, the rest is its chain.
  if (certificates.right[0]?.checkPrivateKey(privateKey.right) !== true) {
    const what = `${keyPath} is not the key of the first certificate in ${certPath}; set files that belong together`;
    return refuse('invalid', 'cert_key', keyPath, what);
  }
  return E.right({ cert: cert.right, key: key.right, certificates: certificates.right });
};

const clientsOf = ({ verify_mode }: SslSettings): Tls['clients'] => verify_mode ?? 'none';

const optionsOf = ({ cert, key }: Identity, ca: Pem | null): TlsOptions => ({
  cert: cert.text,
  key: key.text,
  ...(ca === null ? {} : { ca: ca.text, requestCert: true }),
  // Rejected clients get a response with the reason.
  rejectUnauthorized: false,
  minVersion: 'TLSv1.2',
  ciphers: CIPHERS.join(':'),
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ALPNProtocols: ['http/1.1'],
});

/** OpenSSL's own checks: weak keys, broken chains. */
const checkContext = (options: TlsOptions, cert: Pem): Result<TlsOptions> => {
  try {
    createSecureContext(options);
    return E.right(options);
  } catch (thrown) {
    const what = `${cert.path} cannot be used for TLS: ${reasonOf(thrown)}; use another certificate`;
    return refuse('invalid', 'cert', cert.path, what);
  }
};

const INCOMPLETE = failure(
  'invalid',
  'server.ssl.enabled is true without server.ssl.cert and server.ssl.cert_key. Set both.',
);

/** Reads and checks the certificates. Returns null when HTTPS is off. An error names file, setting and remedy. */
export const loadTls = async (
  ssl: SslSettings,
  files: Pick<Files, 'readText'>,
  clock: Pick<Clock, 'now'>,
): Promise<Result<Tls | null>> => {
  if (!ssl.enabled) return E.right(null);
  if (ssl.cert === null || ssl.cert_key === null) return E.left(INCOMPLETE);
  const identity = await readIdentity(files, ssl.cert, ssl.cert_key);
  if (E.isLeft(identity)) return identity;
  const clients = clientsOf(ssl);
  const ca =
    clients === 'none' || ssl.ca_cert === null ? E.right(null) : await readPem(files, 'ca_cert', ssl.ca_cert);
  if (E.isLeft(ca)) return ca;
  const authorities = ca.right === null ? E.right([]) : certificatesOf(ca.right);
  if (E.isLeft(authorities)) return authorities;
  const now_ms = clock.now() / MICROS_PER_MS;
  const own = identity.right.certificates.flatMap((each) => agingOf(each, identity.right.cert.path, now_ms));
  const others = authorities.right.flatMap((each) => agingOf(each, ca.right?.path ?? '', now_ms));
  return E.map(
    (options: TlsOptions): Tls => ({ options, clients, warnings: [...new Set([...own, ...others])] }),
  )(checkContext(optionsOf(identity.right, ca.right), identity.right.cert));
};
