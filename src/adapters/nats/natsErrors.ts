import { JetStreamApiError } from '@nats-io/jetstream';
import { errors, type NatsConnection, TimeoutError } from '@nats-io/transport-node';
import { failure, reasonOf, type SpateError } from '../../domain/errors.js';

/** Codes of JetStream: wrong last sequence, in the older and the newer form. */
const CONFLICTS: readonly number[] = [10_071, 10_164];
const MESSAGE_TOO_LARGE = 10_054;

const causesOf = (thrown: unknown): readonly unknown[] => {
  const found: unknown[] = [];
  for (let one = thrown; one instanceof Error && found.length < 5; one = one.cause) found.push(one);
  return found;
};

/** Whether a compare-and-set failed: another revision is there. */
export const isConflict = (thrown: unknown): boolean =>
  thrown instanceof JetStreamApiError && CONFLICTS.includes(thrown.code);

/** Whether no server took the request: the stream is missing or has no leader. */
export const isUnheard = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.name === 'JetStreamNotEnabled';

/** Whether there was no answer in time. */
export const isLate = (thrown: unknown): boolean =>
  thrown instanceof TimeoutError || thrown instanceof errors.TimeoutError;

const isTooLarge = (thrown: unknown): boolean =>
  (thrown instanceof JetStreamApiError && thrown.code === MESSAGE_TOO_LARGE) ||
  (thrown instanceof errors.InvalidArgumentError && thrown.message.includes('max_payload'));

/** `place`: what was accessed, for the message. `bytes`: null when the servers do not say it. */
export const valueTooLarge = (place: string, bytes: number | null, limit: number): SpateError =>
  failure(
    'too_large',
    `${place}: ${bytes === null ? 'it exceeds' : `${bytes} bytes exceed`} the limit of ${limit} bytes. Make it smaller, or raise max_payload of the NATS servers.`,
  );

export const conflict = (place: string): SpateError =>
  failure('precondition_failed', `${place}: it was changed meanwhile. Read it again and retry.`);

export const unavailable = (place: string, what: string, remedy: string): SpateError =>
  failure('unavailable', `${place}: ${what}. ${remedy}`);

export const disconnected = (place: string): SpateError =>
  unavailable(place, 'there is no connection to NATS', 'Check its servers. Spate reconnects by itself.');

/** Copies of a stream on older servers can differ after a crash. */
const OLDEST_MAJOR = 2;
const OLDEST_MINOR = 10;

/**
 * Returns why the connected server is too old for a cluster. Null when it is new enough, and when its version cannot be
 * read, as of a development build.
 */
export const tooOld = (client: Pick<NatsConnection, 'info' | 'getServer'>): SpateError | null => {
  const { version = '', server_name = '' } = client.info ?? {};
  const [, major, minor] = (/^v?(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined || major > OLDEST_MAJOR) return null;
  if (major === OLDEST_MAJOR && minor >= OLDEST_MINOR) return null;
  return failure(
    'wrong_state',
    `NATS server "${server_name}" at ${client.getServer()} has version ${version}; a cluster needs 2.10 or later. ` +
      'Upgrade all NATS servers: Debian 13 has 2.10, https://nats.io/download has programs for other systems.',
  );
};

const remedyOf = (thrown: unknown): readonly [what: string, remedy: string] => {
  const chain = causesOf(thrown);
  if (chain.some((one) => one instanceof errors.PermissionViolationError)) {
    return [reasonOf(chain.at(-1)), 'Correct the permissions of the NATS user.'];
  }
  if (isLate(thrown)) {
    return [
      'NATS did not answer in time',
      'Check that a majority of its servers runs. The change may be done.',
    ];
  }
  if (isUnheard(thrown)) {
    return ['JetStream does not answer', 'Check that it is enabled on the NATS servers and has a leader.'];
  }
  return [reasonOf(thrown).replace(/\.$/, ''), 'Check the NATS servers.'];
};

/** What the client throws, as a value. */
export const natsError = (place: string, thrown: unknown, limit: number): SpateError => {
  if (isConflict(thrown)) return conflict(place);
  if (isTooLarge(thrown)) return valueTooLarge(place, null, limit);
  return unavailable(place, ...remedyOf(thrown));
};
