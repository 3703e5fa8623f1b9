import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fieldsOf, inspected, sequence } from './support.js';

/** Scalars and containers of a value by path, as the slow way finds them. */
const slowly = (value: unknown, path: string, found: Map<string, number>): Map<string, number> => {
  const add = (type: string): void => {
    const key = `${path} ${type}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  };
  if (Array.isArray(value)) {
    add('array');
    for (const item of value) slowly(item, `${path}[*]`, found);
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value);
    if (members.length === 0) add('object');
    for (const [name, member] of members)
      slowly(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  } else if (typeof value === 'number') add(/[.e]/.test(JSON.stringify(value)) ? 'number' : 'integer');
  else add(value === null ? 'null' : typeof value);
  return found;
};

describe('fields of JSON', () => {
  test('are those that a parser finds, whatever the white space and escapes', async () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom('', ' ', '\t'), async (made, indent) => {
        const text = JSON.stringify(made, null, indent);
        const { fields, kinds } = await inspected([text]);
        expect(kinds).toEqual({ json: 1 });
        const found = fields.flatMap(({ path, types }) =>
          Object.entries(types).map(([type, count]): [string, number] => [`${path} ${type}`, count]),
        );
        // Two names may give one path, e.g. "a[*]" beside a list "a".
        const sums = new Map<string, number>();
        for (const [key, count] of found) sums.set(key, (sums.get(key) ?? 0) + count);
        expect([...sums].sort()).toEqual([...slowly(JSON.parse(text), '', new Map())].sort());
      }),
      { numRuns: 300 },
    );
  });

  test('have share, types, values, entropy, numbers, lengths and items', async () => {
    const fields = await fieldsOf([
      '{"code": 200, "user": {"name": "ann"}, "tags": ["a", "b"]}',
      '{"code": 404, "user": {"name": "robert"}, "tags": []}',
      '{"code": 200.5}',
      '{"code": "200"}',
    ]);
    expect(Object.keys(fields)).toEqual(['/code', '/user/name', '/tags', '/tags[*]']);
    expect(fields['/code']).toEqual({
      path: '/code',
      events: 4,
      share: 1,
      values: 4,
      types: { integer: 2, number: 1, string: 1 },
      distinct: { count: 4, is_exact: true },
      top: [
        { value: '200', type: 'integer', count: 1, share: 0.25, is_exact: true, is_cut: false },
        { value: '404', type: 'integer', count: 1, share: 0.25, is_exact: true, is_cut: false },
        { value: '200.5', type: 'number', count: 1, share: 0.25, is_exact: true, is_cut: false },
        { value: '200', type: 'string', count: 1, share: 0.25, is_exact: true, is_cut: false },
      ],
      entropy_bits: 2,
      numbers: { min: 200, mean: expect.closeTo(804.5 / 3, 9), max: 404 },
      out_of_range: 0,
      length: { min: 3, mean: 3, max: 3 },
      items: null,
    });
    expect(fields['/user/name']).toMatchObject({ share: 0.5, length: { min: 3, mean: 4.5, max: 6 } });
    expect(fields['/tags']).toMatchObject({ events: 2, items: { min: 0, mean: 1, max: 2 }, top: [] });
    expect(fields['/tags[*]']).toMatchObject({ events: 1, values: 2, share: 0.25 });
  });

  test('with repeated names count every value, but the event once', async () => {
    expect((await fieldsOf(['{"a": 1, "a": "two", "a": 1}']))['/a']).toMatchObject({
      events: 1,
      values: 3,
      types: { integer: 2, string: 1 },
    });
  });

  test('keep numbers as written: beyond doubles, of many digits', async () => {
    const fields = await fieldsOf([
      '{"x": 1e400, "id": 12345678901234567890}',
      '{"x": -1e400, "id": 12345678901234567891}',
      '{"x": 2, "id": 12345678901234567891}',
    ]);
    expect(fields['/x']).toMatchObject({ out_of_range: 2, numbers: { min: 2, mean: 2, max: 2 } });
    expect(fields['/x']?.top.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['1e400', '-1e400', '2']),
    );
    expect(fields['/id']?.top).toMatchObject([
      { value: '12345678901234567891', count: 2 },
      { value: '12345678901234567890', count: 1 },
    ]);
  });

  test('nested 10,000 deep are listed down to the limit, which the report names', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const { kinds, fields, limits } = await inspected([`${open.repeat(10_000)}1${close.repeat(10_000)}`]);
      expect(kinds).toEqual({ json: 1 });
      expect(fields.length).toBeLessThanOrEqual(33);
      expect(limits).toMatchObject([
        { limit: 'depth', max: 32, message: expect.stringMatching(/^1 value nested/) },
      ]);
    }
  });

  test('beyond the limit of fields are counted and named as left out', async () => {
    const events = sequence(50, (index) => JSON.stringify({ always: 1, [`field-${index}`]: index }));
    const { fields, limits } = await inspected(events, { max_fields: 11 });
    expect(fields.map(({ path }) => path)).toEqual([
      '/always',
      ...sequence(10, (index) => `/field-${index}`),
    ]);
    expect(fields[0]?.events).toBe(50);
    expect(limits).toMatchObject([
      { limit: 'fields', max: 11, message: expect.stringMatching(/^40 values/) },
    ]);
  });

  test('with long values keep these apart and show their beginning', async () => {
    const long = 'x'.repeat(1_000_000);
    const field = (await fieldsOf([`{"a":"${long}1"}`, `{"a":"${long}2"}`, `{"a":"${long}2"}`]))['/a'];
    expect(field?.distinct).toEqual({ count: 2, is_exact: true });
    expect(field?.top).toMatchObject([
      { value: 'x'.repeat(120), count: 2, is_cut: true, type: 'string' },
      { value: 'x'.repeat(120), count: 1, is_cut: true },
    ]);
    expect(field?.length).toEqual({ min: 1_000_001, mean: 1_000_001, max: 1_000_001 });
  });

  test('of huge events are not searched for', async () => {
    const { kinds, fields, limits } = await inspected([`[${'1,'.repeat(600)}1]`], { max_json_chars: 1_000 });
    expect({ kinds, fields }).toEqual({ kinds: { text: 1 }, fields: [] });
    expect(limits).toMatchObject([{ limit: 'json_chars' }]);
  });
});

describe('fields of text', () => {
  test('of CEF: header and extension, with escapes and blanks in values', async () => {
    const { kinds, fields } = await inspected([
      '<13>Mar  2 host CEF:0|Example|Wall \\| Gate|1.2|100|Denied|5|src=192.0.2.1 msg=no = route \\= here spt=80',
    ]);
    expect(kinds).toEqual({ cef: 1 });
    expect(Object.fromEntries(fields.map(({ path, top }) => [path, top[0]?.value]))).toEqual({
      'CEF.version': '0',
      'CEF.deviceVendor': 'Example',
      'CEF.deviceProduct': 'Wall | Gate',
      'CEF.deviceVersion': '1.2',
      'CEF.signatureId': '100',
      'CEF.name': 'Denied',
      'CEF.severity': '5',
      src: '192.0.2.1',
      msg: 'no = route = here',
      spt: '80',
    });
  });

  test('of key=value: bare, quoted, with numbers', async () => {
    const fields = await fieldsOf([
      'date=2026-03-02 user="ann \\"a\\" lee" bytes=1200 ratio=0.5 empty= code=007',
    ]);
    expect(
      Object.values(fields).map(({ path, types, top }) => [path, Object.keys(types)[0], top[0]?.value]),
    ).toEqual([
      ['date', 'string', '2026-03-02'],
      ['user', 'string', 'ann "a" lee'],
      ['bytes', 'integer', '1200'],
      ['ratio', 'number', '0.5'],
      ['empty', 'string', ''],
      ['code', 'string', '007'],
    ]);
  });

  test.each([
    '',
    'one=1',
    'a sentence of words',
    '{"broken": ',
    '[1, 2',
    'CEF:0|too|short',
    'GET /?a=1&b=2 HTTP/1.1',
  ])('are not found in %j', async (text) => {
    expect(await inspected([text])).toMatchObject({ kinds: { text: 1 }, fields: [] });
  });

  test('are searched for in the first part of a long text only', async () => {
    const { fields, limits } = await inspected([`a=1 b=2 ${'x'.repeat(100)} c=3`], { max_pair_chars: 50 });
    expect(fields.map(({ path }) => path)).toEqual(['a', 'b']);
    expect(limits).toMatchObject([{ limit: 'pair_chars', max: 50 }]);
  });
});
