import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NoteChange } from '../domain/audit.js';
import { namedUser } from './access/auth.js';
import { PREFIX, targetText } from './target.js';

const SAFE_METHODS = ['get', 'head', 'options'];

/** Whether a request may change something. Previews and messages of MCP change nothing; calls of tools are noted. */
export const isChange = (method: string, path: string): boolean =>
  !SAFE_METHODS.includes(method.toLowerCase()) && !/^\/(?:preview\/|mcp(?:$|\?))/.test(path);

/** What becomes of a request at the gate. Its entry follows when it is answered. */
interface AuditNote {
  readonly admit: (user: string | null) => void;
  /** Without leave, of a user or, when that is not known, of the one that it names. A sign-in that failed is noted for any method. */
  readonly refuse: (known: string | null) => void;
}

const NONE: AuditNote = { admit: () => {}, refuse: () => {} };

/** Takes a note of a change when its answer is sent, or when its client has left; without an operation, of the method. */
export const auditOf = (
  noteChange: NoteChange | undefined,
  operation: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): AuditNote => {
  if (noteChange === undefined) return NONE;
  const target = targetText(request).replace(new RegExp(`^${PREFIX}`), '');
  const method = request.method ?? '';
  const isNoted = isChange(method, target);
  const client = request.socket.remoteAddress ?? '';
  const later = (user: string | null): void => {
    response.once('close', () => {
      const status = response.headersSent ? response.statusCode : 0;
      noteChange({ user, client, operation: operation ?? method, target, status });
    });
  };
  return {
    admit: (user) => {
      if (isNoted) later(user);
    },
    refuse: (known) => {
      const user = known ?? namedUser(request.headers);
      if (isNoted || user !== null) later(user);
    },
  };
};
