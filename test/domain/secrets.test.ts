import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { failure } from '../../src/domain/errors.js';
import { HIDDEN, knownSecrets, MIN_HIDDEN_LENGTH } from '../../src/domain/secrets.js';

const knowing = (...values: readonly string[]) => {
  const known = knownSecrets();
  for (const value of values) known.add(value);
  return known;
};

describe('known secrets', () => {
  test('without any, every text stays', () => {
    expect(knowing().hideText('hunter2')).toBe('hunter2');
    expect(knowing('').hideText('a b')).toBe('a b');
  });

  test.each([
    ['alone', 'hunter2', '***'],
    ['inside a text, each time', 'a hunter2 b hunter2!', 'a *** b ***!'],
    ['in a row', 'hunter2hunter2', '***'],
  ])('a value is hidden %s', (_, text, shown) => {
    expect(knowing('hunter2').hideText(text)).toBe(shown);
  });

  test.each([
    ['as JSON writes it', JSON.stringify({ password: 'a"b\\c\nd' }), '{"password":"***"}'],
    ['in JSON inside JSON', JSON.stringify(JSON.stringify('a"b\\c\nd')), '"\\"***\\""'],
    ['in a URL', `http://u:${encodeURIComponent('a"b\\c\nd')}@host/`, 'http://u:***@host/'],
    ['in a query', `?${new URLSearchParams({ p: 'a"b\\c\nd' }).toString()}`, '?p=***'],
    ['with its line feed made a blank', 'got a"b\\c d', 'got ***'],
  ])('a value is hidden %s', (_, text, shown) => {
    expect(knowing('a"b\\c\nd').hideText(text)).toBe(shown);
  });

  test('in the header that carries it', () => {
    for (const user of ['a', 'ab', 'abc', 'abcd']) {
      const shown = knowing('correct horse').hideText(btoa(`${user}:correct horse`));
      expect(shown).toMatch(/^.{2,8}\*\*\*.{0,3}$/);
    }
  });

  test('in the password of a URL', () => {
    const secret = "p@ss/w:rd #?%'1";
    const url = new URL('http://host/');
    url.password = secret;
    expect(knowing(secret).hideText(url.href)).toBe('http://:***@host/');
  });

  test('each long line of a value with several lines is hidden', () => {
    const shown = knowing('-----BEGIN KEY-----\nMIIEvQIBADANBg\nabc\n').hideText(
      'line MIIEvQIBADANBg and abc',
    );
    expect(shown).toBe('line *** and abc');
  });

  test('of values that overlap nothing shows', () => {
    expect(knowing('abcd', 'cdefgh').hideText('xabcdefghx')).toBe('x***x');
    expect(knowing('abcd', 'abcdefgh').hideText('abcdefgh abcd')).toBe('*** ***');
    expect(knowing('aaaa').hideText('aaaaaa')).toBe('***');
  });

  test('a short value is hidden only where it is the whole text', () => {
    const known = knowing('1', 'abc');
    expect(known.hideText('21 of abc')).toBe('21 of abc');
    expect(known.hideText('1')).toBe(HIDDEN);
    expect(known.hideJson({ port: 1, text: 'abc', other: 11 })).toEqual({
      port: HIDDEN,
      text: HIDDEN,
      other: 11,
    });
  });

  test('in JSON at any depth, in keys and as a number', () => {
    expect(
      knowing('hunter2', '8123').hideJson({ a: ['x hunter2', { 'hunter2!': null }], port: 8123, ok: true }),
    ).toEqual({ a: ['x ***', { '***!': null }], port: '***', ok: true });
  });

  test('in an error: message, places and hints', () => {
    const error = failure('invalid', 'bad hunter2', {
      file: '/x',
      issues: [{ path: ['a', 0, 'hunter2'], type: 't', message: 'm hunter2', hint: 'h hunter2', line: 3 }],
    });
    expect(knowing('hunter2').hideError(error)).toEqual({
      code: 'invalid',
      message: 'bad ***',
      file: '/x',
      issues: [{ path: ['a', 0, '***'], type: 't', message: 'm ***', hint: 'h ***', line: 3 }],
    });
  });

  test('for any values and text, no value is left and nothing else is lost', () => {
    // Values without the characters of the mask.
    const value = fc.string({ unit: fc.constantFrom(...'abAB"\\ \n%'), minLength: MIN_HIDDEN_LENGTH });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 5 }), fc.array(fc.string()), (values, parts) => {
        const known = knowing(...values);
        const text = parts.map((part, i) => part + (values[i % (values.length || 1)] ?? '')).join('');
        const shown = known.hideText(text);
        for (const one of values) expect(shown.includes(one)).toBe(false);
        if (!values.some((one) => text.includes(one.trim().slice(0, 1)))) expect(shown).toBe(text);
      }),
    );
  });
});
