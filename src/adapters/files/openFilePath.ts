import { type FileHandle, readlink } from 'node:fs/promises';

/** Current path of an open file, with ` (deleted)` behind it once unlinked (proc(5)). `null` without `/proc`. */
export const openFilePath = (file: FileHandle): Promise<string | null> =>
  readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
