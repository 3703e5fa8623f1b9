import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSource, ROOT } from './support/sources.js';

/** Most files that a journey of `docs/architecture.md` may pass. */
const MAX_FILES: Readonly<Record<string, number>> = { patch: 10, takeover: 10, tick: 15 };

interface Step {
  readonly path: string;
  /** Number of the step that leads here: the one before unless the text says `(from N)`. */
  readonly from: number;
  /** Names in the text of the step that may lead to the next file. */
  readonly names: readonly string[];
}

const JOURNEY = /<!-- journey: (\w+) -->\n([\s\S]*?)<!-- \/journey -->/g;
const STEP = /^(\d+)\. `([^`]+)`: (.+)$/;

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');

const stepOf = (line: string, index: number): Step => {
  const [, number, path = '', text = ''] = STEP.exec(line) ?? [];
  if (number !== String(index + 1)) throw new Error(`not step ${index + 1} of a journey: ${line}`);
  const from = /\(from (\d+)\)/.exec(text)?.[1];
  return { path, from: from === undefined ? index : Number(from), names: namesIn(text) };
};

const journeysIn = (markdown: string): ReadonlyMap<string, readonly Step[]> =>
  new Map(
    [...markdown.matchAll(JOURNEY)].map(([, name = '', lines = '']) => [
      name,
      lines
        .split('\n')
        .filter((line) => line !== '')
        .map(stepOf),
    ]),
  );

const isWordOf = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`).test(text);

/** Whether a file imports the next one or names its path, or a name of its step stands in both. */
const leadsTo = (step: Step, text: string, next: Step, nextText: string): boolean =>
  parseSource(step.path, text).imports.some(({ isOurs, target }) => isOurs && target === next.path) ||
  text.includes(`\`${next.path}\``) ||
  step.names.some((name) => isWordOf(text, name) && isWordOf(nextText, name));

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const journeys = journeysIn(read('docs/architecture.md'));

test('a step leads to a file that it imports or shares a name with, and to no other', () => {
  const [here, there] = ['1. `src/a.ts`: sends `x.go`.', '2. `src/b.ts`: ends.'].map(stepOf) as [Step, Step];
  expect(leadsTo(here, "import './b.js';", there, '')).toBe(true);
  expect(leadsTo(here, "send('x.go')", there, "case 'x.go':")).toBe(true);
  expect(leadsTo(here, "send('x.go')", there, "case 'x.gone':")).toBe(false);
  expect(leadsTo(here, '// for example `src/b.ts`', there, '')).toBe(true);
  expect(leadsTo(here, "import './c.js';", there, "case 'x.go':")).toBe(false);
  expect(() => stepOf('3. `src/a.ts`: text', 0)).toThrow('not step 1');
});

test('the journeys of a tick, of a PATCH and of a take-over are told', () => {
  expect([...journeys.keys()]).toEqual(['tick', 'patch', 'takeover']);
});

describe.each([...journeys])('the journey "%s"', (name, steps) => {
  test('passes files that exist, each once, no more than its limit', () => {
    const paths = steps.map(({ path }) => path);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.length).toBeGreaterThan(1);
    expect(paths.length).toBeLessThanOrEqual(MAX_FILES[name] ?? 0);
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
