import { describe, expect, test } from '@jest/globals';
import {
  copyPath,
  filesOf,
  foldersAround,
  languageOf,
  pathProblem,
  renamedPath,
  treeRows,
} from '../../../src/ui/pages/workbench/paths.js';

const file = (name: string) => ({ name, is_dir: false, children: [] });
const tree = [
  file('b.jinja'),
  { name: 'samples', is_dir: true, children: [file('x.csv'), { name: 'old', is_dir: true, children: [] }] },
  file('a.jinja'),
];

describe('the file tree', () => {
  test('has folders first, and hides what closed ones contain', () => {
    expect(treeRows(tree, new Set()).map(({ path }) => path)).toEqual(['samples', 'a.jinja', 'b.jinja']);
  });

  test('an open folder shows its content one level deeper', () => {
    expect(treeRows(tree, new Set(['samples'])).map(({ path, depth }) => [path, depth])).toEqual([
      ['samples', 0],
      ['samples/old', 1],
      ['samples/x.csv', 1],
      ['a.jinja', 0],
      ['b.jinja', 0],
    ]);
  });

  test('files are listed without folders', () => {
    expect(filesOf(tree)).toEqual(['b.jinja', 'samples/x.csv', 'a.jinja']);
  });
});

test('the folders around a file', () => {
  expect(foldersAround('a/b/c.txt')).toEqual(['a', 'a/b']);
  expect(foldersAround('c.txt')).toEqual([]);
});

test('a move takes along what is in the folder, and nothing else', () => {
  expect(renamedPath('old/a.jinja', 'old', 'new/place')).toBe('new/place/a.jinja');
  expect(renamedPath('older/a.jinja', 'old', 'new')).toBe('older/a.jinja');
});

test('a copy has a name that is free', () => {
  expect(copyPath('p/a.jinja', [])).toBe('p/copy-of-a.jinja');
  expect(copyPath('a.jinja', ['copy-of-a.jinja'])).toBe('copy-2-of-a.jinja');
});

test.each(['', ' ', '/a', 'a/', 'a//b', '../a', './a'])('%j is no path', (path) => {
  expect(pathProblem(path)).not.toBeNull();
});

test('a path of folders is one', () => {
  expect(pathProblem('a/b.jinja')).toBeNull();
});

test.each([
  ['generator.yml', 'yaml'],
  ['x.jinja', 'jinja'],
  ['x.mjs', 'script'],
  ['x.JSON', 'json'],
  ['README', 'text'],
])('%s is written in %s', (path, language) => {
  expect(languageOf(path)).toBe(language);
});
