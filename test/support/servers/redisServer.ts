import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../instance.js';
import { type ChildProcess, hasPrograms, needs, runFile, spawn } from '../programs.js';

/** Whether Debian's redis-server is installed; tests that need it say so in their name. */
export const hasRedis = hasPrograms('redis-server', 'redis-cli');
export const NEEDS_REDIS = needs('redis-server', 'redis-cli');

export interface RedisServer {
  readonly port: number;
  /** Port with TLS; 0: none. */
  readonly tls_port: number;
  /** Runs a command with redis-cli, a client of its own; returns its output as JSON. Throws error replies. */
  readonly ask: (...command: readonly string[]) => Promise<unknown>;
  /** SIGKILL; the data stays. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: connections are accepted, nothing is read. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Restarts on the same port and data; resolves when it answers. */
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

interface ServerOptions {
  /** Certificates in PEM: of the authority, of the server, and its key. */
  readonly tls?: { readonly ca: string; readonly certificate: string; readonly key: string };
}

const POLL_MS = 20;
const START_LIMIT_MS = 30_000;

/** Starts an empty server on loopback that writes each command to disk before it replies. */
export const startRedis = async ({ tls }: ServerOptions = {}): Promise<RedisServer> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-redis-'));
  const port = await freePort();
  const tls_port = tls === undefined ? 0 : await freePort();
  const write = (name: string, text: string): string => {
    fs.writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const args = [
    ...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--logfile', join(folder, 'log')],
    ...['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'],
    ...['--enable-protected-configs', 'yes'],
    ...(tls === undefined
      ? []
      : [
          ...['--tls-port', String(tls_port), '--tls-ca-cert-file', write('ca.pem', tls.ca)],
          ...['--tls-cert-file', write('server.pem', tls.certificate)],
          ...['--tls-key-file', write('server.key', tls.key), '--tls-auth-clients', 'optional'],
        ]),
  ];
  let child: ChildProcess | null = null;

  const ask = async (...command: readonly string[]): Promise<unknown> => {
    const { stdout } = await runFile(
      'redis-cli',
      ['-h', '127.0.0.1', '-p', String(port), '-e', '--json', ...command],
      { maxBuffer: 1 << 28 },
    );
    return JSON.parse(stdout);
  };

  const start = async (): Promise<void> => {
    const started = spawn('redis-server', args, { stdio: 'ignore' });
    child = started;
    const until = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        await ask('PING');
        return;
      } catch (thrown) {
        if (started.exitCode !== null || Date.now() > until) {
          throw new Error(`redis-server did not start in ${folder}`, { cause: thrown });
        }
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
  };

  const kill = async (): Promise<void> => {
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };

  await start();
  return {
    port,
    tls_port,
    ask,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    start,
    remove: async () => {
      await kill();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
