import * as E from 'fp-ts/lib/Either.js';
import { documentsOf, type EventBatch } from '../../../domain/events/eventBatch.js';
import { parsedJson } from '../../../domain/json.js';
import type { Partition } from '../../../domain/partitions.js';
import type { Clock } from '../../../ports/clock.js';
import type { ValueOf } from '../../../schema/shape.js';
import type { Output, OutputPlugin } from '../../kit.js';
import type { EventText } from '../../shared/text/compile.js';
import { LIMITS } from '../../shared/text/limits.js';
import { generatorName, limitOf, routingText, unroutable } from '../../shared/text/routing.js';
import { payloadsOf } from '../shared/batchBytes.js';
import { type BrokerLink, brokerOutput, makeLink } from '../shared/brokers/brokerOutput.js';
import {
  type BrokerOutcome,
  type Ending,
  writeAcknowledged,
  writeConfirmed,
} from '../shared/brokers/writes.js';
import { type ErrorReporter, makeErrorReporter, type RequestError } from '../shared/errors.js';
import { readTls, type TlsOptions } from '../shared/tls.js';
import { connectToMqtt, type MqttLink, mqttError, packetTooLarge, topicError } from './connection.js';
import { brokerAddressOf, hostNameOf, type mqttFields, mqttSpec } from './spec.js';

export type MqttParams = ValueOf<typeof mqttFields>;

/** A value of an event as one level of a topic. */
const topicLevel = (value: string): string => value.replace(/[/+#\0]/g, '_');

/** MQTT 3.1.1 brokers do not say how much they hold for `qos: 2`; Mosquitto ends connections with more. */
const MAX_QOS_2 = 20;

const inFlightOf = ({ protocol_version, qos, max_in_flight }: MqttParams): number =>
  protocol_version === '3.1.1' && qos === 2 ? Math.min(max_in_flight, MAX_QOS_2) : max_in_flight;

/** A broker closes the connection of a client when another one comes with its identifier. */
const clientIdOf = (id: string, partition: Partition | undefined): string =>
  partition === undefined ? id : `${id}-${partition.index}`;

const clientOptions = (params: MqttParams, tls: TlsOptions, partition: Partition | undefined) => {
  const { host, port, isTls } = brokerAddressOf(params);
  return {
    protocol: isTls ? ('mqtts' as const) : ('mqtt' as const),
    hostname: host,
    port,
    protocolVersion: params.protocol_version === '5' ? (5 as const) : (4 as const),
    clean: params.clean_session,
    keepalive: params.keepalive,
    ...(params.client_id === null ? {} : { clientId: clientIdOf(params.client_id, partition) }),
    ...(params.username === null ? {} : { username: params.username }),
    ...(params.password === null ? {} : { password: params.password }),
    ...(isTls ? tls : {}),
  };
};

export const mqttPlugin: OutputPlugin<typeof mqttFields> = {
  spec: mqttSpec,
  open: async (params, { directory, clock, signal, partition }) => {
    const tls = await readTls('mqtt', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const name = `${hostNameOf(brokerAddressOf(params))}, topic ${params.topic}`;
    const report = makeErrorReporter(name, [
      { username: params.username ?? '', password: params.password ?? '' },
    ]);
    const options = {
      client: clientOptions(params, tls.right, partition),
      connect_timeout_ms: params.connect_timeout * 1_000,
      max_in_flight: inFlightOf(params),
      clock,
    };
    const link = makeLink((closing) => connectToMqtt(options, closing));
    const connected = await link.get(signal);
    if (E.isLeft(connected)) return E.left(report('cannot open', { ...connected.left, isRetryable: true }));
    const topic = routingText(params.topic, { generator: generatorName({ directory }), clean: topicLevel });
    return E.right(mqttOutput({ link, params, topic, name, report, clock }));
  },
};

/** Most bytes of a PUBLISH packet besides topic and payload. */
const HEADER_BYTES = 16;

type Settle = (error: RequestError | null) => void;

/** Sends items of a batch. */
const publisherOf = (
  batch: EventBatch,
  { client, max_bytes }: MqttLink,
  { qos, retain }: MqttParams,
  topic: EventText,
) => {
  const payloadOf = payloadsOf(batch);
  const options = { qos: qos as 0 | 1 | 2, retain };
  const misfitOf = limitOf(topic, LIMITS['mqtt.topic']);
  let bytes = 0;
  return {
    bytes: () => bytes,
    publish: (item: number, settle: Settle): RequestError | null => {
      const document = topic.readsJson ? parsedJson(documentsOf(batch)[item] ?? '') : undefined;
      const to = topic.text(document);
      if (to === null) return topicError(unroutable(topic, document));
      const misfit = misfitOf(to);
      if (misfit !== null) return topicError(misfit);
      const view = payloadOf(item);
      const size = view.length + Buffer.byteLength(to, 'utf8') + HEADER_BYTES;
      if (size > max_bytes) return packetTooLarge(max_bytes);
      const payload = Buffer.from(view.buffer, view.byteOffset, view.length);
      client.publish(to, payload, options, (thrown) => {
        // The client also passes null, which its types leave out.
        if ((thrown ?? null) === null) settle(null);
        // Errors without a reason code mean a lost connection, whose end says why.
        else if (thrown !== undefined && 'code' in thrown) settle(mqttError(thrown));
      });
      bytes += view.length;
      return null;
    },
  };
};

/** True: the connection holds nothing of unknown fate. */
const send = (
  batch: EventBatch,
  connection: MqttLink,
  outcome: BrokerOutcome,
  publisher: ReturnType<typeof publisherOf>,
  qos: number,
  ending: Ending,
): Promise<boolean> =>
  qos === 0
    ? writeConfirmed(
        {
          count: batch.count,
          outcome,
          send: (item) => publisher.publish(item, () => {}),
          bytes: publisher.bytes,
          confirm: connection.confirm,
          refusalOf: () => null,
        },
        ending,
      )
    : writeAcknowledged(
        { count: batch.count, outcome, window: connection.window, send: publisher.publish },
        ending,
      );

interface MqttOutputOptions {
  readonly link: BrokerLink<MqttLink>;
  readonly params: MqttParams;
  readonly topic: EventText;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
}

const mqttOutput = ({ params, topic, ...options }: MqttOutputOptions): Output =>
  brokerOutput({
    ...options,
    ack_timeout: params.ack_timeout,
    publish: async ({ batch, link, outcome, ending }) => {
      const publisher = publisherOf(batch, link, params, topic);
      const isClean = await send(batch, link, outcome, publisher, params.qos, ending);
      return { bytes: publisher.bytes(), isClean };
    },
  });
