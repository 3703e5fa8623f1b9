import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { ioError } from '../files/ioError.js';
import { openPrivate } from '../files/privateFiles.js';
import { isSameProcess, processStart } from '../processes/processLife.js';

/** Process id, start time in ticks since boot (`0`: unknown), random part. */
const LOCK = /^\.lock-(\d+)-(\d+)-[0-9a-f]+$/;

const UNKNOWN = '0';

const claimsIn = async (folder: string, own: string) => {
  const claims = (await readdir(folder)).flatMap((name) => {
    const [, pid, start] = LOCK.exec(name) ?? [];
    return pid === undefined || start === undefined || name === own
      ? []
      : [{ name, pid: Number(pid), start }];
  });
  return Promise.all(
    claims.map(async (claim) => ({
      ...claim,
      isAlive: await isSameProcess(claim.pid, claim.start === UNKNOWN ? null : claim.start),
    })),
  );
};

/**
 * Locks a folder on this machine (process namespace). Each process creates an empty file of its own, then looks
 * for others: at least one of two sees the other and gives way. Works on a full disk. Left: `wrong_state` names
 * the holder.
 */
export const lockFolder = async (
  folder: string,
): Promise<Result<{ readonly release: () => Promise<void> }>> => {
  const start = (await processStart(process.pid)) ?? UNKNOWN;
  const own = `.lock-${process.pid}-${start}-${randomUUID().slice(0, 8)}`;
  const release = (): Promise<void> => rm(join(folder, own), { force: true });
  try {
    await (await openPrivate(join(folder, own), 'wx')).close();
    const claims = await claimsIn(folder, own);
    const holder = claims.find(({ isAlive }) => isAlive);
    if (holder === undefined) {
      for (const { name } of claims) await rm(join(folder, name), { force: true });
      return E.right({ release });
    }
    await release();
    const advice = 'Wait until it ends, then try again.';
    return E.left(failure('wrong_state', `process ${holder.pid} is working on ${folder}. ${advice}`));
  } catch (thrown) {
    await release().catch(() => undefined);
    return E.left(ioError('unwritable', 'lock', folder, thrown));
  }
};
