import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runProgram } from '../support/instance.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** Generators with tests; a library generator without them fails in the test of the library. */
const tested = readdirSync(join(ROOT, 'generators')).filter((name) =>
  existsSync(join(ROOT, 'generators', name, 'tests')),
);

/** A minute or two; this is for slow machines with much else to do. */
const ALL_MS = 1_500_000;

/** Some of what `spate test --json` prints. */
interface Report {
  readonly failed: number;
  readonly results: readonly { readonly generator: string; readonly ok: boolean }[];
}

describe('spate test generators', () => {
  let report: Report;
  let code: number | null;

  // One process for all: what it has compiled for one generator serves the next, which halves the time.
  beforeAll(async () => {
    const program = runProgram(['test', 'generators', '--json'], { cwd: ROOT });
    ({ code } = await program.exited);
    if (program.stdout() === '') throw new Error(`ended with ${code}:\n${program.stderr()}`);
    report = JSON.parse(program.stdout()) as Report;
  }, ALL_MS);

  test.each(tested)('%s', (name) => {
    const own = report.results.filter(({ generator }) => generator === join('generators', name));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('ends with 0, and has a test of every generator', () => {
    expect(tested).toContain('ecs-web-auth');
    expect({ code, failed: report.failed }).toEqual({ code: 0, failed: 0 });
    expect(new Set(report.results.map(({ generator }) => generator))).toEqual(
      new Set(tested.map((name) => join('generators', name))),
    );
  });
});
