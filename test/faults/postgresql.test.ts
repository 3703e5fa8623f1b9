import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { postgresqlPlugin } from '../../src/plugins/outputs/postgresql/plugin.js';
import { paramsOf } from '../plugins/outputs/postgresql/support.js';
import { type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import {
  hasPostgres,
  NEEDS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../support/servers/postgresServer.js';
import { closingRow, unroutableRow } from './oneBadEvent.js';
import {
  deadLetters,
  frozenRow,
  killedRow,
  muteRow,
  type Peer,
  reasonIn,
  resetRow,
  slowRow,
} from './peerRows.js';
import { expectAccounted, faultRows, report } from './rows.js';

(hasPostgres ? describe : describe.skip)(`PostgreSQL under faults ${NEEDS_POSTGRES}`, () => {
  let server: PostgresServer;
  let wire: FaultyWire;
  let folder = '';
  let tables = 0;
  const rigs: Rig[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    wire = await faultyWire(server.port);
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
    await server.query("CREATE USER writer PASSWORD 'right'");
  });
  afterEach(async () => {
    for (const rig of rigs.splice(0)) {
      rig.abort();
      await rig.drain();
    }
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  /** A running generator that has written some events into its own table. */
  const writing = async (more: Partial<RigOptions> = {}) => {
    const table = `events_${++tables}`;
    await server.query(`CREATE TABLE ${table} (n bigint, text text); GRANT INSERT ON ${table} TO writer`);
    const params = paramsOf({
      ...{ host: '127.0.0.1', port: wire.port, username: 'writer', password: 'right' },
      ...{ table, copy_format: 'text' },
    });
    const rig = startRig({
      folder: join(folder, table),
      outputs: [(context) => postgresqlPlugin.open(params, { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return { rig, table };
  };

  /** Rows of a table: count, numbers, and number of damaged ones. */
  const rowsOf = async (table: string) => {
    const whole = "lpad(n::text, 30, '.') || ';'";
    const torn = await server.query(`SELECT count(*) FROM ${table} WHERE text <> ${whole}`);
    const numbers = (await server.query(`SELECT n FROM ${table}`)).split('\n').map(Number);
    return { count: numbers.length, numbers: new Set(numbers), torn: Number(torn) };
  };

  /** Ends the run: every event is in the table or the dead letters, and whole. */
  const finish = async (row: string, rig: Rig, table: string, delivery: 'once' | 'at least once') => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`postgresql x ${row}`, rig);
    expectAccounted(rig);
    const { count, numbers, torn } = await rowsOf(table);
    const letters = rig.letters();
    expect(torn).toBe(0);
    expect(letters).toHaveLength(rig.count('dead_lettered'));
    expect(new Set([...numbers, ...letters]).size).toBe(rig.produced());
    expect(rig.count('write_failed')).toBe(0);
    if (delivery === 'at least once') return;
    expect(count).toBe(rig.count('written'));
    expect(numbers.size + new Set(letters).size).toBe(rig.produced());
  };

  const hangUp = (): Promise<string> =>
    server.query("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'writer'");

  const peer: Peer<Awaited<ReturnType<typeof writing>>> = {
    output: 'postgresql',
    wire: () => wire,
    server: () => server,
    writing,
    finish: (row, { rig, table }, delivery) => finish(row, rig, table, delivery),
  };

  faultRows('postgresql', {
    'unroutable event': unroutableRow('postgresql', { columns: { event: '{/v}' } }, (_, isBad) =>
      JSON.stringify({ v: isBad ? 'a\u0000b' : 'main' }),
    ),
    'closed on one event': closingRow('postgresql'),

    refused: {
      ...killedRow(peer),
      'a server that is killed twice among 50,000 events loses none': async () => {
        const { rig, table } = await writing({ attempts: 1_000 });
        for (const events of [15_000, 35_000]) {
          await rig.until(`${events} events`, () => rig.count('written') >= events);
          await server.kill();
          await rig.isHeldBack();
          await server.start();
        }
        await rig.until('50,000 events', () => rig.count('written') >= 50_000);
        await finish('refused (twice)', rig, table, 'at least once');
        const { count, numbers } = await rowsOf(table);
        expect(numbers.size).toBe(rig.produced());
        expect(rig.count('dead_lettered')).toBe(0);
        process.stderr.write(`postgresql x refused (twice): ${count - numbers.size} of ${count} twice\n`);
      },
    },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      'a table that is renamed: refused at once, no retries; written when there is one again': async () => {
        const { rig, table } = await writing();
        await server.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/does not exist.*42P01.*Create it/);
        await server.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
        await rig.writesOn();
        await finish('server error (no table)', rig, table, 'once');
        expect(rig.count('retries')).toBe(0);
      },
      'a server without a free connection: retried, then dead letters; written when there is one':
        async () => {
          const { rig, table } = await writing();
          await server.query('ALTER USER writer CONNECTION LIMIT 0');
          await hangUp();
          await deadLetters(rig);
          expect(reasonIn(rig)).toMatch(/too many connections.*53300.*Check the server/);
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await server.query('ALTER USER writer CONNECTION LIMIT -1');
          await rig.writesOn();
          await finish('server error (connections)', rig, table, 'at least once');
        },
      'a server that only reads: retried, then dead letters; written when it writes again': async () => {
        const { rig, table } = await writing();
        await server.query('ALTER USER writer SET default_transaction_read_only = on');
        await hangUp();
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/read-only transaction.*25006/);
        await server.query('ALTER USER writer RESET default_transaction_read_only');
        await hangUp();
        await rig.writesOn();
        await finish('server error (read only)', rig, table, 'at least once');
      },
    },
    'auth error': {
      'a password that is changed on the server, and changed back': async () => {
        const { rig, table } = await writing();
        await server.query("ALTER USER writer PASSWORD 'another'");
        await hangUp();
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/password authentication failed.*28P01.*Check `username`, `password`/);
        expect(JSON.stringify(rig.lines)).not.toContain('"right"');
        await server.query("ALTER USER writer PASSWORD 'right'");
        await rig.writesOn();
        await finish('auth error', rig, table, 'at least once');
      },
    },
    'disk full': {
      'a server that says so takes nothing, and goes on when there is space': async () => {
        const { rig, table } = await writing();
        await server.query(
          `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             RAISE 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
           CREATE TRIGGER full_disk BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`,
        );
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/No space left on device.*53100.*disks/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await server.query(`DROP TRIGGER full_disk ON ${table}`);
        await rig.writesOn();
        await finish('disk full', rig, table, 'once');
      },
    },
    permission: {
      'a user who may not insert any more': async () => {
        const { rig, table } = await writing();
        await server.query(`REVOKE INSERT ON ${table} FROM writer`);
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/permission denied.*42501.*rights of the user/);
        await server.query(`GRANT INSERT ON ${table} TO writer`);
        await rig.writesOn();
        await finish('permission', rig, table, 'once');
        expect(rig.count('retries')).toBe(0);
      },
    },
  });
});
