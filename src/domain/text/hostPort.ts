/** `host:port` of a URL, with an IPv6 address in brackets (RFC 3986, 3.2.2). */
export const hostPort = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;
