import { join } from 'node:path';
import type { JsonObject } from '../../../src/domain/json.js';
import { type ChildProcess, spawn } from '../programs.js';

/**
 * A server that speaks as much of PostgreSQL's protocol 3.0 as a COPY needs, and appends the data of each whole COPY
 * to a file. It is a program of its own, so that its sockets are not among those of the test. The tests with the real
 * server are in `real.test.ts`.
 */
const PROGRAM = `
const { appendFileSync, writeFileSync } = require('node:fs');
const [, file] = process.argv;
writeFileSync(file, '');
const message = (type, body) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const READY = message('Z', Buffer.from('I'));
const server = require('node:net').createServer((socket) => {
  let bytes = Buffer.alloc(0);
  let isGreeted = false;
  let parts = [];
  socket.on('error', () => {});
  socket.on('data', (part) => {
    bytes = Buffer.concat([bytes, part]);
    for (;;) {
      const head = isGreeted ? 1 : 0;
      if (bytes.length < head + 4) return;
      const length = head + bytes.readUInt32BE(head);
      if (bytes.length < length) return;
      const type = isGreeted ? String.fromCharCode(bytes[0]) : 'startup';
      const body = Buffer.from(bytes.subarray(head + 4, length));
      bytes = bytes.subarray(length);
      if (type === 'startup') {
        isGreeted = true;
        socket.write(Buffer.concat([message('R', Buffer.alloc(4)), READY]));
      } else if (type === 'Q') {
        parts = [];
        socket.write(message('G', Buffer.from([0, 0, 1, 0, 0])));
      } else if (type === 'd') parts.push(body);
      else if (type === 'c') {
        const data = Buffer.concat(parts);
        appendFileSync(file, data);
        const rows = data.toString('latin1').split('\\n').length - 1;
        socket.write(Buffer.concat([message('C', Buffer.from('COPY ' + rows + '\\0')), READY]));
      } else if (type === 'X') socket.end();
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const running: ChildProcess[] = [];

/** Starts one that appends to `arrived` in the folder; parameters that lead to it. */
export const startPostgresSink = async (folder: string): Promise<JsonObject> => {
  const child = spawn(process.execPath, ['-e', PROGRAM, join(folder, 'arrived')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(String(data)));
    child.once('exit', () => reject(new Error('the PostgreSQL sink of the test did not start')));
  });
  return { host: '127.0.0.1', port: Number(line) };
};

export const stopPostgresSinks = async (): Promise<void> => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
};
