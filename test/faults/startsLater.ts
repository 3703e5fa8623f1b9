import { expect } from '@jest/globals';
import { eventually, makeInstance } from '../support/instance.js';
import type { ClickhouseServer } from '../support/servers/clickhouseServer.js';

const configOf = (port: number, table: string): string => `
input: [linspace: {start: now, end: +600s, count: 60000}]
event: {script: {path: produce.mjs}}
output: [clickhouse: {host: 127.0.0.1, port: ${port}, table: ${table}, username: writer, password: right}]
`;
const SCRIPT = 'let n = 0; export const produce = () => `${n++}\\t.`;';

interface Status {
  readonly phase: string;
  readonly reason: string | null;
}

/** The daemon starts before its server: the generator reports why it waits, and runs once the server is up. */
export const daemonBeforeServer = async (server: ClickhouseServer): Promise<void> => {
  const table = 'started_later';
  await server.query(`CREATE TABLE ${table} (n UInt64, text String) ENGINE = MergeTree ORDER BY n`);
  const instance = await makeInstance({
    startup: '- {id: g, path: g/generator.yml}',
    generators: { 'g/generator.yml': configOf(server.port, table), 'g/produce.mjs': SCRIPT },
  });
  const status = async (): Promise<Status> =>
    (await instance.api('GET', '/generators/g/status')).body as Status;
  await server.kill();
  let isDown = true;
  try {
    await instance.start();
    await eventually(async () => ((await status()).reason === null ? null : true), 'a failed start');
    expect(await status()).toMatchObject({ reason: expect.stringContaining('ECONNREFUSED') });
    await server.start();
    isDown = false;
    const rows = async (): Promise<number> => Number(await server.query(`SELECT uniqExact(n) FROM ${table}`));
    await eventually(async () => ((await rows()) > 100 ? true : null), 'events in the table');
    expect(await status()).toMatchObject({ phase: 'running', reason: null });
    await instance.api('POST', '/generators/g/stop');
    const { body } = await instance.api('GET', '/generators/g/stats');
    expect(body).toMatchObject({ event: { produced: await rows() }, output: [{ written: await rows() }] });
  } finally {
    if (isDown) await server.start();
    await instance.remove();
  }
};
