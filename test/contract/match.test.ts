import { describe, expect, test } from '@jest/globals';
import { makeMatcher } from '../../src/contract/match.js';

const match = makeMatcher([
  { method: 'get', path: '/things/' },
  { method: 'get', path: '/things/{id}' },
  { method: 'put', path: '/things/{id}' },
  { method: 'get', path: '/things/special' },
  { method: 'delete', path: '/things/{id}/parts/{part}' },
] as const);

describe('matching a path', () => {
  test.each([
    ['/things/', {}, '/things/'],
    ['/things', {}, '/things/'],
    ['/things/a', { id: 'a' }, '/things/{id}'],
    ['/things/a/', { id: 'a' }, '/things/{id}'],
    ['/things/special', {}, '/things/special'],
    ['/things/a%2Fb', { id: 'a%2Fb' }, '/things/{id}'],
    ['/things/..', { id: '..' }, '/things/{id}'],
    ['/things//', { id: '' }, '/things/{id}'],
  ])('%s is found, nothing decoded', (path, bound, template) => {
    expect(match('GET', path)).toMatchObject({ kind: 'found', path: bound, route: { path: template } });
  });

  test.each(['/', '', '/thing', '/Things', '/things/a/b', '/things/a//', '//things', '/things/a/parts'])(
    '%j is no path',
    (path) => {
      expect(match('GET', path)).toEqual({ kind: 'no_path' });
    },
  );

  test('HEAD is answered where GET is', () => {
    expect(match('HEAD', '/things/a')).toMatchObject({ kind: 'found', route: { method: 'get' } });
    expect(match('HEAD', '/things/a/parts/b')).toMatchObject({ kind: 'no_method' });
  });

  test('a method that the path lacks names those it has', () => {
    expect(match('POST', '/things/a')).toEqual({
      kind: 'no_method',
      allow: ['GET', 'HEAD', 'OPTIONS', 'PUT'],
    });
    expect(match('GET', '/things/a/parts/b')).toEqual({ kind: 'no_method', allow: ['DELETE', 'OPTIONS'] });
  });

  test.each([
    ['/files/f/a', 'a'],
    ['/files/f/a/b/c', 'a/b/c'],
    ['/files/f/a/b/', 'a/b'],
    ['/files/f//etc/passwd', '/etc/passwd'],
    ['/files/f/a//b', 'a//b'],
    ['/files/f/../%2e%2e/x', '../%2e%2e/x'],
    ['/files/f//', ''],
  ])('a parameter with a plus takes what is left of %s, nothing decoded', (path, rest) => {
    const files = makeMatcher([
      { method: 'get', path: '/files/{name}/{rest+}' },
      { method: 'put', path: '/files/{name}/special' },
    ] as const);
    expect(files('GET', path)).toMatchObject({ kind: 'found', path: { name: 'f', rest } });
    expect(files('GET', '/files/f')).toEqual({ kind: 'no_path' });
    expect(files('GET', '/files/f/')).toEqual({ kind: 'no_path' });
    expect(files('PUT', '/files/f/special')).toMatchObject({ kind: 'found', path: { name: 'f' } });
  });

  test('a parameter called __proto__ is a parameter like any other', () => {
    const odd = makeMatcher([{ method: 'get', path: '/{__proto__}' }] as const)('GET', '/x');
    expect(odd.kind === 'found' && Object.entries(odd.path)).toEqual([['__proto__', 'x']]);
  });
});
