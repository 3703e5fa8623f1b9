import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, runProgram } from '../../support/instance.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../../support/servers/clickhouseServer.js';

const COUNT = 1_000_000;
const LINES = Array.from({ length: 10_000 }, (_, i) => `AT\t${i}\t/page/${i}\n`).join('');

const config = (port: number): string => `
input:
  - linspace: {start: 2026-01-01T00:00:00Z, end: +10000s, count: ${COUNT}, endpoint: false}
event:
  replay:
    path: rows.tsv
    timestamp_pattern: '^(?<timestamp>AT)'
    timestamp_format: '%Y-%m-%d %H:%M:%S'
    repeat: true
output:
  - clickhouse: {host: 127.0.0.1, port: ${port}, table: visits}
`;

(hasClickhouse ? describe : describe.skip)(
  `a million replayed lines into ClickHouse ${NEEDS_CLICKHOUSE}`,
  () => {
    let folder = '';
    let server: ClickhouseServer;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spate-clickhouse-'));
      server = await startClickhouse();
      await writeFile(join(folder, 'rows.tsv'), LINES);
      await writeFile(join(folder, 'generator.yml'), config(server.port));
    });
    afterAll(async () => {
      await server.remove();
      await rm(folder, { recursive: true, force: true });
    });

    test('arrive as exactly a million rows with the right timestamps', async () => {
      await server.query(
        'CREATE TABLE visits (at DateTime, n UInt32, page String) ENGINE = MergeTree ORDER BY at',
      );
      const program = runProgram(['generate', '--path', folder, '--live-mode', 'false', '-vvv']);
      expect(await program.exited).toEqual({ code: 0, signal: null });
      const right = await server.query(
        "SELECT count(), uniqExact(at), min(at) = toDateTime('2026-01-01 00:00:00', 'UTC'), countIf(page != concat('/page/', toString(n))) FROM visits FORMAT TabSeparated",
      );
      expect(right.trim()).toBe(`${COUNT}\t10000\t1\t0`);
      process.stderr.write(program.stderr());
    });

    test('the example fills the table that it describes', async () => {
      const example = join(import.meta.dirname, '..', '..', '..', 'generators', 'clickhouse-visits');
      await server.query('CREATE DATABASE example');
      const table = await readFile(join(example, 'table.sql'), 'utf8');
      await server.query(table.replace('TABLE visits', 'TABLE example.visits'));
      const params = JSON.stringify({ port: server.port, database: 'example' });
      const options = ['--live-mode', 'false', '--limit', '30000', '--params', params, '--quiet'];
      const program = runProgram(['generate', '--path', example, ...options]);
      expect([await program.exited, program.stderr()]).toEqual([{ code: 0, signal: null }, '']);
      const [rows, pages, good] = (
        await server.query('SELECT count(), uniqExact(page), countIf(status = 200) FROM example.visits')
      ).split('\t');
      expect([rows, pages]).toEqual(['30000', '7']);
      expect(Math.abs(Number(good) / 30_000 - 0.97)).toBeLessThan(0.01);
    });

    test('all arrive though the server is killed and started twice in the middle; duplicates are whole batches', async () => {
      await server.query('DROP TABLE visits');
      await server.query(
        'CREATE TABLE visits (at DateTime, n UInt32, page String) ENGINE = MergeTree ORDER BY at',
      );
      const program = runProgram(['generate', '--path', folder, '--live-mode', 'false', '-vvv']);
      for (const reached of [100_000, 400_000]) {
        await eventually(async () => {
          const count = await server.query('SELECT count() FROM visits').catch(() => '0');
          return Number(count) >= reached ? true : null;
        }, `${reached} rows`);
        await server.kill();
        await server.start();
      }
      expect(await program.exited).toEqual({ code: 0, signal: null });
      const [rows = '', distinct = ''] = (
        await server.query('SELECT count(), uniqExact(at, n, page) FROM visits FORMAT TabSeparated')
      ).split('\t');
      process.stderr.write(`${program.stderr()}rows ${rows}, of them distinct ${distinct}\n`);
      expect(Number(distinct)).toBe(COUNT);
      // A batch that was on its way when the server died may be there twice: at most the batches in flight.
      expect(Number(rows) - COUNT).toBeLessThanOrEqual(2 * 10 * 10_000);
    });
  },
);
