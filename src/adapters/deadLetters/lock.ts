import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../domain/errors.js';
import { ioError } from '../files/ioError.js';
import { openPrivate } from '../files/privateFiles.js';
import { isSameProcess, processStart } from '../processes/processLife.js';

/** Process, when it started (in ticks since the machine did; `0` where nobody can tell), and a random part. */
const LOCK = /^\.lock-(\d+)-(\d+)-[0-9a-f]+$/;

/** Stands in a name where nobody can tell when the process started. */
const UNKNOWN = '0';

/** Processes that hold or want the lock, and what dead ones left. */
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
 * Excludes other processes of this machine (of this process namespace) from a folder. Each one that wants the
 * lock makes an empty file with a name of its own and then looks for others: of two at the same time at
 * least one sees the other and gives way, and what a killed one leaves can be told and is removed. Empty
 * files can be made on a full disk too. Left: `wrong_state` names the process that has it.
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
    const advice = 'wait until it ends, then try again';
    return E.left(failure('wrong_state', `process ${holder.pid} works on ${folder}: ${advice}`));
  } catch (thrown) {
    await release().catch(() => undefined);
    return E.left(ioError('unwritable', 'lock', folder, thrown));
  }
};
