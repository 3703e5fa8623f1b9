import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { parseBody } from '../../src/contract/body.js';
import { lossOf } from '../../src/contract/jsonNumbers.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('numbers of a JSON body', () => {
  test.each<[string, readonly string[]]>([
    ['9007199254740993', []],
    ['-9007199254740993', []],
    ['{"a": 9007199254740993}', ['a']],
    ['{"a": {"b\\"c": [1, "x, y: [", {"z": "z", "d": 12345678901234567890}]}}', ['a', 'b"c', '2', 'd']],
    ['[[], [1], [2, 3, 1e999]]', ['2', '2']],
    ['{"a": "9007199254740993", "b" \n : -1e400}', ['b']],
    [`{"x": 1, "big": ${'7'.repeat(500)}}`, ['big']],
    ['{"a": "b", "c": [0, 100000000000000000000001]}', ['c', '1']],
    ['{"a": 0.1234567890123456789}', ['a']],
    ['[1, 3.14159265358979323846e2]', ['1']],
    ['9007199254740993.0', []],
    ['1e-400', []],
    ['{"a": {"b": -0.1e-999}}', ['a', 'b']],
    ['1.2345e-320', []],
    [`0.${'123456789'.repeat(20)}`, []],
  ])('%s is refused at its place', (text, path) => {
    const body = parseBody(bytes(text));
    expect(body).toMatchObject(E.left({ loc: ['body', ...path], type: 'out_of_range' }));
  });

  test.each([
    '9007199254740992',
    '1e21',
    '100000000000000000000',
    '0.12345678901234567',
    '0.10000000000000001',
    '0.1000000000000000055511151231257827',
    '123456.789000000000000000000000',
    '1.5e300',
    '1.50000000000000000000E+300',
    '-0',
    '0e-999',
    '-0.0e400',
    '0.00000000000000000000000',
    '5e-324',
    '2.2250738585072014e-308',
    '9007199254740992.000',
  ])('%s is taken', (text) => expect(parseBody(bytes(`[${text}]`))).toEqual(E.right([Number(text)])));

  test.each<[string, readonly string[]]>([
    ['{"a": 1, "b": 2, "a": 1}', ['a']],
    ['{"a": 1, "\\u0061": 2}', ['a']],
    ['[0, {"x": {"": 1, "y": "y", "": {}}}]', ['1', 'x', '']],
    ['{"__proto__": 1, "__proto__": 2}', ['__proto__']],
  ])('%s has a key twice, and is refused at its place', (text, path) => {
    expect(parseBody(bytes(text))).toMatchObject(E.left({ loc: ['body', ...path], type: 'conflict' }));
  });

  test.each([
    '{"a": {"a": ["a", "a", {"a": "a"}]}, "b": {"a": "a"}}',
    '[{"a": 1}, {"a": 1}]',
    '{"a": "b", "b": "a", "{": ",", ",": "\\",\\"a"}',
    '{"constructor": 1, "toString": 2}',
  ])('%s has none', (text) => expect(parseBody(bytes(text))).toEqual(E.right(JSON.parse(text))));

  test('every printed number is accepted', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(lossOf(JSON.stringify(value))).toBeNull();
      }),
    );
  });

  test('an integer that would come out as another is found wherever it stands', () => {
    const lost = fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n }).filter((one) => BigInt(Number(one)) !== one);
    fc.assert(
      fc.property(lost, fc.array(fc.string(), { maxLength: 5 }), fc.jsonValue(), (number, path, beside) => {
        const text = path.reduceRight(
          (inner, key) => `{"_": ${JSON.stringify(beside)}, ${JSON.stringify(`.${key}`)}: ${inner}}`,
          String(number),
        );
        expect(lossOf(text)?.path).toEqual(path.map((key) => `.${key}`));
      }),
    );
  });

  test('two million characters of digits are judged', () => {
    expect(E.isLeft(parseBody(bytes(`[${'9'.repeat(2_000_000)}]`)))).toBe(true);
    expect(E.isRight(parseBody(bytes(`[${'1234567890123456,'.repeat(100_000)}1]`)))).toBe(true);
  });
});
