/** A URL of a server and of nothing in it. */
export interface ServerUrl {
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
