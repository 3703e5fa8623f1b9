import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { AuditEntry, AuditPage, AuditQuery, NoteChange } from '../../domain/audit.js';
import type { Result } from '../../domain/errors.js';
import { isJsonObject } from '../../domain/json.js';
import type { Clock } from '../../ports/clock.js';
import { ioError, isAbsent } from '../files/ioError.js';
import type { LogFiles } from './logFiles.js';

const FILE = 'audit.json';
const MAX_TARGET_LENGTH = 1_000;
const MAX_USER_LENGTH = 256;
/** Lines that are read before other work of the process has its turn. */
const LINES_PER_TURN = 2_000;

export interface AuditLog {
  readonly note: NoteChange;
  readonly read: (query: AuditQuery) => Promise<Result<AuditPage>>;
}

interface AuditLogOptions {
  readonly folder: string;
  readonly backups: number;
  /** It rotates files, and buffers and counts lines while the disk is full. */
  readonly files: Pick<LogFiles, 'append' | 'settled'>;
  readonly clock: Pick<Clock, 'yieldTurn'>;
  readonly now: () => string;
}

/** Null for a line that is no entry, such as one that a kill cut. */
const entryOf = (line: string): AuditEntry | null => {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) && typeof value['operation'] === 'string'
      ? (value as unknown as AuditEntry)
      : null;
  } catch {
    return null;
  }
};

const isWanted = (entry: AuditEntry, { user, operation, target, since, until }: AuditQuery): boolean =>
  (user === null || entry.user === user) &&
  (operation === null || entry.operation === operation) &&
  (target === null || entry.target.includes(target)) &&
  (since === null || Date.parse(entry.at) >= Date.parse(since)) &&
  (until === null || Date.parse(entry.at) < Date.parse(until));

/** A log of its own of all changes: one JSON object a line. */
export const auditLog = ({ folder, backups, files, clock, now }: AuditLogOptions): AuditLog => {
  const linesOf = async (number: number): Promise<readonly string[] | null> => {
    const path = join(folder, number === 0 ? FILE : `${FILE}.${number}`);
    try {
      return (await readFile(path, 'utf8')).split('\n');
    } catch (thrown) {
      if (isAbsent(thrown)) return null;
      throw thrown;
    }
  };

  /** Matching entries, newest first, up to one more than the page needs. */
  const found = async (query: AuditQuery): Promise<readonly AuditEntry[]> => {
    const entries: AuditEntry[] = [];
    for (let number = 0; number <= backups; number++) {
      const lines = (await linesOf(number)) ?? [];
      for (let at = lines.length - 1; at >= 0; at--) {
        if (at % LINES_PER_TURN === 0) await clock.yieldTurn();
        const entry = entryOf(lines[at] ?? '');
        if (entry === null || !isWanted(entry, query)) continue;
        entries.push(entry);
        if (entries.length > query.offset + query.limit) return entries;
      }
    }
    return entries;
  };

  return {
    note: ({ user, target, ...entry }) =>
      files.append(
        FILE,
        `${JSON.stringify({
          at: now(),
          user: user?.slice(0, MAX_USER_LENGTH) ?? null,
          ...entry,
          target: target.slice(0, MAX_TARGET_LENGTH),
        })}\n`,
      ),
    read: async (query) => {
      const { offset, limit } = query;
      await files.settled();
      try {
        const entries = await found(query);
        return E.right({
          entries: entries.slice(offset, offset + limit),
          next_offset: entries.length > offset + limit ? offset + limit : null,
        });
      } catch (thrown) {
        return E.left(ioError('unreadable', 'read', join(folder, FILE), thrown));
      }
    },
  };
};
