import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openPrivate } from '../files/privateFiles.js';
import { isSameProcess, processStart } from '../processes/processLife.js';

/** `lock`: sweeps the folder. `writing`: appends a letter. */
type Work = 'lock' | 'writing';

/** An empty file that says which process is at work in a folder. */
interface Claim {
  readonly name: string;
  readonly pid: number;
  readonly isAlive: boolean;
}

/** Work, process id, start time in ticks since boot (`0`: unknown), random part. */
const NAME = /^\.(lock|writing)-(\d+)-(\d+)-[0-9a-f]+$/;

const UNKNOWN = '0';

/** Creates a claim of this process; works on a full disk. */
export const claim = async (
  folder: string,
  work: Work,
): Promise<{ readonly name: string; readonly release: () => Promise<void> }> => {
  const start = (await processStart(process.pid)) ?? UNKNOWN;
  const name = `.${work}-${process.pid}-${start}-${randomUUID().slice(0, 8)}`;
  await (await openPrivate(join(folder, name), 'wx')).close();
  return { name, release: () => rm(join(folder, name), { force: true }) };
};

/** The claims of processes on this machine (process namespace), those of ended processes too. */
export const claimsIn = (folder: string, work: Work): Promise<readonly Claim[]> =>
  readdir(folder).then((names) =>
    Promise.all(
      names.flatMap((name) => {
        const [, kind, pid, start] = NAME.exec(name) ?? [];
        if (kind !== work) return [];
        const known = start === UNKNOWN || start === undefined ? null : start;
        const alive = isSameProcess(Number(pid), known);
        return [alive.then((isAlive) => ({ name, pid: Number(pid), isAlive }))];
      }),
    ),
  );

/** Removes what ended processes left. */
export const removeClaims = async (folder: string, claims: readonly Claim[]): Promise<void> => {
  for (const { name } of claims) await rm(join(folder, name), { force: true });
};
