import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isFast, ROOMS, SLOW, STARTS } from './support/fastTier.js';
import { parseSource, ROOT } from './support/sources.js';

/** What starts a program, a thread or a server: modules of Node, calls, and the built programs. */
const MODULES = /^(?:node:)?(?:child_process|worker_threads|cluster|dgram|playwright-core)$/;
const CALLS = /\.listen\(|\bstartDaemon\(|\bdist\/src\b|'dist'/;
const NAMES_ITSELF = ['test/fastTier.test.ts', 'test/support/fastTier.js'];

const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:ts|mjs|js)$/.test(name))
  .map((name) => join('test', name));
const tests = files.filter((path) => path.endsWith('.test.ts'));

const isFile = new Set(files);
const parsed = new Map<string, { readonly imports: readonly string[]; readonly starter: string | null }>();

/** What a file of the tests imports at run time from other files of the tests, and how it starts something. */
const parse = (path: string, text = readFileSync(join(ROOT, path), 'utf8')) => {
  const { imports } = parseSource(path, text);
  const loaded = imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ target }) => target);
  const starter = loaded.find((target) => MODULES.test(target)) ?? CALLS.exec(text)?.[0] ?? null;
  return {
    imports: loaded
      .flatMap((target) => [target, target.replace(/\.ts$/, '.js')])
      .filter((one) => isFile.has(one)),
    starter: NAMES_ITSELF.includes(path) ? null : starter,
  };
};

const look = (path: string) => {
  const found = parsed.get(path) ?? parse(path);
  parsed.set(path, found);
  return found;
};

/** The way from a test file to what starts something, null when there is none. */
const wayToStart = (path: string, seen = new Set<string>()): string | null => {
  seen.add(path);
  const { imports, starter } = look(path);
  if (starter !== null) return `${path}: ${starter}`;
  for (const next of imports) {
    const way = seen.has(next) ? null : wayToStart(next, seen);
    if (way !== null) return `${path} > ${way}`;
  }
  return null;
};

describe('the fast tier', () => {
  test.each([
    ['import { spawn } from "node:child_process";', 'node:child_process'],
    ["import { Worker } from 'node:worker_threads';", 'node:worker_threads'],
    ['server.listen(0);', '.listen('],
    ["const main = 'dist/src/cli/main.js';", 'dist/src'],
  ])('the search finds what %s starts', (text, starter) => {
    expect(parse('test/x.test.ts', text).starter).toBe(starter);
  });

  test('and what a helper of a helper starts', () => {
    expect(wayToStart('test/plugins/outputs/kafka/real.test.ts')).toContain(
      'test/support/programs.ts: node:child_process',
    );
    expect(parse('test/x.test.ts', "import type { Server } from './support/programs.js';").imports).toEqual(
      [],
    );
  });

  test('starts no program, no thread, no server of a test and nothing that needs a build', () => {
    const fast = tests.filter(isFast);
    expect(fast.length).toBeGreaterThan(300);
    expect(fast.map((path) => wayToStart(path)).filter((way) => way !== null)).toEqual([]);
  });

  test('names places that exist', () => {
    const unused = (places: readonly string[], end = '') =>
      places.filter((place) => !tests.some((path) => new RegExp(`^test/${place}${end}`).test(path)));
    expect(unused(ROOMS, '(?:/|\\.test\\.)')).toEqual([]);
    expect(unused([...STARTS, ...SLOW])).toEqual([]);
  });
});
