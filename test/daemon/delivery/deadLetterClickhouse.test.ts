import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../../support/servers/clickhouseServer.js';

const COUNT = 1_000;
/** Rows that the table can never take. */
const BAD = new Set([0, 17, 18, 500, 999]);

const eventOf = (n: number): string => (BAD.has(n) ? `{"n": "none ${n}"}` : `{"n": ${n}}`);

(hasClickhouse ? describe : describe.skip)(`dead letters of ClickHouse ${NEEDS_CLICKHOUSE}`, () => {
  let folder = '';
  let server: ClickhouseServer;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spate-letters-'));
    server = await startClickhouse();
    const deadLetterFolder = join(folder, 'state', 'dead-letters', 'visits', '1-columnar_db');
    await mkdir(deadLetterFolder, { recursive: true });
    const lines = Array.from({ length: COUNT }, (_, n) =>
      JSON.stringify({ at: '2026-11-20T19:05:09+00:00', code: 'rejected', reason: 'r', event: eventOf(n) }),
    );
    await writeFile(join(deadLetterFolder, '00000001.jsonl'), `${lines.join('\n')}\n`);
    await writeFile(
      join(folder, 'generator.yml'),
      `input: [static: {count: 1}]
event: {script: {path: produce.mjs}}
output:
  - clickhouse: {host: 127.0.0.1, port: ${server.port}, table: visits, input_format: JSONEachRow}
`,
    );
  });
  afterAll(async () => {
    await server.remove();
    await rm(folder, { recursive: true, force: true });
  });

  test('arrive as rows, each once; only those that the table cannot take stay, with what the server says', async () => {
    await server.query('CREATE TABLE visits (n UInt32) ENGINE = MergeTree ORDER BY n');
    const place = ['--state', join(folder, 'state')];
    const resend = runProgram(['deadletter', 'resend', ...place, '--path', folder, 'visits/1']);
    expect((await resend.exited).code).toBe(1);
    expect(resend.stderr()).toMatch(/995 letters sent in .*, 5 stay: /);
    expect((await server.query('SELECT count(), uniqExact(n) FROM visits FORMAT TabSeparated')).trim()).toBe(
      '995\t995',
    );
    const show = runProgram(['deadletter', 'show', ...place, 'visits', '--json']);
    await show.exited;
    const letters = show
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly code: string; readonly event: string });
    expect(letters.map(({ event }) => event)).toEqual([...BAD].map(eventOf));
    expect(new Set(letters.map(({ code }) => code))).toEqual(new Set(['rejected']));
  });
});
