import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonFlaw, notJson } from '../../src/domain/json.js';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('a text that is no JSON', () => {
  test.each([
    ['{"a": }', 'must be JSON: line 1, column 7 has no value'],
    ['{"a": 1\n "b": 2}', 'must be JSON: line 2, column 2 has no comma or closing bracket'],
    ['{a: 1}', 'must be JSON: line 1, column 2 has no key in double quotes or }'],
    ['{"a" 1}', 'must be JSON: line 1, column 6 has no colon'],
    ['[1, ]', 'must be JSON: line 1, column 5 has no value'],
    ['[1] x', 'must be JSON: line 1, column 5 has more behind its end'],
    ['', 'must be JSON: line 1, column 1 has no value'],
  ])('%j is told with its place', (text, message) => {
    expect(notJson(text)).toBe(message);
  });

  test('is told from one that is, as JSON.parse does', () => {
    const bits = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '1',
      '-0.5e3',
      '01',
      'true',
      'nul',
      ' ',
      '\n',
      '"\\x"',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(jsonFlaw(text) === null).toBe(isJson(text));
      }),
      { numRuns: 5_000 },
    );
    fc.assert(fc.property(fc.json(), (text) => expect(jsonFlaw(text)).toBeNull()));
  });

  test('of any depth is read without a stack', () => {
    expect(jsonFlaw('['.repeat(200_000))).toMatchObject({ column: 200_001 });
  });
});
