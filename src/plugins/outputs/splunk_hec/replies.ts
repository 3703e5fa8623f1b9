import type { HttpReply } from '../shared/http/request.js';
import { statusError } from '../shared/http/statusErrors.js';
import type { RequestError } from '../shared/requestErrors.js';

/** A reply of the HTTP Event Collector, as its documentation describes it. */
export interface HecReply {
  readonly code: number | null;
  readonly text: string;
  readonly ackId: number | null;
  /** Position of the first invalid event in the request. Null when the whole request is at fault, or the server. */
  readonly invalid: number | null;
}

export const SUCCESS = 0;
export const NO_DATA = 5;
export const ACK_DISABLED = 14;
export const INCORRECT_INDEX = 7;

const again = (remedy: string) => ({ isRetryable: true, remedy });
const never = (remedy: string) => ({ isRetryable: false, remedy });

const TOKEN = never('Check `token`, and that it is enabled.');
const BUSY = again('The indexer is overloaded: send less, or larger batches.');
const DATA = never('Check the formatter, `content` and `fields`.');
const CHANNEL = never('Remove `channel`, or set it to a GUID.');

/** Meaning of the codes of HEC; those of other failures are retried by their HTTP status. */
const BY_CODE: ReadonlyMap<number, Pick<RequestError, 'isRetryable' | 'remedy'>> = new Map([
  ...[1, 2, 3, 4, 21, 22].map((code) => [code, TOKEN] as const),
  [NO_DATA, DATA],
  [6, DATA],
  [INCORRECT_INDEX, never('Check `index`, and the indexes that the token allows.')],
  [8, again('Check the log of Splunk.')],
  [9, BUSY],
  [10, CHANNEL],
  [11, CHANNEL],
  [12, DATA],
  [13, DATA],
  [ACK_DISABLED, never('Turn on indexer acknowledgement for the token, or remove `acknowledge`.')],
  [15, never('Check `fields`: HEC takes flat values only.')],
  [16, never('Remove the token from `url`.')],
  // Queues and the acknowledgement service are full or away; the server shuts down.
  ...[18, 19, 20, 23, 24, 25, 26, 27].map((code) => [code, BUSY] as const),
]);

const numberOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** HEC counts from 0, but has gone on by one when it finds a wrong index. */
const positionOf = (code: number | null, given: number | null): number | null =>
  given === null || code !== INCORRECT_INDEX ? given : Math.max(0, given - 1);

export const readReply = (body: string): HecReply => {
  try {
    const read = JSON.parse(body) as Record<string, unknown> | null;
    const code = numberOr(read?.['code']);
    const text = read?.['text'];
    return {
      code,
      text: typeof text === 'string' ? text : '',
      ackId: numberOr(read?.['ackId']),
      invalid: positionOf(code, numberOr(read?.['invalid-event-number'])),
    };
  } catch {
    return { code: null, text: '', ackId: null, invalid: null };
  }
};

/** Error of a reply that is no success; by the status where the code is unknown, as with replies of proxies. */
export const hecError = (reply: HttpReply, { code, text }: HecReply): RequestError => {
  const meaning = code === null ? undefined : BY_CODE.get(code);
  if (code === null || meaning === undefined) return statusError(reply);
  return { what: text, origin: `HEC code ${code}, HTTP status ${reply.status}`, ...meaning, code };
};
