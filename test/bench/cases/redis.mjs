/**
 * Lines into a stream of a local redis-server, replayed from a file in batches of 10,000, against @redis/client that
 * adds the same lines in pipelines of 10,000.
 */
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { runCommand } from '../lib/command.mjs';
import { freePort, sleep } from '../lib/daemon.mjs';
import { generateCommand, nodeCommand, PEERS, writeFiles } from '../lib/spate.mjs';
import { watchGroup } from '../lib/workplace.mjs';

export const limits =
  'The client: a promise and an encoded command per event, on the same two cores as the server.';

export const skip = () =>
  spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).error === undefined
    ? null
    : 'redis-server is not installed (Debian: apt-get install redis-server)';

const ROWS = 10_000;
const TIMES = 20;
const PATIENCE_MS = 10_000;

/** Starts a server without files: `{port, ask(command), kill()}`. */
const startRedis = async (folder) => {
  const port = await freePort();
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
  const child = watchGroup(spawn('redis-server', args, { stdio: 'ignore', detached: true }));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ask = async (...command) => {
    const client = createClient({ socket: { host: '127.0.0.1', port, reconnectStrategy: false }, RESP: 2 });
    client.on('error', () => {});
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  };
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  for (const limit = performance.now() + PATIENCE_MS; ; await sleep(20)) {
    const isThere = await ask('PING').then(
      () => true,
      () => false,
    );
    if (isThere) return { port, ask, kill };
    if (child.exitCode !== null || performance.now() > limit) throw new Error('redis-server did not start');
  }
};

export const pairs = async ({ folder, scale }) => {
  const times = Math.max(1, Math.round(TIMES * scale));
  const block = join(folder, 'block.log');
  const lines = Array.from({ length: ROWS }, (_, n) => `${n} GET /orders/${n * 7_919} 200 ${n * 104_729}`);
  writeFileSync(block, `${lines.join('\n')}\n`);
  const server = await startRedis(folder);
  const config = join(folder, 'generator.yml');
  writeFiles(folder, {
    'generator.yml': `input: [static: {count: ${ROWS * times}}]
event: {replay: {path: block.log, repeat: true}}
output: [redis: {host: 127.0.0.1, port: ${server.port}, key: lines}]
`,
  });
  const side = (command) => ({
    events: ROWS * times,
    run: async (env) => {
      await server.ask('FLUSHALL');
      const measured = await runCommand(command, { env });
      const found = Number(await server.ask('XLEN', 'lines'));
      const problems = found === ROWS * times ? [] : [`${found} entries, not ${ROWS * times}`];
      return { ...measured, problems };
    },
  });
  return {
    folder,
    config,
    sides: {
      spate: side(generateCommand(config, '--batch.size', String(ROWS))),
      '@redis/client': side(
        nodeCommand(join(PEERS, 'redisStream.mjs'), [server.port, 'lines', block, times, ROWS]),
      ),
    },
    bars: { '@redis/client': 0.6 },
    close: () => server.kill(),
  };
};
