import { existsSync, readFileSync, truncateSync } from 'node:fs';

/**
 * Drops the line that a killed server was writing, as a server with a log of its writes does when it starts again:
 * a kill can end one large write halfway, and the sender had no reply to it.
 */
export const dropTornLine = (file: string): void => {
  if (!existsSync(file)) return;
  truncateSync(file, readFileSync(file).lastIndexOf(0x0a) + 1);
};
