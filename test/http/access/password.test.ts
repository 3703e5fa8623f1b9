import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import {
  type CheckPassword,
  hashPassword,
  isSameText,
  makePasswordCheck,
} from '../../../src/http/access/password.js';

const SALT = Buffer.from('0123456789abcdef');
const CHEAP = { N: 16, r: 1, p: 1 };

const checkOf = (stored: string): CheckPassword => {
  const check = makePasswordCheck(stored);
  if (E.isLeft(check)) throw new Error(check.left.message);
  return check.right;
};

test('texts of different length are compared like any other', () => {
  expect([isSameText('a', 'a'), isSameText('a', 'ab'), isSameText('', '')]).toEqual([true, false, true]);
});

describe('a stored password', () => {
  test('in plain text', async () => {
    const check = checkOf('päss');
    expect([await check('päss'), await check('pass'), await check('')]).toEqual(['right', 'wrong', 'wrong']);
  });

  test('as scrypt hash, right again and again, wrong after right', async () => {
    const check = checkOf(await hashPassword('päss', SALT, CHEAP));
    expect(await check('no')).toBe('wrong');
    expect(await check('päss')).toBe('right');
    expect(await check('päss')).toBe('right');
    expect(await check('no')).toBe('wrong');
  });

  test('the hash has the documented form and is that of RFC 7914', async () => {
    // Second vector of section 12; we store its first 32 bytes.
    const vector = 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162';
    const stored = await hashPassword('password', Buffer.from('NaCl'), { N: 1024, r: 8, p: 16 });
    expect(stored).toBe(`scrypt$1024$8$16$TmFDbA==$${Buffer.from(vector, 'hex').toString('base64')}`);
  });

  test.each([
    'scrypt$',
    'scrypt$16$1$1$MDEyMzQ1Njc=',
    'scrypt$15$1$1$MDEyMzQ1Njc=$MDEyMzQ1Njc4OWFiY2RlZg==',
    'scrypt$16$0$1$MDEyMzQ1Njc=$MDEyMzQ1Njc4OWFiY2RlZg==',
    'scrypt$16$1$1$MDEy$MDEyMzQ1Njc4OWFiY2RlZg==',
    'scrypt$16$1$1$MDEyMzQ1Njc=$MDEy',
    'scrypt$16777216$8$1$MDEyMzQ1Njc=$MDEyMzQ1Njc4OWFiY2RlZg==',
    'scrypt$16$1$1$MDEyMzQ1Njc=$MDEyMzQ1Njc4OWFiY2RlZg==$more',
  ])('%s is refused when it is read, and not shown', (stored) => {
    const check = makePasswordCheck(stored);
    expect(check).toMatchObject({
      left: { code: 'invalid', message: expect.stringContaining('scrypt$N$r$p') },
    });
  });

  test('a crowd of guesses is turned away', async () => {
    const check = checkOf(await hashPassword('right', SALT, CHEAP));
    const verdicts = await Promise.all(Array.from({ length: 40 }, (_, i) => check(`guess ${i}`)));
    expect(verdicts.filter((verdict) => verdict === 'busy').length).toBe(24);
    expect(await check('right')).toBe('right');
  });
});
