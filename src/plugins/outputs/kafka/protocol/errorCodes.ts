import type { RequestError } from '../../shared/errors.js';

/**
 * What a broker's error means for a write. `moved`: read the metadata and try again; `busy`: try again later; `identity`:
 * take a new producer id; `refused`: trying again cannot help.
 */
export type ErrorEffect = 'moved' | 'busy' | 'identity' | 'refused';

interface Row {
  readonly name: string;
  readonly what: string;
  readonly effect: ErrorEffect;
  readonly remedy: string;
}

const row = (name: string, what: string, effect: ErrorEffect, remedy = ''): Row => ({
  name,
  what,
  effect,
  remedy,
});

const TOO_LARGE =
  'Lower `max_batch_size`, or raise `max.message.bytes` of the topic and `message.max.bytes` of the brokers.';
const RIGHTS = 'Give the user the right to write to the topic.';
const CREDENTIALS = 'Check `sasl_mechanism`, `sasl_plain_username` and `sasl_plain_password`.';
const MOMENT = 'Check the brokers if this stays.';

/** Errors that a producer can meet, by their numbers in the protocol. */
const ROWS: Readonly<Record<number, Row>> = {
  [-1]: row('UNKNOWN_SERVER_ERROR', 'the broker failed', 'busy', 'Check the log of the broker.'),
  2: row('CORRUPT_MESSAGE', 'the batch arrived damaged', 'busy', 'Check the network.'),
  3: row('UNKNOWN_TOPIC_OR_PARTITION', 'the topic does not exist', 'moved', 'Create it, or correct `topic`.'),
  5: row('LEADER_NOT_AVAILABLE', 'the partition has no leader', 'moved', MOMENT),
  6: row('NOT_LEADER_OR_FOLLOWER', 'the leader of the partition has changed', 'moved', MOMENT),
  7: row('REQUEST_TIMED_OUT', 'the replicas did not confirm in time', 'busy', 'Check the replicas.'),
  8: row('BROKER_NOT_AVAILABLE', 'the broker is not available', 'moved', MOMENT),
  9: row('REPLICA_NOT_AVAILABLE', 'the replica is not available', 'moved', MOMENT),
  10: row('MESSAGE_TOO_LARGE', 'the batch is too large for the topic', 'refused', TOO_LARGE),
  13: row('NETWORK_EXCEPTION', 'the broker lost a connection', 'moved', MOMENT),
  14: row('COORDINATOR_LOAD_IN_PROGRESS', 'the coordinator is starting', 'busy', MOMENT),
  15: row('COORDINATOR_NOT_AVAILABLE', 'the coordinator is not available', 'busy', MOMENT),
  17: row('INVALID_TOPIC_EXCEPTION', 'the topic name is not allowed', 'refused', 'Correct `topic`.'),
  18: row('RECORD_LIST_TOO_LARGE', 'the batch is larger than a log segment', 'refused', TOO_LARGE),
  19: row('NOT_ENOUGH_REPLICAS', 'too few replicas are in sync', 'busy', 'Check the brokers.'),
  20: row('NOT_ENOUGH_REPLICAS_AFTER_APPEND', 'too few replicas confirmed', 'busy', 'Check the brokers.'),
  21: row('INVALID_REQUIRED_ACKS', 'the broker does not know these `acks`', 'refused', 'Set 0, 1 or -1.'),
  29: row('TOPIC_AUTHORIZATION_FAILED', 'the user may not write to the topic', 'refused', RIGHTS),
  31: row(
    'CLUSTER_AUTHORIZATION_FAILED',
    'the user may not do this in the cluster',
    'refused',
    'Give the user the right IdempotentWrite, or remove `enable_idempotence`.',
  ),
  32: row('INVALID_TIMESTAMP', 'the broker rejects the timestamp', 'refused', 'Compare the clocks.'),
  33: row('UNSUPPORTED_SASL_MECHANISM', 'the broker does not offer this mechanism', 'refused', CREDENTIALS),
  34: row('ILLEGAL_SASL_STATE', 'the broker expects another kind of login', 'refused', CREDENTIALS),
  35: row('UNSUPPORTED_VERSION', 'the broker does not know this request', 'refused', 'Update the broker.'),
  43: row(
    'UNSUPPORTED_FOR_MESSAGE_FORMAT',
    'the topic has an old message format',
    'refused',
    'Set `message.format.version` of the topic to 2.0 or later.',
  ),
  44: row('POLICY_VIOLATION', 'a policy of the cluster rejects this', 'refused', 'Ask its administrator.'),
  45: row('OUT_OF_ORDER_SEQUENCE_NUMBER', 'the broker misses an earlier batch', 'identity'),
  47: row('INVALID_PRODUCER_EPOCH', 'the producer id is in use elsewhere', 'identity'),
  49: row('INVALID_PRODUCER_ID_MAPPING', 'the broker forgot the producer id', 'identity'),
  56: row(
    'KAFKA_STORAGE_ERROR',
    'the disk of the broker has failed or is full',
    'moved',
    'Check the disks of the broker.',
  ),
  58: row('SASL_AUTHENTICATION_FAILED', 'the login failed', 'refused', CREDENTIALS),
  59: row('UNKNOWN_PRODUCER_ID', 'the broker forgot the producer id', 'identity'),
  72: row('LISTENER_NOT_FOUND', 'the leader has no such listener', 'moved', MOMENT),
  74: row('FENCED_LEADER_EPOCH', 'the leader of the partition has changed', 'moved', MOMENT),
  75: row('UNKNOWN_LEADER_EPOCH', 'the leader of the partition has changed', 'moved', MOMENT),
  76: row(
    'UNSUPPORTED_COMPRESSION_TYPE',
    'the broker does not know this compression',
    'refused',
    'Choose another `compression_type`.',
  ),
  87: row('INVALID_RECORD', 'the broker rejects a record', 'refused', 'Compacted topics need a `key`.'),
  89: row('THROTTLING_QUOTA_EXCEEDED', 'a quota is used up', 'busy', 'Raise the quota.'),
  90: row('PRODUCER_FENCED', 'the producer id is in use elsewhere', 'identity'),
};

/** Sequence numbers that the broker has seen: the batch is in the log. */
export const DUPLICATE_SEQUENCE_NUMBER = 46;
export const TOPIC_MISSING = 3;
export const LEADER_MISSING = 5;

export interface BrokerError extends RequestError {
  readonly effect: ErrorEffect;
}

/** Error of a broker by its number; `said`: text of the broker. Errors of later versions of Kafka may pass. */
export const brokerError = (code: number, said: string | null): BrokerError => {
  const { name, what, effect, remedy } = ROWS[code] ?? row('', 'the broker reported an error', 'busy', '');
  return {
    what: said === null || said === '' ? what : `${what} (${said.replace(/\.$/, '')})`,
    origin: name === '' ? `error ${code}` : `${name}, error ${code}`,
    remedy,
    effect,
    isRetryable: effect !== 'refused',
    code,
  };
};
