import * as E from 'fp-ts/lib/Either.js';
import type { Partition } from '../../../domain/partitions.js';
import type { OutputPlugin } from '../../kit.js';
import { generatorName } from '../../shared/text/generatorName.js';
import { routingText } from '../../shared/text/routing.js';
import { makeLink } from '../shared/brokers/link.js';
import { makeErrorReporter } from '../shared/requestErrors.js';
import { readTls, type TlsOptions } from '../shared/tls/files.js';
import { addressOf, nameOf } from './address.js';
import { connectTo } from './connection.js';
import { type MqttParams, mqttOutput } from './output.js';
import { type mqttFields, mqttSpec } from './spec.js';

/** A value of an event as one level of a topic. */
export const topicLevel = (value: string): string => value.replace(/[/+#\0]/g, '_');

/** MQTT 3.1.1 brokers do not say how much they hold for `qos: 2`; Mosquitto ends connections with more. */
const MAX_QOS_2 = 20;

const inFlightOf = ({ protocol_version, qos, max_in_flight }: MqttParams): number =>
  protocol_version === '3.1.1' && qos === 2 ? Math.min(max_in_flight, MAX_QOS_2) : max_in_flight;

/** A broker closes the connection of a client when another one comes with its identifier. */
const clientIdOf = (id: string, partition: Partition | undefined): string =>
  partition === undefined ? id : `${id}-${partition.index}`;

const clientOptions = (params: MqttParams, tls: TlsOptions, partition: Partition | undefined) => {
  const { host, port, isTls } = addressOf(params);
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
    const name = `${nameOf(addressOf(params))}, topic ${params.topic}`;
    const report = makeErrorReporter(name, [
      { username: params.username ?? '', password: params.password ?? '' },
    ]);
    const options = {
      client: clientOptions(params, tls.right, partition),
      connect_timeout_ms: params.connect_timeout * 1_000,
      max_in_flight: inFlightOf(params),
      clock,
    };
    const link = makeLink((closing) => connectTo(options, closing));
    const connected = await link.get(signal);
    if (E.isLeft(connected)) return E.left(report('cannot open', { ...connected.left, isRetryable: true }));
    const topic = routingText(params.topic, { generator: generatorName({ directory }), clean: topicLevel });
    return E.right(mqttOutput({ link, params, topic, name, report, clock }));
  },
};
