import { reasonOf, systemCodeOf } from '../../../domain/errors.js';
import { networkError, type RequestError, retryableError, unroutableError } from '../shared/requestErrors.js';

const CHECK_USER = 'Check `username`, `password`, `client_id` and the rights of the user.';
const CHECK_TOPIC = 'Check `topic`, and the rights of the user.';
const CHECK_EVENTS = 'Check the events and the limits of the broker.';
const BUSY = 'Check the load and the limits of the broker.';

/** Refusals that a retry cannot change, by reason code: MQTT 5, and CONNACK of 3.1.1 below 128. */
const PERMANENT: Readonly<Record<number, readonly [what: string, remedy: string]>> = {
  1: ['the broker does not speak this version of MQTT', 'Set `protocol_version`.'],
  2: ['the broker refused the client identifier', 'Correct `client_id`.'],
  4: ['the broker refused user or password', CHECK_USER],
  5: ['the user is not authorized', CHECK_USER],
  129: ['the broker cannot read the message', CHECK_EVENTS],
  132: ['the broker does not speak this version of MQTT', 'Set `protocol_version`.'],
  133: ['the broker refused the client identifier', 'Correct `client_id`.'],
  134: ['the broker refused user or password', CHECK_USER],
  135: ['the user is not authorized', `${CHECK_USER} ${CHECK_TOPIC}`],
  138: ['the client is banned', CHECK_USER],
  140: ['the broker wants another authentication', CHECK_USER],
  144: ['the broker refused the topic', CHECK_TOPIC],
  149: ['the message is too large', CHECK_EVENTS],
  153: ['the broker refused the payload', CHECK_EVENTS],
  154: ['the broker does not keep messages', 'Set `retain: false`.'],
  155: ['the broker does not support this quality of service', 'Lower `qos`.'],
};

const numberAt = (thrown: unknown): number | null => {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : null;
  return typeof code === 'number' ? code : null;
};

/** Why the broker refused a connection or a message, or a connection broke. */
export const mqttError = (thrown: unknown): RequestError => {
  if (systemCodeOf(thrown) !== '') return networkError(thrown);
  const code = numberAt(thrown);
  const known = code === null ? undefined : PERMANENT[code];
  if (known !== undefined) {
    const [what, remedy] = known;
    return { what, origin: `reason code ${code}`, remedy, isRetryable: false, code };
  }
  const what = thrown === null ? 'the broker closed the connection' : reasonOf(thrown);
  return { ...retryableError(what, BUSY), origin: code === null ? '' : `reason code ${code}`, code };
};

export const tooLarge = (limit: number): RequestError =>
  unroutableError(`the message is larger than the broker accepts (${limit} bytes)`, CHECK_EVENTS);

export const topicError = (what: string): RequestError =>
  unroutableError(what, 'Correct `topic`, or the events.');
