/** Servers of logs. They cannot run here: these are the fakes of the tests, which write before they reply. */
import { join } from 'node:path';
import type { JsonObject } from '../../../src/domain/json.js';
import { startFakeOpensearch } from '../../support/servers/fakeOpensearch.js';
import { type PeerKind, startLogPeer } from '../../support/servers/logPeers/logPeer.js';
import { type ProgramServer, programServer } from '../../support/servers/programServer.js';
import { KEYS, startFakeS3 } from '../../support/servers/s3/fakeS3.js';
import { type LossCase, linesOf } from '../peer.js';

const KILL = 'SIGKILL of a fake that writes before it replies';

const logPeer = (kind: PeerKind, more: JsonObject): LossCase => ({
  output: kind,
  lack: null,
  kill: KILL,
  isPromised: true,
  start: async (folder) => {
    const peer = await startLogPeer(kind, folder);
    return {
      ...peer,
      params: { url: peer.url, ...more },
      arrived: () => linesOf(join(folder, 'arrived')),
      remove: peer.kill,
    };
  },
});

const HTTP = `
const fs = require('node:fs');
const file = fs.openSync(folder + '/arrived', 'a');
const server = require('node:http').createServer((request, response) => {
  const parts = [];
  request.on('error', () => {}).on('data', (part) => parts.push(part)).on('end', () => {
    fs.writeSync(file, Buffer.concat(parts));
    response.end();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
`;

const ofProgram = (server: ProgramServer, params: JsonObject): Awaited<ReturnType<LossCase['start']>> => ({
  ...server,
  params,
  arrived: () => linesOf(join(server.folder, 'arrived')),
});

export const logs: readonly LossCase[] = [
  {
    output: 'http',
    lack: null,
    kill: KILL,
    isPromised: true,
    start: async () => {
      const server = await programServer(HTTP);
      return ofProgram(server, {
        url: `http://127.0.0.1:${server.port}/`,
        batching: 'joined',
        formatter: { format: 'plain' },
      });
    },
  },
  {
    output: 'opensearch',
    lack: null,
    kill: KILL,
    isPromised: true,
    isJson: true,
    start: async () => {
      const server = await startFakeOpensearch();
      return ofProgram(server, { hosts: [`http://127.0.0.1:${server.port}`], index: 'events' });
    },
  },
  logPeer('loki', {}),
  logPeer('otlp', {}),
  logPeer('splunk_hec', { token: 'right', acknowledge: true, ack_interval: 0.1 }),
  {
    output: 's3',
    lack: null,
    kill: KILL,
    isPromised: true,
    start: async () => {
      const server = await startFakeS3();
      return {
        ...server,
        params: { ...KEYS, endpoint: `http://127.0.0.1:${server.port}` },
        arrived: async function* () {
          for (const { text } of server.objects()) yield text();
        },
      };
    },
  },
];
