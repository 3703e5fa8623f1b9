import * as E from 'fp-ts/lib/Either.js';
import { isJsonObject } from '../../../domain/json.js';
import type { Missed } from '../../kit.js';
import type { ErrorReporter, RequestError } from '../shared/errors.js';
import { isRetryableStatus } from '../shared/http/replies.js';
import type { HttpReply } from '../shared/http/request.js';
import { missedItems } from '../shared/written.js';

/** Result of one event: HTTP status, and the error unless it was indexed. */
interface ItemResult {
  readonly status: number;
  readonly error: { readonly type: string; readonly reason: string } | null;
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const resultOf = (item: unknown): ItemResult | null => {
  // `{"index": {...}}` or `{"create": {...}}`.
  const result = isJsonObject(item) ? Object.values(item)[0] : undefined;
  if (!isJsonObject(result) || typeof result['status'] !== 'number') return null;
  const { status, error } = result;
  if (error === undefined || error === null) {
    return { status, error: status < 300 ? null : { type: `status ${status}`, reason: '' } };
  }
  // Old servers send a text.
  return isJsonObject(error)
    ? { status, error: { type: wordsOf(error['type']), reason: wordsOf(error['reason']) } }
    : { status, error: { type: wordsOf(error), reason: '' } };
};

const unreadable = (what: string): RequestError => ({
  what,
  origin: '',
  remedy: 'Check that `hosts` are those of OpenSearch or Elasticsearch.',
  isRetryable: true,
  code: null,
});

/** The reply to `count` new documents, as servers write it for our filter; the last one is kept. */
const makeAllCreated = (): ((op_type: string, count: number) => string) => {
  let made = { op_type: '', count: -1, text: '' };
  return (op_type, count) => {
    if (made.op_type !== op_type || made.count !== count) {
      const items = new Array<string>(count).fill(`{"${op_type}":{"status":201}}`);
      made = { op_type, count, text: `{"errors":false,"items":[${items.join(',')}]}` };
    }
    return made.text;
  };
};

const allCreated = makeAllCreated();

/**
 * Reads the results of `count` events. A reply that says nothing but success is compared, which is cheaper than reading
 * it. Returns an error when the reply is not that of a bulk request.
 */
export const readBulkReply = (
  text: string,
  op_type: string,
  count: number,
): E.Either<RequestError, readonly ItemResult[] | 'all indexed'> => {
  if (text === allCreated(op_type, count)) return E.right('all indexed');
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return E.left(unreadable('the reply to the bulk request is not JSON'));
  }
  if (!isJsonObject(reply) || typeof reply['errors'] !== 'boolean' || !Array.isArray(reply['items'])) {
    return E.left(unreadable('the reply to the bulk request lacks `errors` or `items`'));
  }
  const { errors, items } = reply;
  if (items.length !== count) {
    return E.left(unreadable(`the reply has ${items.length} results for ${count} events`));
  }
  if (!errors) return E.right('all indexed');
  const results = items.map(resultOf);
  return results.every((result) => result !== null)
    ? E.right(results)
    : E.left(unreadable('the reply to the bulk request has a result without a status'));
};

const remedyOf = (status: number, type: string): string => {
  if (status === 429) return 'The server is overloaded: send less.';
  if (type === 'version_conflict_engine_exception') return 'The document exists already.';
  if (status === 404) return 'Create the index, or correct `index`.';
  if (status === 403) return 'Check the rights of the user, and whether the index is read-only.';
  if (isRetryableStatus(status)) return 'Check the server: disks, shards, memory.';
  return 'Check that the events match the mapping of the index.';
};

/** Differing reasons of one write that are kept apart; further ones join the last. */
const MAX_REASONS = 100;

/** Events that were not indexed, by reason. `items` are the positions of the results. */
export const missedOf = (
  results: readonly ItemResult[],
  items: readonly number[],
  report: ErrorReporter,
): readonly Missed[] => {
  const missed = missedItems();
  results.forEach(({ status, error }, index) => {
    if (error === null) return;
    const { type, reason } = error;
    const isRetryable = isRetryableStatus(status);
    const isFull = missed.count() >= MAX_REASONS;
    // Reasons often quote the event.
    const key = isFull ? `${isRetryable}` : `${status} ${type} ${reason}`;
    missed.add(key, items[index] as number, () =>
      report('cannot index into', {
        what: reason === '' ? type : `${type}: ${reason}`,
        origin: `status ${status}`,
        remedy: remedyOf(status, type),
        isRetryable,
        code: status,
      }),
    );
  });
  return missed.list();
};

/** The error with `type: reason` of a JSON reply, `{"error": {"type": .., "reason": ..}, "status": ..}`. */
export const replyErrorOf = ({ text }: Pick<HttpReply, 'text'>, error: RequestError): RequestError => {
  try {
    const reply: unknown = JSON.parse(text);
    const told = isJsonObject(reply) ? reply['error'] : undefined;
    if (typeof told === 'string') return { ...error, what: told };
    if (!isJsonObject(told) || typeof told['type'] !== 'string') return error;
    const { type, reason } = told;
    return { ...error, what: typeof reason === 'string' ? `${type}: ${reason}` : type };
  } catch {
    return error;
  }
};
