import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../src/adapters/systemClock.js';
import type { Output, PluginContext } from '../../../src/plugins/kit.js';
import type { Clock } from '../../../src/ports/clock.js';
import { type LoggedLine, memoryLog } from '../../support/logs.js';
import { execFileSync } from '../../support/programs.js';

/** Folders made by tests of this file; `removeFolders` is for `afterAll`. */
const folders: string[] = [];

export const newFolder = (): string => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-output-'));
  folders.push(folder);
  return folder;
};

export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
};

/** A context without zone and random: outputs use neither. */
export const outputContext = (
  directory: string,
  clock: Clock = systemClock,
): { readonly context: PluginContext; readonly lines: LoggedLine[] } => {
  const { log, lines } = memoryLog();
  const context = { directory, clock, log, signal: new AbortController().signal } as unknown as PluginContext;
  return { context, lines };
};

export const opened = async (built: Promise<E.Either<unknown, Output>>): Promise<Output> => {
  const output = await built;
  if (E.isLeft(output)) throw new Error(`did not open: ${JSON.stringify(output.left)}`);
  return output.right;
};

export const never: AbortSignal = new AbortController().signal;

export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
  /** Everything that is in the pipe now. */
  readonly take: () => string;
  readonly close: () => void;
}

/** A pipe of which the test holds both ends. */
export const newPipe = (folder: string): Pipe => {
  const path = join(folder, `pipe-${folders.length}-${fs.readdirSync(folder).length}`);
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

export const numbered = (count: number, width = 60): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${i}:`.padEnd(width, String(i % 10)));

export const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
