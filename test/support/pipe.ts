import * as fs from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/adapters/systemClock.js';
import { execFileSync } from './programs.js';

export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
  /** Everything that is in the pipe now. */
  readonly take: () => string;
  readonly close: () => void;
}

/** A pipe of which the test holds both ends. */
export const newPipe = (folder: string): Pipe => {
  const path = join(folder, `pipe-${fs.readdirSync(folder).length}`);
  execFileSync('mkfifo', [path]);
  const readFd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const writeFd = fs.openSync(path, fs.constants.O_WRONLY);
  const chunk = Buffer.alloc(65_536);
  const closing = new Set([readFd, writeFd]);
  return {
    readFd,
    writeFd,
    take: () => {
      const parts: Buffer[] = [];
      for (;;) {
        try {
          const count = fs.readSync(readFd, chunk);
          if (count === 0) break;
          parts.push(Buffer.from(chunk.subarray(0, count)));
        } catch {
          break;
        }
      }
      return Buffer.concat(parts).toString('utf8');
    },
    close: () => {
      for (const fd of closing) {
        closing.delete(fd);
        try {
          fs.closeSync(fd);
        } catch {
          // The test closed this end itself.
        }
      }
    },
  };
};

/** Reads a pipe until the work is over; everything that came out of it. */
export const readWhile = async <A>(
  pipe: Pipe,
  work: Promise<A>,
): Promise<{ readonly result: A; readonly seen: string }> => {
  const over = new AbortController();
  const watched = work.finally(() => over.abort());
  let seen = '';
  while (!over.signal.aborted) {
    await systemClock.yieldTurn();
    seen += pipe.take();
  }
  return { result: await watched, seen: seen + pipe.take() };
};
