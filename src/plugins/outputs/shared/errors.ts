import { type ErrorCode, failure, reasonOf, type SpateError, systemCodeOf } from '../../../domain/errors.js';

/** Why a request failed, and whether a retry may help. */
export interface RequestError {
  readonly what: string;
  /** Error code or HTTP status; may be empty. */
  readonly origin: string;
  readonly remedy: string;
  readonly isRetryable: boolean;
  readonly code: number | null;
  /** The event does not fit the destination, so it was not sent. */
  readonly isUnroutable?: true;
  /** The server was reached and closed the connection: the events may be the cause. */
  readonly isClosing?: true;
}

/** What an output calls the options of its connections, for remedies. */
export interface ConnectionOptions {
  readonly host: string;
  readonly address: string;
  /** Of TLS or not, and the address. */
  readonly protocol: string;
  readonly authority: string;
  readonly certificate: string;
  /** Null when the name in the certificate must be that of the address. */
  readonly server_name: string | null;
}

const OPTIONS: ConnectionOptions = {
  host: '`host`',
  address: '`host`, `port`',
  protocol: '`protocol`, `port`',
  authority: '`ca_cert`',
  certificate: '`client_cert` and `client_cert_key`',
  server_name: '`server_host_name`',
};

/** The options of an output with the whole address in one. */
export const addressIn = (option: string): ConnectionOptions => {
  const name = `\`${option}\``;
  return { ...OPTIONS, host: name, address: name, protocol: name };
};

type Remedy = (options: ConnectionOptions) => string;

const untrusted: Remedy = ({ authority }) => `Set ${authority} to the certificate of its authority.`;
const reach: Remedy = ({ address }) => `Check ${address}, and that the server is running and reachable.`;
const readLog: Remedy = () => 'Check the log of the server.';

/** Network and TLS errors by their codes in Node and OpenSSL. */
const BY_SYSTEM_CODE: Readonly<Record<string, readonly [what: string, remedy: Remedy]>> = {
  ECONNREFUSED: ['the connection was refused', reach],
  ENOTFOUND: ['the host name is unknown', ({ host }) => `Check ${host}.`],
  EAI_AGAIN: ['the host name lookup failed', ({ host }) => `Check ${host} and the name service.`],
  EHOSTUNREACH: ['the host is unreachable', reach],
  ENETUNREACH: ['the network is unreachable', reach],
  ETIMEDOUT: ['the connection timed out', reach],
  ECONNRESET: ['the connection was closed before the reply', readLog],
  EPIPE: ['the connection was closed while sending', readLog],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['the certificate of the server is self-signed and not trusted', untrusted],
  SELF_SIGNED_CERT_IN_CHAIN: ['the authority of the certificate is not trusted', untrusted],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['the authority of the certificate is unknown', untrusted],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['the authority of the certificate is unknown', untrusted],
  CERT_HAS_EXPIRED: ['the certificate of the server has expired', () => 'Renew it.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'the certificate of the server is for another name',
    ({ host, server_name }) =>
      server_name === null ? `Correct ${host}.` : `Set ${server_name} to that name, or correct ${host}.`,
  ],
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: [
    'the server requires a client certificate',
    ({ certificate }) => `Set ${certificate}.`,
  ],
};

/** Handshake errors have one code or hundreds; OpenSSL's reason is in the message. */
const handshakeWords = (thrown: unknown, code: string): readonly [string, Remedy] | undefined => {
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined;
  const reason = /SSL routines:[^:]*:([^:]+)/.exec(reasonOf(thrown))?.[1] ?? 'the handshake was aborted';
  return [
    `TLS failed: ${reason}`,
    ({ protocol }) => `Check ${protocol}, and the certificates of both sides.`,
  ];
};

/** Codes with which an open connection ends. */
const CLOSINGS: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Error of a request without a reply. Always retryable. */
export const networkError = (thrown: unknown, options = OPTIONS): RequestError => {
  const code = systemCodeOf(thrown);
  const [what, remedy] = BY_SYSTEM_CODE[code] ?? handshakeWords(thrown, code) ?? [reasonOf(thrown), () => ''];
  const closing = CLOSINGS.has(code) ? { isClosing: true as const } : {};
  return { what, origin: code, remedy: remedy(options), isRetryable: true, code: null, ...closing };
};

/** An error while connecting: no event has been sent that could be its cause. */
export const whileConnecting = <E extends RequestError>({ isClosing: _isClosing, ...error }: E) => error;

/** Error that Spate itself finds. */
export const retryableError = (what: string, remedy: string): RequestError => ({
  what,
  origin: '',
  remedy,
  isRetryable: true,
  code: null,
});

/** Error of events that a retry cannot help. */
const rejectedError = (what: string, remedy: string): RequestError => ({
  ...retryableError(what, remedy),
  isRetryable: false,
});

/** Error of an event that does not fit the destination, so it is not sent. */
export const unroutableError = (what: string, remedy: string): RequestError => ({
  ...rejectedError(what, remedy),
  isUnroutable: true,
});

const codeOf = ({ isRetryable, isUnroutable }: RequestError): ErrorCode => {
  if (isRetryable) return 'output_failed';
  return isUnroutable === true ? 'unroutable' : 'rejected';
};

export type ErrorReporter = (act: string, error: RequestError) => SpateError;

/** Masking shorter secrets would reveal more than it hides. */
const MIN_SECRET = 3;
/** Servers may echo whole events. */
const MAX_TEXT = 400;

/** Forms in which a server or proxy may echo a secret. */
const spellingsOf = (user: string, password: string): readonly string[] =>
  password.length < MIN_SECRET
    ? []
    : [Buffer.from(`${user}:${password}`, 'utf8').toString('base64'), password, encodeURIComponent(password)];

/** Adds the endpoint to each error and masks these passwords. */
export const makeErrorReporter = (
  name: string,
  users: readonly { readonly username: string; readonly password: string }[],
): ErrorReporter => {
  const hidden = users.flatMap(({ username, password }) => spellingsOf(username, password));
  return (act, error) => {
    const { what, origin, remedy } = error;
    const safe = hidden.reduce((text, secret) => text.replaceAll(secret, '***'), what);
    const said = safe.length > MAX_TEXT ? `${safe.slice(0, MAX_TEXT)}...` : safe.replace(/\.$/, '');
    const parts = [said, origin === '' ? '' : ` (${origin})`, remedy === '' ? '' : `. ${remedy}`];
    const suspect = error.isClosing === true ? { isSuspect: true as const } : {};
    return failure(codeOf(error), `${act} ${name}: ${parts.join('')}`, suspect);
  };
};

interface Meaning {
  readonly words: string;
  readonly remedy: string;
}

const meaning = (words: string, remedy: string): Meaning => ({ words, remedy });

const MEANINGS: Readonly<Record<string, Meaning>> = {
  EACCES: meaning('permission is denied', 'Give the user of this process write access.'),
  EBADF: meaning(
    'the stream is closed or only open for reading',
    'Start the program with this stream open for writing.',
  ),
  EBUSY: meaning('it is in use', 'Stop the program that uses it.'),
  EDQUOT: meaning('the disk quota is exceeded', 'Free space or raise the quota.'),
  EFBIG: meaning('the file has reached its size limit', 'Raise the limit (ulimit -f) or start a new file.'),
  EIO: meaning('the device reported an input/output error', 'Check the device and the system log.'),
  EISDIR: meaning('it is a directory', 'Name a file in it.'),
  ELOOP: meaning('the path has too many symbolic links', 'Correct the links.'),
  EMFILE: meaning('this process has too many open files', 'Raise the limit (ulimit -n).'),
  ENAMETOOLONG: meaning('the name is too long', 'Choose a shorter one.'),
  ENFILE: meaning('the system has too many open files', 'Close some or raise the limit of the system.'),
  ENODEV: meaning('the device does not exist', 'Correct the path.'),
  ENOENT: meaning('a folder of the path does not exist', 'Create it or correct the path.'),
  ENOSPC: meaning('no space is left on the device', 'Free some space.'),
  ENOTDIR: meaning('a part of the path is not a directory', 'Correct the path.'),
  ENXIO: meaning('nothing reads this pipe', 'Start the reader first.'),
  EPERM: meaning('the system does not allow it', 'Check owner and attributes of the file.'),
  EPIPE: meaning('the reader went away', 'Start the reader again, then this generator.'),
  ECONNRESET: meaning('the reader went away', 'Start the reader again, then this generator.'),
  EROFS: meaning('the file system is read-only', 'Choose another path or mount it for writing.'),
  ESTALE: meaning('the file was removed on its server', 'Check the network file system.'),
  ETXTBSY: meaning('the file is a running program', 'Choose another file.'),
};

/** No reader will ever come back. */
const READER_GONE: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ENXIO']);

const meaningOf = (thrown: unknown): Meaning => {
  const code = systemCodeOf(thrown);
  return MEANINGS[code] ?? meaning(reasonOf(thrown), 'Check the path and the system log.');
};

/**
 * A system error as a sentence: `act` (`cannot open /var/log/x.log`), cause, remedy. The code is `reader_gone` when a
 * pipe or socket lost its reader.
 */
export const systemFailure = (
  code: 'output_failed' | 'unwritable',
  act: string,
  thrown: unknown,
): SpateError => {
  const { words, remedy } = meaningOf(thrown);
  const name = systemCodeOf(thrown);
  return failure(
    READER_GONE.has(name) ? 'reader_gone' : code,
    `${act}: ${words}${name === '' ? '' : ` (${name})`}. ${remedy}`,
  );
};
