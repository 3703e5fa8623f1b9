import { defaulted, integer, lazily, number, oneOf, required } from '../../../../schema/index.js';
import { hostText } from '../fields.js';

export const portNumber = integer({ min: 1, max: 65_535 });

export const hostField = () =>
  required(hostText(), { help: 'Name or address of the destination.', example: 'localhost' });

/** Fields of outputs that keep a connection and resend what a broken one may have lost. */
export const streamFields = lazily(() => ({
  connect_timeout: defaulted(integer({ min: 1 }), 10, {
    help: 'Timeout for a connection, with its TLS handshake.',
    unit: 'seconds',
  }),
  stall_timeout: defaulted(number({ min: 0.1 }), 60, {
    help: 'A connection that takes no byte for so long is closed, and the batch fails.',
    unit: 'seconds',
    extension: true,
  }),
  resend_seconds: defaulted(number({ min: 0 }), 5, {
    help: 'What was sent in this time before a connection broke is sent again. 0: nothing is.',
    unit: 'seconds',
    extension: true,
  }),
  resend_bytes: defaulted(integer({ min: 0 }), 32 * 1024 * 1024, {
    help: 'Limit of the bytes to send again; the last batch is always kept.',
    unit: 'bytes',
    extension: true,
  }),
}));

/** Notes of outputs with `streamFields`. */
export const STREAM_NOTES = [
  'TCP has no acknowledgement: a batch counts as written once the kernel has all of its bytes. When a connection breaks, Spate connects again and first resends what it sent in the last `resend_seconds`, up to `resend_bytes`, then the batch that failed. Events arrive at least once; doubles are possible. With `resend_seconds: 0` there are no doubles, but events in the buffers of both kernels are lost.',
  'Events are lost when the destination dies and more than the resend window was still unread or only in its memory. Time in which a write waits does not count, so the window covers the kernel buffers of a slow reader.',
  'A slow reader slows the generator down. This is back-pressure, not a failure: `write_timeout` does not apply. A reader that takes no byte for `stall_timeout` is a failure.',
  'Spate looks for an end of the connection before each write. A destination that closes its side counts as gone. At a stop, Spate ends its side and waits up to two seconds until the destination has read everything; if the connection breaks, it connects and resends once. A destination that is gone has five seconds to come back; then the events of the resend window are lost, and the log says so.',
  'When a connection breaks in the middle of an event, the destination may keep the torn part; the whole event follows on the next connection.',
];

export const onRefusedField = () =>
  defaulted(oneOf(['retry', 'ignore']), 'retry', {
    help: 'When the kernel reports that nothing listens: `retry` the batch, or `ignore` and count each report as a failed event.',
    extension: true,
  });

/** Notes of outputs over UDP. */
export const DATAGRAM_NOTES = [
  'UDP has no acknowledgement: an event counts as written once the kernel has its datagram. Datagrams that the network or a full receive buffer drops are lost, and nobody is told.',
  'The name is resolved once, at the start. The start does not fail when nothing listens.',
  'When the kernel reports that nothing listens (ICMP port unreachable), the batch fails and is retried: events from before the receiver stopped can be doubled. Remote hosts limit such reports, and events sent before the report are lost. With `on_refused: ignore`, each report is logged and counts as one failed event.',
  'An event larger than a datagram (65,507 bytes in IPv4, 65,527 in IPv6) is `unroutable`. Datagrams over the MTU of the network, often 1,500 bytes, are fragmented and get lost more easily.',
];
