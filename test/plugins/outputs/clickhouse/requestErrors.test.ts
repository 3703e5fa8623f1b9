import { describe, expect, test } from '@jest/globals';
import { clickhouseReplyError } from '../../../../src/plugins/outputs/clickhouse/requestErrors.js';
import { networkError } from '../../../../src/plugins/outputs/shared/errors.js';

describe('whether sending the same again may help', () => {
  test.each([
    ['may pass', true, [159, 160, 201, 202, 203, 209, 210, 225, 236, 241, 242, 243, 252, 285, 319, 394, 999]],
    [
      'stays',
      false,
      [6, 16, 26, 27, 38, 41, 53, 60, 62, 72, 73, 81, 115, 117, 192, 193, 194, 349, 469, 497, 516],
    ],
  ])('%s is recognized by its code, at any HTTP status', (_, isRetryable, codes) => {
    for (const code of codes) {
      for (const status of [200, 400, 500]) {
        const text = `Code: ${code}. DB::Exception: something. (NAME) (version 24.3.1.1)`;
        expect(clickhouseReplyError(status, undefined, text)).toMatchObject({
          what: 'something. (NAME)',
          origin: `code ${code}`,
          isRetryable,
          code,
        });
        expect(clickhouseReplyError(status, String(code), 'no code here')).toMatchObject({
          isRetryable,
          code,
        });
      }
    }
  });

  test.each([
    [500, 'Too many simultaneous queries. Maximum: 100', true],
    [400, 'Memory limit exceeded', true],
    [504, 'upstream timed out', true],
    [500, "Table default.x doesn't exist", false],
    [500, 'Authentication failed', false],
    [500, 'Cannot parse input', false],
    [500, 'Code: 99999. DB::Exception: new in version 90', true],
    [400, 'Code: 99999. DB::Exception: new in version 90', false],
    [429, '', true],
    [503, '', true],
    [407, '', false],
    [404, '', false],
  ])('without a known code the text decides, and then the status: %i %j', (status, text, isRetryable) => {
    expect(clickhouseReplyError(status, undefined, text).isRetryable).toBe(isRetryable);
  });

  test('an error of the network may always pass, and is said in words', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(networkError(refused)).toMatchObject({ what: 'the connection was refused', isRetryable: true });
    expect(networkError(new Error('odd'))).toMatchObject({ what: 'odd', origin: '', isRetryable: true });
    expect(networkError('thrown text')).toMatchObject({ what: 'thrown text', isRetryable: true });
  });
});
