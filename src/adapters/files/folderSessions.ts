import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../domain/errors.js';
import { isJsonObject, parsedJson } from '../../domain/json.js';
import { PRIVATE_FILE } from './privateFiles.js';

const FILE = 'cluster-sessions.json';
const BOOT_ID = '/proc/sys/kernel/random/boot_id';
const MAX_SESSIONS = 8;

/** Sessions of a cluster by the state folder that their daemons locked. */
export interface FolderSessions {
  /** Sessions whose process is dead, oldest first. */
  readonly former: readonly string[];
  /** Draws a session and remembers it before anyone can use it. */
  readonly draw: () => string;
}

/**
 * Names the folder and the boot of its machine. A copy of the folder, another machine that shares it and a machine that
 * was restarted have other names: only under the same one does the lock of the folder prove that a process is dead.
 */
const siteOf = (folder: string, bootFile: string): string => {
  const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
  return `${readFileSync(bootFile, 'utf8').trim()} ${dev}:${ino}:${birthtimeNs}`;
};

const readSessions = (file: string, site: string): readonly string[] => {
  try {
    const found = parsedJson(readFileSync(file, 'utf8'));
    if (!isJsonObject(found) || found['site'] !== site || !Array.isArray(found['sessions'])) return [];
    return found['sessions'].filter((one): one is string => typeof one === 'string').slice(-MAX_SESSIONS);
  } catch {
    return [];
  }
};

/**
 * Sessions of a state folder, of which this process holds the lock. Without a boot id, which Linux has, and where the file
 * cannot be written, no session counts as dead later: a restarted node waits until its former session is lost.
 */
export const folderSessions = (
  folder: string,
  drawSession: () => string,
  warn: (reason: string) => void,
  bootFile = BOOT_ID,
): FolderSessions => {
  const file = join(folder, FILE);
  let site: string;
  try {
    site = siteOf(folder, bootFile);
  } catch {
    return { former: [], draw: drawSession };
  }
  const former = readSessions(file, site);
  let sessions = former;
  return {
    former,
    draw: () => {
      const session = drawSession();
      sessions = [...sessions, session].slice(-MAX_SESSIONS);
      try {
        writeFileSync(`${file}.tmp`, `${JSON.stringify({ site, sessions })}\n`, { mode: PRIVATE_FILE });
        renameSync(`${file}.tmp`, file);
      } catch (thrown) {
        warn(reasonOf(thrown));
      }
      return session;
    },
  };
};
