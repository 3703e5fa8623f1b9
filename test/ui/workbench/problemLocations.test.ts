import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../../src/ui/api/errors.js';
import {
  countedProblems,
  countedTexts,
  fileProblemsOf,
  namedLocation,
} from '../../../src/ui/pages/workbench/problemLocations.js';

const locate = (path: readonly (string | number)[]) => ({ line: path.length, column: 2 });

describe('places of problems', () => {
  test('a message names a line of a template', () => {
    const text = "template 'page': page.jinja:3:7: TemplateSyntaxError: Expected an expression\n    {% if %}";
    expect(namedLocation(text)).toEqual({
      path: 'page.jinja',
      line: 3,
      column: 7,
      message: 'TemplateSyntaxError: Expected an expression',
      severity: 'error',
    });
  });

  test('a template in a folder keeps its path', () => {
    expect(namedLocation('the template failed: parts/head.jinja:12: no value')).toMatchObject({
      path: 'parts/head.jinja',
      line: 12,
      column: 1,
    });
  });

  test('a script names its line at the end', () => {
    const text = 'error in the script: ReferenceError: x is not defined (produce.mjs:2:3)';
    expect(namedLocation(text)).toMatchObject({ path: 'produce.mjs', line: 2, column: 3, message: text });
  });

  test('a time or an address is no place', () => {
    expect(namedLocation('write one like 14:30, now or +1h')).toBeNull();
    expect(namedLocation('127.0.0.1:8080 does not answer')).toBeNull();
  });

  test('a problem without a file is on the line of its key in the config', () => {
    const error = new ApiError(422, 'invalid', '', [{ location: '0.cron.start', message: 'is no date' }]);
    const found = fileProblemsOf(error, {
      key: 'input',
      path: 'generator.yml',
      locate: (path) => {
        expect(path).toEqual(['input', 0, 'cron', 'start']);
        return locate(path);
      },
    });
    expect(found).toEqual([
      { path: 'generator.yml', line: 4, column: 2, message: 'is no date', severity: 'error' },
    ]);
  });

  test('a problem beside unsaved texts is on the line of its key, too', () => {
    const error = new ApiError(422, 'invalid', '', [
      { location: 'event.script.path', message: 'is missing' },
    ]);
    const paths: unknown[] = [];
    const note = (path: readonly (string | number)[]) => {
      paths.push(path);
      return locate(path);
    };
    fileProblemsOf(error, { key: 'event', path: 'generator.yml', locate: note });
    expect(paths).toEqual([['event', 'script', 'path']]);
  });

  test('other errors have no place', () => {
    expect(fileProblemsOf(new Error('away'), { key: 'event', path: 'generator.yml', locate })).toEqual([]);
  });
});

describe('problems that come several times', () => {
  const problem = { line: 5, column: 1, message: 'division by zero', severity: 'error' } as const;

  test('are listed once, with how often and where they are', () => {
    const other = { ...problem, message: 'is no date' };
    const warned = { ...problem, severity: 'warning' } as const;
    const found = [
      { ...problem, line: 9 },
      other,
      problem,
      warned,
      { ...problem },
      { ...problem, column: 4 },
    ];
    expect(
      countedProblems(found).map(({ message, severity, count, places }) => [
        message,
        severity,
        count,
        places.map(({ line, column }) => `${line}:${column}`),
      ]),
    ).toEqual([
      ['division by zero', 'error', 4, ['5:1', '5:4', '9:1']],
      ['is no date', 'error', 1, ['5:1']],
      ['division by zero', 'warning', 1, ['5:1']],
    ]);
  });

  test('of events are told once', () => {
    expect(countedTexts(['a', 'b', 'a'])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
  });
});
