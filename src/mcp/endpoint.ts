import { createMcpHandler } from '@modelcontextprotocol/server';
import { type McpOptions, mcpServers } from './server.js';

/** Answers a message that was posted; `message` is its parsed body. */
export type AnswerMcp = (request: Request, message: unknown) => Promise<Response>;

/**
 * Streamable HTTP without sessions: each message gets a server of its own, so any node of a cluster answers it.
 * Nothing here changes while a client listens, so streams of changes are refused.
 */
export const mcpEndpoint = (options: McpOptions, onError: (error: Error) => void): AnswerMcp => {
  const handler = createMcpHandler(mcpServers(options), {
    responseMode: 'json',
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: onError,
  });
  return (request, message) => handler.fetch(request, { parsedBody: message });
};
