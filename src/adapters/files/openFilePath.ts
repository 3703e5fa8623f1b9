import { type FileHandle, readlink } from 'node:fs/promises';

/**
 * Where the system has an open file now, whatever stands at the path that it was opened by; with ` (deleted)`
 * behind it once no folder names the file (proc(5)). `null` on systems without `/proc`.
 */
export const openFilePath = (file: FileHandle): Promise<string | null> =>
  readlink(`/proc/self/fd/${file.fd}`).catch(() => null);
