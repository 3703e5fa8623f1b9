import { describe, expect, test } from '@jest/globals';
import { placeholdersIn } from '../../src/domain/placeholder.js';
import { checkSecretName, checkSecretValue, MAX_SECRET_BYTES } from '../../src/domain/secrets.js';

describe('the name of a secret', () => {
  test.each([
    'a',
    'api_password',
    'db.prod.password',
    'A-1',
    '_x',
    '__proto__',
    'constructor',
    'x'.repeat(128),
  ])('%s is fine, and a placeholder can hold it', (name) => {
    expect(checkSecretName(name)).toBeNull();
    expect(placeholdersIn(`\${secrets.${name}}`)).toEqual([{ source: 'secrets', name, fallback: null }]);
  });

  test.each([
    ['', 'too_short'],
    ['a b', 'not_allowed'],
    ['a/b', 'not_allowed'],
    ['a:-b', 'not_allowed'],
    ['ä', 'not_allowed'],
    ['a\n', 'not_allowed'],
    ['-x', 'not_allowed'],
    ['.x', 'not_allowed'],
    ['..', 'not_allowed'],
    ['x'.repeat(129), 'too_long'],
  ])('%j is refused', (name, type) => {
    expect(checkSecretName(name)?.type).toBe(type);
  });
});

describe('the value of a secret', () => {
  test.each(['x', ' ', '\n', '"\'${secrets.x}', '\u0000', '\u{1f511}', 'x'.repeat(MAX_SECRET_BYTES)])(
    'may be any text (%#)',
    (value) => {
      expect(checkSecretValue(value)).toBeNull();
    },
  );

  test.each([
    ['', 'too_short'],
    ['\ud800', 'not_allowed'],
    ['x'.repeat(MAX_SECRET_BYTES + 1), 'too_long'],
    ['ä'.repeat(MAX_SECRET_BYTES / 2 + 1), 'too_long'],
  ])(
    'is refused when empty, no Unicode or too long, and the message does not show it (%#)',
    (value, type) => {
      const flaw = checkSecretValue(value);
      expect(flaw?.type).toBe(type);
      expect(flaw?.message.length).toBeLessThan(60);
    },
  );
});
