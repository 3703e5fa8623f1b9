/**
 * `node socketLoop.mjs tcp|udp|syslog PORT [COUNT TAIL]`: sends lines as a person writes it by hand: TCP in chunks of about
 * 64 KiB, one after the other; UDP a datagram for each line, 256 in flight; `syslog` as TCP, each line with a header of
 * RFC 5424 and its length. With COUNT, lines of a timestamp (ISO 8601,
 * a millisecond apart from 2026-01-01T00:00:00.000500Z) and TAIL; else those of standard input.
 */
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';

const [protocol, port, countText, tail] = process.argv.slice(2);
const count = Number(countText);

const START_MS = Date.UTC(2026, 0, 1);
const CHUNK = 65_536;
const BURST = 256;
const ending = `+00:00${tail}\n`;

let second = -1;
let head = '';

/** A line; the text up to the second is kept while it lasts. */
const lineAt = (index) => {
  const micros = 500 + index * 1_000;
  const now = Math.floor(micros / 1_000_000);
  if (now !== second) {
    second = now;
    head = new Date(START_MS + now * 1_000).toISOString().slice(0, 20);
  }
  return head + String(micros - now * 1_000_000).padStart(6, '0') + ending;
};

/** Chunks of whole lines. */
const made = function* () {
  let chunk = '';
  for (let index = 0; index < count; index++) {
    chunk += lineAt(index);
    if (chunk.length > CHUNK) {
      yield Buffer.from(chunk, 'latin1');
      chunk = '';
    }
  }
  yield Buffer.from(chunk, 'latin1');
};

const read = async function* () {
  let rest = Buffer.alloc(0);
  for await (const part of process.stdin) {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.subarray(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
};

const chunks = countText === undefined ? read() : made();

/** Messages with octet counting; a chunk has one time. */
const framed = (chunk) => {
  const header = `<14>1 ${new Date().toISOString().slice(0, 23)}000+00:00 localhost spate - - - `;
  const lines = chunk.toString('latin1').split('\n');
  lines.pop();
  return Buffer.from(
    lines.map((line) => `${header.length + line.length} ${header}${line}`).join(''),
    'latin1',
  );
};

const tcp = async (bytesOf) => {
  const socket = connect(Number(port), '127.0.0.1');
  for await (const lines of chunks) {
    const chunk = bytesOf(lines);
    await new Promise((resolve) => socket.write(chunk, resolve));
  }
  socket.end();
};

const udp = async () => {
  const socket = createSocket('udp4');
  await new Promise((resolve) => socket.connect(Number(port), '127.0.0.1', resolve));
  let inFlight = 0;
  let wake = null;
  const settled = () => {
    inFlight -= 1;
    if (inFlight === 0) wake();
  };
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      await new Promise((resolve) => {
        wake = resolve;
        for (let sent = 0; sent < BURST && at < chunk.length; sent++) {
          const end = chunk.indexOf(10, at) + 1;
          inFlight += 1;
          socket.send(chunk, at, end - at, settled);
          at = end;
        }
      });
    }
  }
  socket.close();
};

await (protocol === 'udp' ? udp() : tcp(protocol === 'syslog' ? framed : (lines) => lines));
