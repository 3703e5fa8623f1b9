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
