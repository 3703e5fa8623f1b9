import { expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { generatorShape } from '../../../../src/plugins/generatorShape.js';
import { PLUGIN_SPECS } from '../../../../src/plugins/specs.js';
import { decode, showPath } from '../../../../src/schema/index.js';

const EVENTS: JsonObject = { format: 'avro', schema: 'int' };
const WHOLE: JsonObject = { ...EVENTS, encoding: 'container' };

const issuesOf = (output: JsonObject): readonly string[] => {
  const decoded = decode(generatorShape, {
    input: [{ timer: { seconds: 1, start: 'now' } }],
    event: { script: { path: 'event.js' } },
    output: [output],
  });
  return E.isLeft(decoded)
    ? decoded.left
        .filter(({ path }) => path[0] === 'output')
        .map(({ path, message }) => `${showPath(path)} ${message}`)
    : [];
};

const TABLE = { host: 'h', table: 't', separator: '', input_format: 'AvroConfluent' };

test.each<[string, JsonObject]>([
  ['kafka', { bootstrap_servers: ['h:1'], topic: 't', formatter: EVENTS }],
  ['nats', { servers: ['nats://h'], subject: 's', formatter: EVENTS }],
  ['file', { path: 'f', separator: '', formatter: WHOLE }],
  ['redis', { host: 'h', key: 'k', formatter: EVENTS }],
  ['mqtt', { url: 'mqtt://h', topic: 't', formatter: WHOLE }],
  ['http', { url: 'http://h', formatter: WHOLE }],
  ['udp', { host: 'h', port: 1, separator: '', formatter: EVENTS }],
  ['tcp', { host: 'h', port: 1, framing: 'octet_counting', formatter: EVENTS }],
  ['clickhouse', { host: 'h', table: 't', input_format: 'Avro', formatter: WHOLE }],
  ['clickhouse', { ...TABLE, formatter: EVENTS }],
])('%s takes bytes with %j', (kind, params) => {
  expect(issuesOf({ [kind]: params })).toEqual([]);
});

test.each<[string, JsonObject, string]>([
  [
    'kafka',
    { bootstrap_servers: ['h:1'], topic: 't', encoding: 'utf-16' },
    'they have no `encoding`: remove it',
  ],
  ['http', { url: 'http://h', batching: 'joined' }, 'a separator would follow them: set `batching: item`'],
  ['file', { path: 'f', separator: '' }, 'a file needs them as one: choose `encoding: container`'],
  ['udp', { host: 'h', port: 1 }, 'the separator would follow them: set `separator: ""`'],
  ['tcp', { host: 'h', port: 1 }, 'they have no separator: set `framing: octet_counting`'],
  ['clickhouse', { host: 'h', table: 't' }, 'an insert needs them as one file: choose `encoding: container`'],
  ['clickhouse', { ...TABLE, footer: 'x' }, 'they have no `header` and no `footer`: remove these'],
])('%s says what is in the way of bytes with %j', (kind, params, why) => {
  expect(issuesOf({ [kind]: { ...params, formatter: EVENTS } })).toEqual([
    `output[0].${kind}.formatter \`avro\` makes bytes, but ${why}`,
  ]);
});

test('outputs that write text refuse bytes', () => {
  const specs: Readonly<Record<string, { readonly takesBytes?: unknown }>> = PLUGIN_SPECS.output;
  const refusing = Object.entries(specs).flatMap(([name, spec]) =>
    spec.takesBytes === undefined ? [name] : [],
  );
  for (const name of ['stdout', 'syslog', 'opensearch', 'postgresql', 'loki', 'otlp', 'splunk_hec'])
    expect(refusing).toContain(name);
  expect(issuesOf({ stdout: { formatter: WHOLE } })).toEqual([
    'output[0].stdout.formatter `avro` makes bytes, but this output writes text',
  ]);
  expect(issuesOf({ stdout: { formatter: { format: 'json' } } })).toEqual([]);
});
