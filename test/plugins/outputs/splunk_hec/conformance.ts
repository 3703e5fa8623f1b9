import type { StartDestination } from '../../../conformance/support.js';
import { startLogPeer } from '../../../support/servers/logPeers/logPeer.js';

export const destination: StartDestination = async (folder) => {
  const peer = await startLogPeer('splunk_hec', folder);
  return {
    params: { url: peer.url, token: 'right', acknowledge: true, ack_interval: 0.01 },
    arrived: peer.text,
    takeAway: peer.kill,
    end: peer.kill,
  };
};
