/** Address of an MQTT broker. */
export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const PLAIN_PORT = 1883;
const TLS_PORT = 8883;

/** Reads `mqtt://host:port` or `mqtts://host:port`; `null`: it is neither. */
export const addressOfUrl = (text: string): BrokerAddress | null => {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isPlain = `${username}${password}${search}${hash}` === '' && ['', '/'].includes(pathname);
  if (!isPlain || hostname === '' || !['mqtt:', 'mqtts:'].includes(protocol)) return null;
  const isTls = protocol === 'mqtts:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? TLS_PORT : PLAIN_PORT) : Number(port),
    isTls,
  };
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

export const nameOf = ({ host, port, isTls }: BrokerAddress): string =>
  `mqtt${isTls ? 's' : ''}://${host.includes(':') ? `[${host}]` : host}:${port}`;

export const urlDefect = (text: string) =>
  addressOfUrl(text) === null
    ? {
        type: 'bad_format' as const,
        message: 'must be mqtt://host:port or mqtts://host:port',
        hint: 'Set `username` and `password` for a user.',
      }
    : null;
