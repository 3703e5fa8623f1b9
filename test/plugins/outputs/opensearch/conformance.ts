import type { StartDestination } from '../../../conformance/support.js';
import { startFakeOpensearch } from '../../../support/servers/fakeOpensearch.js';

export const destination: StartDestination = async () => {
  const server = await startFakeOpensearch();
  server.control({ lines: true });
  return {
    params: { hosts: [`http://127.0.0.1:${server.port}`], index: 'events' },
    arrived: server.arrived,
    takeAway: server.kill,
    end: server.remove,
  };
};
