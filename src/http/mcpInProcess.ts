import * as E from 'fp-ts/lib/Either.js';
import { makeFinder } from '../contract/match.js';
import { roleOf } from '../contract/roles.js';
import type { Reply } from '../contract/route.js';
import { mayDo } from '../domain/access/roles.js';
import type { NoteChange } from '../domain/audit.js';
import type { Upload } from '../domain/directory.js';
import { failure, type Result } from '../domain/errors.js';
import { type ApiRequest, collected, queryOf, type SendRequest } from '../mcp/api.js';
import type { Ask } from '../messages/ask.js';
import type { Uploads } from '../ports/files.js';
import type { Log } from '../ports/log.js';
import { type Admission, roleRefusal } from './access/auth.js';
import { isChange } from './audit.js';
import type { ReceivedBody } from './body.js';
import { type AnyRoute, handle } from './handler.js';
import { bodyErrorReply, errorReply } from './replies.js';

export interface InProcessOptions {
  readonly routes: readonly AnyRoute[];
  readonly ask: Ask;
  readonly uploads: Uploads;
  readonly log: Log;
  readonly noteChange: NoteChange;
  /** Who calls the tools. */
  readonly caller: Pick<Admission, 'user' | 'role'>;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const NOT_FOUND = errorReply(failure('not_found', 'There is nothing at this path.'));
/** The name of tools in the history of globals and in the audit trail. */
const TOOLS = 'mcp';
const NO_BODY: Result<null> = E.right(null);

/** Sends requests to the routes of this process, as if the caller sent them over HTTP; who the caller is was decided before. */
export const inProcess = ({
  routes,
  ask,
  uploads,
  log,
  noteChange,
  caller,
}: InProcessOptions): SendRequest => {
  const find = makeFinder(routes);
  const user = caller.user === null ? TOOLS : `${caller.user} (${TOOLS})`;

  const bodyOf = async (
    route: AnyRoute,
    { body, file }: ApiRequest,
  ): Promise<Result<ReceivedBody | null>> => {
    if (route.body?.kind === 'upload') {
      const stored = await uploads.receive(once(Buffer.from(file ?? '', 'utf8')), route.body.limit_bytes);
      return E.map((upload: Upload): ReceivedBody => ({ kind: 'upload', mediaType: '', upload }))(stored);
    }
    if (route.body === null || body === undefined) return NO_BODY;
    const bytes = Buffer.from(JSON.stringify(body), 'utf8');
    const { limit_bytes } = route.body;
    return bytes.length > limit_bytes
      ? E.left(failure('too_large', `The body exceeds the limit of ${limit_bytes} bytes.`))
      : E.right({ kind: 'json', mediaType: 'application/json', bytes });
  };

  const replyTo = async (request: ApiRequest): Promise<Reply> => {
    const found = find(request.method, request.path);
    if (found === null) return NOT_FOUND;
    const needed = roleOf(found.route);
    if (!mayDo(caller.role, needed)) return errorReply(roleRefusal(caller, needed));
    const body = await bodyOf(found.route, request);
    if (E.isLeft(body)) return bodyErrorReply(body.left);
    const received = { path: found.path, query: queryOf(request), ifMatch: null, body: body.right };
    try {
      return await handle(found.route, { ...received, user }, ask, log);
    } finally {
      if (body.right?.kind === 'upload') await uploads.discard(body.right.upload);
    }
  };

  const noteIfChange = ({ method, path }: ApiRequest, status: number): void => {
    const operation = find(method, path)?.route.id ?? method;
    if (isChange(method, path)) noteChange({ user, client: TOOLS, operation, target: path, status });
  };

  return async (request) => {
    const reply = await replyTo(request);
    noteIfChange(request, reply.status);
    const { status } = reply;
    const warning = reply.headers?.['X-Spate-Warning'] ?? null;
    if (reply.kind === 'bytes')
      return E.right({ status, contentType: reply.contentType, warning, ...(await collected(reply.chunks)) });
    const bytes = Buffer.from(JSON.stringify(reply.value), 'utf8');
    return E.right({ status, contentType: 'application/json', bytes, isCut: false, warning });
  };
};
