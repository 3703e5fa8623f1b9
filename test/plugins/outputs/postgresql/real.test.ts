import * as net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { seededRandom } from '../../../../src/domain/random.js';
import type { Written } from '../../../../src/plugins/kit.js';
import { postgresqlSpec } from '../../../../src/plugins/outputs/postgresql/spec.js';
import { right } from '../../../support/either.js';
import { type FaultyWire, faultyWire } from '../../../support/faults/faultyWire.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  CLIENT,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import {
  hasPostgres,
  NEEDS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../../support/servers/postgresServer.js';
import { never } from '../support.js';
import { closeAll, onClose, openOutput, tryOpen } from './support.js';

const PASSWORD = 'open sesame';

afterEach(closeAll);

(hasPostgres && hasPrograms('openssl') ? describe : describe.skip)(
  `delivery into PostgreSQL ${NEEDS_POSTGRES} ${needs('openssl')}`,
  () => {
    let server: PostgresServer;
    let certificates: CertificateFolder;
    let tables = 0;

    beforeAll(async () => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      certificates.make('named', { extensions: ['subjectAltName=DNS:db.example.org'] });
      certificates.make('writer', { extensions: CLIENT });
      server = await startPostgres({
        password: PASSWORD,
        tls: { certificate: certificates.text('server.pem'), key: certificates.text('server.key') },
      });
      await server.query('CREATE SCHEMA logs');
    });
    afterAll(async () => {
      await server.remove();
      certificates.remove();
    });

    const params = (more: JsonObject): JsonObject => ({
      ...{ host: '127.0.0.1', port: server.port, password: PASSWORD },
      ...more,
    });

    /** An empty table of its own; returns its name. */
    const newTable = async (columns: string): Promise<string> => {
      const name = `logs.events_${++tables}`;
      await server.query(`CREATE TABLE ${name} (${columns})`);
      return name;
    };

    const write = async (given: JsonObject, events: readonly string[]): Promise<Written> =>
      right(await (await openOutput(params(given))).write(textBatch(events), never));

    test('events of any characters arrive as they are', async () => {
      const table = await newTable('id serial, event text');
      const events = [
        ...[
          'plain',
          'tab\there',
          'two\nlines',
          'two\r\nlines',
          'back\\slash',
          '\\N',
          '\\.',
          '',
          ' ',
          'é😀"\'',
        ],
        ...['\\', '\\\\n', '{"a":"b\\"c\\n"}'],
      ];
      const { written, bytes } = await write({ table }, events);
      expect(written).toBe(events.length);
      expect(bytes).toBeGreaterThan(Buffer.byteLength(events.join('\n')));
      expect(JSON.parse(await server.query(`SELECT json_agg(event ORDER BY id) FROM ${table}`))).toEqual(
        events,
      );
    });

    test('columns: values of JSON documents in types of the table', async () => {
      const table = await newTable(
        '"At" timestamptz, n bigint, ok boolean, name text, tags jsonb, nothing text, whole jsonb, mixed text, fixed text',
      );
      const columns = {
        ...{
          At: '{/t}',
          n: '{/n}',
          ok: '{/ok}',
          name: '{/user/na~1me}',
          tags: '{/tags}',
          nothing: '{/no/such}',
          whole: '{event}',
          mixed: '{/n}:{/ok}',
          fixed: 'tab\t',
        },
      };
      const event = {
        ...{ t: '2026-01-02T03:04:05.678Z', n: 9007199254740991, ok: true, tags: ['a', { b: null }] },
        user: { 'na/me': 'tab\tand \\ and \n' },
      };
      expect(await write({ table, columns }, [JSON.stringify(event), '{}', 'no JSON'])).toMatchObject({
        written: 2,
        missed: [
          { items: [2], reason: { code: 'unroutable', message: expect.stringContaining('not JSON') } },
        ],
      });
      const [row, empty] = (await server.query(`SELECT to_json(t) FROM ${table} t ORDER BY n NULLS LAST`))
        .split('\n')
        .map((text) => JSON.parse(text));
      expect({ ...row, At: new Date(row.At).toISOString() }).toEqual({
        ...{ At: event.t, n: event.n, ok: true, name: event.user['na/me'], tags: event.tags },
        ...{ nothing: null, whole: event, mixed: `${event.n}:true`, fixed: 'tab\t' },
      });
      expect(empty).toMatchObject({ n: null, name: null, whole: {} });
    });

    test.each([
      ['text', ['1\tone', '2\t\\N', '3\ta\\nb']],
      ['csv', ['1,one', '2,', '3,"a\nb"']],
    ])(
      'copy_format %s: events are rows; those that are not exactly one are rejected',
      async (copy_format, rows) => {
        const table = await newTable('n int, text text');
        const bad = ['\\.', '8\tx\n9\ty', copy_format === 'csv' ? '8,"open' : '8\tx\\'];
        const { written, missed } = await write({ table, copy_format }, [...bad, ...rows]);
        expect(written).toBe(3);
        expect(missed?.flatMap(({ items }) => items).sort()).toEqual([0, 1, 2]);
        expect(await server.query(`SELECT json_agg(t ORDER BY n) FROM ${table} t`)).toBe(
          '[{"n":1,"text":"one"}, \n {"n":2,"text":null}, \n {"n":3,"text":"a\\nb"}]',
        );
      },
    );

    /** Positions of the missed events, and the reasons in the order of their first. */
    const missedIn = ({ missed = [] }: Written) => ({
      items: missed.flatMap(({ items }) => items).sort((a, b) => a - b),
      reasons: missed.map(({ reason }) => `${reason.code}: ${reason.message}`),
    });

    describe('rows that the server rejects are left out, and the others are written once', () => {
      const COUNT = 2_000;
      const isBad = (n: number): boolean => n === 0 || n === 1 || n === 777 || n === COUNT - 1;
      const BAD = [0, 1, 777, COUNT - 1];

      test.each<[string, string, string, (n: number) => unknown, RegExp]>([
        ['a type', 'n int', '', (n) => (isBad(n) ? 'x' : n), /invalid input syntax.*SQLSTATE 22P02/],
        [
          'a check',
          'n int CHECK (n >= 0)',
          '',
          (n) => (isBad(n) ? -n - 1 : n),
          /check constraint.*SQLSTATE 23514/,
        ],
        ['NOT NULL', 'n int NOT NULL', '', (n) => (isBad(n) ? null : n), /not-null.*SQLSTATE 23502/],
        [
          'a foreign key, for which the server names no line',
          'n int REFERENCES logs.numbers (n)',
          '',
          (n) => (isBad(n) ? n + 1_000_000 : n),
          /foreign key.*SQLSTATE 23503/,
        ],
        [
          'a trigger that raises an error',
          'n int',
          'CREATE TRIGGER t BEFORE INSERT ON TABLE_NAME FOR EACH ROW EXECUTE FUNCTION logs.refuse()',
          (n) => (isBad(n) ? -n - 1 : n),
          /no negative numbers.*SQLSTATE P0001/,
        ],
      ])('%s', async (_, columns, more, valueAt, reason) => {
        await server.query(
          `CREATE TABLE IF NOT EXISTS logs.numbers AS SELECT generate_series(0, ${COUNT}) n;
           CREATE UNIQUE INDEX IF NOT EXISTS numbers_n ON logs.numbers (n);
           CREATE OR REPLACE FUNCTION logs.refuse() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN IF NEW.n < 0 THEN RAISE 'no negative numbers'; END IF; RETURN NEW; END $$`,
        );
        const table = await newTable(columns);
        if (more !== '') await server.query(more.replace('TABLE_NAME', table));
        const events = Array.from({ length: COUNT }, (_n, n) => JSON.stringify({ n: valueAt(n) }));
        const result = await write({ table, columns: { n: '{/n}' } }, events);
        expect(result).toMatchObject({ written: COUNT - BAD.length, failed: 0 });
        const { items, reasons } = missedIn(result);
        expect(items).toEqual(BAD);
        for (const one of reasons) {
          expect(one).toMatch(/^rejected: cannot copy into postgresql:\/\//);
          expect(one).toMatch(reason);
        }
        expect(await server.query(`SELECT count(*), count(DISTINCT n), min(n), max(n) FROM ${table}`)).toBe(
          `${COUNT - 4}|${COUNT - 4}|2|${COUNT - 2}`,
        );
      });

      test('duplicates of a key, within a batch and in the table', async () => {
        const table = await newTable('n int PRIMARY KEY');
        const output = await openOutput(params({ table, columns: { n: '{/n}' } }));
        const events = (...numbers: number[]) => textBatch(numbers.map((n) => JSON.stringify({ n })));
        expect(missedIn(right(await output.write(events(1, 2, 3, 2, 4), never))).items).toEqual([3]);
        expect(missedIn(right(await output.write(events(5, 1, 6), never))).items).toEqual([1]);
        expect(await server.query(`SELECT string_agg(n::text, ',' ORDER BY n) FROM ${table}`)).toBe(
          '1,2,3,4,5,6',
        );
      });

      test('only bad rows: none is written', async () => {
        const table = await newTable('event int');
        const { written, missed } = await write(
          { table },
          Array.from({ length: 50 }, (_, n) => `x${n}`),
        );
        expect(written).toBe(0);
        expect(missed?.flatMap(({ items }) => items)).toHaveLength(50);
      });

      test('a character that the server cannot store', async () => {
        const table = await newTable('event jsonb');
        const result = await write({ table }, ['{"a":1}', '{"a":"\u0000"}', '{"a":"\\u0000"}', '{"a":2}']);
        expect(missedIn(result).items).toEqual([1, 2]);
      });

      test('an error in the middle of a large batch leaves the connection usable', async () => {
        const table = await newTable('event int');
        const output = await openOutput(params({ table, pool_maxsize: 1 }));
        const events = Array.from({ length: 200_000 }, (_, n) => (n === 3 ? 'x'.repeat(100_000) : String(n)));
        expect(await output.write(textBatch(events), never)).toMatchObject({
          right: { written: 199_999, missed: [{ items: [3] }] },
        });
        expect(await output.write(textBatch(['7']), never)).toMatchObject({ right: { written: 1 } });
      });

      test('a connection that breaks after some rows were written: the rest alone is retried', async () => {
        const table = await newTable('event int');
        const wire = await faultyWire(server.port);
        onClose(wire.close);
        const output = await openOutput(params({ table, port: wire.port, pool_maxsize: 1 }));
        const events = Array.from({ length: 20_000 }, (_, n) => (n === 10_000 ? 'x' : String(n)));
        const first_bytes = Buffer.byteLength(events.join('\n'));
        await wire.set({ kind: 'reset', after_bytes: first_bytes + 60_000 });
        const result = right(await output.write(textBatch(events), never));
        const retryable = result.missed?.find(({ reason }) => reason.code === 'output_failed');
        expect(retryable?.items.at(-1)).toBe(19_999);
        expect(result.written + missedIn(result).items.length).toBe(20_000);
        expect(await server.query(`SELECT count(*) FROM ${table}`)).toBe(String(result.written));
      });
    });

    test('names get quotes if needed, quoted names stay unchanged', async () => {
      await server.query('CREATE SCHEMA "Odd.one"; CREATE TABLE "Odd.one"."T ""x" ("A b" text)');
      const table = '"Odd.one"."T ""x"';
      expect(await write({ table, column: 'A b' }, ['1', '2'])).toMatchObject({ written: 2 });
      expect(await write({ table, column: '"A b"' }, ['3'])).toMatchObject({ written: 1 });
      expect(await server.query(`SELECT string_agg("A b", '') FROM ${table}`)).toBe('123');
    });

    test.each<[string, JsonObject, RegExp]>([
      ['a wrong password', { password: 'not it' }, /password authentication failed.*28P01.*Check `username`/],
      ['an unknown user', { username: 'nobody' }, /authentication failed.*Check `username`/],
      ['an unknown database', { database: 'nowhere' }, /"nowhere" does not exist.*3D000.*correct `database`/],
      ['an unknown table', { table: 'logs.nothing' }, /"logs.nothing" does not exist.*42P01.*Create it/],
      ['an unknown column', { column: 'nope' }, /column "nope".*42703.*Create it/],
      ['a port without a server', { port: 1 }, /refused.*ECONNREFUSED/],
    ])('%s is found when opening, and said without the password', async (_, wrong, message) => {
      const table = await newTable('event text');
      const result = await tryOpen(params({ table, ...wrong }));
      expect(result).toMatchObject({
        left: { code: 'output_failed', message: expect.stringMatching(message) },
      });
      expect(JSON.stringify(result)).not.toMatch(/open sesame|not it/);
    });

    test('the DSN alone leads to the server; sslmode turns TLS on', async () => {
      const table = await newTable('event text');
      const dsn = `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}/postgres`;
      const tlsOf = (): Promise<string> =>
        server.query(
          "SELECT application_name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid) WHERE query LIKE 'COPY%'",
        );
      await openOutput({ table, dsn: `${dsn}?application_name=lab%207` });
      expect(await tlsOf()).toBe('lab 7|f');
      await closeAll();
      await openOutput(
        { table, dsn: `${dsn}?sslmode=require`, ca_cert: 'ca.pem' },
        { directory: folderOf() },
      );
      expect(await tlsOf()).toBe('spate|t');
    });

    const folderOf = (): string => certificates.path('.');

    test.each<[string, JsonObject, RegExp]>([
      ['an authority that is not known', {}, /authority.*`ca_cert`/],
      [
        'another name',
        { ca_cert: 'ca.pem', server_host_name: 'x.example.org' },
        /another name.*`server_host_name`/,
      ],
    ])('TLS: a certificate with %s is refused with what to do', async (_, more, message) => {
      const table = await newTable('event text');
      const result = await tryOpen(params({ table, tls: true, ...more }), { directory: folderOf() });
      expect(result).toMatchObject({ left: { message: expect.stringMatching(message) } });
    });

    test('TLS: verify: false takes any certificate; a large batch arrives whole', async () => {
      const table = await newTable('event text');
      const output = await openOutput(params({ table, tls: true, verify: false }));
      const events = Array.from({ length: 20_000 }, (_, n) => `${n} ${'x'.repeat(100)}`);
      expect(await output.write(textBatch(events), never)).toMatchObject({ right: { written: 20_000 } });
      expect(await server.query(`SELECT count(DISTINCT event), sum(length(event)) FROM ${table}`)).toBe(
        `20000|${events.join('').length}`,
      );
    });

    test('TLS: a server without it is named', async () => {
      const refusing = net.createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => socket.write('N'));
      });
      const port = await new Promise<number>((resolve) => {
        refusing.listen(0, '127.0.0.1', () => resolve((refusing.address() as net.AddressInfo).port));
      });
      onClose(async () => void refusing.close());
      const result = await tryOpen(params({ table: 't', tls: true, port }));
      expect(result).toMatchObject({
        left: { message: expect.stringMatching(/does not offer TLS.*`tls: false`/) },
      });
    });

    test('many batches at once arrive whole, over no more connections than the pool has', async () => {
      const table = await newTable('event int');
      const output = await openOutput(params({ table, pool_maxsize: 3, application_name: 'pool of 3' }));
      const batches = Array.from({ length: 20 }, (_, i) =>
        textBatch(Array.from({ length: 500 }, (_n, j) => String(i * 500 + j))),
      );
      const results = await Promise.all(batches.map((batch) => output.write(batch, never)));
      for (const result of results) expect(result).toMatchObject({ right: { written: 500, failed: 0 } });
      expect(await server.query(`SELECT count(*), count(DISTINCT event) FROM ${table}`)).toBe('10000|10000');
      expect(
        await server.query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pool of 3'"),
      ).toBe('3');
    });

    describe('a wire', () => {
      let wire: FaultyWire;
      const wired = async () => {
        wire = await faultyWire(server.port);
        onClose(wire.close);
        const table = await newTable('event int');
        return { table, output: await openOutput(params({ table, port: wire.port, pool_maxsize: 1 })) };
      };
      const large = textBatch(Array.from({ length: 300_000 }, (_, n) => String(n)));

      test('that breaks in the middle of a batch fails it and writes no row; sent again it is whole', async () => {
        const { table, output } = await wired();
        await wire.set({ kind: 'reset', after_bytes: 200_000 });
        expect(await output.write(large, never)).toMatchObject({ left: { code: 'output_failed' } });
        await wire.set({ kind: 'none' });
        expect(await server.query(`SELECT count(*) FROM ${table}`)).toBe('0');
        expect(await output.write(large, never)).toMatchObject({ right: { written: 300_000 } });
        expect(await server.query(`SELECT count(DISTINCT event) FROM ${table}`)).toBe('300000');
      });

      test.each(['hung', 'mute'] as const)(
        'that is %s: an abort ends the attempt, and the next one is written',
        async (kind) => {
          const { table, output } = await wired();
          await wire.set({ kind });
          const ending = new AbortController();
          const attempt = output.write(textBatch(['1']), ending.signal);
          const waiting = output.write(textBatch(['2']), ending.signal);
          await new Promise((resolve) => setTimeout(resolve, 50));
          ending.abort();
          for (const result of await Promise.all([attempt, waiting])) {
            expect(result).toMatchObject({ left: { code: 'output_failed' } });
          }
          await wire.set({ kind: 'none' });
          expect(await output.write(textBatch(['3']), never)).toMatchObject({ right: { written: 1 } });
          expect(await server.query(`SELECT max(event) FROM ${table}`)).toBe('3');
        },
      );

      test('that accepts and never answers: opening ends after connect_timeout', async () => {
        wire = await faultyWire(server.port);
        onClose(wire.close);
        await wire.set({ kind: 'hung' });
        const result = await tryOpen(params({ table: 't', port: wire.port, connect_timeout: 1 }));
        expect(result).toMatchObject({ left: { message: expect.stringContaining('connect_timeout (1 s)') } });
      });
    });

    test('an attempt whose signal has ended is not started; a closed output refuses', async () => {
      const table = await newTable('event text');
      const output = await openOutput(params({ table }));
      const ended = new AbortController();
      ended.abort();
      expect(await output.write(textBatch(['a']), ended.signal)).toMatchObject({
        left: { code: 'output_failed' },
      });
      for (let i = 0; i < 2; i++) expect(await output.close()).toEqual(E.right(undefined));
      expect(await output.write(textBatch(['a']), never)).toMatchObject({
        left: { message: expect.stringContaining('closed') },
      });
      expect(await server.query(`SELECT count(*) FROM ${table}`)).toBe('0');
    });

    test('the example of the README with columns', async () => {
      await server.query('CREATE TABLE logs.access (at timestamptz, status int, event jsonb)');
      const { table = '', columns = {} } = postgresqlSpec.examples[1]?.params ?? {};
      const event = '{"time":"2026-01-02T03:04:05Z","status":404}';
      expect(await write({ table, columns }, [event])).toMatchObject({ written: 1 });
      expect(
        await server.query("SELECT status, event->>'time', extract(epoch FROM at) FROM logs.access"),
      ).toBe('404|2026-01-02T03:04:05Z|1767323045.000000');
    });

    test('random texts, as whole events and as values of JSON', async () => {
      const table = await newTable('id serial, event text, name text');
      const random = seededRandom(7);
      const letters = [
        '\\',
        '\n',
        '\r',
        '\t',
        '\b',
        'N',
        '.',
        'x',
        '"',
        ',',
        ' ',
        'é',
        '😀',
        '\u0001',
        '\u2028',
      ];
      const texts = Array.from({ length: 3_000 }, () =>
        Array.from(
          { length: Math.floor(random.next() * 12) },
          () => letters[Math.floor(random.next() * letters.length)],
        ).join(''),
      );
      await write({ table }, texts);
      expect(JSON.parse(await server.query(`SELECT json_agg(event ORDER BY id) FROM ${table}`))).toEqual(
        texts,
      );
      await server.query(`TRUNCATE ${table}`);
      const events = texts.map((name) => JSON.stringify({ name }));
      await write({ table, columns: { name: '{/name}', event: '{event}' } }, events);
      expect(JSON.parse(await server.query(`SELECT json_agg(name ORDER BY id) FROM ${table}`))).toEqual(
        texts,
      );
      expect(JSON.parse(await server.query(`SELECT json_agg(event ORDER BY id) FROM ${table}`))).toEqual(
        events,
      );
    });
  },
);
