import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../../../support/servers/clickhouseServer.js';
import { never } from '../support.js';
import { closeAll, openOutput, relay, tryOpen } from './support.js';

const COUNT = 10_000;
const PASSWORD = 'open sesame';

afterEach(closeAll);

(hasClickhouse ? describe : describe.skip)(`delivery into ClickHouse ${NEEDS_CLICKHOUSE}`, () => {
  let server: ClickhouseServer;
  let table = 0;

  beforeAll(async () => {
    server = await startClickhouse(PASSWORD);
    await server.query('CREATE DATABASE logs');
  });
  afterAll(() => server.remove());

  /** An empty table of its own, and the parameters that lead to it. */
  const newTable = async (more: JsonObject = {}): Promise<JsonObject & { readonly table: string }> => {
    const name = `events_${++table}`;
    await server.query(`CREATE TABLE logs.${name} (n UInt32, text String) ENGINE = MergeTree ORDER BY n`);
    return {
      host: '127.0.0.1',
      port: server.port,
      database: 'logs',
      table: name,
      password: PASSWORD,
      ...more,
    };
  };
  const summaryOf = (name: string): Promise<string> =>
    server.query(
      `SELECT count(), uniqExact(n), min(n), max(n), countIf(text != concat('té ', toString(n))) FROM logs.${name}`,
    );
  const ALL = `${COUNT}\t${COUNT}\t0\t${COUNT - 1}\t0`;

  test.each([
    ['TabSeparated', (n: number) => `${n}\tté ${n}`],
    ['CSV', (n: number) => `${n},"té ${n}"`],
    ['JSONEachRow', (n: number) => JSON.stringify({ n, text: `té ${n}` })],
  ])('%s: ten thousand events are ten thousand rows, each as it was sent', async (input_format, event) => {
    const params = await newTable({ input_format });
    const output = await openOutput(params);
    const events = Array.from({ length: COUNT }, (_, n) => event(n));
    const result = await output.write(textBatch(events), never);
    const bytes = Buffer.byteLength(events.join('\n'));
    expect(result).toEqual(E.right({ written: COUNT, failed: 0, bytes }));
    expect(await summaryOf(params.table)).toBe(ALL);
  });

  const numbered = (from: number, to: number) =>
    textBatch(Array.from({ length: to - from }, (_, i) => `${from + i}\tté ${from + i}`));

  test('many batches at once arrive whole, over no more connections than the pool has', async () => {
    const params = await newTable({ pool_maxsize: 3 });
    const output = await openOutput(params);
    const batches = Array.from({ length: 20 }, (_, i) => numbered(i * 500, (i + 1) * 500));
    const results = await Promise.all(
      batches.map((batch) => output.write(batch, new AbortController().signal)),
    );
    for (const result of results) expect(result).toMatchObject({ right: { written: 500, failed: 0 } });
    expect(await summaryOf(params.table)).toBe(ALL);
  });

  test.each([
    ['a wrong password', { password: 'not it' }, /Wrong password.*Check `username`, `password`/],
    ['an unknown user', { username: 'nobody' }, /Unknown user.*Check `username`, `password`/],
    ['an unknown database', { database: 'nowhere' }, /nowhere doesn't exist.*correct `database` and `table`/],
    ['an unknown table', { table: 'nothing' }, /the table does not exist. Create it/],
    [
      'a setting that is none',
      { dsn: 'clickhouse://x/?no_such=1' },
      /no_such.*settings in the query string of `dsn`/,
    ],
  ])('%s is found when opening, and said without the password', async (_, wrong, message) => {
    const { result } = await tryOpen({ ...(await newTable()), ...wrong });
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(message) },
    });
    expect(JSON.stringify(result)).not.toContain(PASSWORD);
    expect(JSON.stringify(result)).not.toContain('not it');
    expect(JSON.stringify(result)).toContain(`http://127.0.0.1:${server.port}`);
  });

  test('events that do not fit are rejected, and the next batch is written', async () => {
    const params = await newTable();
    const output = await openOutput(params);
    expect(await output.write(textBatch(['1\tone', 'x\ttwo']), never)).toMatchObject({
      left: {
        code: 'rejected',
        message: expect.stringMatching(/Cannot parse input.*code 27.*`input_format`/),
      },
    });
    expect(await server.query(`SELECT count() FROM logs.${params.table}`)).toBe('0');
    expect(await output.write(numbered(0, 10), never)).toMatchObject({ right: { written: 10 } });
  });

  test('a table that is dropped while a generator runs: even a large batch is rejected with the reason', async () => {
    const params = await newTable();
    const output = await openOutput(params);
    await server.query(`DROP TABLE logs.${params.table}`);
    const large = textBatch(Array.from({ length: 5_000 }, (_, n) => `${n}\t${'x'.repeat(1_000)}`));
    expect(await output.write(large, never)).toMatchObject({
      left: { code: 'rejected', message: expect.stringMatching(/doesn't exist.*code 60.*Create it/) },
    });
  });

  test('names get quotes if needed, quoted names stay unchanged', async () => {
    await server.query('CREATE TABLE logs.`odd ``\\\\ name` (n UInt32) ENGINE = Memory'.replace('``', '\\`'));
    const params = { ...(await newTable()), table: 'odd `\\ name' };
    const output = await openOutput(params);
    expect(await output.write(textBatch(['1', '2']), never)).toMatchObject({ right: { written: 2 } });
    const quoted = await openOutput({ ...params, database: '`logs`', table: '"odd `\\\\ name"' });
    expect(await quoted.write(textBatch(['3']), never)).toMatchObject({ right: { written: 1 } });
    expect(await server.query('SELECT sum(n) FROM logs."odd `\\\\ name"')).toBe('6');
  });

  test('a connection that is reset in the middle of a batch fails it and tears no row; sent again it is whole', async () => {
    const wire = await relay(server.port);
    const params = await newTable({ port: wire.port });
    const output = await openOutput(params);
    wire.resetAfter(60_000);
    const failed = await output.write(numbered(0, COUNT), never);
    expect(failed).toMatchObject({ left: { code: 'output_failed' } });
    expect(await server.query(`SELECT count() FROM logs.${params.table}`)).toBe('0');
    expect(await output.write(numbered(0, COUNT), never)).toMatchObject({ right: { written: COUNT } });
    expect(await summaryOf(params.table)).toBe(ALL);
  });

  test('an attempt that is ended in the middle of a batch tears no row, and the next one is written', async () => {
    const params = await newTable();
    const output = await openOutput(params);
    const ending = new AbortController();
    // So much that a part of it waits in this process while the first part waits for the server.
    const large = textBatch(Array.from({ length: COUNT }, (_, n) => `${n}\t${'x'.repeat(2_000)}`));
    server.freeze();
    const write = output.write(large, ending.signal);
    for (let turn = 0; turn < 1_000; turn++) await systemClock.yieldTurn();
    ending.abort();
    expect(await write).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('ended before the server replied') },
    });
    server.thaw();
    // The server finds out what became of the attempt; then only this question is left.
    while ((await server.query('SELECT count() FROM system.processes')) !== '1')
      await systemClock.yieldTurn();
    expect(await output.write(numbered(0, COUNT), never)).toMatchObject({ right: { written: COUNT } });
    expect(await summaryOf(params.table)).toBe(ALL);
  });

  test('a server that is down fails the write; when it is back, the same output goes on', async () => {
    const params = await newTable();
    const output = await openOutput(params);
    expect(await output.write(numbered(0, 100), never)).toMatchObject({ right: { written: 100 } });
    await server.kill();
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await output.write(numbered(100, 200), never)).toMatchObject({
        left: { code: 'output_failed', message: expect.stringContaining(`127.0.0.1:${server.port}`) },
      });
    }
    const { result } = await tryOpen(params);
    expect(result).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/refused \(ECONNREFUSED\). Check `host`, `port`/),
      },
    });
    await server.start();
    expect(await output.write(numbered(100, COUNT), never)).toMatchObject({
      right: { written: COUNT - 100 },
    });
    expect(await summaryOf(params.table)).toBe(ALL);
  });
});
