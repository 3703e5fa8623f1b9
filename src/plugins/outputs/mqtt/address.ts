import { hostPort } from '../../../domain/text/shown.js';
import { serverUrl } from '../shared/brokers/serverUrl.js';

/** Address of an MQTT broker. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const PLAIN_PORT = 1883;
const TLS_PORT = 8883;

/** Reads `mqtt://host:port` or `mqtts://host:port`. Returns null when it is neither. */
export const addressOfUrl = (text: string): BrokerAddress | null => {
  const read = serverUrl(text, ['mqtt:', 'mqtts:']);
  if (read === null) return null;
  const isTls = read.protocol === 'mqtts:';
  return { host: read.host, port: read.port ?? (isTls ? TLS_PORT : PLAIN_PORT), isTls };
};

export const addressOf = (params: {
  readonly url: string | null;
  readonly host: string | null;
  readonly port: number | null;
  readonly tls: boolean;
}): BrokerAddress => {
  const { url, host, port, tls } = params;
  const read = url === null ? null : addressOfUrl(url);
  return read ?? { host: host ?? 'localhost', port: port ?? (tls ? TLS_PORT : PLAIN_PORT), isTls: tls };
};

export const nameOf = (address: BrokerAddress): string =>
  `mqtt${address.isTls ? 's' : ''}://${hostPort(address)}`;

export const urlDefect = (text: string) =>
  addressOfUrl(text) === null
    ? {
        type: 'bad_format' as const,
        message: 'must be mqtt://host:port or mqtts://host:port',
        hint: 'Set `username` and `password` for a user.',
      }
    : null;
