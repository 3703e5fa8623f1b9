/** ClickHouse, PostgreSQL and Redis: servers with a log that survives SIGKILL. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createClient } from '@redis/client';
import { hasClickhouse, NEEDS_CLICKHOUSE, startClickhouse } from '../../support/servers/clickhouseServer.js';
import { hasPostgres, NEEDS_POSTGRES, startPostgres } from '../../support/servers/postgresServer.js';
import { hasRedis, NEEDS_REDIS, startRedis } from '../../support/servers/redisServer.js';
import { type LossCase, lackOf, linesOf } from '../peer.js';

const PAGE = 10_000;

const entriesOf = async function* (port: number): AsyncGenerator<string> {
  const client = createClient({ socket: { host: '127.0.0.1', port }, RESP: 2 });
  await client.connect();
  try {
    for (let from = '-'; ; ) {
      const page = (await client.xRange('events', from, '+', { COUNT: PAGE })) ?? [];
      yield page.map(({ message }) => `${message['event']}\n`).join('');
      if (page.length < PAGE) return;
      from = `(${page.at(-1)?.id}`;
    }
  } finally {
    client.destroy();
  }
};

export const databases: readonly LossCase[] = [
  {
    output: 'clickhouse',
    lack: lackOf(hasClickhouse, NEEDS_CLICKHOUSE),
    kill: 'SIGKILL',
    isPromised: true,
    start: async () => {
      const server = await startClickhouse();
      await server.query('CREATE TABLE events (event String) ENGINE = MergeTree ORDER BY tuple()');
      return {
        ...server,
        params: { host: '127.0.0.1', port: server.port, table: 'events' },
        arrived: async function* () {
          const statement = encodeURIComponent('SELECT event FROM events FORMAT TSVRaw');
          const { body } = await fetch(`http://127.0.0.1:${server.port}/?query=${statement}`);
          if (body !== null) yield* Readable.fromWeb(body);
        },
      };
    },
  },
  {
    output: 'postgresql',
    lack: lackOf(hasPostgres, NEEDS_POSTGRES),
    kill: 'immediate shutdown, recovery from the log',
    isPromised: true,
    start: async () => {
      const server = await startPostgres();
      await server.query('CREATE TABLE events (event text)');
      return {
        ...server,
        params: { host: '127.0.0.1', port: server.port, password: server.password, table: 'events' },
        arrived: async function* () {
          const file = join(await server.query('SHOW data_directory'), 'arrived');
          await server.query(`COPY events TO '${file}'`);
          yield* linesOf(file);
        },
      };
    },
  },
  {
    output: 'redis',
    lack: lackOf(hasRedis, NEEDS_REDIS),
    kill: 'SIGKILL, appendfsync always',
    isPromised: true,
    start: async () => {
      const server = await startRedis();
      return {
        ...server,
        params: { host: '127.0.0.1', port: server.port, key: 'events' },
        arrived: () => entriesOf(server.port),
      };
    },
  },
];
