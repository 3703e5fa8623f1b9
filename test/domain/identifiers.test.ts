import { describe, expect, test } from '@jest/globals';
import { checkFilePath } from '../../src/domain/directory.js';
import { checkDirectoryName, checkGeneratorId, checkScenarioName } from '../../src/domain/identifiers.js';

/** Marks, embeddings, overrides and isolates. */
const DIRECTION_CHARACTERS = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';

describe('characters that change the direction of text', () => {
  test.each([...DIRECTION_CHARACTERS])('%j is refused in every kind of name', (one) => {
    const name = `b${one}cod.exe`;
    for (const check of [checkDirectoryName, checkGeneratorId, checkScenarioName, checkFilePath])
      expect(check(name)?.type).toBe('not_allowed');
    expect(checkFilePath(`samples/${name}/x.csv`)?.message).toBe(
      'must not hold characters that change the direction of text, such as U+202E',
    );
  });

  test('letters of scripts that run to the left need none', () => {
    for (const check of [checkDirectoryName, checkScenarioName, checkFilePath])
      expect(check('\u05d9\u05d5\u05de\u05df.csv')).toBeNull();
  });
});

describe('control characters', () => {
  test.each(['\u0000', '\n', '\u007f', '\u0085', '\u009b', '\u2028', '\u2029'])(
    '%j is refused in every kind of name',
    (one) => {
      for (const check of [checkDirectoryName, checkScenarioName, checkFilePath])
        expect(check(`a${one}b`)?.message).toBe('must not hold control characters');
      expect(checkGeneratorId(`a${one}b`)?.type).toBe('not_allowed');
    },
  );
});

describe('names of generator directories', () => {
  test.each([
    'web',
    'a.b',
    'a..b',
    '-',
    'with blank',
    ' ',
    'x'.repeat(255),
    'ü'.repeat(127),
    '%2e%2e',
    // Look-alikes of slash, backslash and two dots are ordinary characters.
    'a\u2215b',
    'a\uff0fb',
    'a\u2044b',
    'a\uff3cb',
    '\u2025',
    '\uff0e\uff0e',
    '\u2024\u2024',
    'CON',
    '~',
    '$HOME',
    '*',
  ])('%j is plain', (name) => {
    expect(checkDirectoryName(name)).toBeNull();
  });

  test.each([
    ['', 'too_short'],
    ['.', 'not_allowed'],
    ['..', 'not_allowed'],
    ['...', 'not_allowed'],
    ['.hidden', 'not_allowed'],
    ['/', 'not_allowed'],
    ['a/b', 'not_allowed'],
    ['/etc', 'not_allowed'],
    ['a/', 'not_allowed'],
    ['../a', 'not_allowed'],
    ['a\\b', 'not_allowed'],
    ['a\0', 'not_allowed'],
    ['a\0/../b', 'not_allowed'],
    ['a\nb', 'not_allowed'],
    ['a\u007f', 'not_allowed'],
    ['\ud800', 'not_allowed'],
    ['x'.repeat(256), 'too_long'],
    ['ü'.repeat(128), 'too_long'],
  ])('%j is refused', (name, type) => {
    expect(checkDirectoryName(name)?.type).toBe(type);
  });
});

describe('ids of generators', () => {
  test.each(['a', 'A-1_b.c', '0', '-', '_', 'x'.repeat(128)])('%j is fine', (id) => {
    expect(checkGeneratorId(id)).toBeNull();
  });

  test.each(['', '.', '..', '.a', 'a b', 'a/b', 'ä', 'a\n', 'a\0', '%41', 'x'.repeat(129)])(
    '%j is refused',
    (id) => {
      expect(checkGeneratorId(id)).not.toBeNull();
    },
  );
});

describe('names of scenarios', () => {
  test.each(['a', 'black friday', 'ä', 'x'.repeat(128)])('%j is fine', (name) => {
    expect(checkScenarioName(name)).toBeNull();
  });

  test.each(['', ' ', 'a/b', '..', 'a\n', 'a\0', '\udc00', 'x'.repeat(129)])('%j is refused', (name) => {
    expect(checkScenarioName(name)).not.toBeNull();
  });
});
