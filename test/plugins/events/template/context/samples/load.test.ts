import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { directory, fileWith, itemsNames, jsonNames, load, loadError, namesWith, show } from './support.js';

const ROWS = '{{ samples.x | list }}';
const SUMMARY = '{{ samples.x }}';

const jsonError = async (text: string | Buffer) =>
  (await loadError({ type: 'json', source: await fileWith(text, 'json') })).replace(
    /^sample 'x' from data \d+\.json: /,
    '',
  );

const itemsError = (source: unknown[]) =>
  loadError({ type: 'items', source: JSON.parse(JSON.stringify(source)) });

describe('items', () => {
  test.each<[string, unknown[], string]>([
    [
      'plain values are rows of one value',
      ['a', 1, null, 2.5],
      "[Row(_0='a'), Row(_0=1), Row(_0=None), Row(_0=2.5)]",
    ],
    [
      'lists are rows',
      [
        ['a', 1],
        ['b', 2],
      ],
      "[Row(_0='a', _1=1), Row(_0='b', _1=2)]",
    ],
    [
      'objects give named columns and are matched by key',
      [
        { name: 'a', n: 1 },
        { n: 2, name: 'b' },
      ],
      "[Row(name='a', n=1), Row(name='b', n=2)]",
    ],
    ['a list after a plain value is a value', ['a', ['b']], "[Row(_0='a'), Row(_0=['b'])]"],
    ['dotted keys are plain keys', [{ 'a.b': 1 }], '[Row(a.b=1)]'],
  ])('%s', async (_, source, expected) => {
    expect(show(await itemsNames(JSON.parse(JSON.stringify(source))), ROWS)).toBe(expected);
  });

  test.each<[string, unknown[], string]>([
    [
      'lists of different length',
      [[1, 2], [1]],
      "sample 'x': row 2 has 1 value, but row 1 has 2: give all rows the same length",
    ],
    [
      'a value between lists',
      [[1], 'a'],
      "sample 'x': row 2 is a value of type str, but row 1 is a list: make all rows lists",
    ],
    [
      'a list between objects',
      [{ a: 1 }, [1]],
      "sample 'x': row 2 is a list, but row 1 is an object: make all rows objects",
    ],
    [
      'a missing key',
      [{ a: 1, b: 2 }, { a: 1 }],
      "sample 'x': row 2 has no key 'b' of row 1: add it, with null for no value",
    ],
    [
      'an extra key',
      [{ a: 1 }, { a: 1 }, { a: 1, c: 3 }],
      "sample 'x': row 3 has a key 'c' missing in row 1 (keys: 'a'): remove it or add it to all rows",
    ],
    ['an empty list', [[]], "sample 'x': row 1 is empty: a row needs at least one value"],
    ['an empty object', [{}], "sample 'x': row 1 is an object without keys: a row needs at least one value"],
  ])('%s is an error that names the row', async (_, source, message) => {
    expect(await itemsError(source)).toBe(message);
  });
});

describe('JSON', () => {
  test.each([
    [
      'objects are matched by key',
      '[{"a": 1, "b": "x"}, {"b": "y", "a": 2}]',
      "[Row(a=1, b='x'), Row(a=2, b='y')]",
    ],
    ['lists are rows', '[["a", 1], ["b", 2]]', "[Row(_0='a', _1=1), Row(_0='b', _1=2)]"],
    [
      'values keep their types, nested ones too',
      '[{"a": 2.0, "b": 12345678901234567890, "c": true, "d": null, "e": [1.0, {"f": []}]}]',
      "[Row(a=2.0, b=12345678901234567890, c=True, d=None, e=[1.0, {'f': []}])]",
    ],
    [
      'keys that look like numbers keep their order',
      '[{"2": 1, "1": 2, "__proto__": 3}]',
      '[Row(2=1, 1=2, __proto__=3)]',
    ],
  ])('%s', async (_, text, expected) => {
    expect(show(await jsonNames(text), ROWS)).toBe(expected);
  });

  test('a byte order mark is left out', async () => {
    expect(show(await jsonNames('\uFEFF[{"a": "ä"}]'), ROWS)).toBe("[Row(a='ä')]");
  });

  test('an empty list is an empty sample', async () => {
    expect(show(await jsonNames('[]'), SUMMARY)).toBe('Sample(rows=0, columns=[])');
  });

  test('long lists and wide objects load, though no render is under way', async () => {
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]));
    const long = Array.from({ length: 10_000 }, (_, i) => [i]);
    const names = await namesWith({
      wide: { type: 'items', source: [wide] },
      long: { type: 'json', source: await fileWith(JSON.stringify(long), 'json') },
    });
    expect(show(names, '{{ samples.wide[0].k9999 }} {{ samples.long | length }}')).toBe('9999 10000');
  });

  test.each([
    [
      'broken JSON',
      '[{"a": 1},\n {"a" 2}]',
      "invalid JSON: Expecting ':' delimiter: line 2 column 7 (char 17)",
    ],
    ['an empty file', '', 'invalid JSON: Expecting value: line 1 column 1 (char 0)'],
    ['an object', '{"a": [1]}', 'the file contains an object: use a list of objects or a list of lists'],
    [
      'plain values',
      '["a", "b"]',
      'row 1 is a value of type str: use a list of objects or a list of lists, such as [["a"], ["b"]]',
    ],
    [
      'a missing key',
      '[{"a": 1, "b": 2}, {"a": 1, "c": 2}]',
      "row 2 has no key 'b' of row 1: add it, with null for no value",
    ],
    [
      'an extra key',
      '[{"a": 1}, {"b": 0, "a": 1}]',
      "row 2 has a key 'b' missing in row 1 (keys: 'a'): remove it or add it to all rows",
    ],
    [
      'lists of different length',
      '[[1], [1, 2]]',
      'row 2 has 2 values, but row 1 has 1: give all rows the same length',
    ],
    [
      'objects and lists',
      '[{"a": 1}, [1]]',
      'row 2 is a list, but row 1 is an object: make all rows objects',
    ],
    [
      'nesting without end',
      '['.repeat(1_000),
      'maximum recursion depth exceeded while decoding a JSON document',
    ],
  ])('%s is an error that says where', async (_, text, message) => {
    expect(await jsonError(text)).toBe(message);
  });

  test('bytes that are not UTF-8 are an error', async () => {
    expect(await jsonError(Buffer.from('[["m\xfcller"]]', 'latin1'))).toBe(
      'line 1 is not valid UTF-8: save the file as UTF-8',
    );
  });
});

describe('files', () => {
  test('are found below the folder of the generator and by absolute path', async () => {
    mkdirSync(join(directory, 'sub'), { recursive: true });
    writeFileSync(join(directory, 'sub', 'a.csv'), 'a\n');
    const names = await namesWith({
      relative: { type: 'csv', source: 'sub/a.csv' },
      absolute: { type: 'csv', source: join(directory, 'sub', 'a.csv') },
    });
    expect(show(names, '{{ samples.relative == samples.absolute }}')).toBe('True');
  });

  test('that are missing are an error with alias, file and where it was looked for', async () => {
    const loaded = await load({ users: { type: 'csv', source: 'none.csv' } });
    const file = join(directory, 'none.csv');
    expect(loaded).toEqual(
      E.left({
        code: 'plugin_failed',
        message: `sample 'users' from none.csv: the file does not exist: correct the path, relative to the generator's folder (looked for ${file})`,
        file,
      }),
    );
  });

  test('that are there but wrong are an error with the file, which is not looked for', async () => {
    const file = join(directory, 'broken.json');
    writeFileSync(file, '[1');
    expect(await load({ x: { type: 'json', source: 'broken.json' } })).toMatchObject({
      left: {
        message: expect.stringMatching(
          /^sample 'x' from broken\.json: invalid JSON: .* \(in .*broken\.json\)$/,
        ),
      },
    });
  });

  test('that are folders are an error', async () => {
    mkdirSync(join(directory, 'folder.json'));
    expect(await loadError({ type: 'json', source: 'folder.json' })).toBe(
      "sample 'x' from folder.json: cannot read the file: it is a directory; name a regular file",
    );
  });

  test('that are too large are an error before they are read', async () => {
    writeFileSync(join(directory, 'large.csv'), '');
    truncateSync(join(directory, 'large.csv'), 128 * 1024 * 1024 + 1);
    expect(await loadError({ type: 'csv', source: 'large.csv' })).toBe(
      "sample 'x' from large.csv: the file is larger than 128 MiB: use a smaller file",
    );
  });
});
