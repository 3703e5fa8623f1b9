import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import protobuf from 'protobufjs';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import { utc } from '../../../../src/domain/time/zone.js';
import {
  batchRecords,
  type LogRecord,
  type RecordOptions,
  recordMaker,
  severityOf,
} from '../../../../src/plugins/outputs/otlp/record.js';
import {
  jsonRequest,
  protobufRequest,
  protobufTexts,
} from '../../../../src/plugins/outputs/otlp/requests.js';
import { memoryLog } from '../../../support/logs.js';

/** The messages of opentelemetry-proto (stable since 1.0.0) that a request of logs consists of. */
const PROTO = `
syntax = "proto3";
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4;
    ArrayValue array_value = 5; KeyValueList kvlist_value = 6; bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message InstrumentationScope { string name = 1; string version = 2; repeated KeyValue attributes = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message LogRecord {
  fixed64 time_unix_nano = 1; int32 severity_number = 2; string severity_text = 3; AnyValue body = 5;
  repeated KeyValue attributes = 6; uint32 dropped_attributes_count = 7; fixed32 flags = 8; bytes trace_id = 9;
  bytes span_id = 10; fixed64 observed_time_unix_nano = 11;
}
message ScopeLogs { InstrumentationScope scope = 1; repeated LogRecord log_records = 2; string schema_url = 3; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scope_logs = 2; string schema_url = 3; }
message Request { repeated ResourceLogs resource_logs = 1; }
`;
const Request = protobuf.parse(PROTO).root.lookupType('Request');

/** A request in protobuf, as protobufjs reads it, in the JSON encoding of OTLP. */
const decodedProtobuf = (bytes: Buffer): unknown => {
  const shown = Request.toObject(Request.decode(bytes), { longs: String, bytes: String }) as object;
  return JSON.parse(JSON.stringify(shown), (key, value: unknown) =>
    (key === 'traceId' || key === 'spanId') && typeof value === 'string'
      ? Buffer.from(value, 'base64').toString('hex')
      : value,
  );
};

const ORIGIN = { resource: { 'service.name': 'lab', n: 3 }, scope_name: 'spate', scope_version: '1' };

const wellFormed = fc.string({ unit: 'grapheme' });
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    wellFormed,
    fc.boolean(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(wellFormed, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const nanos = fc.bigInt({ min: 1n, max: 2n ** 63n - 1n });
const hex = (digits: number) => fc.option(fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`)));
const record: fc.Arbitrary<LogRecord> = fc.record({
  time: nanos,
  observed: nanos,
  severity: fc.integer({ min: 0, max: 24 }),
  severityText: fc.option(wellFormed),
  body: value,
  attributes: fc.array(fc.tuple(wellFormed, value), { maxLength: 4 }),
  traceId: hex(32),
  spanId: hex(16),
});

/** What proto3 does not tell apart: absent, and empty or 0; empty lists. JSON in OTLP omits them, too. */
const plain = (given: unknown): unknown =>
  JSON.parse(
    JSON.stringify(given, (key, one: unknown) => {
      if ((key === 'severityText' || key === 'key') && one === '') return undefined;
      if (['attributes', 'values', 'logRecords'].includes(key) && Array.isArray(one) && one.length === 0)
        return undefined;
      // Zero as a double: both zeros are the same in JSON.
      return Object.is(one, -0) ? 0 : one;
    }),
  );

describe('a request', () => {
  test('in protobuf is read by another implementation as the one in JSON says', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
        const inJson = JSON.parse(String(jsonRequest(ORIGIN)(records))) as unknown;
        expect(plain(decodedProtobuf(protobufRequest(ORIGIN)(records)))).toEqual(plain(inJson));
      }),
      { numRuns: 300 },
    );
  });

  test('is the same again: a writer keeps nothing', () => {
    const encode = protobufRequest(ORIGIN);
    const records: LogRecord[] = [
      {
        time: 1n,
        observed: 2n,
        severity: 9,
        severityText: 'info',
        body: 'x'.repeat(100_000),
        attributes: [],
        traceId: null,
        spanId: null,
      },
    ];
    const first = Buffer.from(encode(records));
    expect(encode(records)).toEqual(first);
    expect(encode([...records, ...records]).length).toBeGreaterThan(200_000);
  });

  test('has deep values as JSON text', () => {
    const deep = JSON.parse(`${'['.repeat(2_000)}1${']'.repeat(2_000)}`) as unknown;
    const records: LogRecord[] = [
      {
        time: 1n,
        observed: 1n,
        severity: 0,
        severityText: null,
        body: deep,
        attributes: [],
        traceId: null,
        spanId: null,
      },
    ];
    const inJson = String(jsonRequest(ORIGIN)(records));
    expect(inJson).toContain(`{"stringValue":"${'['.repeat(1_970)}1`);
    expect(decodedProtobuf(protobufRequest(ORIGIN)(records))).toEqual(JSON.parse(inJson));
  });
});

describe('a record', () => {
  const NONE: RecordOptions = {
    content: 'text',
    body: null,
    time: null,
    severity: null,
    attributes: {},
    trace_id: null,
    span_id: null,
    zone: utc,
    generator: 'web',
  };

  test('of an event is its text at the time of delivery', () => {
    expect(recordMaker(NONE).recordOf('{"a":1}', 5n)).toEqual({
      time: 5n,
      observed: 5n,
      severity: 0,
      severityText: null,
      body: '{"a":1}',
      attributes: [],
      traceId: null,
      spanId: null,
    });
  });

  test('takes body, time, severity, attributes and ids from the event', () => {
    const { recordOf: make } = recordMaker({
      ...NONE,
      body: '{/m}',
      time: '{/t}',
      severity: '{/l}',
      attributes: {
        n: '{/n}',
        env: 'lab',
        gone: '{/gone}',
        null: '{/null}',
      },
      trace_id: '{/trace}',
      span_id: '{/span}',
    });
    const event = {
      ...{ m: 'hello', t: 1, l: 'WARN', n: 7.5, null: null },
      ...{ trace: '0AF7651916CD43DD8448EB211C80319C', span: '0000000000000000' },
    };
    expect(make(JSON.stringify(event), 5n)).toEqual({
      time: 1_000_000_000n,
      observed: 5n,
      severity: 13,
      severityText: 'WARN',
      body: 'hello',
      attributes: [
        ['n', 7.5],
        ['env', 'lab'],
        ['null', null],
      ],
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: null,
    });
    expect(make('no JSON', 5n)).toMatchObject({ body: 'no JSON', time: 5n, attributes: [['env', 'lab']] });
  });

  test('has the structure of JSON if the config says so', () => {
    const bodies = (content: RecordOptions['content']) =>
      ['{"a":1}', '7', 'x'].map((event) => recordMaker({ ...NONE, content }).recordOf(event, 5n)?.body);
    expect(bodies('text')).toEqual(['{"a":1}', '7', 'x']);
    expect(bodies('auto')).toEqual([{ a: 1 }, '7', 'x']);
    expect(bodies('json')).toEqual([{ a: 1 }, 7, undefined]);
  });

  test('of any texts becomes the same request from the bytes of a batch as one by one', () => {
    const maker = recordMaker({ ...NONE, content: 'text', severity: 'info', attributes: { env: 'lab' } });
    const [encode, encodeTexts] = [protobufRequest(ORIGIN), protobufTexts(ORIGIN)];
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (events) => {
        const records = batchRecords(maker, memoryLog().log)(events, 5n);
        const shared = maker.recordOf('', 5n) as LogRecord;
        expect(encodeTexts(textBatch(events), shared)).toEqual(encode(records));
      }),
    );
  });

  test.each([
    ['trace', 1],
    ['Debug', 5],
    ['INFO', 9],
    ['info4', 12],
    ['notice', 10],
    ['warning', 13],
    ['err', 17],
    ['crit', 18],
    ['FATAL', 21],
    ['24', 24],
    ['25', 0],
    ['0', 0],
    ['loud', 0],
    [null, 0],
  ])('with severity %s has the number %i', (text, number) => {
    expect(severityOf(text)).toBe(number);
  });
});
