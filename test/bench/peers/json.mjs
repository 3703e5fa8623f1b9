/**
 * `node json.mjs DIST COUNT SEED FILE`: writes what the template of the case template-json makes, as a template
 * literal with the same random numbers; DIST is the folder dist/src whose generator of random numbers is used.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [dist, countText, seed, path] = process.argv.slice(2);
const { seededRandom } = await import(join(dist, 'domain', 'random.js'));
// The event plugin draws from this branch of the seed.
const random = seededRandom(seed).fork('event/1');
const count = Number(countText);
const file = openSync(path, 'w');

const START_MS = Date.UTC(2026, 0, 1);
const CHUNK = 65_536;
const LEVELS = ['INFO', 'WARN', 'ERROR', 'DEBUG'];
const HOSTS = ['web-01', 'web-02', 'db-01'];
const USERS = ['alice', 'bob', 'carol'];
const METHODS = ['GET', 'POST'];
const STATUSES = [200, 404, 500];

const one = (items) => items[random.integer(0, items.length - 1)];

let second = -1;
let head = '';
const isoAt = (index) => {
  const micros = 500 + index * 1_000;
  const now = Math.floor(micros / 1_000_000);
  if (now !== second) {
    second = now;
    head = new Date(START_MS + now * 1_000).toISOString().slice(0, 20);
  }
  return `${head}${String(micros - now * 1_000_000).padStart(6, '0')}+00:00`;
};

let chunk = '';
const flush = () => {
  const bytes = Buffer.from(chunk, 'latin1');
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  chunk = '';
};
for (let index = 0; index < count; index++) {
  chunk += `{"@timestamp": "${isoAt(index)}", "level": "${one(LEVELS)}", "host": "${one(HOSTS)}", "user": "${one(USERS)}", "method": "${one(METHODS)}", "path": "/orders/${random.integer(1, 9999)}", "status": ${one(STATUSES)}, "bytes": ${random.integer(100, 99998)}}\n`;
  if (chunk.length > CHUNK) flush();
}
flush();
closeSync(file);
