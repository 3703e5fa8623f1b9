import type { IncomingMessage, ServerResponse } from 'node:http';
import * as E from 'fp-ts/lib/Either.js';
import { parseBody } from '../contract/body.js';
import { problem } from '../contract/problem.js';
import type { Reply } from '../contract/route.js';
import type { AnswerMcp } from '../mcp/endpoint.js';
import type { Uploads } from '../ports/files.js';
import type { Admission } from './access/auth.js';
import { receiveBody } from './body.js';
import { bodyErrorReply, problemReply } from './replies.js';
import { send } from './send.js';

/**
 * Loads the endpoint for a caller at its first message: its libraries are larger than the rest of the HTTP service. The
 * tools may do what the role of the caller allows.
 */
export type LoadMcp = (caller: Pick<Admission, 'user' | 'role'>) => Promise<AnswerMcp>;

/** The row of the endpoint: a protocol of its own, which describes itself, so the OpenAPI document leaves it out. */
export interface McpRow {
  readonly id: 'mcp';
  readonly method: 'post';
  readonly path: string;
  readonly load: LoadMcp;
}

export const mcpRow = (load: LoadMcp): McpRow => ({ id: 'mcp', method: 'post', path: '/mcp', load });

const LIMITS = {
  kind: 'json',
  mediaTypes: ['application/json'],
  limit_bytes: 1_048_576,
  schemaName: '',
} as const;

/** Headers of the protocol; the others are none of its business. */
const PASSED = ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'content-type', 'last-event-id'] as const;

const headersOf = ({ headers }: IncomingMessage): Headers => {
  // Also for clients that leave it out, such as curl.
  const passed = new Headers({ accept: 'application/json, text/event-stream' });
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed.set(name, value);
  }
  return passed;
};

/** The protocol has had none since 2025-06-18, and one of a thousand calls would start a thousand. */
const BATCH = problem(['body'], 'wrong_type', 'must be one message, not a list; send each by itself');

/** Where a message was posted matters to nothing. */
const ADDRESS = 'http://localhost/api/mcp';

async function* nothing(): AsyncGenerator<Uint8Array> {}

const replyOf = ({ status, headers, body }: Response): Reply => ({
  status,
  kind: 'bytes',
  contentType: headers.get('content-type') ?? 'application/json',
  chunks: body ?? nothing(),
});

/** Receives a message of the Model Context Protocol and sends its answer. */
export const answerMcp = async (
  load: () => Promise<AnswerMcp>,
  uploads: Uploads,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await receiveBody(request, LIMITS, uploads);
  if (E.isLeft(body)) return send(response, 'POST', bodyErrorReply(body.left));
  const message = parseBody(body.right.kind === 'json' ? body.right.bytes : Buffer.alloc(0));
  if (E.isLeft(message)) return send(response, 'POST', problemReply([message.left], false));
  if (Array.isArray(message.right)) return send(response, 'POST', problemReply([BATCH], false));
  const answer = await load();
  const posted = new Request(ADDRESS, { method: 'POST', headers: headersOf(request) });
  return send(response, 'POST', replyOf(await answer(posted, message.right)));
};
