import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from '../support/sources.js';

const ASK = readFileSync(join(ROOT, 'actors', 'ask.ts'), 'utf8');
const README = readFileSync(join(ROOT, 'actors', 'README.md'), 'utf8');

const cells = (pattern: RegExp, text: string): readonly string[] =>
  [...text.matchAll(pattern)].map(([, cell]) => cell ?? '');

test('the README of the actors has a row for each subject of messages', () => {
  const subjects = [...new Set(cells(/^ {2}'(\w+)\.\w+': [A-Z_]+,$/gm, ASK))];
  expect(subjects.length).toBeGreaterThan(5);
  expect(subjects.filter((subject) => !README.includes(`\`${subject}.*\``))).toEqual([]);
});

test.each(['askAround', 'askHere'])('and the middleware of %s in its order', (name) => {
  const list =
    new RegExp(`export const ${name}\\b[\\s\\S]*?\\n +(?:through\\()?\\[([^\\]]*)\\]`).exec(ASK)?.[1] ?? '';
  const middleware = cells(/(?:^|, )(\w+)/g, list);
  expect(middleware.length).toBeGreaterThan(2);
  const tables = README.split(/\n(?!\|)/).map((text) => cells(/^\| `(\w+)` /gm, text));
  expect(tables).toContainEqual(middleware);
});
