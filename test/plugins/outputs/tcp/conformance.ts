import type { StartDestination } from '../../../conformance/support.js';
import { startTcpSink } from '../../../support/servers/tcpSink.js';

export const destination: StartDestination = async () => {
  const sink = await startTcpSink();
  return {
    params: { host: '127.0.0.1', port: sink.port },
    arrived: () => sink.received().toString('utf8'),
    takeAway: sink.close,
    end: sink.close,
  };
};
