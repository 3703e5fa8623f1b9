import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { mqttSpec } from '../../../../src/plugins/outputs/mqtt/spec.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import {
  hasMosquitto,
  type MosquittoServer,
  NEEDS_MOSQUITTO,
  startMosquitto,
} from '../../../support/servers/mosquittoServer.js';
import { scriptedMqtt } from '../../../support/servers/scriptedMqtt.js';
import { never } from '../support.js';
import { closeAll, openOutput, tryOpen } from './support.js';

afterEach(closeAll);

const JSONS = Array.from({ length: 500 }, (_, n) => JSON.stringify({ host: `h/${n % 3}`, n }));
const LOGIN = { username: 'writer', password: 'right' };

(hasMosquitto ? describe : describe.skip)(`delivery into Mosquitto ${NEEDS_MOSQUITTO}`, () => {
  let server: MosquittoServer;
  beforeAll(async () => {
    server = await startMosquitto();
  });
  afterAll(() => server.remove());

  const here = (more: JsonObject = {}): JsonObject => ({
    ...{ url: `mqtt://127.0.0.1:${server.port}`, topic: 'events', ...LOGIN },
    ...more,
  });

  test('the examples of the README deliver to mosquitto_sub', async () => {
    server.subscribe('#');
    for (const { params } of mqttSpec.examples) {
      const output = await openOutput(here({ ...params, ...LOGIN, url: `mqtt://127.0.0.1:${server.port}` }));
      expect(await output.write(textBatch(JSONS), never)).toEqual(
        E.right({ written: 500, failed: 0, bytes: JSONS.join('').length }),
      );
    }
    const messages = await server.read();
    expect(messages).toHaveLength(1_000);
    expect(messages[1]).toEqual({ topic: 'events', text: JSONS[1] });
    expect(messages[501]).toEqual({ topic: 'logs/web-shop/h_1', text: JSONS[1] });
  });

  test.each<[string, JsonObject]>([
    ['3.1.1, qos 1', { protocol_version: '3.1.1' }],
    ['3.1.1, qos 2', { protocol_version: '3.1.1', qos: 2 }],
    ['5, qos 0', { qos: 0 }],
    ['5, qos 2', { qos: 2 }],
    ['5, qos 1, a session that stays', { clean_session: false, client_id: 'stays' }],
    ['3.1.1, qos 0, host and port', { protocol_version: '3.1.1', qos: 0, url: null, host: '127.0.0.1' }],
  ])('MQTT %s: every event arrives once, in order', async (_, more) => {
    server.subscribe('events');
    const port = more['host'] === undefined ? {} : { port: server.port };
    const output = await openOutput(here({ ...more, ...port }));
    const events = Array.from({ length: 3_000 }, (_one, n) => `té ${n}`);
    expect(await output.write(textBatch(events), never)).toMatchObject({
      right: { written: 3_000, failed: 0 },
    });
    // A broker drops what it cannot queue for a reader that asked for another quality of service.
    const texts = (await server.read()).map(({ text }) => text);
    if (more['qos'] !== 0) expect(texts).toEqual(events);
  });

  test('a retained event stays for later subscribers', async () => {
    const output = await openOutput(here({ topic: 'kept', retain: true }));
    await output.write(textBatch(['first', 'last']), never);
    server.subscribe('kept');
    expect(await server.read()).toContainEqual({ topic: 'kept', text: 'last' });
  });

  test('an event without the value of the topic is left out with the reason', async () => {
    const output = await openOutput(here({ topic: 'a/{/host}' }));
    expect(await output.write(textBatch(['{"host":"x"}', 'text']), never)).toMatchObject({
      right: {
        written: 1,
        missed: [
          { items: [1], reason: { code: 'unroutable', message: expect.stringContaining('at /host') } },
        ],
      },
    });
  });

  test.each([
    ['3.1.1', /refused user or password|not authorized/],
    ['5', /not authorized/],
  ])(
    'MQTT %s: a wrong password is found when opening, and not printed',
    async (protocol_version, message) => {
      const result = await tryOpen(here({ protocol_version, password: 'hush' }));
      expect(result).toMatchObject({
        left: { code: 'output_failed', message: expect.stringMatching(message) },
      });
      expect(JSON.stringify(result)).not.toContain('hush');
    },
  );

  test('an unreachable broker is said when opening', async () => {
    expect(await tryOpen({ url: 'mqtt://127.0.0.1:1', topic: 'a' })).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/127\.0\.0\.1:1, .*refused \(ECONNREFUSED\)/),
      },
    });
  });
});

test('a message over the maximum of the broker is left out; the others are written', async () => {
  const broker = scriptedMqtt({ maximumPacketSize: 100 });
  await broker.listen();
  try {
    const output = await openOutput({ url: `mqtt://127.0.0.1:${broker.port()}`, topic: 'a' });
    expect(await output.write(textBatch(['x', 'y'.repeat(200), 'z']), never)).toMatchObject({
      right: { written: 2, missed: [{ items: [1], reason: { code: 'unroutable' } }] },
    });
    expect(broker.accepted).toEqual(['x', 'z']);
  } finally {
    await closeAll();
    broker.close();
  }
});

(hasMosquitto && hasPrograms('openssl') ? describe : describe.skip)(
  `TLS of Mosquitto ${NEEDS_MOSQUITTO} ${needs('openssl')}`,
  () => {
    let certificates: CertificateFolder;
    let server: MosquittoServer;
    beforeAll(async () => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      certificates.make('writer', { extensions: CLIENT });
      const files = { cafile: 'ca.pem', certfile: 'server.pem', keyfile: 'server.key' };
      const lines = Object.entries(files).map(([name, file]) => `${name} ${certificates.path(file)}`);
      server = await startMosquitto([...lines, 'require_certificate true'].join('\n'));
    });
    afterAll(async () => {
      await server.remove();
      certificates.remove();
    });

    const own = { client_cert: 'writer.pem', client_cert_key: 'writer.key' };
    const openWith = (more: JsonObject) =>
      tryOpen(
        { url: `mqtts://127.0.0.1:${server.port}`, topic: 'a', ...LOGIN, ...more },
        { directory: certificates.path('.') },
      );

    test('the authority is checked, a client certificate is shown', async () => {
      const opened = await openWith({ ...own, ca_cert: 'ca.pem' });
      if (E.isLeft(opened)) throw new Error(opened.left.message);
      expect(await opened.right.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
      expect(await openWith({ ...own, verify: false })).toMatchObject({ _tag: 'Right' });
    });

    test.each<[string, JsonObject, RegExp]>([
      ['an unknown authority', own, /authority.*`ca_cert`/],
      ['no client certificate', { ca_cert: 'ca.pem' }, /cannot open/],
      ['another name', { ...own, ca_cert: 'ca.pem', server_host_name: 'x.example.org' }, /another name/],
    ])('%s is refused', async (_, params, message) => {
      expect(await openWith(params)).toMatchObject({
        left: { code: 'output_failed', message: expect.stringMatching(message) },
      });
    });
  },
);
