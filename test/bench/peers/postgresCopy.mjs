/**
 * `node postgresCopy.mjs PORT TABLE BLOCK TIMES`: copies the bytes of the file BLOCK so often, with pg and
 * pg-copy-streams, as one COPY.
 */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';

const [port, table, path, times] = process.argv.slice(2);
const block = readFileSync(path);

const blocks = function* () {
  for (let turn = 0; turn < Number(times); turn++) yield block;
};

const client = new pg.Client({
  host: '127.0.0.1',
  port: Number(port),
  user: 'postgres',
  database: 'postgres',
});
await client.connect();
await pipeline(
  Readable.from(blocks(), { objectMode: false }),
  client.query(from(`COPY ${table} FROM STDIN`)),
);
await client.end();
