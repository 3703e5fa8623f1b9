import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { brokenOff } from '../../../src/adapters/verify/clickhouseRows.js';
import { runProgram } from '../../support/instance.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../../support/servers/clickhouseServer.js';
import { fakeIo, spate } from '../support.js';

const COUNT = 50_000;
const PASSWORD = 'sesame 7';
const ROWS = Array.from({ length: 1_000 }, (_, i) => `AT\t${i}\t/page\\t${i}\\\\x é\n`).join('');

const config = (port: number, event: string, table: string, format: string): string => `
input:
  - linspace: {start: 2026-01-01T00:00:00Z, end: +${COUNT}s, count: ${COUNT}, endpoint: false}
event: ${event}
output:
  - clickhouse: {host: 127.0.0.1, port: ${port}, password: '${PASSWORD}', table: ${table}, input_format: ${format}}
`;

const REPLAY = `
  replay:
    path: rows.tsv
    timestamp_pattern: '^(?<timestamp>AT)'
    timestamp_format: '%Y-%m-%d %H:%M:%S'
    repeat: true
    marks: tsv`;

const SCRIPT = '{script: {path: produce.js, marks: json}}';
const PRODUCE = `let n = 0;
exports.produce = ({ timestamp }) =>
  JSON.stringify({ at: timestamp.strftime('%Y-%m-%d %H:%M:%S'), n: n++, page: 'a"b\\\\c\\td é' });`;

describe('a result that the server broke off', () => {
  test.each([
    ['1\t2\n', null],
    ['', null],
    ['x Code: 1. DB::Exception: y spate=00000001:1:1:00000000\n', null],
    [
      '1\t2\nCode: 241. DB::Exception: Memory limit exceeded\n',
      'Code: 241. DB::Exception: Memory limit exceeded',
    ],
    ['1\t2Code: 395, e.displayText() = DB::Exception: no, e.what() = x\n', 'DB::Exception: no'],
    [
      '1\n\r\n__exception__\r\nabcdef\r\nCode: 395. DB::Exception: no\r\n31 abcdef\r\n__exception__\r\n',
      'Code: 395',
    ],
  ])('is known by its last bytes: %j', (tail, reason) => {
    if (reason === null) expect(brokenOff(tail)).toBeNull();
    else expect(brokenOff(tail)).toContain(reason);
  });
});

(hasClickhouse ? describe : describe.skip)(`verify of a ClickHouse table ${NEEDS_CLICKHOUSE}`, () => {
  let folder = '';
  let server: ClickhouseServer;

  const deliver = async (event: string, table: string, format: string): Promise<void> => {
    await writeFile(join(folder, 'generator.yml'), config(server.port, event, table, format));
    const program = runProgram(['generate', '--path', folder, '--live-mode', 'false', '-vv']);
    expect([await program.exited, program.stderr()]).toMatchObject([{ code: 0 }, expect.any(String)]);
  };

  const verify = (query: string, more: readonly string[] = [], password = PASSWORD) => {
    const url = `http://127.0.0.1:${server.port}`;
    const io = fakeIo({ cwd: folder, env: { SPATE_CLICKHOUSE_PASSWORD: password } });
    return spate(['verify', '--clickhouse', url, '--query', query, ...more], io);
  };

  const report = async (query: string, more: readonly string[] = []) => {
    const { code, out, err } = await verify(query, ['--json', ...more]);
    if (out === '') throw new Error(err);
    return { code, ...(JSON.parse(out) as Record<string, unknown>) };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-verify-'));
    server = await startClickhouse(PASSWORD);
    await writeFile(join(folder, 'rows.tsv'), ROWS);
    await writeFile(join(folder, 'produce.js'), PRODUCE);
    const columns = 'at DateTime, n UInt32, page String';
    const engine = 'ENGINE = MergeTree ORDER BY at';
    await server.query(
      `CREATE TABLE rows (${columns}, mark String, arrived DateTime MATERIALIZED toDateTime('2026-01-02 00:00:00', 'UTC')) ${engine}`,
    );
    await server.query(`CREATE TABLE objects (${columns}, spate String) ${engine}`);
    await deliver(REPLAY, 'rows', 'TabSeparated');
    await deliver(SCRIPT, 'objects', 'JSONEachRow');
  });
  afterAll(async () => {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('every row is checked, also with escapes', async () => {
    const whole = ['--expect', String(COUNT)];
    expect(await report('SELECT at, n, page, mark FROM rows', whole)).toMatchObject({
      code: 0,
      ok: true,
      events: COUNT,
      unchecked: 0,
      unmarked: { count: 0 },
      streams: [{ first: 1, last: COUNT, out_of_order: null, latency_ms: null }],
    });
    expect(await report('SELECT * FROM objects FORMAT JSONEachRow', whole)).toMatchObject({
      code: 0,
      events: COUNT,
      unchecked: 0,
    });
  });

  test('the mark alone shows loss and duplicates; the column of whole events is read raw', async () => {
    expect(await report('SELECT mark FROM rows;')).toMatchObject({
      code: 0,
      events: COUNT,
      unchecked: COUNT,
    });
    const event =
      "concat(toString(at), '\\t', toString(n), '\\t', replaceAll(replaceAll(page, '\\\\', '\\\\\\\\'), '\\t', '\\\\t'), '\\t', mark)";
    const raw = await report(`SELECT ${event} FROM rows FORMAT TabSeparatedRaw`);
    expect(raw).toMatchObject({ code: 0, events: COUNT, unchecked: 0 });
  });

  test('rows that are missing, there twice or changed are found', async () => {
    const lost = await report('SELECT at, n, page, mark FROM rows WHERE n != 500');
    expect(lost).toMatchObject({ code: 1, problems: [`${COUNT / 1_000} events are lost`] });
    expect(lost).toMatchObject({ streams: [{ lost: { ranges: expect.arrayContaining([[501, 501]]) } }] });
    const twice =
      'SELECT at, n, page, mark FROM rows UNION ALL SELECT at, n, page, mark FROM rows WHERE n = 7';
    expect(await report(twice)).toMatchObject({ code: 1, problems: [`${COUNT / 1_000} duplicates`] });
    expect(await report(twice, ['--allow-duplicates'])).toMatchObject({ code: 0 });
    const changed = await report("SELECT at, n, replaceOne(page, 'é', 'e') AS page, mark FROM rows");
    expect(changed).toMatchObject({ code: 1, events: 0, mismatches: { count: COUNT } });
  });

  test('the latency is the arrival column minus the timestamp', async () => {
    const day_ms = 86_400_000;
    for (const arrival of [
      'arrived',
      'toUnixTimestamp(arrived) AS arrived',
      'toString(arrived) AS arrived',
    ]) {
      const found = await report(`SELECT at, ${arrival}, n, page, mark FROM rows`, [
        '--arrival-column',
        'arrived',
      ]);
      expect(found).toMatchObject({
        code: 0,
        unchecked: 0,
        streams: [{ latency_ms: { max: day_ms, early: 0 } }],
      });
    }
    const json = await report("SELECT *, '2026-01-02' AS arrived FROM objects FORMAT JSONEachRow", [
      '--arrival-column',
      'arrived',
    ]);
    expect(json).toMatchObject({ code: 0, unchecked: 0, streams: [{ latency_ms: { max: day_ms } }] });
    expect((await verify('SELECT mark FROM rows', ['--arrival-column', 'soon'])).err).toContain(
      'no column "soon"',
    );
  });

  test('the password comes from a file or the environment, and is never shown', async () => {
    await writeFile(join(folder, 'password'), `${PASSWORD}\n`);
    const query = 'SELECT mark FROM rows';
    expect((await verify(query, ['--password-file', 'password'], '')).code).toBe(0);
    expect((await verify(query, ['--user', 'default'])).code).toBe(0);
    const wrong = await verify(query, [], 'not the password');
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(wrong.err).toMatch(/cannot read from ClickHouse at http:\/\/127\.0\.0\.1:\d+: /);
    expect(wrong.err).not.toContain('not the password');
  });

  test('a query that the server refuses, or breaks off in the middle, is no report', async () => {
    const missing = await verify('SELECT mark FROM nothing');
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toContain('nothing');
    const broken = await verify(
      'SELECT at, n, page, mark, throwIf(number > 2000000) FROM (SELECT number FROM system.numbers) CROSS JOIN (SELECT at, n, page, mark FROM rows LIMIT 1)',
    );
    expect(broken).toMatchObject({ code: 1, out: '' });
    expect(broken.err).toContain('the server aborted the result: Code: 395');
  });
});
