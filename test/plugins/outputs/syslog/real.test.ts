import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { hasPrograms, needs } from '../../../support/programs.js';
import {
  AUTHORITY,
  type CertificateFolder,
  certificateFolder,
  SERVER,
} from '../../../support/servers/certificates.js';
import {
  hasRsyslog,
  hasRsyslogTls,
  NEEDS_RSYSLOG,
  NEEDS_RSYSLOG_TLS,
  type RsyslogServer,
  startRsyslog,
} from '../../../support/servers/rsyslogServer.js';
import {
  hasSyslogNg,
  NEEDS_SYSLOG_NG,
  type SyslogNg,
  startSyslogNg,
} from '../../../support/servers/syslogNg.js';
import { never } from '../support.js';
import { closeAll } from '../tcp/support.js';
import { openSyslog } from './support.js';

afterEach(closeAll);

/** What a receiver understood of a message. */
const TEMPLATE =
  '%pri%|%syslogfacility-text%|%syslogseverity-text%|%hostname%|%app-name%|%procid%|%msgid%|%structured-data%|%msg%';
const EVENTS = ['plain', 'ünïcödé €', 'a=1 [b] "c" \\d', '<13>not a header', ' leading space'];

const arrival = async (lines: () => readonly string[], count: number): Promise<readonly string[]> => {
  for (const end = Date.now() + 30_000; lines().length < count && Date.now() < end; ) {
    await systemClock.sleepMs(10, never);
  }
  return lines();
};

const FIELDS: JsonObject = {
  ...{ facility: 'local3', severity: 'warning', hostname: 'web-1', app_name: 'shop', procid: '77' },
};
const MORE: JsonObject = { msgid: 'ORDER', structured_data: { 'origin@32473': { q: 'a"]\\', site: 'lab' } } };
const HEAD = '156|local3|warning|web-1|shop|77|ORDER|[origin@32473 q="a\\"\\]\\\\" site="lab"]|';

(hasRsyslog ? describe : describe.skip)(`syslog into rsyslogd ${NEEDS_RSYSLOG}`, () => {
  let server: RsyslogServer;
  beforeAll(async () => {
    server = await startRsyslog({ template: TEMPLATE, counts: true });
  });
  afterAll(() => server.remove());

  test.each<[string, JsonObject]>([
    ['TCP, octet counting', { transport: 'tcp' }],
    ['TCP, lines', { transport: 'tcp', framing: 'newline' }],
    ['UDP', { transport: 'udp' }],
  ])('RFC 5424 over %s: every part is understood', async (_, transport) => {
    const before = server.lines().length;
    const output = await openSyslog({ port: server.port, ...transport, ...FIELDS, ...MORE, bom: false });
    expect(await output.write(textBatch(EVENTS), never)).toMatchObject({ right: { written: EVENTS.length } });
    await output.close();
    const lines = await arrival(server.lines, before + EVENTS.length);
    expect(lines.slice(before)).toEqual(EVENTS.map((event) => HEAD + event));
  });

  test.each(['tcp', 'udp'])('RFC 3164 over %s: every part is understood', async (transport) => {
    const before = server.lines().length;
    const output = await openSyslog({ port: server.port, transport, ...FIELDS, format: 'rfc3164' });
    await output.write(textBatch(EVENTS), never);
    await output.close();
    const lines = await arrival(server.lines, before + EVENTS.length);
    expect(lines.slice(before)).toEqual(
      EVENTS.map((event) => `156|local3|warning|web-1|shop|77|-|-| ${event}`),
    );
  });

  test('raw: an event is the message; the example of the README', async () => {
    const before = server.lines().length;
    const output = await openSyslog({ port: server.port, format: 'raw' });
    await output.write(textBatch(['<34>1 2026-01-01T00:00:00Z host su - ID47 - failed']), never);
    await output.close();
    expect((await arrival(server.lines, before + 1)).at(-1)).toBe('34|auth|crit|host|su|-|ID47|-|failed');
  });
});

(hasRsyslogTls && hasPrograms('openssl') ? describe : describe.skip)(
  `syslog into rsyslogd over TLS ${NEEDS_RSYSLOG_TLS} ${needs('openssl')}`,
  () => {
    let certificates: CertificateFolder;
    let server: RsyslogServer;
    beforeAll(async () => {
      certificates = certificateFolder();
      certificates.make('ca', { by: null, extensions: AUTHORITY });
      certificates.make('server', { extensions: SERVER });
      const path = certificates.path;
      const tls = { ca: path('ca.pem'), cert: path('server.pem'), key: path('server.key') };
      server = await startRsyslog({ template: TEMPLATE, counts: true, tls });
    });
    afterAll(async () => {
      await server.remove();
      certificates.remove();
    });

    test('RFC 5425: all of 20,000 messages arrive in order', async () => {
      const params = { port: server.port, transport: 'tls', ca_cert: certificates.path('ca.pem') };
      const output = await openSyslog({ ...params, ...FIELDS, ...MORE });
      const events = Array.from({ length: 20_000 }, (_, index) => `order ${index}`);
      expect(await output.write(textBatch(events), never)).toMatchObject({ right: { written: 20_000 } });
      await output.close();
      expect(await arrival(server.lines, events.length)).toEqual(events.map((event) => HEAD + event));
    });

    test('a server that is not trusted is refused with what to do', async () => {
      await expect(openSyslog({ port: server.port, transport: 'tls' })).rejects.toThrow(
        /authority.*`ca_cert`/,
      );
    });
  },
);

(hasSyslogNg ? describe : describe.skip)(`syslog into syslog-ng ${NEEDS_SYSLOG_NG}`, () => {
  let server: SyslogNg;
  beforeAll(async () => {
    server = await startSyslogNg('$FACILITY|$LEVEL|$HOST|$PROGRAM|$PID|$MSGID|$SDATA|$MSG');
  });
  afterAll(() => server.remove());

  test('RFC 5424 with octet counting and the byte order mark: every part is understood', async () => {
    const output = await openSyslog({ port: server.port, ...FIELDS, ...MORE });
    await output.write(textBatch(EVENTS), never);
    await output.close();
    expect(await arrival(server.lines, EVENTS.length)).toEqual(
      EVENTS.map(
        (event) => `local3|warning|web-1|shop|77|ORDER|[origin@32473 q="a\\"\\]\\\\" site="lab"]|${event}`,
      ),
    );
  });
});
