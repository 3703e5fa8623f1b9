/**
 * `node redisStream.mjs PORT KEY BLOCK TIMES ROWS`: adds the lines of the file BLOCK so often to a stream with
 * @redis/client, in pipelines of ROWS entries, one after the other.
 */
import { readFileSync } from 'node:fs';
import { createClient } from '@redis/client';

const [port, key, path, times, rows] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');

const client = createClient({ socket: { host: '127.0.0.1', port: Number(port) }, RESP: 2 });
client.on('error', () => {});
await client.connect();
for (let turn = 0; turn < Number(times); turn++) {
  for (let from = 0; from < lines.length; from += Number(rows)) {
    const part = lines.slice(from, from + Number(rows));
    await Promise.all(part.map((line) => client.sendCommand(['XADD', key, '*', 'event', line])));
  }
}
await client.close();
