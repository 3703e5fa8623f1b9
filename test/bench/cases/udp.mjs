/** Datagrams of 256 bytes, against a hand-written loop and loggen of syslog-ng. */
import { sockets } from '../lib/sockets.mjs';

const EVENTS = 1_000_000;

export const limits = 'The kernel: one system call for each datagram, on all sides.';

export const pairs = ({ scale, ...given }) =>
  sockets(given, { protocol: 'udp', events: Math.ceil(EVENTS * scale) });
