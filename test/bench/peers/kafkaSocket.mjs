/**
 * `node kafkaSocket.mjs SERVERS TOPIC EVENTS VALUE_BYTES BATCH_EVENTS`: frames one value again and again in record batches, and
 * sends these over a socket to the leader of each partition, one under way on each.
 */
import * as net from 'node:net';

const [servers, topic, events, value_bytes, batch_events] = process.argv.slice(2);
const count = Number(events);
const perBatch = Number(batch_events);

const int8 = (value) => Buffer.of(value & 0xff);
const int16 = (value) => Buffer.of((value >> 8) & 0xff, value & 0xff);
const int32 = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const string = (text) => Buffer.concat([int16(text.length), Buffer.from(text)]);
const varint = (value) => {
  const bytes = [];
  let rest = value * 2;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
};

/** CRC-32C, eight bytes a step. */
const TABLES = new Int32Array(2048);
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  TABLES[byte] = crc;
}
for (let at = 256; at < 2048; at++) TABLES[at] = (TABLES[at - 256] >>> 8) ^ TABLES[TABLES[at - 256] & 0xff];
const crc32c = (bytes, from, to) => {
  const t = TABLES;
  let crc = -1;
  let at = from;
  for (; at <= to - 8; at += 8) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
    crc =
      t[1792 + (crc & 0xff)] ^
      t[1536 + ((crc >>> 8) & 0xff)] ^
      t[1280 + ((crc >>> 16) & 0xff)] ^
      t[1024 + (crc >>> 24)] ^
      t[768 + bytes[at + 4]] ^
      t[512 + bytes[at + 5]] ^
      t[256 + bytes[at + 6]] ^
      t[bytes[at + 7]];
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ t[(crc ^ bytes[at]) & 0xff];
  return ~crc;
};

const value = Buffer.alloc(Number(value_bytes), 'x');

/** The start of a record: its length, attributes, timestamp, number, no key, and the length of the value. */
const startOf = (delta) => {
  const start = Buffer.concat([int8(0), int8(0), varint(delta), int8(1), varint(value.length)]);
  return Buffer.concat([varint(start.length + value.length + 1), start]);
};
const starts = Array.from({ length: perBatch }, (_, delta) => startOf(delta));

/** A record batch with the value `size` times. */
const recordBatch = (size) => {
  const records = starts.slice(0, size).reduce((sum, { length }) => sum + length + value.length + 1, 0);
  const out = Buffer.allocUnsafe(61 + records);
  const now = BigInt(Date.now());
  out.writeBigInt64BE(0n, 0);
  out.writeInt32BE(out.length - 12, 8);
  out.writeInt32BE(-1, 12);
  out[16] = 2;
  out.writeInt16BE(0, 21);
  out.writeInt32BE(size - 1, 23);
  out.writeBigInt64BE(now, 27);
  out.writeBigInt64BE(now, 35);
  out.fill(0xff, 43, 57);
  out.writeInt32BE(size, 57);
  let at = 61;
  for (let index = 0; index < size; index++) {
    const start = starts[index];
    out.set(start, at);
    out.set(value, at + start.length);
    at += start.length + value.length;
    out[at++] = 0;
  }
  out.writeInt32BE(crc32c(out, 21, out.length), 17);
  return out;
};

const framed = (api, version, body) => {
  const request = Buffer.concat([int16(api), int16(version), int32(1), string('bench'), body]);
  return Buffer.concat([int32(request.length), request]);
};

const connect = async (server) => {
  const [host, port] = server.split(':');
  const socket = net.connect({ host, port: Number(port), noDelay: true });
  let held = Buffer.alloc(0);
  let answered = () => {};
  socket.on('data', (part) => {
    held = Buffer.concat([held, part]);
    if (held.length < 4 || held.length < 4 + held.readInt32BE(0)) return;
    const reply = held.subarray(8);
    held = Buffer.alloc(0);
    answered(reply);
  });
  return {
    ask: (bytes) =>
      new Promise((resolve) => {
        answered = resolve;
        socket.write(bytes);
      }),
    close: () => socket.destroy(),
  };
};

/** Address of the leader of each partition, from Metadata 1. */
const leadersOf = async () => {
  const first = await connect(servers.split(',')[0]);
  const reply = await first.ask(framed(3, 1, Buffer.concat([int32(1), string(topic)])));
  first.close();
  let at = 0;
  const number = (size) => {
    at += size;
    return reply.readIntBE(at - size, size);
  };
  const text = () => {
    const size = number(2);
    at += Math.max(0, size);
    return reply.toString('utf8', at - Math.max(0, size), at);
  };
  const list = (one) => Array.from({ length: number(4) }, one);
  const nodes = new Map(
    list(() => {
      const node = [number(4), `${text()}:${number(4)}`];
      text();
      return node;
    }),
  );
  number(4);
  const [partitions] = list(() => {
    number(2);
    text();
    number(1);
    return list(() => {
      number(2);
      const partition = [number(4), nodes.get(number(4))];
      list(() => number(4));
      list(() => number(4));
      return partition;
    });
  });
  return partitions;
};

let left = count;
const sendAll = async ([partition, server]) => {
  const connection = await connect(server);
  while (left > 0) {
    const size = Math.min(perBatch, left);
    left -= size;
    const records = recordBatch(size);
    const head = [int16(-1), int16(-1), int32(30_000), int32(1), string(topic), int32(1)];
    const body = Buffer.concat([...head, int32(partition), int32(records.length), records]);
    await connection.ask(framed(0, 7, body));
  }
  connection.close();
};
await Promise.all((await leadersOf()).map(sendAll));
