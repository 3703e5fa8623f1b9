import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../../src/adapters/systemClock.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { syslogFormatterPlugin } from '../../../../src/plugins/formatters/syslog/plugin.js';
import { syslogFormatterSpec } from '../../../../src/plugins/formatters/syslog/spec.js';
import {
  hasRsyslog,
  NEEDS_RSYSLOG,
  type RsyslogServer,
  startRsyslog,
} from '../../../support/servers/rsyslogServer.js';
import { never } from '../../outputs/support.js';
import { openSyslog } from '../../outputs/syslog/support.js';
import { closeAll } from '../../outputs/tcp/support.js';
import { lines } from '../fields/support.js';

/** What rsyslogd understood of a message, with a separator that no event has. */
const TEMPLATE = [
  ...['pri', 'syslogfacility-text', 'syslogseverity-text', 'hostname', 'app-name', 'procid', 'msgid'],
  ...['structured-data', 'timereported:::date-rfc3339', 'msg'],
]
  .map((name) => `%${name}%`)
  .join('<|>');

const EVENTS = [
  {
    '@timestamp': '2026-03-05T07:08:09.123456Z',
    log: { level: 'WARN' },
    host: { name: 'web-1', ip: '192.0.2.1' },
    message: 'plain',
  },
  {
    '@timestamp': '2026-03-05T23:59:59.9Z',
    log: { level: 'Fatal' },
    host: { name: 'düsseldorf host', ip: 'a"b]c\\d=e [f] é' },
    message: 'ünïcödé € "quoted" [x] \\ <13>not a header',
  },
  {
    '@timestamp': '2026-12-31T00:00:00Z',
    log: { level: 7 },
    host: { name: '10.0.0.5' },
    message: 'two\nlines\tand\u0000NUL',
  },
];

/** Of its README; `bom: false`, because rsyslogd leaves the mark in the message. */
const EXAMPLE: JsonObject = { ...syslogFormatterSpec.examples[0]?.params, facility: 'local3', bom: false };

(hasRsyslog ? describe : describe.skip)(`formatter syslog into rsyslogd ${NEEDS_RSYSLOG}`, () => {
  let server: RsyslogServer;
  beforeAll(async () => {
    server = await startRsyslog({ template: TEMPLATE, counts: true });
  });
  afterEach(closeAll);
  afterAll(() => server.remove());

  const understood = async (messages: readonly string[]): Promise<readonly (readonly string[])[]> => {
    const before = server.lines().length;
    const output = await openSyslog({ port: server.port, format: 'raw' });
    await output.write(textBatch(messages), never);
    await output.close();
    for (const end = Date.now() + 30_000; server.lines().length < before + messages.length; ) {
      if (Date.now() > end) break;
      await systemClock.sleepMs(10, never);
    }
    return server
      .lines()
      .slice(before)
      .map((line) => line.split('<|>'));
  };

  test('RFC 5424: it reads the fields of the events', async () => {
    expect(await understood(await lines(syslogFormatterPlugin, EXAMPLE, EVENTS))).toEqual([
      [
        ...['156', 'local3', 'warning', 'web-1', 'shop', '-', '-', '[origin@32473 ip="192.0.2.1"]'],
        ...['2026-03-05T07:08:09.123456+00:00', 'plain'],
      ],
      [
        ...['154', 'local3', 'crit', 'd_sseldorf_host', 'shop', '-', '-'],
        '[origin@32473 ip="a\\"b\\]c\\\\d=e [f\\] é"]',
        ...['2026-03-05T23:59:59.900000+00:00', 'ünïcödé € "quoted" [x] \\ <13>not a header'],
      ],
      [
        ...['159', 'local3', 'debug', '10.0.0.5', 'shop', '-', '-', '-'],
        ...['2026-12-31T00:00:00+00:00', 'two#012lines#011and#000NUL'],
      ],
    ]);
  });

  test('RFC 3164: it reads the fields of the events', async () => {
    const { ['structured_data']: _, ...params } = EXAMPLE;
    const old = { ...params, header: 'rfc3164', procid: '{/log/level}' };
    const read = await understood(await lines(syslogFormatterPlugin, old, EVENTS));
    // The time has no year and no zone.
    expect(read.map((fields) => [...fields.slice(0, 8), fields[8]?.slice(5, 19), fields[9]])).toEqual([
      ['156', 'local3', 'warning', 'web-1', 'shop', 'WARN', '-', '-', '03-05T07:08:09', ' plain'],
      [
        ...['154', 'local3', 'crit', 'd_sseldorf_host', 'shop', 'Fatal', '-', '-'],
        ...['03-05T23:59:59', ' ünïcödé € "quoted" [x] \\ <13>not a header'],
      ],
      [
        ...['159', 'local3', 'debug', '10.0.0.5', 'shop', '7', '-', '-'],
        ...['12-31T00:00:00', ' two#012lines#011and#000NUL'],
      ],
    ]);
  });
});
