import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of a few kilobytes that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all space that is left. */
  readonly fill: () => void;
  /** Takes away what `fill` wrote. */
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

/** Mounts one over the folder (a new one unless given); `null` where this user may not mount. */
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
        // Full: that is what was wanted.
      } finally {
        fs.closeSync(fd);
      }
    },
    remove: () => {
      // Lazily: whoever still has a file open on it keeps it until it is closed.
      execFileSync('umount', ['-l', folder]);
      if (over === null) fs.rmdirSync(folder);
    },
  };
};

/** Whether this user may mount; tests that need it say so. */
export const canMount = ((): boolean => {
  const disk = smallDisk(PAGE);
  disk?.remove();
  return disk !== null;
})();
