import * as fs from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { clickhousePlugin } from '../../src/plugins/outputs/clickhouse/plugin.js';
import { paramsOf } from '../plugins/outputs/clickhouse/support.js';
import type { RigOptions } from '../support/faults/faultRig.js';
import { type FaultyWire, faultyWire } from '../support/faults/faultyWire.js';
import { canMount, NEEDS_MOUNT, smallDisk } from '../support/faults/smallDisk.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../support/servers/clickhouseServer.js';
import { closingRow } from './oneBadEvent.js';
import { deadLetters, finish, type Peer, type Run, reasonIn, startedRigs } from './peer.js';
import {
  balancerRow,
  frozenRow,
  killedRow,
  killedTwiceRow,
  muteRow,
  refusalRow,
  resetRow,
  slowRow,
} from './peerRows.js';
import { faultRows } from './rows.js';
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

interface TableRun extends Run {
  readonly table: string;
}

(hasClickhouse ? describe : describe.skip)(`ClickHouse under faults ${NEEDS_CLICKHOUSE}`, () => {
  let server: ClickhouseServer;
  let wire: FaultyWire;
  let tables = 0;
  const start = startedRigs();

  const setUsers = async (password = 'right', profile: 'default' | 'reader' = 'default'): Promise<void> => {
    fs.writeFileSync(join(server.folder, 'users.xml'), usersOf(password, profile));
    await server.query('SYSTEM RELOAD CONFIG');
  };

  beforeAll(async () => {
    server = await startClickhouse();
    wire = await faultyWire(server.port);
    await setUsers();
  });
  afterAll(async () => {
    await wire.close();
    await server.remove();
  });

  const startOn = async (more?: Partial<RigOptions>, database = 'default'): Promise<TableRun> => {
    const table = `events_${++tables}`;
    const whole = `${database}.${table}`;
    await server.query(`CREATE TABLE ${whole} ${COLUMNS} ${MANY_PARTS}`);
    const params = paramsOf({
      ...{ host: '127.0.0.1', port: wire.port, username: 'writer', password: 'right' },
      ...{ database, table },
    });
    const open = (context: object) => clickhousePlugin.open(params, { ...context } as never);
    return { rig: await start(open, more), table: whole };
  };

  /** Each run has a table of its own. */
  const peer: Peer<TableRun> = {
    output: 'clickhouse',
    wire: () => wire,
    server: () => server,
    writing: (more) => startOn(more),
    arrived: async ({ table }) => (await server.query(`SELECT n, text FROM ${table}`)).split('\n'),
  };

  faultRows('clickhouse', {
    'closed on one event': closingRow('clickhouse'),

    refused: {
      ...killedRow(peer),
      ...killedTwiceRow(peer),
      'a server that comes up after the daemon gets everything from then on': () =>
        daemonBeforeServer(server),
    },
    'reset mid-batch': resetRow(peer),
    slow: slowRow(peer),
    hung: { ...frozenRow(peer), ...muteRow(peer) },
    'server error': {
      ...refusalRow(
        peer,
        'a table that is dropped: refused at once, no retries; written when there is one again',
        {
          row: 'server error (no table)',
          refuse: ({ table }) => server.query(`RENAME TABLE ${table} TO ${table}_away`),
          accept: ({ table }) => server.query(`RENAME TABLE ${table}_away TO ${table}`),
          reason: /doesn't exist.*code 60.*Create it/,
          retries: 'none',
          delivery: 'once',
        },
      ),
      ...balancerRow(peer),
      ...refusalRow(
        peer,
        'a table with too many parts: retried, then dead letters; written when it has room',
        {
          row: 'server error (too many parts)',
          refuse: async ({ table }) => {
            const jammed = `${table}_jammed`;
            await server.query(`CREATE TABLE ${jammed} ${COLUMNS} ${ONE_PART}`);
            await server.query(`INSERT INTO ${jammed} VALUES (0, '')`);
            await server.query(`RENAME TABLE ${table} TO ${table}_away, ${jammed} TO ${table}`);
          },
          accept: ({ table }) =>
            server.query(`RENAME TABLE ${table} TO ${table}_jammed, ${table}_away TO ${table}`),
          reason: /Too many parts.*code 252.*overloaded/,
          retries: 'some',
          delivery: 'once',
        },
      ),
    },
    'auth error': refusalRow(peer, 'a password that is changed on the server, and changed back', {
      row: 'auth error',
      refuse: () => setUsers('another'),
      accept: () => setUsers(),
      reason: /Wrong password.*Check `username`, `password`/,
      retries: 'none',
      delivery: 'once',
    }),
    'disk full': {
      ...refusalRow(peer, 'a server that says so takes nothing, and goes on when there is space', {
        row: 'disk full (answer)',
        refuse: () => wire.set({ kind: 'answer', status: 500, body: FULL }),
        accept: () => wire.set({ kind: 'none' }),
        reason: /No space left on device.*code 75.*disks/,
        retries: 'some',
        delivery: 'at least once',
      }),
      [`a table on a disk that is full takes no half batch, and goes on when there is space ${NEEDS_MOUNT}`]:
        !canMount
          ? 'skipped'
          : async () => {
              await server.query('CREATE DATABASE small');
              const disk = smallDisk(64 * 1024 * 1024, join(server.folder, 'data', 'data', 'small'));
              if (disk === null) throw new Error('could be mounted a moment ago');
              try {
                const run = await startOn({}, 'small');
                disk.fill();
                await deadLetters(run.rig);
                expect(reasonIn(run.rig)).toMatch(/No space left on device.*code 75.*disks/);
                disk.clear();
                await run.rig.writesOn();
                await finish(peer, 'disk full', run, 'once');
              } finally {
                disk.remove();
              }
            },
    },
    permission: refusalRow(peer, 'a user who may only read any more', {
      row: 'permission',
      refuse: () => setUsers('right', 'reader'),
      accept: () => setUsers(),
      reason: /readonly mode.*code 164.*rights of the user/,
      retries: 'none',
      delivery: 'once',
    }),
  });
});
