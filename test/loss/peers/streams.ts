/** Files and sockets. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { programServer } from '../../support/servers/programServer.js';
import { hasRsyslog, NEEDS_RSYSLOG, startRsyslog } from '../../support/servers/rsyslogServer.js';
import { type LossCase, lackOf, linesOf } from '../peer.js';

/** Whole lines only: a torn one would join the next of another connection. */
const TCP = `
const fs = require('node:fs');
const file = fs.openSync(folder + '/arrived', 'a');
const server = require('node:net').createServer((socket) => {
  let rest = Buffer.alloc(0);
  socket.on('error', () => {}).on('data', (part) => {
    const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
    const end = bytes.lastIndexOf(10) + 1;
    fs.writeSync(file, bytes.subarray(0, end));
    rest = bytes.subarray(end);
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
`;

const UDP = `
const fs = require('node:fs');
const file = fs.openSync(folder + '/arrived', 'a');
const socket = require('node:dgram').createSocket('udp4');
let parts = [];
socket.on('message', (message) => {
  if (parts.push(message) > 1) return;
  setImmediate(() => fs.writeSync(file, Buffer.concat(parts.splice(0))));
});
socket.bind(Number(port), '127.0.0.1', () => {
  socket.setRecvBufferSize(8 << 20);
  console.log(socket.address().port);
});
`;

const sink = (output: 'tcp' | 'udp', program: string, kill: string): LossCase => ({
  output,
  lack: null,
  kill,
  isPromised: output === 'tcp',
  start: async () => {
    const server = await programServer(program);
    const file = join(server.folder, 'arrived');
    return {
      ...server,
      params: { host: '127.0.0.1', port: server.port },
      arrived: async function* () {
        await new Promise((resolve) => setTimeout(resolve, 500));
        yield* linesOf(file);
      },
    };
  },
});

export const streams: readonly LossCase[] = [
  {
    output: 'file',
    lack: null,
    kill: 'SIGKILL of Spate, which resumes',
    isPromised: true,
    isSelf: true,
    start: async (folder) => ({
      params: { path: 'out/events.log', rotate_size: 20, rotate_compression: 'gzip' },
      kill: async () => {},
      start: async () => {},
      arrived: async function* () {
        for (const name of readdirSync(join(folder, 'out'))) {
          const lines = linesOf(join(folder, 'out', name));
          if (name.endsWith('.gz')) yield* lines.pipe(createGunzip());
          else yield* lines;
        }
      },
      remove: async () => {},
    }),
  },
  {
    output: 'syslog',
    lack: lackOf(hasRsyslog, NEEDS_RSYSLOG),
    kill: 'SIGKILL of rsyslogd with direct queues; what the kernel had is resent',
    isPromised: true,
    start: async () => {
      const server = await startRsyslog({ counts: true, template: '%msg%' });
      return {
        ...server,
        params: { host: '127.0.0.1', port: server.port },
        arrived: () => linesOf(server.file),
      };
    },
  },
  sink('tcp', TCP, 'SIGKILL of a listener; what the kernel had is resent'),
  sink('udp', UDP, 'SIGKILL of a listener; no acknowledgement: loss is expected'),
];
