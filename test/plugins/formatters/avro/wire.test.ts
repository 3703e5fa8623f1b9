/** Outputs that take bytes send each item unchanged: here with line ends, NUL and what is no UTF-8. */

import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, RESP_TYPES } from '@redis/client';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { type EventBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import { avroPlugin } from '../../../../src/plugins/formatters/avro/plugin.js';
import type { Output } from '../../../../src/plugins/kit.js';
import { udpPlugin } from '../../../../src/plugins/outputs/udp/plugin.js';
import { execFileSync } from '../../../support/programs.js';
import {
  hasMosquitto,
  type MosquittoServer,
  NEEDS_MOSQUITTO,
  startMosquitto,
} from '../../../support/servers/mosquittoServer.js';
import { hasNats, type NatsServer, NEEDS_NATS, startNats } from '../../../support/servers/natsServer.js';
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from '../../../support/servers/redisServer.js';
import { startTcpSink } from '../../../support/servers/tcpSink.js';
import { startUdpSink } from '../../../support/servers/udpSink.js';
import * as httpParts from '../../outputs/http/support.js';
import * as mqttParts from '../../outputs/mqtt/support.js';
import * as natsParts from '../../outputs/nats/support.js';
import * as redisParts from '../../outputs/redis/support.js';
import { never, opened, outputContext } from '../../outputs/support.js';
import * as tcpParts from '../../outputs/tcp/support.js';
import * as udpParts from '../../outputs/udp/support.js';
import { built } from '../fields/support.js';
import { itemsOf } from './support.js';

const SCHEMA = {
  type: 'record',
  name: 'R',
  fields: ['n', 'blob'].map((name, index) => ({ name, type: ['int', 'bytes'][index] as string })),
};
/** 5 is written as a line end. */
const EVENTS = [5, 0, -1, 5].map((n, index) => ({ host: `h${index}`, n, blob: '\u00ff\n\u0000\u0080' }));

afterEach(async () => {
  for (const { closeAll } of [httpParts, mqttParts, natsParts, redisParts, tcpParts]) await closeAll();
});

const formatted = async (): Promise<EventBatch> => {
  const formatter = await built(avroPlugin, { schema: SCHEMA });
  return formatter.format(textBatch(EVENTS.map((event) => JSON.stringify(event)))).batch;
};

const sent = async (output: Output): Promise<readonly Buffer[]> => {
  const batch = await formatted();
  expect(await output.write(batch, never)).toMatchObject({ right: { written: EVENTS.length, failed: 0 } });
  return itemsOf(batch);
};

const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 10_000; !holds() && Date.now() < end; ) await systemClock.sleepMs(5, never);
};

test('tcp with octet counting', async () => {
  const sink = await startTcpSink();
  const { output } = await tcpParts.openOutput({ port: sink.port, framing: 'octet_counting' });
  const items = await sent(output);
  const wanted = Buffer.concat(items.flatMap((item) => [Buffer.from(`${item.length} `), item]));
  await until(() => sink.received().length >= wanted.length);
  expect(sink.received()).toEqual(wanted);
  await sink.close();
});

test('udp without a separator', async () => {
  const sink = await startUdpSink();
  const params = udpParts.paramsOf({ port: sink.port, separator: '' });
  const output = await opened(udpPlugin.open(params, outputContext('/').context));
  const items = await sent(output);
  await until(() => sink.received().length >= items.length);
  expect(sink.received()).toEqual(items);
  await output.close();
  await sink.close();
});

test('http with a request for each item', async () => {
  const bodies: Buffer[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts));
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const items = await sent(await httpParts.openOutput({ url, concurrency: 1 }));
  expect(bodies).toEqual(items);
  await httpParts.closeAll();
  server.close();
});

(hasNats ? describe : describe.skip)(`NATS ${NEEDS_NATS}`, () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNats();
  });
  afterAll(() => server.remove());

  test('each subject is that of its event', () =>
    server.withClient(async (connection) => {
      const subscription = connection.subscribe('visits.*', { max: EVENTS.length });
      await connection.flush();
      const output = await natsParts.openOutput({
        servers: [`127.0.0.1:${server.port}`],
        subject: 'visits.{/host}',
      });
      const items = await sent(output);
      const found: [string, Buffer][] = [];
      for await (const { subject, data } of subscription) found.push([subject, Buffer.from(data)]);
      expect(found).toEqual(items.map((item, index) => [`visits.h${index}`, item]));
    }));
});

(hasRedis ? describe : describe.skip)(`Redis ${NEEDS_REDIS}`, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.remove());

  test('each key is that of its event', async () => {
    const output = await redisParts.openOutput({
      host: '127.0.0.1',
      port: server.port,
      mode: 'list',
      key: 'visits:{/host}',
    });
    const items = await sent(output);
    const client = await createClient({ socket: { host: '127.0.0.1', port: server.port } })
      .withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer })
      .connect();
    const found = await Promise.all(items.map((_, index) => client.lRange(`visits:h${index}`, 0, -1)));
    client.destroy();
    expect(found).toEqual(items.map((item) => [item]));
  });
});

(hasMosquitto ? describe : describe.skip)(`mosquitto ${NEEDS_MOSQUITTO}`, () => {
  let server: MosquittoServer;
  beforeAll(async () => {
    server = await startMosquitto();
  });
  afterAll(() => server.remove());

  test('each topic is that of its event', async () => {
    server.subscribe('visits/#');
    const login = { username: 'writer', password: 'right' };
    const url = `mqtt://127.0.0.1:${server.port}`;
    const items = await sent(await mqttParts.openOutput({ url, topic: 'visits/{/host}', ...login }));
    const reader = ['-h', '127.0.0.1', '-p', String(server.port), '-u', 'reader', '-P', 'right'];
    const session = ['-i', 'reader', '-c', '-q', '1', '-t', 'visits/#', '-W', '10'];
    const shown = ['-C', String(EVENTS.length), '-F', '%t %x'];
    const printed = execFileSync('mosquitto_sub', [...reader, ...session, ...shown], { encoding: 'utf8' });
    expect(printed.trimEnd().split('\n')).toEqual(
      items.map((item, index) => `visits/h${index} ${item.toString('hex')}`),
    );
  });
});
