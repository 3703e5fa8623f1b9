import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createUser } from '@nats-io/nkeys';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { natsSpec } from '../../../../src/plugins/outputs/nats/spec.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import { hasNats, type NatsServer, NEEDS_NATS, startNats } from '../../../support/servers/natsServer.js';
import { never, newFolder, removeFolders } from '../support.js';
import { closeAll, openOutput, tryOpen } from './support.js';

afterEach(closeAll);
afterAll(removeFolders);

const JSONS = Array.from({ length: 1_000 }, (_, n) => JSON.stringify({ id: `i${n}`, host: `h${n % 3}`, n }));

(hasNats ? describe : describe.skip)(`delivery into NATS ${NEEDS_NATS}`, () => {
  let server: NatsServer;
  let streams = 0;
  beforeAll(async () => {
    server = await startNats();
  });
  afterAll(() => server.remove());

  /** A stream of its own, and the parameters that lead to it. */
  const newStream = async (more: JsonObject = {}, config: object = {}) => {
    const name = `S${++streams}`;
    await server.addStream(name, { subjects: [`${name}.>`], ...config });
    const params: JsonObject = {
      ...{ servers: [`127.0.0.1:${server.port}`], subject: `${name}.all`, jetstream: true },
      ...more,
    };
    return { name, params };
  };

  test('the examples of the README deliver into a stream', async () => {
    await server.addStream('EXAMPLES', { subjects: ['events.>', 'logs.>'] });
    for (const { params } of natsSpec.examples) {
      const here = { ...params, servers: [`127.0.0.1:${server.port}`] };
      const output = await openOutput(here);
      expect(await output.write(textBatch(JSONS), never)).toMatchObject({ right: { written: 1_000 } });
    }
    const messages = await server.messagesOf('EXAMPLES');
    expect(messages).toHaveLength(2_000);
    expect(messages[1_001]).toMatchObject({ subject: 'logs.h1', id: 'i1', text: JSONS[1] });
    expect(messages[1_001]?.header('source')).toBe('web-shop');
  });

  test('equal events are stored each; the same ids are stored once', async () => {
    const { name, params } = await newStream();
    const fresh = await openOutput(params);
    await fresh.write(textBatch(['same', 'same']), never);
    for (const msg_id of ['content', '{/id}']) {
      const output = await openOutput({ ...params, msg_id });
      for (let round = 0; round < 2; round++) {
        expect(await output.write(textBatch(['{"id":"1"}', '{"id":"1"}']), never)).toMatchObject({
          right: { written: 2, failed: 0 },
        });
      }
    }
    const texts = (await server.messagesOf(name)).map(({ text }) => text);
    expect(texts).toEqual(['same', 'same', '{"id":"1"}', '{"id":"1"}']);
  });

  test('events that the stream or the template refuses are left out with the reason, the rest is stored', async () => {
    const { name, params } = await newStream({}, { max_msg_size: 200 });
    const output = await openOutput({ ...params, subject: `${name}.{/host}` });
    const large = JSON.stringify({ host: 'h', x: 'x'.repeat(300) });
    const huge = JSON.stringify({ host: 'h', x: 'x'.repeat(2 ** 20) });
    const result = await output.write(
      textBatch(['{"host":"a"}', large, 'text', huge, '{"host":"b"}']),
      never,
    );
    expect(result).toMatchObject({
      right: {
        written: 2,
        failed: 0,
        missed: expect.arrayContaining([
          { items: [1], reason: { code: 'rejected', message: expect.stringContaining('exceeds maximum') } },
          { items: [2], reason: { code: 'unroutable', message: expect.stringContaining('at /host') } },
          { items: [3], reason: { code: 'unroutable', message: expect.stringContaining('max_payload') } },
        ]),
      },
    });
    expect((await server.messagesOf(name)).map(({ subject }) => subject)).toEqual([`${name}.a`, `${name}.b`]);
  });

  test('core: all events arrive at a subscriber, in order', async () => {
    const events = Array.from({ length: 20_000 }, (_, n) => `event ${n} ${'x'.repeat(80)}`);
    const seen: string[] = [];
    await server.withClient(async (client) => {
      const subscription = client.subscribe('core', {
        callback: (_, message) => void seen.push(message.string()),
      });
      await client.flush();
      const output = await openOutput({ servers: [`127.0.0.1:${server.port}`], subject: 'core' });
      const bytes = events.join('').length;
      expect(await output.write(textBatch(events), never)).toEqual(
        E.right({ written: events.length, failed: 0, bytes }),
      );
      await client.flush();
      subscription.unsubscribe();
    });
    expect(seen).toEqual(events);
  });

  test('the second server is used when the first is not there', async () => {
    const { params } = await newStream();
    const output = await openOutput({ ...params, servers: ['127.0.0.1:1', `127.0.0.1:${server.port}`] });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
  });

  test('an unreachable server is said when opening', async () => {
    expect(await tryOpen({ servers: ['127.0.0.1:1'], subject: 'a' })).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/127\.0\.0\.1:1: .*refused \(ECONNREFUSED\)/),
      },
    });
  });
});

const hasTls = hasNats && hasPrograms('openssl');
(hasTls ? describe : describe.skip)(`users and TLS of NATS ${needs('nats-server', 'openssl')}`, () => {
  let certificates: CertificateFolder;
  beforeAll(() => {
    certificates = certificateFolder();
    certificates.make('ca', { by: null, extensions: AUTHORITY });
    certificates.make('server', { extensions: SERVER });
    certificates.make('writer', { extensions: CLIENT });
  });
  afterAll(() => certificates.remove());

  const withServer = async (
    config: string,
    work: (server: NatsServer, params: JsonObject) => Promise<void>,
  ): Promise<void> => {
    const server = await startNats(config);
    try {
      await work(server, { servers: [`127.0.0.1:${server.port}`], subject: 'a' });
    } finally {
      await closeAll();
      await server.remove();
    }
  };
  const writes = async (params: JsonObject, directory = '/'): Promise<void> => {
    const output = await openOutput(params, { directory });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
  };
  const refused = async (params: JsonObject, message: RegExp, directory = '/'): Promise<void> => {
    const result = await tryOpen(params, { directory });
    expect(result).toMatchObject({ left: { message: expect.stringMatching(message) } });
    expect(JSON.stringify(result)).not.toContain('hush');
  };
  const REFUSED = /refused the user.*Check `username`/;

  test('user and password, and a wrong one', () =>
    withServer('authorization {user: u, password: hush-1}', async (_, params) => {
      await writes({ ...params, username: 'u', password: 'hush-1' });
      await refused({ ...params, username: 'u', password: 'hush-2' }, REFUSED);
      await refused(params, REFUSED);
    }));

  test('a token', () =>
    withServer('authorization {token: hush-1}', async (_, params) => {
      await writes({ ...params, token: 'hush-1' });
      await refused({ ...params, token: 'hush-2' }, REFUSED);
    }));

  test('an NKey, and a file of credentials', async () => {
    const user = createUser();
    const seed = Buffer.from(user.getSeed()).toString('utf8');
    const folder = newFolder();
    const block = (name: string, text: string): string =>
      `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n\n`;
    writeFileSync(
      `${folder}/user.creds`,
      block('NATS USER JWT', 'e30.e30.e30') + block('USER NKEY SEED', seed),
    );
    writeFileSync(`${folder}/bad.creds`, 'nothing');
    await withServer(`authorization {users: [{nkey: ${user.getPublicKey()}}]}`, async (_, params) => {
      await writes({ ...params, nkey: seed });
      await writes({ ...params, credentials_file: 'user.creds' }, folder);
      await refused({ ...params, nkey: 'hush' }, /`nkey` is not the seed/);
      await refused(
        { ...params, credentials_file: 'bad.creds' },
        /unable to parse.*`credentials_file`/,
        folder,
      );
      await refused({ ...params, credentials_file: 'no.creds' }, /no\.creds.*`credentials_file`/, folder);
    });
  });

  test('TLS: the authority is checked, a client certificate is shown', () =>
    withServer(
      `tls {cert_file: "${certificates.path('server.pem')}", key_file: "${certificates.path('server.key')}"
        ca_file: "${certificates.path('ca.pem')}", verify: true}`,
      async (_, params) => {
        const own = { client_cert: 'writer.pem', client_cert_key: 'writer.key' };
        const folder = certificates.path('.');
        await writes({ ...params, ...own, ca_cert: 'ca.pem' }, folder);
        await refused({ ...params, ...own, tls: true }, /authority.*`ca_cert`/, folder);
        await writes({ ...params, ...own, verify: false }, folder);
      },
    ));

  test('tls: true and a server without TLS: nothing is sent', () =>
    withServer('authorization {user: u, password: hush}', async (_, params) => {
      await refused({ ...params, tls: true, username: 'u', password: 'hush' }, /does not offer TLS/);
    }));
});
