import { isErrorLike, reasonOf, systemCodeOf } from '../../../domain/errors.js';
import { LIMITS } from '../../shared/text/limits.js';
import {
  addressIn,
  networkError,
  type RequestError,
  retryableError,
  unroutableError,
} from '../shared/errors.js';

const never = (what: string, remedy: string): RequestError => ({
  what,
  origin: '',
  remedy,
  isRetryable: false,
  code: null,
});

/** Names of the address in remedies. */
export const SERVERS = addressIn('servers');
const CHECK_USER = 'Check `username`, `password`, `token`, `nkey` or `credentials_file`.';
const AUTHENTICATION = /authorization violation|authentication (expired|timeout|revoked)/i;

const causeOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'cause' in thrown ? thrown.cause : undefined;

/** Error of a connection: the client wraps those of the system. */
export const connectionError = (thrown: unknown): RequestError => {
  for (let error = thrown; error !== undefined; error = causeOf(error)) {
    if (systemCodeOf(error) !== '') return networkError(error, SERVERS);
  }
  const reason = isErrorLike(thrown) ? reasonOf(thrown) : 'the server closed the connection';
  if (AUTHENTICATION.test(reason)) return never(`the server refused the user (${reason})`, CHECK_USER);
  if (/does not support 'tls'/.test(reason)) {
    return retryableError('the server does not offer TLS', 'Correct `servers`, or unset the TLS options.');
  }
  if (reason === 'timeout') {
    return retryableError('the server did not answer in time', 'Check the server, or raise connect_timeout.');
  }
  return retryableError(reason, 'Check the log of the server.');
};

export const deniedError = (subject: string): RequestError =>
  never(`the user may not publish to ${subject}`, 'Correct `subject`, or the permissions of the user.');

export const tooLargeError = (limit: number): RequestError =>
  unroutableError(
    `the event is larger than max_payload of the server (${limit} bytes)`,
    'Make smaller events, or raise it.',
  );

export const renderError = (what: string): RequestError =>
  unroutableError(what, 'Correct `subject`, `headers` or `msg_id`, or the events.');

const LINE = LIMITS['nats.control_line'];

/** A line with which the server would close the connection. */
export const LINE_TOO_LONG = renderError(`${LINE.what} is longer than ${LINE.max_bytes} bytes`);

const NO_STREAM = retryableError(
  'no stream takes this subject, or JetStream is unavailable',
  'Create a stream for `subject`, or check the server.',
);

/** Fields of a negative acknowledgement. */
interface Refusal {
  readonly code?: unknown;
  readonly err_code?: unknown;
  readonly description?: unknown;
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const refusalError = ({ code, err_code, description }: Refusal): RequestError => {
  const status = numberOf(code) ?? 0;
  // 10077: the store has no room, which the server reports with any status.
  const isRetryable = status >= 500 || status === 408 || status === 429 || err_code === 10_077;
  return {
    what: typeof description === 'string' ? description : 'the stream refused the message',
    origin: `code ${status}, ${numberOf(err_code) ?? 'no error code'}`,
    remedy: isRetryable ? 'Check the limits and the disk of the stream.' : 'Check the stream and the events.',
    isRetryable,
    code: numberOf(err_code),
  };
};

const STORED = Buffer.from('{"stream":"');

/** Returns the error in an acknowledgement of JetStream, or null when the message is stored. */
export const acknowledgementError = (data: Uint8Array, status: number): RequestError | null => {
  if (STORED.equals(data.subarray(0, STORED.length))) return null;
  if (status === 503 && data.length === 0) return NO_STREAM;
  try {
    const answer = JSON.parse(Buffer.from(data).toString('utf8')) as {
      readonly stream?: unknown;
      readonly error?: Refusal;
    } | null;
    if (answer?.error !== undefined) return refusalError(answer.error);
    if (typeof answer?.stream === 'string') return null;
  } catch {
    // Not JSON: below.
  }
  return never('the reply is not from JetStream', 'Check which service subscribes to `subject`.');
};
