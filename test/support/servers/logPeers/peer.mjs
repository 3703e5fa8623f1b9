/**
 * A server of logs for tests, in a process of its own: `node peer.mjs KIND FILE PORT STATE`. KIND is `splunk_hec`,
 * `otlp` or `loki`; each follows the published format of its vendor, because none of these servers can run here.
 * Events that it accepts are appended to FILE, one a line, before it replies. STATE (JSON) is what a test asks for;
 * `POST /control` replaces it. `discard` keeps nothing, for benchmarks.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

const [, , kind, file, port, state] = process.argv;
const { handle } = await import(`./${kind}.mjs`);

const peer = { state: JSON.parse(state), events: 0, requests: 0, bytes: 0 };
const accept = (lines) => {
  peer.events += lines.length;
  if (lines.length > 0) appendFileSync(file, `${lines.join('\n')}\n`);
};

const answer = (response, { status, body = '', headers = {} }) => {
  response.writeHead(status, headers);
  response.end(body);
};

const server = createServer((request, response) => {
  const parts = [];
  request.on('error', () => {});
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const raw = Buffer.concat(parts);
    const url = new URL(request.url, 'http://peer');
    if (url.pathname === '/control') {
      if (raw.length > 0) peer.state = JSON.parse(String(raw));
      return answer(response, { status: 200, body: JSON.stringify(peer) });
    }
    peer.requests++;
    peer.bytes += raw.length;
    // A balancer or a broken server in front of everything.
    const { always } = peer.state;
    if (always !== undefined) return answer(response, always);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    answer(
      response,
      handle({ url, method: request.method, headers: request.headers, body, state: peer.state, accept }),
    );
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
