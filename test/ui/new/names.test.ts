import { describe, expect, test } from '@jest/globals';
import { freeGeneratorName, nameFlaw, nameFromFile, obstacleOf } from '../../../src/ui/pages/new/names.js';

const TAKEN = { directories: new Set(['web', 'web-2']), ids: new Set(['api']) };

describe('the name of a new generator', () => {
  test('gets the first free number if it is taken', () => {
    expect(freeGeneratorName('shop', TAKEN)).toBe('shop');
    expect(freeGeneratorName('web', TAKEN)).toBe('web-3');
    expect(freeGeneratorName('api', TAKEN)).toBe('api-2');
  });

  test.each([
    ['web', 'The generator directory "web" exists. Choose another name, for example web-3.'],
    ['api', 'A generator with the id "api" exists. Choose another name, for example api-2.'],
    ['', 'The name must not be empty.'],
    ['a/b', 'The name must be one path segment, without slash or backslash.'],
    ['a b', "The name must consist of letters, digits, '.', '_' and '-' (ASCII)."],
  ])('%j is refused in words', (name, flaw) => {
    expect(nameFlaw(name, TAKEN)).toBe(flaw);
  });

  test('is accepted if nothing has it', () => {
    expect(nameFlaw('my-shop', TAKEN)).toBeNull();
  });

  test.each([
    ['access.log', 'access'],
    ['Access Log (1).JSON.log', 'access-log-1'],
    ['.log', 'replay'],
    ['журнал.txt', 'replay'],
    ['syslog', 'syslog'],
  ])('of the file %j is %s', (file, name) => {
    expect(nameFromFile(file)).toBe(name);
  });

  test('the first thing to correct is the pattern, then the output, then the name', () => {
    expect(obstacleOf('name', { path: 'x' }, 'pattern')).toBe('pattern');
    expect(obstacleOf('name', { path: 'x' })).toBe('Fill in the missing fields of the output.');
    expect(obstacleOf('name', {})).toBe('name');
    expect(obstacleOf(null, {})).toBeNull();
  });
});
