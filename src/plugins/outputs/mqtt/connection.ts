import { Socket } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { reasonOf, systemCodeOf } from '../../../domain/errors.js';
import type { Clock } from '../../../ports/clock.js';
import { type BrokerConnection, endOfConnection } from '../shared/brokers/brokerOutput.js';
import { makeWindow, type SendWindow } from '../shared/brokers/writes.js';
import { networkError, type RequestError, retryableError, unroutableError } from '../shared/errors.js';

/** An open connection to a broker. */
export interface MqttLink extends BrokerConnection {
  readonly client: MqttClient;
  /** Messages in flight, as many as the broker allows. */
  readonly window: SendWindow;
  /** Largest message that the broker accepts, in bytes. */
  readonly max_bytes: number;
  /** Resolves when the broker has read all that was sent; never, if the connection is lost before. */
  readonly confirm: () => Promise<void>;
}

interface MqttConnectOptions {
  readonly client: IClientOptions;
  readonly connect_timeout_ms: number;
  /** The broker may allow fewer. */
  readonly max_in_flight: number;
  readonly clock: Clock;
}

/** Largest packet of MQTT (MQTT 5.0, section 1.5.5), where the broker names no other limit. */
const MAX_PACKET_BYTES = 268_435_455;

/** Time to say goodbye. */
const CLOSE_MS = 1_000;

/** Resolves pings of our own and of the keepalive in order. */
const pingsOf = (client: MqttClient): MqttLink['confirm'] => {
  let sent = 0;
  let answered = 0;
  const waiting: { readonly number: number; readonly resolve: () => void }[] = [];
  client.on('packetsend', ({ cmd }) => {
    if (cmd === 'pingreq') sent += 1;
  });
  client.on('packetreceive', ({ cmd }) => {
    if (cmd !== 'pingresp') return;
    answered += 1;
    while (waiting[0] !== undefined && waiting[0].number <= answered) waiting.shift()?.resolve();
  });
  return () =>
    new Promise((resolve) => {
      client.sendPing();
      waiting.push({ number: sent, resolve });
    });
};

/** Connects once: the client neither reconnects nor keeps messages for a later connection. */
export const connectToMqtt = (
  { client: options, connect_timeout_ms, max_in_flight, clock }: MqttConnectOptions,
  signal: AbortSignal,
): Promise<E.Either<RequestError, MqttLink>> =>
  new Promise((resolve) => {
    const over = endOfConnection();
    let lastError: unknown = null;
    const client = connect({
      ...options,
      reconnectPeriod: 0,
      queueQoSZero: false,
      resubscribe: false,
      connectTimeout: connect_timeout_ms,
    });
    const confirm = pingsOf(client);
    const giveUp = (): void => void client.end(true);
    signal.addEventListener('abort', giveUp, { once: true });
    client.on('error', (thrown) => {
      lastError = thrown;
    });
    client.on('disconnect', ({ reasonCode }) => {
      lastError = Object.assign(new Error('the broker ended the connection'), { code: reasonCode });
    });
    client.on('close', () => {
      signal.removeEventListener('abort', giveUp);
      const timeout = lastError instanceof Error && lastError.message === 'connack timeout';
      const error = timeout
        ? retryableError(
            `no answer within connect_timeout (${connect_timeout_ms / 1_000} s)`,
            'Check the address and that the broker is running.',
          )
        : mqttError(lastError);
      // A connection that was accepted may be so again.
      over.finish({ ...error, isRetryable: true, isClosing: true });
      resolve(E.left(error));
      client.end(true);
    });
    client.once('connect', ({ properties }) => {
      const { stream } = client;
      // The last small packet of a part would wait for a TCP acknowledgement.
      if (stream instanceof Socket) stream.setNoDelay(true);
      const { receiveMaximum = 65_535, maximumPacketSize = MAX_PACKET_BYTES } = properties ?? {};
      resolve(
        E.right({
          client,
          window: makeWindow(Math.min(max_in_flight, receiveMaximum)),
          max_bytes: maximumPacketSize,
          confirm,
          end: over.end,
          onOver: over.onOver,
          close: async (reason) => {
            over.finish(reason);
            await closeClient(client, clock);
          },
        }),
      );
    });
  });

/** Says goodbye if nothing is in flight, within a bound. */
const closeClient = async (client: MqttClient, clock: Clock): Promise<void> => {
  if (Object.keys(client.outgoing).length === 0 && client.connected) {
    let stopWaiting: () => void = () => {};
    const late = new Promise<void>((resolve) => {
      stopWaiting = clock.after(CLOSE_MS, resolve);
    });
    await Promise.race([client.endAsync(), late]);
    stopWaiting();
  }
  client.stream.destroy();
  client.end(true);
};

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

export const packetTooLarge = (limit: number): RequestError =>
  unroutableError(`the message is larger than the broker accepts (${limit} bytes)`, CHECK_EVENTS);

export const topicError = (what: string): RequestError =>
  unroutableError(what, 'Correct `topic`, or the events.');
