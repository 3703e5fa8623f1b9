import { serverUrl } from '../shared/brokers/serverUrl.js';

/** Address of a NATS server. */
export interface NatsServer {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const DEFAULT_PORT = 4222;

/** Reads `host`, `host:port`, `nats://host:port` or `tls://host:port`. Returns null when it is none of these. */
export const serverOf = (text: string): NatsServer | null => {
  const read = serverUrl(text.includes('://') ? text : `nats://${text}`, ['nats:', 'tls:']);
  if (read === null) return null;
  return { host: read.host, port: read.port ?? DEFAULT_PORT, isTls: read.protocol === 'tls:' };
};

export const serverDefect = (text: string) =>
  serverOf(text) === null
    ? {
        type: 'bad_format' as const,
        message: 'must be host:port, nats://host:port or tls://host:port',
        hint: 'Set `username` and `password` for a user.',
      }
    : null;
