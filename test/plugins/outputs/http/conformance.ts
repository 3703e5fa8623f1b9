import type { StartDestination } from '../../../conformance/support.js';
import { startCollector } from '../../../support/servers/collector.js';

export const destination: StartDestination = async () => {
  const collector = await startCollector();
  return {
    params: { url: `http://127.0.0.1:${collector.port}/events`, batching: 'joined' },
    arrived: collector.arrived,
    takeAway: collector.kill,
    end: collector.remove,
  };
};
