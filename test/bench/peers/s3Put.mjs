/**
 * `node s3Put.mjs URL LINES TIMES`: joins the lines of a file into a body, so often, and puts ten bodies into each
 * object, signed, four under way. The least that a client of S3 can do per event.
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [url, path, times] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const UNDER_WAY = 4;
const BODIES = 10;
const agent = new Agent({ keepAlive: true, maxSockets: UNDER_WAY });
const { host } = new URL(url);

const hmac = (key, text) => createHmac('sha256', key).update(text).digest();
const hash = (text) => createHash('sha256').update(text).digest('hex');

const headersOf = (place, payload) => {
  const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const names = 'host;x-amz-content-sha256;x-amz-date';
  const canonical = `PUT\n${place}\n\nhost:${host}\nx-amz-content-sha256:${payload}\nx-amz-date:${date}\n\n${names}\n${payload}`;
  const key = scope.split('/').reduce(hmac, 'AWS4right-secret');
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash(canonical)}`).toString('hex');
  return {
    'x-amz-content-sha256': payload,
    'x-amz-date': date,
    Authorization: `AWS4-HMAC-SHA256 Credential=AKIATEST/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
};

let made = 0;
const put = (count) =>
  new Promise((resolve, reject) => {
    const bodies = Array.from({ length: count }, () => Buffer.from(`${lines.join('\n')}\n`));
    const payload = createHash('sha256');
    for (const body of bodies) payload.update(body);
    const place = `/events/${made++}`;
    const sent = request(new URL(place, url), {
      agent,
      method: 'PUT',
      headers: {
        ...headersOf(place, payload.digest('hex')),
        'Content-Length': bodies.reduce((sum, { length }) => sum + length, 0),
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`status ${response.statusCode}`)),
      );
    });
    for (const body of bodies) sent.write(body);
    sent.end();
  });

let left = Number(times);
const putAll = async () => {
  while (left > 0) {
    const count = Math.min(left, BODIES);
    left -= count;
    await put(count);
  }
};
await Promise.all(Array.from({ length: UNDER_WAY }, putAll));
agent.destroy();
