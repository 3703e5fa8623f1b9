import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { seededRandom } from '../../../src/domain/random.js';
import { templateFiles } from '../../../src/plugins/shared/templateFiles.js';
import { makeEnvironment } from '../../../src/template/index.js';
import { execFileSync } from '../../support/programs.js';

const MAX_BYTES = 16 * 1024 * 1024;

let base = '';
let folder = '';
const put = (path: string, content: string | Buffer): void => {
  fs.mkdirSync(join(folder, path, '..'), { recursive: true });
  fs.writeFileSync(join(folder, path), content);
};

beforeAll(() => {
  base = fs.mkdtempSync(join(tmpdir(), 'spate-template-files-'));
  folder = join(base, 'web');
  fs.mkdirSync(folder);
  fs.writeFileSync(join(base, 'secret.jinja'), 'secret');
  fs.mkdirSync(join(base, 'web-other'));
  fs.writeFileSync(join(base, 'web-other', 'x.jinja'), 'sibling');
});
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

const read = (name: string): string | null => templateFiles(folder)(name);

describe('templates below a folder', () => {
  test('are found by their relative names, also in folders below it and with dots or blanks in the name', () => {
    put('a.jinja', 'A');
    put('parts/b ..c.txt', 'B');
    expect(read('a.jinja')).toBe('A');
    expect(read('./a.jinja')).toBe('A');
    expect(read('parts/b ..c.txt')).toBe('B');
  });

  test('are read anew each time', () => {
    put('changing.jinja', 'old');
    const load = templateFiles(folder);
    expect(load('changing.jinja')).toBe('old');
    put('changing.jinja', 'new');
    expect(load('changing.jinja')).toBe('new');
  });

  test.each([
    '',
    '.',
    'parts',
    'parts/',
    'nothing.jinja',
    'a.jinja/x',
    '../secret.jinja',
    '../web/a.jinja',
    'parts/../a.jinja',
    'parts\\..\\a.jinja',
    '../web-other/x.jinja',
    '..',
    'a.jinja\0',
    '\0',
  ])('%j is not found', (name) => {
    put('a.jinja', 'A');
    put('parts/b.jinja', 'B');
    expect(read(name)).toBeNull();
  });

  test('a name longer than the system allows is not found', () => {
    expect(read('x'.repeat(5_000))).toBeNull();
  });

  test('an absolute name is not found, even of a file in the folder', () => {
    put('a.jinja', 'A');
    expect(read(join(folder, 'a.jinja'))).toBeNull();
  });

  test('a folder that is not there has none', () => {
    expect(templateFiles(join(base, 'nowhere'))('a.jinja')).toBeNull();
  });

  test('links inside the folder are followed, links out of it are not found', () => {
    put('a.jinja', 'A');
    const link = (target: string, name: string): void => fs.symlinkSync(target, join(folder, name));
    link('a.jinja', 'inside.jinja');
    link('../secret.jinja', 'outside.jinja');
    link(base, 'up');
    link('../web-other', 'sibling');
    link('round.jinja', 'round.jinja');
    expect(read('inside.jinja')).toBe('A');
    const out = ['outside.jinja', 'up/secret.jinja', 'sibling/x.jinja', 'round.jinja'];
    expect(out.map(read)).toEqual(out.map(() => null));
    expect(read('up/web/a.jinja')).toBe('A');
  });

  test('the folder itself may be reached by a link', () => {
    put('a.jinja', 'A');
    fs.symlinkSync(folder, join(base, 'alias'));
    expect(templateFiles(join(base, 'alias'))('a.jinja')).toBe('A');
  });

  test('a named pipe is not found, and nothing waits for it', () => {
    execFileSync('mkfifo', [join(folder, 'pipe.jinja')]);
    expect(read('pipe.jinja')).toBeNull();
  });

  test('nothing stays open after any read', () => {
    put('a.jinja', 'A');
    put('latin.jinja', Buffer.from([0xe9]));
    const opened = (): number => fs.readdirSync('/proc/self/fd').length;
    const before = opened();
    for (const name of ['a.jinja', 'latin.jinja', 'parts', 'nothing.jinja']) {
      try {
        read(name);
      } catch {}
    }
    expect(opened()).toBe(before);
  });
});

describe('the text of a template', () => {
  test('keeps everything but one byte order mark', () => {
    put('bom.jinja', '\uFEFFa\uFEFF\r\n\0\u{1F600}\n');
    expect(read('bom.jinja')).toBe('a\uFEFF\r\n\0\u{1F600}\n');
    put('empty.jinja', '');
    expect(read('empty.jinja')).toBe('');
  });

  test.each([
    ['Latin-1', Buffer.from('one\ntwo\nd\u00e9j\u00e0\nend', 'latin1'), 3],
    ['a character that is cut off at the end', Buffer.from([0x61, 0x0a, 0xe2, 0x82]), 2],
    ['UTF-16', Buffer.from('\uFEFFx\n', 'utf16le'), 1],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), 1],
  ])('in %s is refused with the line', (_, bytes, line) => {
    put('bad.jinja', bytes);
    expect(() => read('bad.jinja')).toThrow(`bad.jinja is not UTF-8 in line ${line}. Save it as UTF-8`);
  });

  test('may have 16 MiB and no byte more', () => {
    put('large.jinja', Buffer.alloc(MAX_BYTES, 'x'));
    expect(read('large.jinja')?.length).toBe(MAX_BYTES);
    fs.appendFileSync(join(folder, 'large.jinja'), 'x');
    expect(() => read('large.jinja')).toThrow(`large.jinja is larger than ${MAX_BYTES} bytes`);
  });
});

describe('as loader of the engine', () => {
  const environment = () => makeEnvironment({ loader: templateFiles(folder), random: seededRandom(1) });

  test('a file that cannot be used is an error of the template that is loaded', () => {
    put('latin.jinja', Buffer.from([0xe9]));
    const loaded = environment().load('latin.jinja');
    expect(E.isLeft(loaded) && loaded.left.message).toContain('latin.jinja is not UTF-8 in line 1');
  });

  test('and of the render that includes it by a name made then, with its place', () => {
    put('latin.jinja', Buffer.from([0xe9]));
    const made = environment().fromText('main', 'a\n{% include "lat" ~ "in.jinja" %}');
    if (E.isLeft(made)) throw new Error(made.left.message);
    const rendered = made.right.render({ variables: new Map() });
    expect(E.isLeft(rendered) && rendered.left.message).toMatch(
      /^main:2:4: UnicodeDecodeError: the template file latin\.jinja is not UTF-8 in line 1/,
    );
  });
});
