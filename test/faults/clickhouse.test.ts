import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { JsonObject } from '../../src/domain/json.js';
import { clickhousePlugin } from '../../src/plugins/outputs/clickhouse/plugin.js';
import { paramsOf } from '../plugins/outputs/clickhouse/support.js';
import { type Rig, type RigOptions, startRig } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { canMount, NEEDS_MOUNT, smallDisk } from '../support/faults/smallDisk.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../support/servers/clickhouseServer.js';
import { closingRow } from './oneBadEvent.js';
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
import { daemonBeforeServer } from './startsLater.js';

/** Users of the server: of the tests, and of the generator. */
const usersOf = (password: string, profile: 'default' | 'reader'): string => {
  const user = (secret: string, of: string): string =>
    `<password>${secret}</password><networks><ip>127.0.0.1</ip></networks><profile>${of}</profile><quota>default</quota>`;
  return `<?xml version="1.0"?>
<yandex>
  <profiles><default></default><reader><readonly>1</readonly></reader></profiles>
  <users><default>${user('', 'default')}</default><writer>${user(password, profile)}</writer></users>
  <quotas><default /></quotas>
</yandex>
`;
};

/** High limits on parts: these tests make many small inserts. */
const MANY_PARTS = 'parts_to_delay_insert = 100000, parts_to_throw_insert = 100000';
const ONE_PART = 'parts_to_delay_insert = 1, parts_to_throw_insert = 1';
const COLUMNS = '(n UInt64, text String) ENGINE = MergeTree ORDER BY n SETTINGS';
const FULL =
  'Code: 75, e.displayText() = DB::ErrnoException: Cannot write to file primary.idx, errno: 28, strerror: No space left on device, e.what() = DB::ErrnoException';
const WHOLE =
  "concat(substring('..............................', 1, 30 - length(toString(n))), toString(n), ';')";

(hasClickhouse ? describe : describe.skip)(`ClickHouse under faults ${NEEDS_CLICKHOUSE}`, () => {
  let server: ClickhouseServer;
  let wire: FaultyWire;
  let folder = '';
  let tables = 0;
  const rigs: Rig[] = [];

  const setUsers = async (password = 'right', profile: 'default' | 'reader' = 'default'): Promise<void> => {
    fs.writeFileSync(join(server.folder, 'users.xml'), usersOf(password, profile));
    await server.query('SYSTEM RELOAD CONFIG');
  };

  beforeAll(async () => {
    server = await startClickhouse();
    wire = await faultyWire(server.port);
    folder = fs.mkdtempSync(join(tmpdir(), 'spate-faults-'));
    await setUsers();
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
  const writing = async (more: Partial<RigOptions> = {}, settings = MANY_PARTS, database = 'default') => {
    const table = `events_${++tables}`;
    const whole = `${database}.${table}`;
    await server.query(`CREATE TABLE ${whole} ${COLUMNS} ${settings}`);
    const params: JsonObject = {
      ...{ host: '127.0.0.1', port: wire.port, username: 'writer', password: 'right' },
      ...{ database, table },
    };
    const rig = startRig({
      folder: join(folder, table),
      outputs: [(context) => clickhousePlugin.open(paramsOf(params), { ...context } as never)],
      ...more,
    });
    rigs.push(rig);
    await rig.writesOn();
    return { rig, table: whole };
  };

  /** Rows of a table: count, numbers, and number of damaged ones. */
  const rowsOf = async (table: string) => {
    const torn = await server.query(`SELECT countIf(text != ${WHOLE}) FROM ${table}`);
    const numbers = (await server.query(`SELECT n FROM ${table}`)).split('\n').map(Number);
    return { count: numbers.length, numbers: new Set(numbers), torn: Number(torn) };
  };

  /** Ends the run: every event is in the table or the dead letters, and whole. */
  const finish = async (row: string, rig: Rig, table: string, delivery: 'once' | 'at least once') => {
    expect(await rig.drain()).toEqual({ _tag: 'Right', right: 'drained' });
    report(`clickhouse x ${row}`, rig);
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

  const peer: Peer<Awaited<ReturnType<typeof writing>>> = {
    output: 'clickhouse',
    wire: () => wire,
    server: () => server,
    writing,
    finish: (row, { rig, table }, delivery) => finish(row, rig, table, delivery),
  };

  faultRows('clickhouse', {
    'closed on one event': closingRow('clickhouse'),

    refused: {
      ...killedRow(peer),
      'a server that comes up after the daemon gets everything from then on': () =>
        daemonBeforeServer(server),
    },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      'a table that is dropped: refused at once, no retries; written when there is one again': async () => {
        const { rig, table } = await writing();
        await server.query(`RENAME TABLE ${table} TO ${table}_away`);
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/doesn't exist.*code 60.*Create it/);
        await server.query(`RENAME TABLE ${table}_away TO ${table}`);
        await rig.writesOn();
        await finish('server error (no table)', rig, table, 'once');
        expect(rig.count('retries')).toBe(0);
      },
      'a balancer that has no server to pass things on to: retried, then dead letters, then written':
        async () => {
          const { rig, table } = await writing();
          await wire.set({ kind: 'answer', status: 503, body: 'no server is available' });
          await deadLetters(rig);
          expect(reasonIn(rig)).toMatch(/no server is available \(HTTP status 503\)/);
          expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
          await wire.set({ kind: 'none' });
          await rig.writesOn();
          await finish('server error (503)', rig, table, 'at least once');
        },
      'a table with too many parts: retried, then dead letters; written when it has room': async () => {
        const { rig, table } = await writing();
        const jammed = `${table}_jammed`;
        await server.query(`CREATE TABLE ${jammed} ${COLUMNS} ${ONE_PART}`);
        await server.query(`INSERT INTO ${jammed} VALUES (0, '')`);
        await server.query(`RENAME TABLE ${table} TO ${table}_away, ${jammed} TO ${table}`);
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/Too many parts.*code 252.*overloaded/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await server.query(`RENAME TABLE ${table} TO ${jammed}, ${table}_away TO ${table}`);
        await rig.writesOn();
        await finish('server error (too many parts)', rig, table, 'once');
      },
    },
    'auth error': {
      'a password that is changed on the server, and changed back': async () => {
        const { rig, table } = await writing();
        await setUsers('another');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/Wrong password.*Check `username`, `password`/);
        await setUsers();
        await rig.writesOn();
        await finish('auth error', rig, table, 'once');
        expect(rig.count('retries')).toBe(0);
      },
    },
    'disk full': {
      'a server that says so takes nothing, and goes on when there is space': async () => {
        const { rig, table } = await writing();
        await wire.set({ kind: 'answer', status: 500, body: FULL });
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/No space left on device.*code 75.*disks/);
        expect(rig.count('retries')).toBeGreaterThanOrEqual(4);
        await wire.set({ kind: 'none' });
        await rig.writesOn();
        await finish('disk full (answer)', rig, table, 'at least once');
      },
      [`a table on a disk that is full takes no half batch, and goes on when there is space ${NEEDS_MOUNT}`]:
        !canMount
          ? 'skipped'
          : async () => {
              await server.query('CREATE DATABASE small');
              const disk = smallDisk(64 * 1024 * 1024, join(server.folder, 'data', 'data', 'small'));
              if (disk === null) throw new Error('could be mounted a moment ago');
              try {
                const { rig, table } = await writing({}, MANY_PARTS, 'small');
                disk.fill();
                await deadLetters(rig);
                expect(reasonIn(rig)).toMatch(/No space left on device.*code 75.*disks/);
                disk.clear();
                await rig.writesOn();
                await finish('disk full', rig, table, 'once');
              } finally {
                disk.remove();
              }
            },
    },
    permission: {
      'a user who may only read any more': async () => {
        const { rig, table } = await writing();
        await setUsers('right', 'reader');
        await deadLetters(rig);
        expect(reasonIn(rig)).toMatch(/readonly mode.*code 164.*rights of the user/);
        await setUsers();
        await rig.writesOn();
        await finish('permission', rig, table, 'once');
        expect(rig.count('retries')).toBe(0);
      },
    },
  });
});
