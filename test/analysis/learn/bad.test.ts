import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { textOfLog } from '../../../src/analysis/learn/read.js';
import { fakeIo, folderWith, spate } from '../../cli/support.js';
import { right } from '../../support/either.js';
import { madeFrom } from './made.js';

const learnText = async (content: string | Uint8Array, ...more: readonly string[]) => {
  const cwd = await folderWith({ 'x.txt': '' });
  await writeFile(join(cwd, 'the.log'), content);
  const result = await spate(['learn', 'the.log', '--out', 'made', '--seed', 's', ...more], fakeIo({ cwd }));
  return { ...result, cwd, made: (await readdir(cwd)).includes('made') };
};

const LINE = '203.0.113.7 - ann [05/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12';

describe('logs that hold nothing', () => {
  test.each([
    ['an empty file', ''],
    ['blank lines', '\n \n\r\n'],
    ['a lone byte order mark', '\uFEFF'],
    ['binary data', new Uint8Array([0, 1, 2, 3, 10, 0, 0, 5, 10])],
    ['a line of 1 MiB', `${'x'.repeat(1024 * 1024)}\n`],
    ['a compressed file', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 65, 66, 10])],
  ])('%s is refused with what to do, and nothing is written', async (_, content) => {
    const { code, err, made } = await learnText(content);
    expect(code).toBe(1);
    expect(err).toMatch(/^spate: .*the\.log.*\. (?:Give|Decompress)/);
    expect(made).toBe(false);
  });

  test('a missing file and a directory are named', async () => {
    const cwd = await folderWith({ 'folder/x.txt': '' });
    const missing = await spate(['learn', 'none.log'], fakeIo({ cwd }));
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.err).toContain('none.log');
    const directory = await spate(['learn', 'folder'], fakeIo({ cwd }));
    expect(directory).toMatchObject({ code: 1 });
    expect(directory.err).toContain('is a directory. Name a log file.');
  });
});

describe('odd logs are learned', () => {
  const mixed = [
    ...Array.from({ length: 20 }, (_, at) => `{"level": "info", "n": ${at}}`),
    ...Array.from({ length: 20 }, () => LINE),
    ...Array.from({ length: 20 }, (_, at) => `worker ${at} has finished`),
  ].join('\n');
  test.each([
    ['one line', 'hello'],
    ['CRLF and a byte order mark', `\uFEFF${LINE}\r\n${LINE}\r\n`],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from('caf\xe9 open\n', 'latin1'), Buffer.from('bar open\n')]),
    ],
    ['several formats in one file', mixed],
    ['syntax of templates', '{{ 7 * 7 }} {% raw %} {# x #} {\n{{ 8 * 8 }} {% raw %} {# x #} {\n'],
    ['lines that begin with blanks', '  lead one\n  lead two\n'],
    ['quotes, backslashes and tabs', `a "b" 'c' \\n\t\\ end\na "x" 'y' \\n\t\\ end\n`],
    ['one text again and again', 'same\n'.repeat(50)],
  ])('%s', async (_, content) => {
    const text = right(textOfLog(Buffer.from(content), false, 'the.log'));
    const { learned, events } = await madeFrom(text, { events: 2_000 });
    expect(events).toHaveLength(2_000);
    expect(events.filter((event) => learned.shapeOf(event) === null)).toEqual([]);
  });

  test('of several formats are learned by the command', async () => {
    const { code, err, out } = await learnText(mixed, '--json', '--allow-undated');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { comparison } = JSON.parse(out) as { comparison: { failed: number; unmatched: number } };
    expect(comparison).toMatchObject({ failed: 0, unmatched: 0 });
  });

  test('a line of 1 MiB among others is left out and counted', async () => {
    const { code, out } = await learnText(`${LINE}\n${'x'.repeat(1024 * 1024)}\n${LINE}\n`);
    expect(code).toBe(0);
    expect(out).toContain('1 line left out that are too long');
  });
});

describe('directories', () => {
  test('are replaced only with --force, and only if spate learn made them', async () => {
    const cwd = await folderWith({ 'the.log': LINE, 'mine/generator.yml': 'input: []\n' });
    const run = (...args: readonly string[]) =>
      spate(['learn', 'the.log', '--seed', 's', ...args], fakeIo({ cwd }));
    expect(await run('--out', 'made')).toMatchObject({ code: 0 });
    const again = await run('--out', 'made');
    expect(again).toMatchObject({ code: 1 });
    expect(again.err).toBe(
      'spate: made already exists. Choose another --out, or give --force to replace it.\n',
    );
    expect(await run('--out', 'made', '--force')).toMatchObject({ code: 0 });
    const foreign = await run('--out', 'mine', '--force');
    expect(foreign.err).toBe('spate: mine was not made by spate learn. Choose another --out.\n');
  });

  test.each([
    [['--check', 'x', '--out', 'y'], '--check writes nothing: give no --out or --force'],
    [['--tolerance', '3'], '--tolerance needs --check'],
    [['--check', 'x', '--tolerance', '300'], '--tolerance must be 0 to 100 percent'],
  ])('%j is wrong usage', async (args, message) => {
    const { code, err } = await spate(['learn', 'the.log', ...args], fakeIo());
    expect({ code, err }).toEqual({ code: 2, err: `spate learn: ${message}.\nTry 'spate learn --help'.\n` });
  });
});
