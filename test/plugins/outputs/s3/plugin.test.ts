import { createHash } from 'node:crypto';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { s3Spec } from '../../../../src/plugins/outputs/s3/spec.js';
import { left, right } from '../../../support/either.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import { type FakeS3, startFakeS3 } from '../../../support/servers/s3/fakeS3.js';
import { never } from '../support.js';
import { closeAll, openOutput, tryOpen } from './support.js';

/*
 * The server is a fake that follows the published API of Amazon S3 (test/support/servers/s3): it verifies signatures
 * with code of its own, and clients.test.ts holds it against the client of AWS.
 */

let server: FakeS3;
beforeAll(async () => {
  server = await startFakeS3();
});
beforeEach(() => server.empty());
afterEach(closeAll);
afterAll(() => server.remove());

const at = (params: JsonObject = {}): JsonObject => ({
  endpoint: `http://127.0.0.1:${server.port}`,
  ...params,
});

const MIB = 1024 * 1024;
/** Events of about 1 KiB: 12 MiB, more than two parts of 5 MiB. */
const LARGE = Array.from({ length: 12_288 }, (_, n) => `${n} `.padEnd(1_023, String(n % 10)));
const EVENTS = ['{"n":1}', '{"n":2,"text":"é €"}'];

describe('an object', () => {
  test('has the events as lines, a key with generator and time, and the headers of the config', async () => {
    const output = await openOutput(
      at({
        ...{ storage_class: 'STANDARD_IA', sse: 'aws:kms', sse_kms_key_id: 'alias/logs' },
        headers: { 'x-amz-meta-source': 'spate lab', 'Cache-Control': 'no-store' },
      }),
    );
    const written = right(await output.write(textBatch(EVENTS), never));
    const text = `${EVENTS.join('\n')}\n`;
    expect(written).toEqual({ written: 2, failed: 0, bytes: Buffer.byteLength(text) });
    const [object] = server.objects();
    expect(object?.text()).toBe(text);
    expect(object?.key).toMatch(/^web\/\d{4}\/\d\d\/\d\d\/\d\d-\d\d-\d\d-[0-9a-f]{12}-000001\.log$/);
    expect(object?.headers).toMatchObject({
      'x-amz-storage-class': 'STANDARD_IA',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'alias/logs',
      'x-amz-meta-source': 'spate lab',
      'cache-control': 'no-store',
    });
    expect(object?.headers['x-amz-content-sha256']).toBe(createHash('sha256').update(text).digest('hex'));
  });

  test('is one gzip file with a key that says so', async () => {
    const output = await openOutput(at({ compression: 'gzip', key: 'a b/ü+{id}.json' }));
    const written = right(await output.write(textBatch(LARGE), never));
    const [object] = server.objects();
    expect(object?.key).toMatch(/^a b\/ü\+.*\.json\.gz$/);
    expect(object?.text()).toBe(`${LARGE.join('\n')}\n`);
    expect(written.bytes).toBe(object?.bytes);
    expect(object?.headers['content-type']).toBe('application/gzip');
    expect(object?.headers['content-encoding']).toBeUndefined();
  });

  test.each([
    ['sha256', 'x-amz-checksum-sha256'],
    ['md5', 'content-md5'],
  ])('has a checksum that the server verifies: %s', async (checksum, header) => {
    const output = await openOutput(at({ checksum }));
    right(await output.write(textBatch(EVENTS), never));
    expect(server.objects()[0]?.headers[header]).toMatch(/=$/);
  });

  test('that arrives damaged is refused, and stored by a retry', async () => {
    const output = await openOutput(at());
    const batch = textBatch(EVENTS);
    server.control({ damaged: 1 });
    expect(left(await output.write(batch, never))).toMatchObject({
      code: 'output_failed',
      message: expect.stringContaining('XAmzContentSHA256Mismatch'),
    });
    right(await output.write(batch, never));
    expect(server.objects()).toHaveLength(1);
  });

  test('whose reply is lost is replaced by the retry, not doubled', async () => {
    const output = await openOutput(at());
    const batch = textBatch(EVENTS);
    server.control({ lostReplies: 1 });
    expect(left(await output.write(batch, never)).message).toContain('closed before the reply');
    right(await output.write(batch, never));
    expect([server.versions().length, server.objects().length]).toEqual([2, 1]);
  });

  test('of several writes has their events in order', async () => {
    const output = await openOutput(at({ roll_size: 1 }));
    output.onBackPressure?.(false);
    const writes = ['a', 'b', 'c'].map((text) => output.write(textBatch([text]), never));
    right(await output.flush());
    expect((await Promise.all(writes)).map(right).map(({ bytes }) => bytes)).toEqual([2, 2, 2]);
    expect(server.objects().map(({ text }) => text())).toEqual(['a\nb\nc\n']);
  });

  test('two outputs of the same generator and seed never have the same key', async () => {
    const outputs = [await openOutput(at({ key: '{id}' })), await openOutput(at({ key: '{id}' }))];
    for (const output of outputs) right(await output.write(textBatch(['a']), never));
    expect(server.objects()).toHaveLength(2);
  });
});

describe('a large object', () => {
  const large = (params: JsonObject = {}) => openOutput(at({ part_size: 5, ...params }));

  test('is uploaded in parts, and whole', async () => {
    const output = await large({ checksum: 'sha256', storage_class: 'GLACIER' });
    const written = right(await output.write(textBatch(LARGE), never));
    expect(written).toEqual({ written: LARGE.length, failed: 0, bytes: LARGE.length * 1_024 });
    const [object] = server.objects();
    expect(object?.text()).toBe(`${LARGE.join('\n')}\n`);
    expect(object?.etag).toMatch(/-3"$/);
    expect(object?.headers).toMatchObject({
      'x-amz-storage-class': 'GLACIER',
      'x-amz-checksum-algorithm': 'SHA256',
    });
    expect(server.uploads()).toBe(0);
    expect(server.operations().filter((name) => name === 'UploadPart')).toHaveLength(3);
  });

  test('that cannot be completed, with status 200, is aborted and stored by a retry', async () => {
    const output = await large();
    const batch = textBatch(LARGE);
    server.control({ isCompleteBroken: true });
    expect(left(await output.write(batch, never))).toMatchObject({
      code: 'output_failed',
      message: expect.stringContaining('(InternalError, HTTP status 200)'),
    });
    server.control({});
    right(await output.write(batch, never));
    expect(server.objects().map(({ text }) => text().length)).toEqual([12 * MIB]);
    await output.close();
    expect(server.uploads()).toBe(0);
  });

  test('whose part fails is aborted, and the other parts are not sent on', async () => {
    const output = await large({ concurrency: 1 });
    server.control({ fails: { UploadPart: 500 } });
    expect(left(await output.write(textBatch(LARGE), never)).message).toContain(
      '(InternalError, HTTP status 500)',
    );
    await output.close();
    expect(server.operations()).toEqual([
      'ListObjectsV2',
      'CreateMultipartUpload',
      'UploadPart',
      'AbortMultipartUpload',
    ]);
    expect([server.uploads(), server.objects().length]).toEqual([0, 0]);
  });

  test('that is stopped in the middle leaves no parts', async () => {
    const output = await large();
    const ending = new AbortController();
    const write = output.write(textBatch(LARGE), ending.signal);
    while (server.uploads() === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    ending.abort();
    expect(left(await write).message).toContain('the attempt ended before the object was stored');
    await output.close();
    expect([server.uploads(), server.objects().length]).toEqual([0, 0]);
  });

  test('whose server is killed in the middle is stored by a retry; the parts of before are removed', async () => {
    const output = await large({ concurrency: 1 });
    const batch = textBatch(LARGE);
    const write = output.write(batch, never);
    while (!server.operations().includes('UploadPart'))
      await new Promise((resolve) => setTimeout(resolve, 1));
    await server.kill();
    expect(left(await write).code).toBe('output_failed');
    await server.start();
    right(await output.write(batch, never));
    await output.close();
    expect(server.text()).toBe(`${LARGE.join('\n')}\n`);
    expect([server.uploads(), server.objects().length]).toEqual([0, 1]);
  });

  test('that cannot be aborted is reported once, with what to do', async () => {
    const { opened, lines } = await tryOpen(at({ part_size: 5 }));
    const output = right(opened);
    server.control({ fails: { UploadPart: 500 }, mayNotAbort: true });
    for (let attempt = 0; attempt < 2; attempt++) left(await output.write(textBatch(LARGE), never));
    await output.close();
    expect(lines.filter(({ level }) => level === 'warning')).toMatchObject([
      {
        message: expect.stringContaining('could not be aborted'),
        context: { hint: expect.stringContaining('lifecycle rule') },
      },
    ]);
    expect(server.uploads()).toBe(2);
  });
});

describe('opening', () => {
  test.each<readonly [string, JsonObject, JsonObject, RegExp]>([
    [
      'a wrong secret',
      {},
      { secret_access_key: 'wrong-secret' },
      /SignatureDoesNotMatch.*Check `secret_access_key`/,
    ],
    ['an unknown key', {}, { access_key_id: 'AKIAOTHER' }, /InvalidAccessKeyId.*Check `access_key_id`/],
    [
      'a missing bucket',
      {},
      { bucket: 'nothing' },
      /does not exist \(NoSuchBucket, HTTP status 404\).*Create the bucket/,
    ],
    [
      'expired credentials',
      { isExpired: true },
      { session_token: 'old-token' },
      /ExpiredToken.*Renew `session_token`/,
    ],
    [
      'a wrong region',
      {},
      { region: 'eu-west-1' },
      /the bucket is in the region us-east-1 .*Set `region: us-east-1`/,
    ],
    [
      'a redirect',
      { redirect: 'eu-north-1' },
      {},
      /the bucket is in the region eu-north-1 \(PermanentRedirect, HTTP status 301\)\. Set `region: eu-north-1`/,
    ],
    ['a busy server', { isBusy: true }, {}, /SlowDown, HTTP status 503/],
  ])('fails with %s, and says what to do', async (_, control, params, message) => {
    server.control(control);
    const error = left((await tryOpen(at(params))).opened);
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^cannot open bucket \w+ at http:\/\/127\.0\.0\.1:\d+: /);
    expect(error.code).toBe('output_failed');
    expect(error.message).not.toMatch(/wrong-secret|right-secret|old-token/);
  });

  test('fails without a server', async () => {
    const { opened } = await tryOpen({ endpoint: 'http://127.0.0.1:1' });
    expect(left(opened).message).toMatch(/the connection was refused \(ECONNREFUSED\)\. Check `endpoint`/);
  });

  test('succeeds for a user who may not list, and says that nothing was checked', async () => {
    server.control({ mayNotList: true });
    const { opened, lines } = await tryOpen(at());
    right(await right(opened).write(textBatch(EVENTS), never));
    expect(lines).toMatchObject([
      { level: 'info', message: expect.stringContaining('may not list the bucket') },
    ]);
  });

  test('takes the time of the server when ours is refused, and says so once', async () => {
    server.control({ clock_s: -3_600 });
    const { opened, lines } = await tryOpen(at());
    right(await right(opened).write(textBatch(EVENTS), never));
    expect(lines).toMatchObject([
      { level: 'warning', message: expect.stringContaining('the clock of this machine is wrong') },
    ]);
    expect(Math.abs(Number(lines[0]?.context['seconds']) + 3_600)).toBeLessThan(10);
  });

  test('sends the token of temporary credentials', async () => {
    server.control({ token: 'temporary' });
    expect(left((await tryOpen(at())).opened).message).toMatch(/InvalidToken.*Check `session_token`/);
    const output = await openOutput(at({ session_token: 'temporary' }));
    right(await output.write(textBatch(EVENTS), never));
  });
});

test('the bucket can be in front of the host, here behind a proxy', async () => {
  const output = await openOutput({
    ...{ endpoint: 'http://s3.lab.test', addressing: 'virtual' },
    proxy_url: `http://127.0.0.1:${server.port}`,
  });
  right(await output.write(textBatch(EVENTS), never));
  expect(server.objects()).toHaveLength(1);
  expect(server.objects()[0]?.headers['host']).toBe('events.s3.lab.test');
});

test('a write that the server refuses for good is rejected, others are retryable', async () => {
  const output = await openOutput(at());
  server.control({ isReadOnly: true });
  expect(left(await output.write(textBatch(EVENTS), never)).code).toBe('rejected');
  server.control({ isBusy: true });
  expect(left(await output.write(textBatch(EVENTS), never)).code).toBe('output_failed');
});

test('closing stores what is collected', async () => {
  const output = await openOutput(at());
  output.onBackPressure?.(false);
  const write = output.write(textBatch(EVENTS), never);
  right(await output.close());
  right(await write);
  expect(server.objects()).toHaveLength(1);
  expect(left(await output.write(textBatch(EVENTS), never)).message).toContain('closed');
});

test.each(s3Spec.examples)('the example "$title" of the README delivers', async ({ params }) => {
  const {
    bucket,
    region = 'us-east-1',
    formatter: _formatter,
    ...rest
  } = JSON.parse(JSON.stringify(params).replaceAll(/\$\{secrets\.\w+\}/g, 'right-secret')) as Record<
    string,
    string
  >;
  const access_key_id = String(rest['access_key_id']);
  server.control({ bucket: String(bucket), region, accessKey: access_key_id });
  const output = await openOutput({ ...rest, ...at(), bucket: String(bucket), region });
  right(await output.write(textBatch(EVENTS), never));
  expect(server.text()).toBe(`${EVENTS.join('\n')}\n`);
});

(hasPrograms('openssl') ? describe : describe.skip)(`with TLS ${needs('openssl')}`, () => {
  let certificates: CertificateFolder;
  let front: tls.Server;
  beforeAll(async () => {
    certificates = certificateFolder();
    certificates.make('ca', { by: null, extensions: AUTHORITY });
    certificates.make('server', { extensions: SERVER });
    const keys = { cert: certificates.text('server.pem'), key: certificates.text('server.key') };
    front = tls.createServer(keys, (socket) => {
      const upstream = net.connect(server.port, '127.0.0.1');
      socket.on('error', () => upstream.destroy()).pipe(upstream);
      upstream.on('error', () => socket.destroy()).pipe(socket);
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => front.close(resolve));
    certificates.remove();
  });
  const secure = (): JsonObject => ({
    endpoint: `https://127.0.0.1:${(front.address() as net.AddressInfo).port}`,
  });

  test('the certificate is verified', async () => {
    expect(left((await tryOpen(secure())).opened).message).toMatch(
      /authority of the certificate.*Set `ca_cert`/,
    );
    const output = await openOutput({ ...secure(), ca_cert: certificates.path('ca.pem') });
    right(await output.write(textBatch(LARGE), never));
    expect(server.text()).toBe(`${LARGE.join('\n')}\n`);
  });
});
