import { afterEach, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { bytesBatch, textBatch } from '../../../../src/domain/events/eventBatch.js';
import { fakeClock } from '../../../support/clocks/fakeClock.js';
import { never } from '../support.js';
import {
  afterCheck,
  closeAll,
  fakeServer,
  fine,
  openOutput,
  relay,
  silentServer,
  tryOpen,
} from './support.js';

afterEach(closeAll);

const HOST = { host: '127.0.0.1', table: 'events' };

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('an insert', () => {
  test('is one POST a batch: statement, then header, events joined by the separator, footer', async () => {
    const server = await fakeServer();
    const output = await openOutput({
      ...HOST,
      port: server.port,
      database: 'logs',
      input_format: 'CustomSeparated',
      header: '<é>',
      separator: '|é|',
      footer: '</é>\n',
    });
    const body = '<é>one|é|zwö|é|three</é>\n';
    const bytes = Buffer.byteLength(body);
    const texts = textBatch(['one', 'zwö', 'three']);
    const lines = bytesBatch(Buffer.from('one\nzwö\nthree\n'), 3);
    for (const batch of [texts, lines]) {
      expect(await output.write(batch, never)).toEqual(E.right({ written: 3, failed: 0, bytes }));
    }
    expect(server.inserts()).toHaveLength(2);
    for (const { method, url, statement, headers, body: sent } of server.inserts()) {
      expect(method).toBe('POST');
      expect(new URL(url, 'http://x').searchParams.get('database')).toBe('logs');
      expect(statement).toBe('INSERT INTO `logs`.`events` FORMAT CustomSeparated');
      expect(headers['content-length']).toBe(String(bytes));
      expect(sent).toBe(body);
    }
  });

  test('of large events, empty events, and an empty separator is byte for byte', async () => {
    const server = await fakeServer();
    const large = 'x'.repeat(700_001);
    const output = await openOutput({ ...HOST, port: server.port, separator: '' });
    expect(await output.write(textBatch([large, '', 'y']), never)).toMatchObject({
      right: { bytes: 700_002 },
    });
    expect(await output.write(textBatch(['']), never)).toMatchObject({ right: { written: 1, bytes: 0 } });
    expect(server.inserts().map(({ body }) => body)).toEqual([`${large}y`, '']);
  });

  test('of no events is not sent', async () => {
    const server = await fakeServer();
    const output = await openOutput({ ...HOST, port: server.port, header: 'h' });
    expect(await output.write(textBatch([]), never)).toEqual(E.right({ written: 0, failed: 0, bytes: 0 }));
    expect(server.inserts()).toEqual([]);
  });

  test.each([
    ['3', 'JSONEachRow', { written: 3, failed: 0 }],
    ['2', 'JSONEachRow', { written: 2, failed: 1 }],
    ['9', 'JSONEachRow', { written: 3, failed: 0 }],
    ['0', 'JSONEachRow', { written: 3, failed: 0 }],
    ['1', 'RawBLOB', { written: 3, failed: 0 }],
  ])(
    'that the server counts as %s rows of %s is counted as %j of three events',
    async (rows, format, counted) => {
      const server = await fakeServer(
        afterCheck((_, response) => {
          response.setHeader('X-ClickHouse-Summary', JSON.stringify({ read_rows: '9', written_rows: rows }));
          response.end();
        }),
      );
      const { result, lines } = await tryOpen({ ...HOST, port: server.port, input_format: format });
      if (E.isLeft(result)) throw new Error(result.left.message);
      expect(await result.right.write(textBatch(['a', 'b', 'c']), never)).toMatchObject({ right: counted });
      expect(lines.filter(({ level }) => level === 'warning')).toHaveLength(counted.failed > 0 ? 1 : 0);
    },
  );
});

describe('who asks', () => {
  test('user and password go as basic credentials, client_name stands in front of the User-Agent', async () => {
    const server = await fakeServer();
    const output = await openOutput({
      ...HOST,
      port: server.port,
      username: 'writer',
      password: 'pässword:1',
      client_name: 'lab 7',
    });
    await output.write(textBatch(['a']), never);
    expect(server.seen).toHaveLength(2);
    for (const { headers, url } of server.seen) {
      expect(headers.authorization).toBe(basic('writer', 'pässword:1'));
      expect(headers['user-agent']).toMatch(/^lab 7 \S/);
      expect(url).not.toContain('writer');
    }
  });

  test.each([
    ['the DSN alone', {}, 'dsnuser', 'dsn:pass', 'dsndb'],
    ['what is written beats it', { username: 'u', password: 'p', database: 'd' }, 'u', 'p', 'd'],
    [
      'a default that is written beats it too',
      { username: 'default', password: '', database: 'default' },
      'default',
      '',
      null,
    ],
  ])('with a DSN: %s', async (_, written, user, password, database) => {
    const server = await fakeServer();
    const dsn = `clickhouse+http://dsnuser:dsn%3Apass@127.0.0.1:${server.port}/dsndb?max_threads=3`;
    await openOutput({ table: 'events', dsn, ...written });
    const [seen] = server.seen;
    expect(seen?.headers.authorization).toBe(basic(user, password));
    const query = new URL(seen?.url ?? '', 'http://x').searchParams;
    expect(query.get('database')).toBe(database);
    expect(query.get('max_threads')).toBe('3');
    expect(seen?.statement).toBe(`EXISTS TABLE \`${database ?? 'default'}\`.\`events\``);
  });
});

describe('connections', () => {
  test('are used again, batch after batch', async () => {
    const server = await fakeServer();
    const output = await openOutput({ ...HOST, port: server.port });
    for (let i = 0; i < 5; i++) await output.write(textBatch([`${i}`]), never);
    expect(server.inserts()).toHaveLength(5);
    expect(server.connections()).toBe(1);
  });

  test('are never more than pool_maxsize; further batches wait for one', async () => {
    const held: (() => void)[] = [];
    let onHeld: () => void = () => {};
    const bothHeld = new Promise<void>((resolve) => {
      onHeld = resolve;
    });
    const server = await fakeServer(
      afterCheck((_, response) => {
        held.push(() => void response.end());
        if (held.length === 2) onHeld();
        if (held.length > 2) response.end();
      }),
    );
    const output = await openOutput({ ...HOST, port: server.port, pool_maxsize: 2 });
    const writes = [1, 2, 3, 4, 5].map((i) =>
      output.write(textBatch([`${i}`]), new AbortController().signal),
    );
    await bothHeld;
    expect(server.inserts()).toHaveLength(2);
    for (const release of held.slice(0, 2)) release();
    for (const result of await Promise.all(writes)) expect(result).toMatchObject({ right: { written: 1 } });
    expect(server.connections()).toBe(2);
  });

  test('are closed with the output; it can be closed twice and refuses later writes', async () => {
    const server = await fakeServer();
    const output = await openOutput({ ...HOST, port: server.port });
    await output.write(textBatch(['a']), never);
    for (let i = 0; i < 2; i++) expect(await output.close()).toEqual(E.right(undefined));
    expect(await output.flush()).toEqual(E.right(undefined));
    expect(await output.write(textBatch(['a']), never)).toMatchObject({
      left: { message: expect.stringContaining('closed') },
    });
  });
});

describe('a server that does not answer', () => {
  test('ends the open after connect_timeout with what to do', async () => {
    const server = await silentServer();
    const clock = fakeClock();
    const opening = tryOpen({ ...HOST, port: server.port, connect_timeout: 7 }, { clock });
    await server.connected;
    await clock.advanceMs(7_000);
    expect((await opening).result).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/within connect_timeout \(7 s\).*raise/),
      },
    });
  });

  test.each(['before the head of its answer', 'in the middle of its answer'])(
    '%s is given up when the signal ends, and the next write works',
    async (moment) => {
      let isHung = true;
      let onInsert: () => void = () => {};
      const inserted = new Promise<void>((resolve) => {
        onInsert = resolve;
      });
      const server = await fakeServer(
        afterCheck((seen, response) => {
          if (!isHung) return fine(seen, response);
          if (moment.startsWith('in the middle')) response.write('beginning');
          onInsert();
        }),
      );
      const output = await openOutput({ ...HOST, port: server.port });
      const ending = new AbortController();
      const write = output.write(textBatch(['a']), ending.signal);
      await inserted;
      ending.abort('over');
      expect(await write).toMatchObject({ left: { code: 'output_failed' } });
      isHung = false;
      expect(await output.write(textBatch(['b']), never)).toMatchObject({ right: { written: 1 } });
      expect(server.inserts().map(({ connection }) => connection)).toEqual([1, 2]);
    },
  );

  test('is given up after request_timeout', async () => {
    let onInsert: () => void = () => {};
    const inserted = new Promise<void>((resolve) => {
      onInsert = resolve;
    });
    const server = await fakeServer(afterCheck(() => onInsert()));
    const clock = fakeClock();
    const output = await openOutput({ ...HOST, port: server.port, request_timeout: 30 }, { clock });
    const write = output.write(textBatch(['a']), never);
    await inserted;
    await clock.advanceMs(30_000);
    expect(await write).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('request_timeout (30 s)') },
    });
  });

  test('is not asked at all when the signal has ended before', async () => {
    const server = await fakeServer();
    const output = await openOutput({ ...HOST, port: server.port });
    expect(await output.write(textBatch(['a']), AbortSignal.abort())).toMatchObject({
      left: { code: 'output_failed' },
    });
    expect(server.inserts()).toEqual([]);
  });

  test('does not keep the output from closing: what is under way ends', async () => {
    let onInsert: () => void = () => {};
    const inserted = new Promise<void>((resolve) => {
      onInsert = resolve;
    });
    const server = await fakeServer(afterCheck(() => onInsert()));
    const output = await openOutput({ ...HOST, port: server.port });
    const write = output.write(textBatch(['a']), never);
    await inserted;
    expect(await output.close()).toEqual(E.right(undefined));
    expect(await write).toMatchObject({ left: { code: 'output_failed' } });
  });

  test('leaves nothing behind when many attempts end at once', async () => {
    const server = await fakeServer(afterCheck(() => {}));
    const output = await openOutput({ ...HOST, port: server.port, pool_maxsize: 4 });
    const ending = new AbortController();
    const writes = Array.from({ length: 10 }, () => output.write(textBatch(['a']), ending.signal));
    ending.abort();
    for (const result of await Promise.all(writes)) expect(E.isLeft(result)).toBe(true);
    expect(await output.close()).toEqual(E.right(undefined));
  });
});

describe('failures', () => {
  test('a slow reply is not a failure', async () => {
    const server = await fakeServer(
      afterCheck((_, response) => {
        response.writeHead(200);
        setTimeout(() => response.end(), 100);
      }),
    );
    const output = await openOutput({ ...HOST, port: server.port });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
  });

  test.each([
    [
      500,
      'Code: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED) (version 24.8.1.1)',
      'output_failed',
      /Memory limit \(total\) exceeded.*code 241.*larger batches/,
    ],
    [500, 'Code: 252. DB::Exception: Too many parts (300). (TOO_MANY_PARTS)', 'output_failed', /code 252/],
    [404, 'Code: 60. DB::Exception: Table x does not exist. (UNKNOWN_TABLE)', 'rejected', /code 60/],
    [403, 'Code: 516. DB::Exception: default: Authentication failed', 'rejected', /code 516.*`password`/],
    [
      200,
      'Code: 27, e.displayText() = DB::Exception: Cannot parse input, e.what() = DB::Exception',
      'rejected',
      /Cannot parse input \(code 27\)/,
    ],
    [502, '<html>bad gateway</html>', 'output_failed', /HTTP status 502/],
    [400, 'plain HTTP request sent to HTTPS port', 'rejected', /HTTP status 400.*`protocol`/],
  ])('an answer %i %j is %s', async (status, text, code, message) => {
    const server = await fakeServer(afterCheck((_, response) => void response.writeHead(status).end(text)));
    const output = await openOutput({ ...HOST, port: server.port });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({
      left: { code, message: expect.stringMatching(message) },
    });
  });

  test('a code in the header counts, and a password that the server echoes is hidden', async () => {
    const server = await fakeServer(
      afterCheck(({ headers }, response) => {
        const [, credentials = ''] = (headers.authorization ?? '').split(' ');
        response.setHeader('X-ClickHouse-Exception-Code', '202');
        response
          .writeHead(500)
          .end(`refused ${Buffer.from(credentials, 'base64').toString()} ${headers.authorization}`);
      }),
    );
    const output = await openOutput({ ...HOST, port: server.port, password: 'hush hush' });
    const result = await output.write(textBatch(['a']), never);
    expect(result).toMatchObject({
      left: { code: 'output_failed', message: expect.stringContaining('code 202') },
    });
    expect(JSON.stringify(result)).not.toContain('hush');
    expect(JSON.stringify(result)).not.toContain(basic('default', 'hush hush').slice(6));
  });

  test('a connection that is reset in the middle of a batch is a failure that may be tried again', async () => {
    const server = await fakeServer();
    const wire = await relay(server.port);
    const output = await openOutput({ ...HOST, port: wire.port });
    wire.resetAfter(100_000);
    expect(await output.write(textBatch(['x'.repeat(300_000)]), never)).toMatchObject({
      left: { code: 'output_failed', message: expect.stringMatching(/ECONNRESET|EPIPE/) },
    });
    expect(await output.write(textBatch(['a']), never)).toMatchObject({ right: { written: 1 } });
  });

  test('an unknown host fails the opening with its name', async () => {
    const { result } = await tryOpen({ ...HOST, host: 'no-such-host.invalid' });
    expect(result).toMatchObject({
      left: {
        code: 'output_failed',
        message: expect.stringMatching(/no-such-host\.invalid:8123.*Check `host`/),
      },
    });
  });

  test('a server that is none of ClickHouse is found when opening', async () => {
    const server = await fakeServer((_, response) => void response.end('<html>hello</html>'));
    const { result } = await tryOpen({ ...HOST, port: server.port });
    expect(result).toMatchObject({ left: { message: expect.stringContaining('not from ClickHouse') } });
  });

  test('a user who may insert but not look is let through the check', async () => {
    const server = await fakeServer(
      (_, response) => void response.writeHead(403).end('Code: 497. DB::Exception: Not enough privileges'),
    );
    await openOutput({ ...HOST, port: server.port });
  });

  test('a DSN without a host says so, without showing it', async () => {
    const { result } = await tryOpen({ table: 't', dsn: 'clickhouse:///db?hint=hush' });
    expect(result).toMatchObject({
      left: { code: 'plugin_failed', message: expect.stringContaining('no host') },
    });
    expect(JSON.stringify(result)).not.toContain('hush');
  });
});
