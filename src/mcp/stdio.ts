import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type McpOptions, mcpServers } from './server.js';

/** Serves one client on standard input and output until the input closes or `over` aborts. */
export const serveStdioUntilClosed = (
  options: McpOptions,
  over: AbortSignal,
  onError: (error: Error) => void,
): Promise<void> =>
  new Promise((resolve) => {
    const transport = new StdioServerTransport();
    const served = serveStdio(mcpServers(options), { transport, onerror: onError, maxSubscriptions: 0 });
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    over.addEventListener('abort', () => void served.close().then(resolve), { once: true });
  });
