import { decode as decodeLogfmt } from '@jclem/logfmt2';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { textBatch } from '../../../../src/domain/events/eventBatch.js';
import type { JsonObject } from '../../../../src/domain/json.js';
import { cefPlugin } from '../../../../src/plugins/formatters/cef/plugin.js';
import { csvPlugin } from '../../../../src/plugins/formatters/csv/plugin.js';
import { leefPlugin } from '../../../../src/plugins/formatters/leef/plugin.js';
import { logfmtPlugin } from '../../../../src/plugins/formatters/logfmt/plugin.js';
import { ndjsonPlugin } from '../../../../src/plugins/formatters/ndjson/plugin.js';
import { parseSyslog } from '../../../support/syslogParser.js';
import { built, issuesOf, lines } from './support.js';

/** Texts with the characters that the formats treat specially. */
const awkward = fc.string({
  unit: fc.constantFrom(...'ab1 "\'\\|=,;\t\r\n^{}é🎈\u0000\u0085'),
  maxLength: 12,
});

const EVENT = {
  '@timestamp': '2026-03-02T09:00:00Z',
  user: { name: 'ana', groups: ['a', 'b'], 'a/b': 1 },
  ok: true,
  none: null,
};

describe('texts with values of the event', () => {
  test('a single pointer keeps the type; more text around it makes a string; a missing value is left out', async () => {
    const fields = {
      groups: '{/user/groups}',
      slash: '{/user/a~1b}',
      ok: '{/ok}',
      none: '{/none}',
      missing: '{/missing}',
      joined: '{{{/user/name}}} in {/user/groups}, {/missing}, {/none}',
      constant: 'vpn',
    };
    const [line = ''] = await lines(ndjsonPlugin, { fields }, [EVENT]);
    expect(JSON.parse(line)).toEqual({
      groups: ['a', 'b'],
      slash: 1,
      ok: true,
      none: null,
      joined: '{ana} in ["a","b"], , ',
      constant: 'vpn',
    });
    expect(line.startsWith('{"groups":["a","b"],"slash":1,')).toBe(true);
  });

  test.each(['{', '}', '{user}', 'a {/b', '{/a~2}', '{}', '{/a}}'])('%j is refused', (written) => {
    expect(issuesOf(ndjsonPlugin, { fields: { x: written } })).toEqual([
      'has a brace without a placeholder of this option',
    ]);
  });
});

describe('events that are no JSON object', () => {
  test.each([
    ['ndjson', ndjsonPlugin, { fields: { x: '{/x}' } }],
    ['csv', csvPlugin, { columns: ['{/x}'] }],
    ['logfmt', logfmtPlugin, {}],
  ] as const)('are dropped with the reason by %s', async (_name, plugin, params) => {
    const formatter = await built(plugin as never, params as unknown as JsonObject);
    const { batch, failures } = formatter.format(textBatch(['[1]', '{"x": 1}', '{"x": ', 'text']));
    expect(batch.count).toBe(1);
    expect(failures.map(({ event }) => event)).toEqual(['[1]', '{"x": ', 'text']);
    expect(failures[0]?.reason).toBe('not a JSON object');
    expect(failures[1]?.reason).toMatch(/value|end/);
  });
});

test('ndjson: any values come back from JSON.parse, each event on one line', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.jsonValue(), awkward), { minLength: 1 }), async (events) => {
      const fields = { value: '{/0}', 'a "name"\n': '{/1}', both: '{/1}{/1}' };
      const written = await lines(
        ndjsonPlugin,
        { fields },
        events.map(([value, text]) => ({ 0: value, 1: text })),
      );
      const read = written.join('\n').split('\n');
      expect(read.map((line) => JSON.parse(line) as unknown)).toEqual(
        events.map(([value, text]) => ({
          ...{ value: JSON.parse(JSON.stringify(value)) as unknown, both: text + text },
          'a "name"\n': text,
        })),
      );
    }),
  ));

test('csv: any texts come back from csv-parse', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(awkward, { minLength: 2, maxLength: 2 }), { minLength: 1 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('needed', 'all'),
      async (rows, delimiter, quote) => {
        const params = { columns: ['{/0}', '{/1}'], delimiter, quote, null_text: '\\N' };
        const written = await lines(
          csvPlugin,
          params,
          rows.map(([a, b]) => ({ 0: a, 1: b })),
        );
        const read: unknown = parse(written.join('\n'), {
          delimiter,
          relax_column_count: true,
          record_delimiter: '\n',
        });
        expect(read).toEqual(rows);
      },
    ),
  ));

test('csv: null and missing values are the text for null, and a text that reads the same is quoted', async () => {
  const params = { columns: ['{/a}', '{/b}', '{/c}', '{/d}'], null_text: '\\N' };
  expect(await lines(csvPlugin, params, [{ a: null, b: '\\N', c: { x: [1] } }])).toEqual([
    '\\N,"\\N","{""x"":[1]}",\\N',
  ]);
});

/** Reads logfmt: bare values, and values quoted as JSON. */
const readLogfmt = (line: string): Record<string, string> =>
  Object.fromEntries(
    [...line.matchAll(/([^\s="]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)/gu)].map(([, name = '', value = '']) => [
      name,
      value.startsWith('"') ? (JSON.parse(value) as string) : value,
    ]),
  );

/** What other implementations read too: they know no escapes of control characters. */
const printable = fc.string({ unit: fc.constantFrom(...'ab1 "\'\\|=,;{}é🎈'), maxLength: 12 });

test('logfmt: @jclem/logfmt2 reads any texts', () =>
  fc.assert(
    fc.asyncProperty(printable, printable, async (a, b) => {
      const [line = ''] = await lines(logfmtPlugin, {}, [{ a, outer: { b }, ok: true, n: 1.5, end: 'x' }]);
      expect(decodeLogfmt(line)).toEqual({ a, 'outer.b': b, ok: 'true', n: '1.5', end: 'x' });
    }),
  ));

test('logfmt: any texts come back', () =>
  fc.assert(
    fc.asyncProperty(awkward, awkward, async (a, b) => {
      const [line = ''] = await lines(logfmtPlugin, {}, [{ a, outer: { b } }]);
      expect(readLogfmt(line)).toEqual({ a, 'outer.b': b });
      expect(line).not.toMatch(/[\r\n]/);
    }),
  ));

test('logfmt: numbers, nested values and names', async () => {
  expect(await lines(logfmtPlugin, {}, [{ ...EVENT, 'a b=c': 1, list: [], empty: {} }])).toEqual([
    '@timestamp=2026-03-02T09:00:00Z user.name=ana user.groups="[\\"a\\",\\"b\\"]" user.a/b=1 ok=true none= a_b_c=1 list=[] empty={}',
  ]);
});

const CEF = {
  vendor: 'Example|Networks',
  product: 'Fire\\wall',
  version: '1.0',
  signature_id: '{/code}',
  name: '{/action}',
  extension: { src: '{/ip}', 'cs 1': '{/rule}', cs1Label: 'Rule' },
};

const EXTENSION = { src: '{/ip}', cs1: '{/rule}', cs1Label: 'Rule' };

/** Words with single spaces between them: the parser splits there, and reads no escapes. */
const plain = fc
  .array(fc.stringMatching(/^[A-Za-z0-9.:/_-]{1,8}$/), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const pipes = fc.stringMatching(/^[a-z|]{1,8}$/);

test('cef: header and extension have their own escapes', async () => {
  const event = { code: 7, action: 'a|b\nc', ip: '192.0.2.1', rule: 'x=1\\2\r\n|3' };
  expect(await lines(cefPlugin, CEF, [event, { code: 8, action: 'b' }])).toEqual([
    'CEF:0|Example\\|Networks|Fire\\\\wall|1.0|7|a\\|b c|5|src=192.0.2.1 cs_1=x\\=1\\\\2\\r\\n|3 cs1Label=Rule',
    'CEF:0|Example\\|Networks|Fire\\\\wall|1.0|8|b|5|cs1Label=Rule',
  ]);
});

test('cef: any text in the header and in the extension comes back', () =>
  fc.assert(
    fc.asyncProperty(awkward, awkward, async (action, rule) => {
      const params = { ...CEF, vendor: 'v', product: 'p', extension: { cs1: '{/rule}' } };
      const [line = ''] = await lines(cefPlugin, params, [{ code: 1, action, rule }]);
      const parts = line.split(/(?<=(?:^|[^\\])(?:\\\\)*)\|/u);
      expect(parts.slice(0, 5)).toEqual(['CEF:0', 'v', 'p', '1.0', '1']);
      expect(parts[5]?.replace(/\\(.)/gu, '$1')).toBe(action.replace(/\r\n?|\n/g, ' '));
      const extension = parts.slice(7).join('|');
      const read = extension
        .slice('cs1='.length)
        .replace(/\\([\s\S])/gu, (_, one: string) => ({ n: '\n', r: '\r' })[one] ?? one);
      expect(read).toBe(rule);
    }),
  ));

test('cef: nsyslog-parser reads header and extension, and keeps the escapes of the header', () =>
  fc.assert(
    fc.asyncProperty(plain, plain, pipes, async (action, rule, product) => {
      const params = { ...CEF, vendor: 'v', product: '{/product}', severity: '{/level}' };
      const event = { code: 7, action, rule, product, ip: '192.0.2.1', level: 3 };
      const [line = ''] = await lines(cefPlugin, { ...params, extension: EXTENSION }, [event]);
      const { cef, fields } = parseSyslog(`<14>1 2026-03-05T07:08:09Z host app - - - ${line}`);
      expect(cef).toMatchObject({
        ...{ version: 'CEF:0', deviceVendor: 'v', deviceProduct: product.replaceAll('|', '\\|') },
        ...{ deviceVersion: '1.0', deviceEventClassID: '7', name: action, severity: '3' },
      });
      expect(fields).toEqual({ src: '192.0.2.1', cs1: rule, cs1Label: 'Rule' });
    }),
  ));

test('leef: nsyslog-parser reads header and attributes', () =>
  fc.assert(
    fc.asyncProperty(plain, plain, fc.constantFrom('^', '\t'), async (user, rule, delimiter) => {
      const params = { vendor: 'v', product: 'p', version: '1.0', event_id: '{/code}', delimiter };
      const attributes = { usrName: '{/user}', rule: '{/rule}', src: '{/ip}' };
      const event = { code: 7, user, rule, ip: '192.0.2.1' };
      const [line = ''] = await lines(leefPlugin, { ...params, attributes }, [event]);
      // It splits at the text of the header, and knows no code of a character there.
      const code = delimiter === '^' ? 'x5e' : 'x09';
      expect(line.split('|')[5]).toBe(code);
      const { leef, fields } = parseSyslog(
        `<14>1 2026-03-05T07:08:09Z host app - - - ${line.replace(code, delimiter)}`,
      );
      expect(leef).toMatchObject({ vendor: 'v', product: 'p', version: '1.0', eventID: '7' });
      expect(fields).toEqual({ usrName: user, rule, src: '192.0.2.1' });
    }),
  ));

test('leef: the header names the delimiter, which no value contains', async () => {
  const params = {
    vendor: 'Example|Networks',
    product: 'VPN',
    version: '1.0',
    event_id: '{/code}',
    attributes: { usrName: '{/user}', 'src-ip': '{/ip}' },
  };
  const event = { code: 4, user: 'a\tb\nc^d', ip: '192.0.2.1' };
  expect(await lines(leefPlugin, params, [event])).toEqual([
    'LEEF:2.0|Example Networks|VPN|1.0|4|x09|usrName=a b c^d\tsrc-ip=192.0.2.1',
  ]);
  expect(await lines(leefPlugin, { ...params, delimiter: '^' }, [event])).toEqual([
    'LEEF:2.0|Example Networks|VPN|1.0|4|x5e|usrName=a\tb c d^src-ip=192.0.2.1',
  ]);
  expect(issuesOf(leefPlugin, { ...params, delimiter: '|' })).toHaveLength(1);
});
