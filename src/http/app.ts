import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import { PAGES, type Page } from '../contract/contract.js';
import { type Match, makeMatcher } from '../contract/match.js';
import type { OpenApi } from '../contract/openapi.js';
import type { Reply } from '../contract/route.js';
import { AUTH_ROUTES, type AuthRoute } from '../contract/routes/auth.js';
import type { NoteChange } from '../domain/audit.js';
import { ERRORS, failure, type Result, reasonOf, type SpateError, thrownError } from '../domain/errors.js';
import { isLoopbackHost } from '../domain/origin.js';
import type { Ask } from '../messages/ask.js';
import type { Uploads } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import type { Access, Admission } from './access/auth.js';
import { type Gate, logRefusal, refusalReply } from './access/gate.js';
import { answerAuth, isAuthRoute } from './access/sessionRoutes.js';
import type { Sessions } from './access/sessions.js';
import { auditOf } from './audit.js';
import { type ReceivedBody, receiveBody } from './body.js';
import { type Documents, documentsOf, sendDocument } from './documents.js';
import { type AnyRoute, handle, type Received, refuseEarly, thrownReply } from './handler.js';
import { securityHeaders } from './headers.js';
import { answerMcp, type LoadMcp, type McpRow, mcpRow } from './mcpPost.js';
import { bodyErrorReply, errorReply } from './replies.js';
import { send } from './send.js';
import { whileAdmitted } from './streams/lasting.js';
import { ambiguityOf, callerOf, PREFIX, type RequestTarget, targetOf } from './target.js';
import { sendUi, type UiConfig } from './ui.js';

interface AppConfig {
  readonly routes: readonly AnyRoute[];
  readonly openapi: () => OpenApi;
  readonly ask: Ask;
  readonly uploads: Uploads;
  readonly gate: Gate;
  readonly sessions: Sessions;
  readonly log: Log;
  readonly version: string;
  /** Age of what answers show of other nodes, in seconds. Null when it is current. */
  readonly stateAge?: () => number | null;
  /** The web UI. Null when there is nothing at `/`. */
  readonly ui: UiConfig | null;
  /** Loads the endpoint for language models. Null when there is none. */
  readonly mcp: LoadMcp | null;
  readonly noteChange?: NoteChange;
  readonly max_headers: number;
  /** True when requests on open connections are refused. */
  readonly isStopping: () => boolean;
}

const NOT_FOUND = failure('not_found', `There is nothing at this path; ${PREFIX}/docs lists all paths.`);
const STOPPING = failure('unavailable', 'The service is stopping; try again when it runs.');

const methodNotAllowed = (allow: readonly string[]): Reply => ({
  ...errorReply(failure('method_not_allowed', `This path answers only ${allow.join(', ')}.`)),
  headers: { Allow: allow.join(', ') },
});

/** Status 431 of RFC 6585. */
const tooManyHeaders = (limit: number): Reply => ({
  ...errorReply(failure('too_large', `The request has more than ${limit} headers.`)),
  status: 431,
});

type Row = AnyRoute | AuthRoute | Page | McpRow;

/** Any path outside of the API: the UI has addresses of its own. */
const UI: Match<Row> = { kind: 'no_method', allow: ['GET', 'HEAD', 'OPTIONS'] };

/** The request is ambiguous: the rest of its connection is not read. */
const ambiguous = (error: SpateError): Reply => ({
  ...errorReply(error),
  status: 400,
  headers: { Connection: 'close' },
});

const bodyOf = (
  row: AnyRoute,
  request: IncomingMessage,
  uploads: Uploads,
): Promise<Result<ReceivedBody | null>> =>
  row.body === null ? Promise.resolve(E.right(null)) : receiveBody(request, row.body, uploads);

/** Receives the body and handles the request; an upload that was not consumed is deleted. */
const replyTo = async (
  { ask, log, uploads }: AppConfig,
  row: AnyRoute,
  request: IncomingMessage,
  response: ServerResponse,
  parts: Omit<Received, 'body'>,
): Promise<Reply> => {
  const refusal = refuseEarly(row, { ...parts, body: null });
  if (refusal !== null) return refusal;
  const body = await bodyOf(row, request, uploads);
  if (E.isLeft(body)) return bodyErrorReply(body.left);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const received =
    body.right?.kind === 'upload'
      ? { ...body.right, upload: { ...body.right.upload, gone: gone.signal } }
      : body.right;
  try {
    return await handle(row, { ...parts, body: received }, ask, log);
  } finally {
    if (body.right?.kind === 'upload') await uploads.discard(body.right.upload);
  }
};

const first = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header.join(', ') : header) ?? null;

/** A request that was matched and admitted. */
interface Admitted {
  readonly match: Match<Row>;
  readonly query: string;
  readonly admission: Admission;
}

const answer = async (
  config: AppConfig & { readonly documents: Documents },
  { match, query, admission }: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const method = request.method ?? '';
  if (match.kind === 'no_path') return send(response, method, errorReply(NOT_FOUND));
  if (match.kind === 'no_method') {
    if (method !== 'OPTIONS') return send(response, method, methodNotAllowed(match.allow));
    response.setHeader('Allow', match.allow.join(', '));
    response.writeHead(204).end();
    return;
  }
  if ('load' in match.route) return answerMcp(match.route.load, config.uploads, request, response);
  if (!('toRequest' in match.route))
    return sendDocument(request, response, config.documents[match.route.id]());
  if (isAuthRoute(match.route)) {
    const call = { caller: callerOf(request), admission, query };
    return send(response, method, await answerAuth(match.route, call, config.sessions, config.log));
  }
  const parts = {
    path: match.path,
    query,
    ifMatch: first(request.headers['if-match']),
    lastEventId: first(request.headers['last-event-id']),
    user: admission.user,
  };
  const reply = await replyTo(config, match.route, request, response, parts);
  return send(response, method, whileAdmitted(reply, admission));
};

const commonHeaders =
  ({ version, stateAge }: Pick<AppConfig, 'version' | 'stateAge'>) =>
  (request: Request, response: Response, next: NextFunction): void => {
    const { isEncrypted, headers } = callerOf(request);
    const security = securityHeaders(isEncrypted && !isLoopbackHost(headers.host));
    for (const [name, text] of Object.entries(security)) response.setHeader(name, text);
    response.setHeader('X-Spate-Version', version);
    response.setHeader('Cache-Control', 'no-store');
    const age = stateAge?.() ?? null;
    // RFC 9111, 5.1
    if (age !== null) response.setHeader('Age', String(age));
    next();
  };

/** Paths that do not exist need credentials too, so that they are not revealed. */
const accessOf = (match: Match<Row>): Access => {
  // The UI asks for credentials itself; its files are the same for everyone.
  if (match === UI) return 'open';
  if (match.kind !== 'found' || !('toRequest' in match.route)) return 'credentials';
  if (match.route.isOpen === true) return 'open';
  return match.route.needsBasic === true ? 'basic' : 'credentials';
};

/** Not Express' router: segments are decoded once after the split, so that `%2F` and `..` reach their parameter. */
export const makeApp = (config: AppConfig): Express => {
  const mcp = config.mcp === null ? [] : [mcpRow(config.mcp)];
  const match = makeMatcher<Row>([...config.routes, ...AUTH_ROUTES, ...PAGES, ...mcp]);
  const matchOf = ({ path }: RequestTarget, method: string): Match<Row> => {
    if (path.startsWith(`${PREFIX}/`)) return match(method, path.slice(PREFIX.length));
    return config.ui === null ? { kind: 'no_path' } : UI;
  };
  const documents = documentsOf(config.openapi, config.version);
  const serve = async (request: Request, response: Response): Promise<void> => {
    const ambiguity = ambiguityOf(request);
    if (ambiguity !== null) return send(response, request.method, ambiguous(ambiguity));
    const target = targetOf(request.originalUrl);
    const found = matchOf(target, request.method);
    if (request.rawHeaders.length > 2 * config.max_headers)
      return send(response, request.method, tooManyHeaders(config.max_headers));
    if (config.isStopping()) return send(response, request.method, errorReply(STOPPING));
    const { method } = request;
    const note = auditOf(config.noteChange, found, request, response);
    const admitted = await config.gate(request, accessOf(found));
    if (E.isLeft(admitted)) {
      logRefusal(config.log, request, admitted.left);
      note.refuse();
      return send(response, method, refusalReply(admitted.left));
    }
    if (config.ui !== null && found === UI && (method === 'GET' || method === 'HEAD')) {
      if (await sendUi(request, response, target.path, config.ui)) return;
      return target.path === '/'
        ? sendDocument(request, response, documents.start())
        : send(response, method, errorReply(NOT_FOUND));
    }
    const admission = admitted.right;
    note.admit(admission.user);
    return answer(
      { ...config, documents },
      { match: found, query: target.query, admission },
      request,
      response,
    );
  };
  const app = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.disable(setting);
  app.use(commonHeaders(config));
  app.use(serve);
  // Express recognizes an error handler by its four parameters.
  app.use((thrown: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const { code } = thrownError('', thrown);
    config.log.write(ERRORS[code].level, `A request failed: ${reasonOf(thrown)}`, {
      code,
      method: request.method,
    });
    if (response.headersSent || response.destroyed) response.destroy();
    else void send(response, request.method, thrownReply(thrown));
  });
  return app;
};
