import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { postgresqlPlugin } from '../../src/plugins/outputs/postgresql/plugin.js';
import { paramsOf } from '../plugins/outputs/postgresql/support.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import {
  hasPostgres,
  NEEDS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../support/servers/postgresServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import { type Peer, type Run, startedRigs } from './peer.js';
import { frozenRow, killedRow, killedTwiceRow, muteRow, refusalRow, resetRow, slowRow } from './peerRows.js';
import { faultRows } from './rows.js';

interface TableRun extends Run {
  readonly table: string;
}

(hasPostgres ? describe : describe.skip)(`PostgreSQL under faults ${NEEDS_POSTGRES}`, () => {
  let server: PostgresServer;
  let wire: FaultyWire;
  let tables = 0;
  const start = startedRigs();

  beforeAll(async () => {
    server = await startPostgres();
    wire = await faultyWire(server.port);
    await server.query("CREATE USER writer PASSWORD 'right'");
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
  });

  /** Each run has a table of its own. */
  const peer: Peer<TableRun> = {
    output: 'postgresql',
    wire: () => wire,
    server: () => server,
    writing: async (more) => {
      const table = `events_${++tables}`;
      await server.query(`CREATE TABLE ${table} (n bigint, text text); GRANT INSERT ON ${table} TO writer`);
      const params = paramsOf({
        ...{ host: '127.0.0.1', port: wire.port, username: 'writer', password: 'right' },
        ...{ table, copy_format: 'text' },
      });
      const open = (context: object) => postgresqlPlugin.open(params, { ...context } as never);
      return { rig: await start(open, more), table };
    },
    arrived: async ({ table }) =>
      (await server.query(`SELECT n || chr(9) || text FROM ${table}`)).split('\n'),
  };

  const hangUp = (): Promise<string> =>
    server.query("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'writer'");

  faultRows('postgresql', {
    'unroutable event': unroutableRow('postgresql', { columns: { event: '{/v}' } }, (_, isBad) =>
      JSON.stringify({ v: isBad ? 'a\u0000b' : 'main' }),
    ),
    'closed on one event': closingRow('postgresql'),

    refused: { ...killedRow(peer), ...killedTwiceRow(peer) },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...refusalRow(
        peer,
        'a table that is renamed: refused at once, no retries; written when there is one again',
        {
          row: 'server error (no table)',
          refuse: ({ table }) => server.query(`ALTER TABLE ${table} RENAME TO ${table}_away`),
          accept: ({ table }) => server.query(`ALTER TABLE ${table}_away RENAME TO ${table}`),
          reason: /does not exist.*42P01.*Create it/,
          retries: 'none',
          delivery: 'once',
        },
      ),
      ...refusalRow(
        peer,
        'a server without a free connection: retried, then dead letters; written when there is one',
        {
          row: 'server error (connections)',
          refuse: async () => {
            await server.query('ALTER USER writer CONNECTION LIMIT 0');
            await hangUp();
          },
          accept: () => server.query('ALTER USER writer CONNECTION LIMIT -1'),
          reason: /too many connections.*53300.*Check the server/,
          retries: 'some',
          delivery: 'at least once',
        },
      ),
      ...refusalRow(
        peer,
        'a server that only reads: retried, then dead letters; written when it writes again',
        {
          row: 'server error (read only)',
          refuse: async () => {
            await server.query('ALTER USER writer SET default_transaction_read_only = on');
            await hangUp();
          },
          accept: async () => {
            await server.query('ALTER USER writer RESET default_transaction_read_only');
            await hangUp();
          },
          reason: /read-only transaction.*25006/,
          delivery: 'at least once',
        },
      ),
    },
    'auth error': refusalRow(peer, 'a password that is changed on the server, and changed back', {
      row: 'auth error',
      refuse: async () => {
        await server.query("ALTER USER writer PASSWORD 'another'");
        await hangUp();
      },
      accept: async ({ rig }) => {
        await server.query("ALTER USER writer PASSWORD 'right'");
        expect(JSON.stringify(rig.lines)).not.toContain('"right"');
      },
      reason: /password authentication failed.*28P01.*Check `username`, `password`/,
      delivery: 'at least once',
    }),
    'disk full': refusalRow(peer, 'a server that says so takes nothing, and goes on when there is space', {
      row: 'disk full',
      refuse: ({ table }) =>
        server.query(
          `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
           CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`,
        ),
      accept: ({ table }) => server.query(`DROP TRIGGER full_disk ON ${table}`),
      reason: /No space left on device.*53100.*disks/,
      retries: 'some',
      delivery: 'once',
    }),
    permission: refusalRow(peer, 'a user who may not insert any more', {
      row: 'permission',
      refuse: ({ table }) => server.query(`REVOKE INSERT ON ${table} FROM writer`),
      accept: ({ table }) => server.query(`GRANT INSERT ON ${table} TO writer`),
      reason: /permission denied.*42501.*rights of the user/,
      retries: 'none',
      delivery: 'once',
    }),
  });
});
