import { systemCodeOf } from '../../../../domain/errors.js';
import { networkError, type RequestError, retryableError } from '../requestErrors.js';

/** Streams have no replies: their own words for an end of the connection. */
const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

export const peerError = (thrown: unknown): RequestError => {
  const code = systemCodeOf(thrown);
  return CLOSED.has(code)
    ? { ...retryableError('the destination closed the connection', 'Check its log.'), origin: code }
    : networkError(thrown);
};

export const PEER_ENDED = retryableError('the destination closed the connection', 'Check its log.');
export const ATTEMPT_ENDED = retryableError('the attempt ended before the destination took all bytes', '');
