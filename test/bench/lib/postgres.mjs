/** A postgres server of its own on loopback, as test/support/servers/postgresServer.ts starts one for tests. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, sleep } from './daemon.mjs';
import { watchGroup } from './workplace.mjs';

const PATIENCE_MS = 20_000;
const ROOT = '/usr/lib/postgresql';

const BIN = (existsSync(ROOT) ? readdirSync(ROOT) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(ROOT, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')));

/** Why there is no server; `null` when there can be one. */
export const lackOfPostgres = () =>
  BIN === undefined ? 'postgresql is not installed (Debian: apt-get install postgresql)' : null;

/** The server refuses to run as root. */
const userOf = () => {
  if (process.getuid() !== 0) return {};
  const idOf = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Starts a server with its data below a folder that its user can reach: `{port, query(statement), kill()}`. */
export const startPostgres = async (folder) => {
  const user = userOf();
  mkdirSync(folder, { recursive: true });
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(BIN, 'initdb'), init, { ...user, cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_wal_size: '4GB',
    shared_buffers: '256MB',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = watchGroup(
    spawn(join(BIN, 'postgres'), ['-D', data, ...args], {
      ...user,
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    }),
  );
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const query = async (statement) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query({ text: statement, rowMode: 'array' });
      return rows.map((row) => row.join('|')).join('\n');
    } finally {
      await client.end();
    }
  };
  const kill = () => {
    child.kill('SIGQUIT');
    return ended;
  };
  for (const limit = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const isThere = await query('SELECT 1').then(
      () => true,
      () => false,
    );
    if (isThere) return { port, query, kill };
    if (child.exitCode !== null || performance.now() > limit)
      throw new Error(`postgres did not start in ${folder}`);
  }
};
