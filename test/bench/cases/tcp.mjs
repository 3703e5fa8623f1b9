/** Lines of 256 bytes over a TCP connection, against a hand-written loop and loggen of syslog-ng (one connection). */
import { sockets } from '../lib/sockets.mjs';

const EVENTS = 3_000_000;

export const limits = 'The listener, on the same two cores; loggen makes a system call for each line.';

export const pairs = ({ scale, ...given }) =>
  sockets(given, { protocol: 'tcp', events: Math.ceil(EVENTS * scale) });
