/** Messages of RFC 5424 with octet counting over a TCP connection, against a hand-written loop that frames lines. */
import { sockets } from '../lib/sockets.mjs';

const EVENTS = 2_000_000;

export const limits = 'The listener, on the same two cores. A header is made once a batch.';

export const pairs = ({ scale, ...given }) =>
  sockets(given, { protocol: 'syslog', events: Math.ceil(EVENTS * scale) });
