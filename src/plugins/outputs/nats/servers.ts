/** Address of a NATS server. */
export interface NatsServer {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const DEFAULT_PORT = 4222;

/** Reads `host`, `host:port`, `nats://host:port` or `tls://host:port`; `null`: it is none of these. */
export const serverOf = (text: string): NatsServer | null => {
  const written = text.includes('://') ? text : `nats://${text}`;
  if (!URL.canParse(written)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(written);
  const isPlain = `${username}${password}${search}${hash}` === '' && ['', '/'].includes(pathname);
  if (!isPlain || hostname === '' || !['nats:', 'tls:'].includes(protocol)) return null;
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT : Number(port),
    isTls: protocol === 'tls:',
  };
};

/** `host:port`, with an IPv6 address in brackets. */
export const hostPort = ({ host, port }: Pick<NatsServer, 'host' | 'port'>): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

export const serverDefect = (text: string) =>
  serverOf(text) === null
    ? {
        type: 'bad_format' as const,
        message: 'must be host:port, nats://host:port or tls://host:port',
        hint: 'Set `username` and `password` for a user.',
      }
    : null;
