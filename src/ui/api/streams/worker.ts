import { makeHub } from './hub.js';
import { browserPorts, type WantedTails } from './protocol.js';

/** The streams of all tabs: the browser runs this once, for as long as a tab is open. */
const hub = makeHub(browserPorts);

interface SharedScope {
  onconnect: (event: MessageEvent) => void;
}

(globalThis as unknown as SharedScope).onconnect = ({ ports: [port] }) => {
  if (port === undefined) return;
  const member = hub.join((news) => port.postMessage(news));
  port.onmessage = ({ data }: MessageEvent<WantedTails | null>) => member.want(data);
};
