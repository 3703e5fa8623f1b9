import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../instance.js';
import { type ChildProcess, hasPrograms, needs, spawn } from '../programs.js';

const PROGRAM = 'clickhouse-server';

/** Whether Debian's clickhouse-server is installed; tests that need it say so in their name. */
export const hasClickhouse = hasPrograms(PROGRAM);
export const NEEDS_CLICKHOUSE = needs(PROGRAM);

export interface ClickhouseServer {
  readonly port: number;
  readonly password: string;
  /** Its config, users (`users.xml`) and data (`data/`); removed at the end. */
  readonly folder: string;
  /** Runs a statement; returns text without line end. Throws the error of the server. */
  readonly query: (statement: string) => Promise<string>;
  /** SIGKILL; the data stays. */
  readonly kill: () => Promise<void>;
  /** SIGSTOP: connections are accepted, nothing is read. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Restarts on the same port and data; resolves when it answers. */
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const configOf = (folder: string, http_port: number, tcp_port: number): string => `<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/errors.log</errorlog></logger>
  <http_port>${http_port}</http_port>
  <tcp_port>${tcp_port}</tcp_port>
  <listen_host>127.0.0.1</listen_host>
  <keep_alive_timeout>10</keep_alive_timeout>
  <max_concurrent_queries>100</max_concurrent_queries>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <mark_cache_size>67108864</mark_cache_size>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/data/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
</yandex>
`;

const usersOf = (password: string): string => `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_memory_usage>2000000000</max_memory_usage></default></profiles>
  <users>
    <default>
      <password>${password}</password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
  <quotas><default /></quotas>
</yandex>
`;

const POLL_MS = 20;
const START_LIMIT_MS = 60_000;

/** Starts a server with an empty data folder, on loopback. */
export const startClickhouse = async (password = ''): Promise<ClickhouseServer> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-clickhouse-'));
  fs.mkdirSync(join(folder, 'data', 'tmp'), { recursive: true });
  const port = await freePort();
  const config = join(folder, 'config.xml');
  fs.writeFileSync(config, configOf(folder, port, await freePort()));
  fs.writeFileSync(join(folder, 'users.xml'), usersOf(password));
  let child: ChildProcess | null = null;

  const query = async (statement: string): Promise<string> => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: statement,
      headers: { Authorization: `Basic ${Buffer.from(`default:${password}`).toString('base64')}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trimEnd();
  };

  const start = async (): Promise<void> => {
    const started = spawn(PROGRAM, [`--config-file=${config}`], { stdio: 'ignore' });
    child = started;
    const until = Date.now() + START_LIMIT_MS;
    for (;;) {
      try {
        await query('SELECT 1');
        return;
      } catch (thrown) {
        if (started.exitCode !== null || Date.now() > until) {
          throw new Error(`clickhouse-server did not start in ${folder}`, { cause: thrown });
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
    password,
    folder,
    query,
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
