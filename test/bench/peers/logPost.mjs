/**
 * `node logPost.mjs KIND URL LINES TIMES`: makes a body of the lines of a file and posts it, so often, ten under way. The
 * least that a client of splunk_hec, otlp (protobuf), loki, opensearch or any HTTP server can do per event.
 */
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [kind, url, path, times] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const UNDER_WAY = 10;

const hec = () => {
  const time = (Date.now() / 1_000).toFixed(6);
  return Buffer.from(lines.map((line) => `{"time":${time},"event":${JSON.stringify(line)}}`).join('\n'));
};

let last = 0n;
const loki = () => {
  const values = lines.map((line) => `["${++last}",${JSON.stringify(line)}]`);
  return Buffer.from(`{"streams":[{"stream":{"job":"spate"},"values":[${values.join(',')}]}]}`);
};

const sizeOf = (value) => (value < 128 ? 1 : value < 16_384 ? 2 : value < 2_097_152 ? 3 : 4);

/** One resource with one scope, both empty, and the records: time, body, observed time. */
const otlp = () => {
  const now = BigInt(Date.now()) * 1_000_000n;
  const sizes = lines.map((line) => {
    const text = Buffer.byteLength(line);
    const any = 1 + sizeOf(text) + text;
    return { text, any, record: 9 + 1 + sizeOf(any) + any + 9 };
  });
  const scope = sizes.reduce((sum, { record }) => sum + 1 + sizeOf(record) + record, 0);
  const resource = 1 + sizeOf(scope) + scope;
  const out = Buffer.allocUnsafe(1 + sizeOf(resource) + resource);
  let at = 0;
  const header = (tag, length) => {
    out[at++] = tag;
    let rest = length;
    for (; rest > 127; rest >>>= 7) out[at++] = (rest & 127) | 128;
    out[at++] = rest;
  };
  header(10, resource);
  header(18, scope);
  lines.forEach((line, index) => {
    const { text, any, record } = sizes[index];
    header(18, record);
    out[at++] = 9;
    at = out.writeBigUInt64LE(now, at);
    header(42, any);
    header(10, text);
    at += out.write(line, at, 'utf8');
    out[at++] = 89;
    at = out.writeBigUInt64LE(now, at);
  });
  return out;
};

const plain = () => Buffer.from(`${lines.join('\n')}\n`);

const bulk = () => Buffer.from(lines.map((line) => `{"index":{}}\n${line}\n`).join(''));

/** Reads the result of each event, as a client must. */
const checkBulk = (text) => {
  const { errors, items } = JSON.parse(text);
  if (errors || items.length !== lines.length) throw new Error('not all events are indexed');
};

const KINDS = {
  http: [plain, '/', {}],
  opensearch: [bulk, '/lines/_bulk', { 'Content-Type': 'application/x-ndjson' }, checkBulk],
  splunk_hec: [hec, '/services/collector/event', { Authorization: 'Splunk right' }],
  otlp: [otlp, '/v1/logs', { 'Content-Type': 'application/x-protobuf' }],
  loki: [loki, '/loki/api/v1/push', { 'Content-Type': 'application/json' }],
};
const [bodyOf, place, headers, check] = KINDS[kind];
const agent = new Agent({ keepAlive: true, maxSockets: UNDER_WAY });

const post = () =>
  new Promise((resolve, reject) => {
    const body = bodyOf();
    const sent = request(new URL(place, url), {
      agent,
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        if (response.statusCode >= 300) return reject(new Error(`status ${response.statusCode}`));
        check?.(Buffer.concat(parts).toString());
        resolve();
      });
    });
    sent.end(body);
  });

let left = Number(times);
const sendAll = async () => {
  while (left-- > 0) await post();
};
await Promise.all(Array.from({ length: UNDER_WAY }, sendAll));
agent.destroy();
