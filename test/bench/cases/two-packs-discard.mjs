/** `two-packs` without files: the page cache of a virtual machine alone can take a core. */
import { packGenerator, twoAgainstOne } from '../lib/fullSpeed.mjs';

export const { limits, disk_bytes, pairs } = twoAgainstOne(() => packGenerator('windows-security'), {
  discards: true,
});
