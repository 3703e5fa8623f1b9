/**
 * `node socketSink.mjs tcp|udp`: reads and discards what comes on a free loopback port. Prints the port; then, for each
 * line on standard input, a line of JSON with the bytes and datagrams since the last one.
 */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const RECEIVE_BYTES = 4 * 1024 * 1024;
let bytes = 0;
let datagrams = 0;

const tell = (port) => process.stdout.write(`${port}\n`);

if (process.argv[2] === 'udp') {
  const socket = createSocket('udp4');
  socket.on('message', ({ length }) => {
    bytes += length;
    datagrams += 1;
  });
  socket.bind(0, '127.0.0.1', () => {
    socket.setRecvBufferSize(RECEIVE_BYTES);
    tell(socket.address().port);
  });
} else {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (part) => {
      bytes += part.length;
    });
  });
  server.listen(0, '127.0.0.1', () => tell(server.address().port));
}

createInterface({ input: process.stdin }).on('line', () => {
  process.stdout.write(`${JSON.stringify({ bytes, datagrams })}\n`);
  bytes = 0;
  datagrams = 0;
});
process.stdin.on('end', () => process.exit(0));
