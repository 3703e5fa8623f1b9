import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/domain/json.js';
import { type ChildProcess, spawn } from '../programs.js';
import { dropTornLine } from './tornLine.js';

/** A server in a process of its own, on one port for its whole life. */
export interface ProgramServer {
  readonly port: number;
  readonly folder: string;
  /** Text of the file `arrived`, which the program appends to before it replies. */
  readonly arrived: () => string;
  /** What the program reads from its file `control` for each request. */
  readonly control: (next: JsonObject) => void;
  /** Empties its files. */
  readonly reset: () => void;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly remove: () => Promise<void>;
}

/**
 * Starts a script of Node. It sees `folder` and `port` (0: any), appends to `arrived` in the folder, and prints
 * its port when it listens.
 */
export const programServer = async (program: string): Promise<ProgramServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'spate-server-'));
  // In one step: the program may read at any time.
  const control = (next: JsonObject): void => {
    writeFileSync(join(folder, 'next'), JSON.stringify(next));
    renameSync(join(folder, 'next'), join(folder, 'control'));
  };
  const reset = (): void => {
    for (const name of ['arrived', 'requests']) writeFileSync(join(folder, name), '');
    control({});
  };
  reset();
  let child: ChildProcess | null = null;
  let port = 0;
  const start = async (): Promise<void> => {
    for (const name of readdirSync(folder)) if (name.startsWith('arrived')) dropTornLine(join(folder, name));
    const script = `const [, folder, port] = process.argv;\n${program}`;
    const started = spawn(process.execPath, ['-e', script, folder, String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    port = await new Promise<number>((resolve, reject) => {
      started.stdout.once('data', (data: Buffer) => resolve(Number(String(data))));
      started.once('exit', () => reject(new Error('the server of the test did not start')));
    });
  };
  const kill = async (): Promise<void> => {
    const ending = child;
    child = null;
    if (ending === null) return;
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    if (ending.kill('SIGKILL')) await ended;
  };
  await start();
  return {
    port,
    folder,
    arrived: () => readFileSync(join(folder, 'arrived'), 'utf8'),
    control,
    reset,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
