import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from './pages/markdown.js';

const PAGE = 'docs/cluster.md';
const FAULTS = 'test/faults/cluster';
/** They are about other sections of the page: figures, lists, settings and partitions. */
const ELSEWHERE = new Set(['many', 'lists', 'settings', 'partitions']);

const lines = readFileSync(join(ROOT, PAGE), 'utf8').split('\n');
const first = lines.findIndex((line) => line.startsWith('| event | what happens |')) + 2;
const rows = lines
  .slice(
    first,
    lines.findIndex((line, index) => index > first && !line.startsWith('|')),
  )
  .map((line) => line.slice(2, -2).split(' | '));

describe('the table of events in docs/cluster.md', () => {
  test.each(rows.map((cells) => [cells[0] ?? '', cells.at(-1) ?? '']))('%s: names its test', (_, link) => {
    const [, name, path] = /^\[(\w+)\]\((.+)\)$/.exec(link) ?? [];
    const file = join(dirname(PAGE), path ?? '');
    expect(file.endsWith(`/${name}.test.ts`)).toBe(true);
    expect(existsSync(join(ROOT, file))).toBe(true);
  });

  test('has a row for every fault test of the cluster', () => {
    const named = new Set(rows.map((cells) => /\[(\w+)\]/.exec(cells.at(-1) ?? '')?.[1]));
    const files = readdirSync(join(ROOT, FAULTS)).map((file) => file.replace('.test.ts', ''));
    expect(files.filter((name) => !named.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  });
});
