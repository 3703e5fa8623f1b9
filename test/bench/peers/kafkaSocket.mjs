/**
 * `node kafkaSocket.mjs SERVERS TOPIC EVENTS VALUE_BYTES BATCH_EVENTS`: one produce request, made before, again and again over a
 * socket to the leader of each partition, one under way on each.
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

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});
const crc32c = (bytes) => {
  let crc = -1;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff];
  return ~crc;
};

const recordBatch = (size) => {
  const value = Buffer.alloc(Number(value_bytes), 'x');
  const records = Array.from({ length: size }, (_, delta) => {
    const parts = [int8(0), int8(0), varint(delta), int8(1), varint(value.length), value, int8(0)];
    const body = Buffer.concat(parts);
    return Buffer.concat([varint(body.length), body]);
  });
  const now = Buffer.alloc(8);
  now.writeBigInt64BE(BigInt(Date.now()));
  const none = Buffer.alloc(14, 0xff);
  const rest = Buffer.concat([int16(0), int32(size - 1), now, now, none, int32(size), ...records]);
  return Buffer.concat([
    Buffer.alloc(8),
    int32(rest.length + 9),
    int32(-1),
    int8(2),
    int32(crc32c(rest)),
    rest,
  ]);
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
  const made = new Map();
  while (left > 0) {
    const size = Math.min(perBatch, left);
    left -= size;
    if (!made.has(size)) {
      const records = recordBatch(size);
      const head = [int16(-1), int16(-1), int32(30_000), int32(1), string(topic), int32(1)];
      made.set(
        size,
        framed(0, 7, Buffer.concat([...head, int32(partition), int32(records.length), records])),
      );
    }
    await connection.ask(made.get(size));
  }
  connection.close();
};
await Promise.all((await leadersOf()).map(sendAll));
