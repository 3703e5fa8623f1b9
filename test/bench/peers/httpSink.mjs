/**
 * `node httpSink.mjs http|opensearch`: an HTTP server on a free loopback port that discards bodies; `opensearch` replies
 * to bulk requests with a result for each event. Prints the port. `GET /control` tells the bytes and lines so far.
 */
import { createServer } from 'node:http';

const [, , kind] = process.argv;
const seen = { bytes: 0, lines: 0 };

const linesIn = (part) => {
  let lines = 0;
  for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines += 1;
  return lines;
};

/** Replies to bulk requests by their number of events; the same comes again and again. */
const replies = new Map();
const bulkReply = (count) => {
  const known = replies.get(count);
  if (known !== undefined) return known;
  const made = JSON.stringify({ errors: false, items: Array(count).fill({ index: { status: 201 } }) });
  replies.set(count, made);
  return made;
};

const ROOT = JSON.stringify({ version: { distribution: 'opensearch', number: '2.11.0' } });

const server = createServer((request, response) => {
  let lines = 0;
  request.on('error', () => {});
  request.on('data', (part) => {
    seen.bytes += part.length;
    lines += linesIn(part);
  });
  request.on('end', () => {
    seen.lines += lines;
    if (request.url === '/control') return response.end(JSON.stringify(seen));
    if (kind === 'http') return response.writeHead(204).end();
    response.setHeader('Content-Type', 'application/json');
    response.end(request.method === 'POST' ? bulkReply(lines / 2) : ROOT);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
