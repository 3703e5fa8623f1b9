import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { type FolderLock, lockStateFolder, SERVICE_LOCK } from '../adapters/files/folderLock.js';
import { privateFiles, tightenState } from '../adapters/files/privateFiles.js';
import { failure, type Result, reasonOf } from '../domain/errors.js';
import { isJsonObject, parsedJson } from '../domain/json.js';
import type { Log } from '../ports/log.js';

const lockName = (generator: string | null): string =>
  generator === null
    ? SERVICE_LOCK
    : `${SERVICE_LOCK}-${createHash('sha256').update(generator).digest('hex').slice(0, 16)}`;

/** Format of all files below a state folder. Who changes one so that older versions misread it raises this number. */
const STATE_FORMAT = 1;
const FORMAT_FILE = 'format.json';
const MAX_FORMAT_BYTES = 4_096;

/** Content of `format.json`, and what it means here. */
export interface StateFormat {
  readonly format: number;
  /** Version of the service that used the folder last. Null before the first one that notes it. */
  readonly version: string | null;
}

/** The state folders of 0.1 have no `format.json`: their files are read as they are. */
const UNNOTED: StateFormat = { format: 1, version: null };

/** Reads which version made a state folder. Returns `newer_state` for a format that this version cannot read. */
export const readStateFormat = async (folder: string): Promise<Result<StateFormat>> => {
  const file = join(folder, FORMAT_FILE);
  const text = await privateFiles.readText(file, MAX_FORMAT_BYTES);
  if (E.isLeft(text)) return text.left.code === 'not_found' ? E.right(UNNOTED) : text;
  const value = parsedJson(text.right);
  const format = isJsonObject(value) ? value['format'] : undefined;
  const version = isJsonObject(value) && typeof value['version'] === 'string' ? value['version'] : null;
  if (!Number.isSafeInteger(format) || Number(format) < 1) {
    const advice =
      'Restore it from a backup; or delete it, if this version of Spate was the last to use the folder.';
    return E.left(
      failure('unreadable', `${file} is damaged: "format" must be a positive integer. ${advice}`),
    );
  }
  if (Number(format) > STATE_FORMAT) {
    const writer = version === null ? 'A newer version' : `Version ${version}`;
    const advice = 'Use that version or a later one, or restore the backup made before the upgrade.';
    const message = `${writer} of Spate has used the state folder ${folder}: its format is ${format}, and this version reads ${STATE_FORMAT}. ${advice}`;
    return E.left(failure('newer_state', message));
  }
  return E.right({ format: Number(format), version });
};

/** Notes format and version, before anything else is written to the folder. Returns an error when the format is not ours. */
const noteFormat = async (folder: string, version: string | null, log: Log): Promise<Result<void>> => {
  const found = await readStateFormat(folder);
  if (E.isLeft(found)) return found;
  const noted: StateFormat = { format: STATE_FORMAT, version: version ?? found.right.version };
  const isThere = found.right.version !== null && found.right.format === noted.format;
  // Two waits for the disk would be 4 ms of each start.
  if (isThere && found.right.version === noted.version) return E.right(undefined);
  const text = `${JSON.stringify(noted)}\n`;
  const written = await privateFiles.replaceText(join(folder, FORMAT_FILE), text);
  if (E.isLeft(written)) {
    const reason = written.left.message;
    log.write('warning', 'the format of the state folder could not be noted', { reason });
  }
  return E.right(undefined);
};

/**
 * Locks a state folder for a service, or for the single run of one generator, and makes its files private. Returns
 * `unavailable` while another process uses it: a service has it alone, runs of different generators share it. Returns
 * `newer_state` when a later version has used it.
 */
export const openState = async (
  folder: string,
  generator: string | null,
  log: Log,
  /** The version of the service that opens it. Null for a single run, which leaves the noted one. */
  version: string | null,
): Promise<Result<FolderLock>> => {
  const lock = await lockStateFolder(folder, lockName(generator), (reason) =>
    log.write('warning', 'the state folder cannot be locked: a second process in it would not be noticed', {
      file: folder,
      reason,
    }),
  );
  if (E.isLeft(lock)) return lock;
  const noted = await noteFormat(folder, version, log);
  if (E.isLeft(noted)) {
    await lock.right.release();
    return noted;
  }
  try {
    await tightenState(folder);
  } catch (thrown) {
    log.write('warning', 'the permissions of the state folder could not be checked', {
      reason: reasonOf(thrown),
    });
  }
  return lock;
};
