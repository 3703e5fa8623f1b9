import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import * as E from 'fp-ts/lib/Either.js';
import { PAGES, type Page } from '../contract/contract.js';
import { allowOf, expressPath, inMatchOrder, pathReader } from '../contract/match.js';
import type { OpenApi } from '../contract/openapi.js';
import { percentDecode } from '../contract/params.js';
import { roleOf } from '../contract/roles.js';
import type { Reply } from '../contract/route.js';
import { AUTH_ROUTES, type AuthRoute } from '../contract/routes/auth.js';
import { isLoopbackHost } from '../domain/access/origin.js';
import type { NoteChange } from '../domain/audit.js';
import { ERRORS, failure, type Result, reasonOf, type SpateError, thrownError } from '../domain/errors.js';
import type { Ask } from '../messages/ask.js';
import type { Uploads } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import { type Access, type Admission, ANY_USER } from './access/auth.js';
import { type AccessGate, logRefusal, refusalReply } from './access/gate.js';
import { answerAuth, isAuthRoute } from './access/sessionRoutes.js';
import type { Sessions } from './access/sessions.js';
import { auditOf } from './audit.js';
import { type ReceivedBody, receiveBody } from './body.js';
import { apiDocumentsOf, type Documents, sendDocument } from './documents.js';
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
  readonly gate: AccessGate;
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
  // The client may leave while the last bytes of its body are written to the disk.
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await bodyOf(row, request, uploads);
  if (E.isLeft(body)) return bodyErrorReply(body.left);
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

/** What was learned of a request on its way through the middleware. */
interface Seen {
  readonly target: RequestTarget;
  admission: Admission;
}

const seen = (response: Response): Seen => response.locals as unknown as Seen;

/** A row of the contract, with the parameters that its template finds in a path below `/api`. */
interface ReadRow {
  readonly row: Row;
  readonly pathOf: ReturnType<typeof pathReader>;
}

/** Answers an admitted request of a row. */
const answer =
  (config: AppConfig & { readonly documents: Documents }, { row, pathOf }: ReadRow) =>
  async (request: Request, response: Response): Promise<void> => {
    const { method } = request;
    if ('load' in row)
      return answerMcp(() => row.load(seen(response).admission), config.uploads, request, response);
    if (!('toRequest' in row)) return sendDocument(request, response, config.documents[row.id]());
    const { admission, target } = seen(response);
    if (isAuthRoute(row)) {
      const call = { caller: callerOf(request), admission, query: target.query };
      return send(response, method, await answerAuth(row, call, config.sessions, config.log));
    }
    const parts = {
      path: pathOf(target.path.slice(PREFIX.length)) ?? {},
      query: target.query,
      ifMatch: first(request.headers['if-match']),
      lastEventId: first(request.headers['last-event-id']),
      user: admission.user,
    };
    const reply = await replyTo(config, row, request, response, parts);
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

/** Refuses what no path may ask, before anything else is looked at. */
const wellFormed =
  ({ max_headers, isStopping }: AppConfig) =>
  (request: Request, response: Response, next: NextFunction): unknown => {
    const { method } = request;
    const ambiguity = ambiguityOf(request);
    if (ambiguity !== null) return send(response, method, ambiguous(ambiguity));
    if (request.rawHeaders.length > 2 * max_headers)
      return send(response, method, tooManyHeaders(max_headers));
    if (isStopping()) return send(response, method, errorReply(STOPPING));
    const target = targetOf(request.originalUrl);
    Object.assign(response.locals, { target });
    // Express decodes parameters only to match them; ours are read from the target, where they name what is wrong.
    request.url = canDecode(target.path) ? target.path : target.path.replaceAll('%', '%25');
    return next();
  };

const canDecode = (path: string): boolean => percentDecode(path) !== null;

/** Lets a request pass that may, and takes a note of a change. `operation` is null where no row has the path and method. */
const admitted =
  ({ gate, log, noteChange }: AppConfig, operation: string | null, access: Access) =>
  async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const note = auditOf(noteChange, operation, request, response);
    const admission = await gate(request, access);
    if (E.isLeft(admission)) {
      logRefusal(log, request, admission.left);
      note.refuse(admission.left.user);
      return send(response, request.method, refusalReply(admission.left));
    }
    seen(response).admission = admission.right;
    note.admit(admission.right.user);
    next();
  };

const EVERYONE: Access = { way: 'open', role: 'read' };

const accessOf = (row: Row): Access => {
  const role = roleOf(row);
  if (!('toRequest' in row)) return { way: 'credentials', role };
  if (row.isOpen === true) return { way: 'open', role };
  return { way: row.needsBasic === true ? 'basic' : 'credentials', role };
};

const answerOptions = (response: Response, allow: readonly string[]): void => {
  response.setHeader('Allow', allow.join(', '));
  response.writeHead(204).end();
};

/** Every row of the contract, each behind the gate. */
const apiRouter = (config: AppConfig & { readonly documents: Documents }): Router => {
  const mcp = config.mcp === null ? [] : [mcpRow(config.mcp)];
  const rows = inMatchOrder<Row>([...config.routes, ...AUTH_ROUTES, ...PAGES, ...mcp]).map(
    (row): ReadRow => ({ row, pathOf: pathReader(row.path) }),
  );
  const router = express.Router({ caseSensitive: true });
  for (const one of rows) {
    const { id, method, path } = one.row;
    router[method](expressPath(path), admitted(config, id, accessOf(one.row)), answer(config, one));
  }
  // Paths that do not exist need credentials too, so that they are not revealed.
  router.use(admitted(config, null, ANY_USER), (request: Request, response: Response): unknown => {
    const path = seen(response).target.path.slice(PREFIX.length);
    const there = rows.filter(({ pathOf }) => pathOf(path) !== null).map(({ row }) => row);
    if (there.length === 0) return send(response, request.method, errorReply(NOT_FOUND));
    if (request.method === 'OPTIONS') return answerOptions(response, allowOf(there));
    return send(response, request.method, methodNotAllowed(allowOf(there)));
  });
  return router;
};

const UI_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/** Any path outside of the API: the UI has addresses of its own. */
const serveUi =
  (ui: UiConfig, documents: Documents) =>
  async (request: Request, response: Response): Promise<void> => {
    const { method } = request;
    if (method === 'OPTIONS') return answerOptions(response, UI_METHODS);
    if (!UI_METHODS.includes(method)) return send(response, method, methodNotAllowed(UI_METHODS));
    const { path } = seen(response).target;
    if (await sendUi(request, response, path, ui)) return;
    return path === '/'
      ? sendDocument(request, response, documents.start())
      : send(response, method, errorReply(NOT_FOUND));
  };

export const makeApp = (config: AppConfig): Express => {
  const documents = apiDocumentsOf(config.openapi, config.version);
  const app = express();
  for (const setting of ['x-powered-by', 'etag', 'query parser']) app.disable(setting);
  app.use(commonHeaders(config));
  app.use(wellFormed(config));
  const router = express.Router({ caseSensitive: true });
  router.use(PREFIX, apiRouter({ ...config, documents }));
  // The UI asks for credentials itself; its files are the same for everyone.
  if (config.ui !== null) router.use(admitted(config, null, EVERYONE), serveUi(config.ui, documents));
  else
    router.use(admitted(config, null, ANY_USER), ({ method }: Request, response: Response) =>
      send(response, method, errorReply(NOT_FOUND)),
    );
  // A router of its own reads the address that `wellFormed` has set.
  app.use(router);
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
