/**
 * A folder of the run for everything that cases write, below TMPDIR, so that `mkdtemp` of cases and of their
 * children lands in it too. It is removed, and children are ended, at the end and on Ctrl-C.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Left free on the disk beside what a case needs. */
const RESERVE_BYTES = 1e9;

let folder = null;
/** Process groups that run now. */
const groups = new Set();

const endGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
};

const clean = () => {
  for (const pid of groups) endGroup(pid);
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** Makes the folder; call it once, before the first case. */
export const openWorkplace = () => {
  folder = mkdtempSync(join(tmpdir(), 'spate-bench-'));
  process.env.TMPDIR = folder;
  process.on('exit', clean);
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])
    process.on(signal, () => process.exit(code));
  return folder;
};

/** A folder for one case. */
export const caseFolder = (name) => mkdtempSync(join(folder ?? tmpdir(), `${name}-`));

/** Notes a child that leads its own process group until it ends. */
export const watchGroup = (child) => {
  groups.add(child.pid);
  child.once('close', () => groups.delete(child.pid));
  return child;
};

/** Why a case that needs so many bytes cannot run; `null` when it can. */
export const lackOfRoom = (bytes) => {
  const { bavail, bsize } = statfsSync(folder ?? tmpdir());
  const free = bavail * bsize;
  if (free >= bytes + RESERVE_BYTES) return null;
  const gb = (count) => `${(count / 1e9).toFixed(1)} GB`;
  return `it needs ${gb(bytes)} on disk (and ${gb(RESERVE_BYTES)} to spare), ${gb(free)} are free in ${folder}; set TMPDIR`;
};
