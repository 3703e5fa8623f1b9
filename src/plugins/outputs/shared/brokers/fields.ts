import { defaulted, integer, lazily } from '../../../../schema/index.js';

const seconds = integer({ min: 1, max: 86_400 });

/** Timeouts of outputs to a broker that acknowledges messages. */
export const brokerTimeouts = lazily(() => ({
  connect_timeout: defaulted(seconds, 10, { help: 'Timeout for a connection.', unit: 'seconds' }),
  ack_timeout: defaulted(seconds, 10, {
    help: 'Longest wait for the next acknowledgement of a write.',
    unit: 'seconds',
  }),
}));

/** A URL of a server and of nothing in it. */
interface ServerUrl {
  /** Such as `mqtts:`. */
  readonly protocol: string;
  /** An IPv6 address without brackets. */
  readonly host: string;
  readonly port: number | null;
}

/** Reads a URL with one of the protocols, without user, path, query and fragment. Returns null for any other text. */
export const serverUrl = (text: string, protocols: readonly string[]): ServerUrl | null => {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const isPlain = `${username}${password}${search}${hash}` === '' && ['', '/'].includes(pathname);
  if (!isPlain || hostname === '' || !protocols.includes(protocol)) return null;
  return {
    protocol,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? null : Number(port),
  };
};
