import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSource, ROOT } from '../support/sources.js';
import { PASSED_BY } from './passedBy.js';
import { type Step, stepOf, walks } from './walks.js';

const isWordOf = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`).test(text);

/** Whether a file imports the next one or names its path, or a name of its step stands in both. */
const leadsTo = (step: Step, text: string, next: Step, nextText: string): boolean =>
  parseSource(step.path, text).imports.some(({ isOurs, target }) => isOurs && target === next.path) ||
  text.includes(`\`${next.path}\``) ||
  step.names.some((name) => isWordOf(text, name) && isWordOf(nextText, name));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

test('a step leads to a file that it imports or shares a name with, and to no other', () => {
  const [here, there] = ['1. `src/a.ts`: sends `x.go`.', '2. `src/b.ts`: ends.'].map(stepOf) as [Step, Step];
  expect(leadsTo(here, "import './b.js';", there, '')).toBe(true);
  expect(leadsTo(here, "send('x.go')", there, "case 'x.go':")).toBe(true);
  expect(leadsTo(here, "send('x.go')", there, "case 'x.gone':")).toBe(false);
  expect(leadsTo(here, '// for example `src/b.ts`', there, '')).toBe(true);
  expect(leadsTo(here, "import './c.js';", there, "case 'x.go':")).toBe(false);
  expect(() => stepOf('3. `src/a.ts`: text', 0)).toThrow('not step 1');
});

test('five walks are told, and traces know what each passes by', () => {
  expect([...walks.keys()]).toEqual(['tick', 'patch', 'click', 'incident', 'takeover']);
  expect(Object.keys(PASSED_BY).sort()).toEqual([...walks.keys()].sort());
  const gone = Object.values(PASSED_BY)
    .flat()
    .filter((path) => !existsSync(join(ROOT, path)));
  expect(gone).toEqual([]);
});

describe.each([...walks])('the walk "%s"', (_, steps) => {
  test('passes files that exist, each once', () => {
    const paths = steps.map(({ path }) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeGreaterThan(1);
  });

  test('leads from each file to the next', () => {
    const gaps = steps.slice(1).flatMap((next) => {
      const step = steps[next.from - 1] as Step;
      const leads = leadsTo(step, read(step.path), next, read(next.path));
      return leads ? [] : [`${step.path} does not lead to ${next.path}`];
    });
    expect(gaps).toEqual([]);
  });

  test('tells of names that stand in their files', () => {
    const unknown = steps.flatMap(({ path, names }) =>
      names
        .filter((one) => /^[\w.]+$/.test(one) && !isWordOf(read(path), one))
        .map((one) => `${path}: ${one}`),
    );
    expect(unknown).toEqual([]);
  });
});
