import type { Role } from '../domain/access/roles.js';
import type { Routes } from './routes.js';

type RowId = Routes[number]['id'];

/** What people do who run generators that others have written. */
const OPERATE: readonly RowId[] = [
  'startGenerator',
  'stopGenerator',
  'restartGenerator',
  'checkOutputs',
  'startGenerators',
  'stopGenerators',
  'restartGenerators',
  'patchGlobals',
  'replaceGlobals',
  'clearGlobals',
  'deleteGlobalsKey',
  'startIncident',
  'pauseIncident',
  'resumeIncident',
  'jumpInIncident',
  'stopIncident',
  'resendDeadLetters',
  'replayDeadLetters',
  'drainNode',
  'resumeNode',
];

/** Reads that tell what a reader must not know. */
const ADMIN_READS: readonly RowId[] = ['readSecret', 'readAudit'];

/** They compute with what they are sent, change nothing, and run no template or script. */
const READ_POSTS: readonly (RowId | 'login' | 'logout' | 'mcp')[] = [
  'normalizeDateTime',
  'login',
  'logout',
  'mcp',
];

const has = (ids: readonly string[], id: string): boolean => ids.includes(id);

/**
 * The least role that a row needs. A new row that changes something needs `admin` until it is listed. Previews run
 * templates and scripts that a request brings, so they need it too.
 */
export const roleOf = ({ id, method }: { readonly id: string; readonly method: string }): Role => {
  if (has(OPERATE, id)) return 'operate';
  if (has(ADMIN_READS, id)) return 'admin';
  return method === 'get' || has(READ_POSTS, id) ? 'read' : 'admin';
};
