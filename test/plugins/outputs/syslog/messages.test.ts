import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { utc, zoneOf } from '../../../../src/domain/time/zone.js';
import { outputShape } from '../../../../src/plugins/generatorShape.js';
import {
  type HeaderParts,
  headerMaker,
  syslogMessageMaker,
} from '../../../../src/plugins/outputs/syslog/messages.js';
import { priorityOf } from '../../../../src/plugins/shared/syslogFields.js';
import { structuredElement } from '../../../../src/plugins/shared/syslogHeader.js';
import { decode, readBack } from '../../../../src/schema/index.js';

const PARTS: HeaderParts = {
  ...{ format: 'rfc5424', facility: 'user', severity: 'info', hostname: 'h', app_name: 'a' },
  ...{ procid: null, msgid: null, structured_data: null },
};
/** 2026-03-05T07:08:09.123456Z. */
const NOW = Date.UTC(2026, 2, 5, 7, 8, 9) * 1_000 + 123_456;

describe('the header', () => {
  test('the priority is facility times 8 plus severity', () => {
    expect([priorityOf('kern', 'emerg'), priorityOf('user', 'info'), priorityOf('local7', 'debug')]).toEqual([
      0, 14, 191,
    ]);
  });

  test('RFC 5424: time with microseconds and zone, nil values as -', () => {
    expect(headerMaker(PARTS, utc)(NOW).toString()).toBe('<14>1 2026-03-05T07:08:09.123456+00:00 h a - - - ');
    const full = { ...PARTS, procid: '7', msgid: 'M', structured_data: { x: { k: 'v' }, y: {} } };
    expect(headerMaker(full, utc)(NOW).toString()).toMatch(/ h a 7 M \[x k="v"\]\[y\] $/);
  });

  test('RFC 3164: local time, day padded with a space', () => {
    const kathmandu = zoneOf('Asia/Kathmandu') ?? utc;
    const old = { ...PARTS, format: 'rfc3164' as const };
    expect(headerMaker(old, kathmandu)(NOW).toString()).toBe('<14>Mar  5 12:53:09 h a: ');
    expect(headerMaker({ ...old, procid: '7' }, utc)(NOW).toString()).toBe('<14>Mar  5 07:08:09 h a[7]: ');
  });

  test('quotes, backslashes and brackets of structured data are escaped', () => {
    expect(structuredElement('id', [['p', 'a"b\\c]d[e']])).toBe('[id p="a\\"b\\\\c\\]d[e"]');
  });
});

describe('messages', () => {
  const makerOf = (max_bytes: number) =>
    syslogMessageMaker({
      framing: 'octet_counting',
      headerAt: () => Buffer.from('H '),
      hasMark: true,
      max_bytes,
      now: () => NOW,
    });

  test('one header for the batch, lengths in bytes, a mark before what is not ASCII', () => {
    const { bytes } = makerOf(Number.POSITIVE_INFINITY)(textBatch(['a', 'é']));
    expect(bytes.toString()).toBe('3 H a7 H \ufeffé');
  });

  test('longer messages than allowed are rejected by position', () => {
    expect(makerOf(6)(textBatch(['abcd', 'abcde', 'x']))).toMatchObject({
      count: 2,
      missed: [
        {
          items: [1],
          reason: { code: 'unroutable', message: expect.stringContaining('max_message_bytes (6)') },
        },
      ],
      positions: [0, 2],
    });
  });
});

const issuesOf = (params: JsonObject) => {
  const decoded = decode(outputShape, { syslog: { host: 'h', ...params } });
  return E.isLeft(decoded) ? decoded.left.map(({ path, type }) => `${path.join('.')} ${type}`) : [];
};

describe('the declaration of syslog', () => {
  test('the smallest config reads back with the defaults', () => {
    expect(readBack(outputShape, { syslog: { host: 'h' } })).toMatchObject({
      syslog: {
        ...{ host: 'h', port: null, transport: 'tcp', format: 'rfc5424', framing: 'octet_counting' },
        ...{
          facility: 'user',
          severity: 'info',
          hostname: null,
          app_name: 'spate',
          procid: null,
          msgid: null,
        },
        ...{ structured_data: null, bom: true, max_message_bytes: null, on_refused: 'retry', verify: true },
      },
    });
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ['a facility without a name', { facility: 'local8' }, ['syslog.facility not_allowed']],
    ['a space in a header field', { hostname: 'a b' }, ['syslog.hostname bad_format']],
    ['too long an application', { app_name: 'x'.repeat(49) }, ['syslog.app_name too_long']],
    ['a message ID in RFC 3164', { format: 'rfc3164', msgid: 'X' }, ['syslog.msgid not_allowed']],
    ['a tag with a colon', { format: 'rfc3164', app_name: 'a:b' }, ['syslog.app_name bad_format']],
    [
      'a bad ID of structured data',
      { structured_data: { 'a b': {} } },
      ['syslog.structured_data bad_format'],
    ],
    ['a certificate without TLS', { ca_cert: 'ca.pem' }, ['syslog.ca_cert not_allowed']],
    ['a limit under 480 bytes', { max_message_bytes: 100 }, ['syslog.max_message_bytes out_of_range']],
  ])('%s', (_, params, issues) => {
    expect(issuesOf(params)).toEqual(issues);
  });
});
