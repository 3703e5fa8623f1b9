import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync, hasPrograms } from '../programs.js';

/** A file system of a few kilobytes that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Uses all free space. */
  readonly fill: () => void;
  /** Undoes `fill`. */
  readonly clear: () => void;
  readonly remove: () => void;
}

const FILLER = '.filler';
const PAGE = 4_096;

const mount = (folder: string, bytes: number): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0777`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
};

/** Mounts a disk over the folder, by default a new one; `null`: not allowed. */
export const smallDisk = (bytes: number, over: string | null = null): SmallDisk | null => {
  const folder = over ?? fs.mkdtempSync(join(tmpdir(), 'spate-disk-'));
  if (!mount(folder, bytes)) {
    if (over === null) fs.rmdirSync(folder);
    return null;
  }
  const filler = join(folder, FILLER);
  const clear = (): void => fs.rmSync(filler, { force: true });
  return {
    folder,
    clear,
    fill: () => {
      const fd = fs.openSync(filler, 'a');
      const page = Buffer.alloc(PAGE);
      try {
        for (;;) fs.writeSync(fd, page);
      } catch {
        // Full, as intended.
      } finally {
        fs.closeSync(fd);
      }
    },
    remove: () => {
      // Lazy: open files keep it until they are closed.
      execFileSync('umount', ['-l', folder]);
      if (over === null) fs.rmdirSync(folder);
    },
  };
};

export const NEEDS_MOUNT = '(needs mount and the right to mount)';

/** Whether this user may mount. */
export const canMount = ((): boolean => {
  if (!hasPrograms('mount', 'umount')) return false;
  const disk = smallDisk(PAGE);
  disk?.remove();
  return disk !== null;
})();
