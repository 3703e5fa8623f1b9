/** A clickhouse-server of its own on loopback, as test/support/servers/clickhouseServer.ts starts one for tests. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, sleep } from './daemon.mjs';
import { watchGroup } from './workplace.mjs';

const PATIENCE_MS = 20_000;

/** Why there is no server; `null` when there can be one. */
export const lackOfClickhouse = () =>
  spawnSync('clickhouse-server', ['--version'], { stdio: 'ignore' }).error === undefined
    ? null
    : 'clickhouse-server is not installed (Debian: apt-get install clickhouse-server)';

const configOf = (folder, http_port, tcp_port) => `<?xml version="1.0"?>
<yandex>
  <logger><level>warning</level><log>${folder}/server.log</log><errorlog>${folder}/errors.log</errorlog></logger>
  <http_port>${http_port}</http_port>
  <tcp_port>${tcp_port}</tcp_port>
  <listen_host>127.0.0.1</listen_host>
  <max_concurrent_queries>100</max_concurrent_queries>
  <mark_cache_size>67108864</mark_cache_size>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/data/tmp/</tmp_path>
  <users_config>${folder}/users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <timezone>UTC</timezone>
</yandex>
`;

const USERS = `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_memory_usage>4000000000</max_memory_usage></default></profiles>
  <users><default>
    <password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
  </default></users>
  <quotas><default /></quotas>
</yandex>
`;

/** Starts a server with its data below a folder: `{port, query(statement), kill()}`. */
export const startClickhouse = async (folder) => {
  mkdirSync(join(folder, 'data', 'tmp'), { recursive: true });
  const port = await freePort();
  writeFileSync(join(folder, 'config.xml'), configOf(folder, port, await freePort()));
  writeFileSync(join(folder, 'users.xml'), USERS);
  const args = [`--config-file=${join(folder, 'config.xml')}`];
  const child = watchGroup(spawn('clickhouse-server', args, { stdio: 'ignore', detached: true }));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const query = async (statement) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: statement,
      // The server closes one that was kept for the next query after a few seconds, perhaps as that query is sent.
      headers: { connection: 'close' },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text.trimEnd();
  };
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  for (const limit = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const isThere = await query('SELECT 1').then(
      () => true,
      () => false,
    );
    if (isThere) return { port, query, kill };
    if (child.exitCode !== null || performance.now() > limit)
      throw new Error(`clickhouse-server did not start in ${folder}`);
  }
};
