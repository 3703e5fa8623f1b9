import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../instance.js';
import { type ChildProcess, execFileSync, runFile, spawn } from '../programs.js';

/** Debian keeps the programs of each version in a folder of its own, outside of PATH. */
const programs = (): string | null => {
  const root = '/usr/lib/postgresql';
  const versions = fs.existsSync(root) ? fs.readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => fs.existsSync(join(folder, 'initdb'))) ?? null;
};

const BIN = programs();

/** Whether Debian's postgresql is installed; tests that need it say so in their name. */
export const hasPostgres = BIN !== null;
export const NEEDS_POSTGRES = '(needs postgresql)';

/** The server refuses to run as root. */
const userOf = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
};

export interface PostgresServer {
  readonly port: number;
  readonly password: string;
  /** Runs statements as `postgres` with psql, a client of its own; returns rows as lines, columns with `|`. */
  readonly query: (statement: string, database?: string) => Promise<string>;
  /** Ends all processes at once, without a checkpoint: the next start recovers. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP to all processes: connections are accepted, nothing is read. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Restarts on the same port and data; resolves when it answers. */
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

interface ServerOptions {
  readonly password?: string;
  /** Certificate and key of the server in PEM. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  readonly settings?: Readonly<Record<string, string>>;
}

const POLL_MS = 20;
const START_LIMIT_MS = 60_000;

const childrenOf = (pid: number): readonly number[] =>
  fs
    .readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text.trim() !== '')
    .map(Number);

/** Starts a server with an empty cluster, on loopback. */
export const startPostgres = async ({
  password = 'right',
  tls,
  settings = {},
}: ServerOptions = {}): Promise<PostgresServer> => {
  if (BIN === null) throw new Error('postgresql is not installed');
  const user = userOf();
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-postgres-'));
  const own = (path: string): void => {
    if (user !== undefined) fs.chownSync(path, user.uid, user.gid);
  };
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    fs.writeFileSync(path, text, { mode: 0o600 });
    own(path);
    return path;
  };
  own(folder);
  const data = join(folder, 'data');
  const secret = write('password', password);
  execFileSync(
    join(BIN, 'initdb'),
    [
      ...['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '--pwfile', secret],
      ...['-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    ],
    { ...user, stdio: 'ignore', cwd: folder },
  );
  const port = await freePort();
  const all: Readonly<Record<string, string>> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    fsync: 'off',
    ...(tls === undefined
      ? {}
      : {
          ssl: 'on',
          ssl_cert_file: write('server.pem', tls.certificate),
          ssl_key_file: write('server.key', tls.key),
        }),
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let child: ChildProcess | null = null;

  const query = async (statement: string, database = 'postgres'): Promise<string> => {
    const { stdout } = await runFile(
      join(BIN, 'psql'),
      [
        ...['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-d', database],
        ...['-AtqX', '-v', 'ON_ERROR_STOP=1', '-c', statement],
      ],
      { env: { PATH: '/usr/bin:/bin', PGPASSWORD: password }, maxBuffer: 1 << 28 },
    );
    return stdout.trimEnd();
  };

  const start = async (): Promise<void> => {
    const log = fs.openSync(join(folder, 'server.log'), 'a');
    const started = spawn(join(BIN, 'postgres'), ['-D', data, ...args], {
      ...user,
      cwd: folder,
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    child = started;
    const until = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        await query('SELECT 1');
        return;
      } catch (thrown) {
        if (started.exitCode !== null || Date.now() > until) {
          const said = fs.readFileSync(join(folder, 'server.log'), 'utf8').slice(-2_000);
          throw new Error(`postgres did not start: ${said}`, { cause: thrown });
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
  };

  const signalAll = (signal: NodeJS.Signals): void => {
    const pid = child?.pid;
    if (pid === undefined) return;
    for (const one of [pid, ...childrenOf(pid)]) process.kill(one, signal);
  };

  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    // An immediate shutdown also ends the processes of the connections; SIGKILL would leave them.
    running.kill('SIGQUIT');
    await ended;
  };

  await start();
  return {
    port,
    password,
    query,
    kill,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    start,
    remove: async () => {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
