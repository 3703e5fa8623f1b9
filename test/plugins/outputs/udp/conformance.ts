import { systemClock } from '../../../../src/adapters/systemClock.js';
import type { StartDestination } from '../../../conformance/support.js';
import { startUdpSink } from '../../../support/servers/udpSink.js';

export const destination: StartDestination = async () => {
  const sink = await startUdpSink();
  const quiet = async (): Promise<void> => {
    for (let before = -1; sink.received().length !== before; ) {
      before = sink.received().length;
      await systemClock.sleepMs(50, new AbortController().signal);
    }
  };
  return {
    params: { host: '127.0.0.1', port: sink.port },
    arrived: async () => {
      await quiet();
      return Buffer.concat(sink.received()).toString('utf8');
    },
    takeAway: sink.close,
    end: sink.close,
  };
};
