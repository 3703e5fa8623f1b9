import type { StartDestination } from '../../../conformance/support.js';
import { startLogPeer } from '../../../support/servers/logPeers/logPeer.js';

export const destination: StartDestination = async (folder) => {
  const peer = await startLogPeer('loki', folder);
  return { params: { url: peer.url }, arrived: peer.text, takeAway: peer.kill, end: peer.kill };
};
