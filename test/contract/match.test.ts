import { describe, expect, test } from '@jest/globals';
import { allowOf, makeFinder, pathReader } from '../../src/contract/match.js';

const ROUTES = [
  { method: 'get', path: '/things/' },
  { method: 'get', path: '/things/{id}' },
  { method: 'put', path: '/things/{id}' },
  { method: 'get', path: '/things/special' },
  { method: 'delete', path: '/things/{id}/parts/{part}' },
] as const;

const find = makeFinder(ROUTES);

describe('finding the route of a path', () => {
  test.each([
    ['/things/', {}, '/things/'],
    ['/things', {}, '/things/'],
    ['/things/a', { id: 'a' }, '/things/{id}'],
    ['/things/a/', { id: 'a' }, '/things/{id}'],
    ['/things/special', {}, '/things/special'],
    ['/things/a%2Fb', { id: 'a%2Fb' }, '/things/{id}'],
    ['/things/..', { id: '..' }, '/things/{id}'],
  ])('%s is found, nothing decoded', (path, bound, template) => {
    expect(find('GET', path)).toMatchObject({ path: bound, route: { path: template } });
  });

  test.each(['/', '', '/thing', '/Things', '/things/a/b', '/things/a//', '//things', '/things/a/parts'])(
    '%j has none',
    (path) => {
      expect(find('GET', path)).toBeNull();
    },
  );

  test('another method of the path is another route', () => {
    expect(find('PUT', '/things/special')).toMatchObject({ route: { path: '/things/{id}' } });
    expect(find('POST', '/things/a')).toBeNull();
  });

  test('the methods that a path has are named, HEAD where GET is', () => {
    expect(allowOf(ROUTES.slice(1, 3))).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT']);
    expect(allowOf(ROUTES.slice(4))).toEqual(['DELETE', 'OPTIONS']);
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
    const read = pathReader('/files/{name}/{rest+}');
    expect(read(path)).toEqual({ name: 'f', rest });
    expect(read('/files/f')).toBeNull();
    expect(read('/files/f/')).toBeNull();
  });

  test('a parameter called __proto__ is a parameter like any other', () => {
    expect(Object.entries(pathReader('/{__proto__}')('/x') ?? {})).toEqual([['__proto__', 'x']]);
  });
});
