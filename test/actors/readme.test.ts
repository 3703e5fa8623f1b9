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

test('and the middleware in its order', () => {
  const list = /export const makeAsk[\s\S]*?\[\n([\s\S]*?)\n {4}\],/.exec(ASK)?.[1] ?? '';
  const middleware = cells(/^ {6}(\w+)/gm, list);
  expect(middleware.length).toBeGreaterThan(3);
  expect(cells(/^\| `(\w+)` /gm, README)).toEqual(middleware);
});
