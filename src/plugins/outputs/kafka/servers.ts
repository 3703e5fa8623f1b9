import type { Address } from './protocol/requests.js';

const DEFAULT_PORT = 9_092;
const SERVER = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s/?#@[\]:]+))(?::(\d{1,5}))?$/;

/** Reads `host`, `host:port` or `[IPv6]:port`. Returns null when it is none of these. */
export const serverOf = (text: string): Address | null => {
  const [, v6, name, digits] = SERVER.exec(text) ?? [];
  const host = v6 ?? name;
  const port = digits === undefined ? DEFAULT_PORT : Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port };
};
