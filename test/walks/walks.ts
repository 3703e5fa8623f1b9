import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { ROOT } from '../support/sources.js';
import { PASSED_BY } from './passedBy.js';

export interface Step {
  readonly path: string;
  /** Number of the step that leads here: the one before unless the text says `(from N)`. */
  readonly from: number;
  /** Names in the text of the step that may lead to the next file. */
  readonly names: readonly string[];
}

const WALK = /<!-- walk: (\w+) -->\n([\s\S]*?)<!-- \/walk -->/g;
const STEP = /^(\d+)\. `([^`]+)`: (.+)$/;

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

export const stepOf = (line: string, index: number): Step => {
  const [, number, path = '', text = ''] = STEP.exec(line) ?? [];
  if (number !== String(index + 1)) throw new Error(`not step ${index + 1} of a walk: ${line}`);
  const from = /\(from (\d+)\)/.exec(text)?.[1];
  return { path, from: from === undefined ? index : Number(from), names: namesIn(text) };
};

const walksIn = (markdown: string): ReadonlyMap<string, readonly Step[]> =>
  new Map(
    [...markdown.matchAll(WALK)].map(([, name = '', lines = '']) => [
      name,
      lines
        .split('\n')
        .filter((line) => line !== '')
        .map(stepOf),
    ]),
  );

/** The walks that `docs/architecture.md` tells. */
export const walks = walksIn(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));

const isBelow = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);

/**
 * The files whose functions a walk entered must be those that it tells of, beside what it passes by: a call that is
 * deleted, or a new file on the way, fails here.
 */
export const expectWalk = (name: string, entered: ReadonlySet<string>): void => {
  const told = (walks.get(name) ?? []).map(({ path }) => path);
  const passedBy = PASSED_BY[name] ?? [];
  const isPassedBy = (path: string): boolean => passedBy.some((place) => isBelow(path, place));
  expect({
    'told, but not entered': told.filter((path) => !entered.has(path)),
    'entered, but not told': [...entered].filter((path) => !told.includes(path) && !isPassedBy(path)).sort(),
  }).toEqual({ 'told, but not entered': [], 'entered, but not told': [] });
};
