import type { StartDestination } from '../../../conformance/support.js';
import { startTcpSink } from '../../../support/servers/tcpSink.js';

/** Events after their headers. */
const HEADER = /^<14>1 \S+ \S+ spate - - - /gm;

export const destination: StartDestination = async () => {
  const sink = await startTcpSink();
  return {
    params: { host: '127.0.0.1', port: sink.port, framing: 'newline' },
    arrived: () => sink.received().toString('utf8').replace(HEADER, ''),
    takeAway: sink.close,
    end: sink.close,
  };
};
