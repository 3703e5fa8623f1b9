import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import type { Written } from '../../../../src/plugins/kit.js';
import { redisSpec } from '../../../../src/plugins/outputs/redis/spec.js';
import { right } from '../../../support/either.js';
import { faultyWire } from '../../../support/faults/faultyWire.js';
import { hasPrograms, needs, spawn } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import { hasRedis, NEEDS_REDIS, type RedisServer, startRedis } from '../../../support/servers/redisServer.js';
import { never } from '../support.js';
import { closeAll, onClose, openOutput, tryOpen } from './support.js';

afterEach(closeAll);

(hasRedis && hasPrograms('openssl') ? describe : describe.skip)(
  `delivery into Redis ${NEEDS_REDIS} ${needs('openssl')}`,
  () => {
    let server: RedisServer;
    let certificates: CertificateFolder;

    beforeAll(async () => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      server = await startRedis({
        tls: {
          ca: certificates.text('ca.pem'),
          certificate: certificates.text('server.pem'),
          key: certificates.text('server.key'),
        },
      });
    });
    beforeEach(() => server.ask('FLUSHALL'));
    afterAll(async () => {
      await server.remove();
      certificates.remove();
    });

    const params = (more: JsonObject): JsonObject => ({ host: '127.0.0.1', port: server.port, ...more });

    const write = async (given: JsonObject, events: readonly string[]): Promise<Written> =>
      right(await (await openOutput(params(given))).write(textBatch(events), never));

    /** Fields of the entries of a stream. */
    const entriesOf = async (key: string): Promise<readonly (readonly string[])[]> =>
      ((await server.ask('XRANGE', key, '-', '+')) as readonly (readonly [string, readonly string[]])[]).map(
        ([, fields]) => fields,
      );

    const ODD = ['plain', 'two\r\nlines', '', ' ', 'é😀"\'', '*3\r\n$4\r\nPING\r\n', '{"a":"\\u0000"}'];

    test('stream: an entry per event, in order, byte for byte', async () => {
      expect(await write({ key: 's', field: 'f é' }, ODD)).toEqual({
        written: ODD.length,
        failed: 0,
        bytes: Buffer.byteLength(ODD.join('')),
      });
      expect(await entriesOf('s')).toEqual(ODD.map((event) => ['f é', event]));
    });

    test('stream: max_length removes old entries', async () => {
      await write(
        { key: 's', max_length: 100 },
        Array.from({ length: 5_000 }, (_, n) => String(n)),
      );
      const entries = await entriesOf('s');
      expect(entries.length).toBeGreaterThanOrEqual(100);
      expect(entries.length).toBeLessThan(1_000);
      expect(entries.at(-1)).toEqual(['event', '4999']);
    });

    test.each([
      ['right', (items: readonly string[]) => items],
      ['left', (items: readonly string[]) => [...items].reverse()],
    ] as const)('list: items pushed at the %s, in order', async (push, order) => {
      const events = Array.from({ length: 1_234 }, (_, n) => `${n}`);
      expect(await write({ mode: 'list', key: 'l', push }, events)).toMatchObject({ written: 1_234 });
      expect(await server.ask('LRANGE', 'l', '0', '-1')).toEqual(order(events));
    });

    test('pubsub: subscribers receive each event', async () => {
      const reader = spawn('redis-cli', ['-p', String(server.port), 'SUBSCRIBE', 'news']);
      onClose(async () => void reader.kill('SIGKILL'));
      let seen = '';
      const saw = (text: string): Promise<void> =>
        new Promise((resolve) => {
          const look = (): void => {
            if (seen.includes(text)) resolve();
          };
          reader.stdout.on('data', (part: Buffer) => {
            seen += String(part);
            look();
          });
          look();
        });
      await saw('subscribe\nnews\n1\n');
      expect(await write({ mode: 'pubsub', key: 'news' }, ['one', 'two'])).toMatchObject({ written: 2 });
      await saw('message\nnews\none\nmessage\nnews\ntwo\n');
    });

    test('keys with values of the event; events without them are unroutable', async () => {
      const events = [
        ...['{"u":{"a/b":"x"},"n":1}', '{"u":{"a/b":"y"},"n":2}', '{"u":{"a/b":"x"},"n":1,"z":0}'],
        ...['{"n":1}', 'no JSON', '{"u":{"a/b":{}},"n":1}'],
      ];
      const { written, missed } = await write({ mode: 'list', key: '{{tag}}:{/u/a~1b}:{/n}' }, events);
      expect(written).toBe(3);
      expect(missed).toMatchObject([{ items: [3, 4, 5], reason: { code: 'unroutable' } }]);
      expect(await server.ask('LRANGE', '{tag}:x:1', '0', '-1')).toEqual([events[0], events[2]]);
      expect(await server.ask('LRANGE', '{tag}:y:2', '0', '-1')).toEqual([events[1]]);
    });

    test('an event that the server refuses is missed alone', async () => {
      await server.ask('SET', 'k:2', 'a text');
      const events = [1, 2, 3, 2].map((k) => JSON.stringify({ k }));
      const { written, missed } = await write({ key: 'k:{/k}' }, events);
      expect(written).toBe(2);
      expect(missed).toMatchObject([
        { items: [1, 3], reason: { code: 'rejected', message: expect.stringMatching(/WRONGTYPE.*`mode`/) } },
      ]);
      expect(await entriesOf('k:3')).toEqual([['event', events[2]]]);
    });

    test('a server without memory: retried, and written when there is some', async () => {
      const output = await openOutput(params({ key: 's' }));
      await server.ask('CONFIG', 'SET', 'maxmemory', '1');
      const result = await output.write(textBatch(['a', 'b']), never);
      await server.ask('CONFIG', 'SET', 'maxmemory', '0');
      expect(result).toMatchObject({
        left: { code: 'output_failed', message: expect.stringMatching(/OOM.*`maxmemory`/) },
      });
      expect(await output.write(textBatch(['a', 'b']), never)).toMatchObject({ right: { written: 2 } });
      expect(await entriesOf('s')).toHaveLength(2);
    });

    test.each<[string, JsonObject, RegExp]>([
      ['a wrong password', { username: 'writer', password: 'not it' }, /WRONGPASS.*Check `username`/],
      ['a database that is none', { database: 99 }, /out of range/],
      ['a key of another type', { key: 'text' }, /the key holds a string.*`key`/],
      ['a port without a server', { port: 1 }, /refused.*ECONNREFUSED/],
    ])('%s is found when opening, and said without the password', async (_, wrong, message) => {
      await server.ask('ACL', 'SETUSER', 'writer', 'on', '>hush hush', '~*', '&*', '+@all');
      await server.ask('SET', 'text', 'x');
      const result = await tryOpen(params({ key: 's', ...wrong }));
      expect(result).toMatchObject({
        left: { code: 'output_failed', message: expect.stringMatching(message) },
      });
      expect(JSON.stringify(result)).not.toMatch(/not it|hush/);
    });

    test('an ACL user with the rights that the mode needs, and no more', async () => {
      await server.ask('ACL', 'SETUSER', 'small', 'reset', 'on', '>hush hush', '~s', '+xadd', '+select');
      const user = { username: 'small', password: 'hush hush', database: 3 };
      expect(await write({ key: 's', ...user }, ['a'])).toMatchObject({ written: 1 });
      const output = await openOutput(params({ key: 'other', ...user }));
      expect(await output.write(textBatch(['a']), never)).toMatchObject({
        left: { code: 'rejected', message: expect.stringMatching(/NOPERM.*ACL/) },
      });
    });

    test('TLS: a server with its authority in ca_cert is trusted; others are refused with what to do', async () => {
      const directory = certificates.path('.');
      const given = params({ key: 's', tls: true, port: server.tls_port });
      const output = await openOutput({ ...given, ca_cert: 'ca.pem' }, { directory });
      const events = Array.from({ length: 5_000 }, (_, n) => `${n} ${'x'.repeat(200)}`);
      expect(await output.write(textBatch(events), never)).toMatchObject({ right: { written: 5_000 } });
      expect(await entriesOf('s')).toEqual(events.map((event) => ['event', event]));
      const lefts: readonly [JsonObject, RegExp][] = [
        [{}, /authority.*`ca_cert`/],
        [{ ca_cert: 'ca.pem', server_host_name: 'x.example.org' }, /another name.*`server_host_name`/],
        [{ port: server.port, connect_timeout: 2 }, /TLS failed|closed|connect_timeout/],
      ];
      for (const [more, message] of lefts) {
        expect(await tryOpen({ ...given, ...more }, { directory })).toMatchObject({
          left: { code: 'output_failed', message: expect.stringMatching(message) },
        });
      }
      await openOutput({ ...given, verify: false });
    });

    test('a connection that breaks in the middle: events with a reply are written, the rest is retried', async () => {
      const wire = await faultyWire(server.port);
      onClose(wire.close);
      const output = await openOutput(params({ key: 's', port: wire.port }));
      const events = Array.from({ length: 20_000 }, (_, n) => `${n} ${'x'.repeat(100)}`);
      await wire.set({ kind: 'reset', after_bytes: 1_000_000 });
      const result = await output.write(textBatch(events), never);
      await wire.set({ kind: 'none' });
      const stored = (await entriesOf('s')).length;
      const { written = 0, missed = [] } = E.isRight(result) ? result.right : {};
      const left = E.isRight(result) ? missed.flatMap(({ items }) => items) : events.map((_, n) => n);
      expect(written + left.length).toBe(events.length);
      expect(stored).toBeGreaterThanOrEqual(written);
      expect(stored).toBeLessThan(events.length);
      const rest = left.map((item) => events[item] as string);
      expect(await output.write(textBatch(rest), never)).toMatchObject({ right: { written: rest.length } });
      expect(new Set((await entriesOf('s')).map(([, event]) => event)).size).toBe(events.length);
    });

    test('a server that never answers: an abort ends the attempt, and the next one is written', async () => {
      const wire = await faultyWire(server.port);
      onClose(wire.close);
      const output = await openOutput(params({ key: 's', port: wire.port }));
      await wire.set({ kind: 'hung' });
      const ending = new AbortController();
      const attempts = ['1', '2'].map((text) => output.write(textBatch([text]), ending.signal));
      await new Promise((resolve) => setTimeout(resolve, 50));
      ending.abort();
      for (const result of await Promise.all(attempts)) {
        expect(result).toMatchObject({ left: { code: 'output_failed' } });
      }
      const opening = await tryOpen(params({ key: 's', port: wire.port, connect_timeout: 1 }));
      expect(opening).toMatchObject({ left: { code: 'output_failed' } });
      await wire.set({ kind: 'none' });
      expect(await output.write(textBatch(['3']), never)).toMatchObject({ right: { written: 1 } });
    });

    test('a server that is gone fails each write at once; nothing is kept for later', async () => {
      const output = await openOutput(params({ key: 's' }));
      await server.kill();
      try {
        for (const event of ['a', 'b']) {
          expect(await output.write(textBatch([event]), never)).toMatchObject({
            left: { code: 'output_failed' },
          });
        }
      } finally {
        await server.start();
      }
      expect(await server.ask('EXISTS', 's')).toBe(0);
      expect(await output.write(textBatch(['c']), never)).toMatchObject({ right: { written: 1 } });
      expect(await entriesOf('s')).toEqual([['event', 'c']]);
    });

    test('the examples of the README', async () => {
      for (const { params: example } of redisSpec.examples) {
        const { host: _host, tls: _tls, username: _user, password: _password, ...own } = example;
        expect(await write(own, ['{"host":"web-1"}'])).toMatchObject({ written: 1 });
      }
      expect(await server.ask('KEYS', '*')).toEqual(
        expect.arrayContaining(['events', 'events:web-1', 'queue']),
      );
    });
  },
);
