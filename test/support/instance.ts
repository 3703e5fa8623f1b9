import { randomInt } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFiles } from './library.js';
import { type ChildProcess, spawn } from './programs.js';

/** Entry of the built program; `npm test` builds before it runs tests. */
export const CLI = join(import.meta.dirname, '..', '..', 'dist', 'src', 'cli', 'main.js');

/** Linux gives outgoing connections ports from 32,768 on: one of those may be taken before a server listens. */
const FREE_PORTS = { first: 10_000, last: 32_000 };

/** A port that was just free. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FREE_PORTS.first, FREE_PORTS.last);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child process whose output is collected. */
export interface Program {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly exited: Promise<Exit>;
  /** Resolves when stderr has a match; rejects when the program ends before. */
  readonly saw: (pattern: RegExp) => Promise<RegExpExecArray>;
}

export const runProgram = (
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Program => {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
    for (const look of watchers) look();
  });
  const exited = new Promise<Exit>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    exited,
    saw: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(err);
          if (found === null) return;
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
        void exited.then(({ code }) => reject(new Error(`ended with ${code} before ${pattern}:\n${err}`)));
      }),
  };
};

export interface Instance {
  readonly folder: string;
  readonly url: string;
  readonly program: () => Program;
  readonly start: () => Promise<void>;
  readonly kill: (signal: NodeJS.Signals) => Promise<Exit>;
  /** Request to the API; `body` is sent as JSON. */
  readonly api: (
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
  readonly file: (path: string) => Promise<string>;
  readonly remove: () => Promise<void>;
}

/** An instance in a temporary folder: `generators` maps file paths to their text. */
export const makeInstance = async (options: {
  readonly startup: string;
  readonly generators: Readonly<Record<string, string>>;
  /** Incident files by path. */
  readonly incidents?: Readonly<Record<string, string>>;
  /** Files of worlds by path. */
  readonly worlds?: Readonly<Record<string, string>>;
  readonly settings?: string;
  /** Files of the library by path; without any it is that of the package. */
  readonly library?: Readonly<Record<string, string>>;
  /** More of the section `server` of the settings. */
  readonly server?: string;
  /** The section `log` of the settings. */
  readonly log?: string;
  /** Additional environment variables. */
  readonly env?: NodeJS.ProcessEnv;
}): Promise<Instance> => {
  const folder = await mkdtemp(join(tmpdir(), 'spate-instance-'));
  const port = await freePort();
  const library = join(folder, 'library');
  await writeFiles(join(folder, 'generators'), options.generators);
  await writeFiles(join(folder, 'incidents'), options.incidents ?? {});
  await writeFiles(join(folder, 'worlds'), options.worlds ?? {});
  await writeFiles(library, options.library ?? {});
  await writeFile(join(folder, 'startup.yml'), options.startup);
  const settings = `server: {host: 127.0.0.1, port: ${port}, ${options.server ?? ''}}
generation: {${options.settings ?? ''}}
log: {${options.log ?? ''}}
path: {logs: logs, startup: startup.yml, generators_dir: generators, keyring_cryptfile: keyring, state: state}
`;
  await writeFile(join(folder, 'spate.yml'), settings);
  const url = `http://127.0.0.1:${port}/api`;
  let program: Program | null = null;
  const current = (): Program => {
    if (program === null) throw new Error('the instance was not started');
    return program;
  };
  return {
    folder,
    url,
    program: current,
    start: async () => {
      program = runProgram(['run', '-c', join(folder, 'spate.yml')], {
        env: { ...(options.library === undefined ? {} : { SPATE_LIBRARY: library }), ...options.env },
      });
      await program.saw(/listens on/i);
    },
    kill: async (signal) => {
      current().child.kill(signal);
      return current().exited;
    },
    api: async (method, path, body) => {
      const response = await fetch(`${url}${path}`, {
        method,
        // A connection of its own: one that the server closes while it is idle would fail the next request.
        headers: {
          connection: 'close',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    },
    file: (path) => readFile(join(folder, path), 'utf8'),
    remove: async () => {
      if (program !== null && program.child.exitCode === null) {
        program.child.kill('SIGKILL');
        await program.exited;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** Polls until `check` returns a value; for other processes, which send no signal. */
export const eventually = async <A>(
  check: () => Promise<A | null>,
  what: string,
  most_ms = 100_000,
): Promise<A> => {
  for (let tries = 0; tries < most_ms / 50; tries++) {
    const found = await check();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`never happened: ${what}`);
};
