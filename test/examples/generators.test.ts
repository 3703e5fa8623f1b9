import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runProgram } from '../support/instance.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** Generators with tests; a library generator without them fails in the test of the library. */
const tested = readdirSync(join(ROOT, 'generators')).filter((name) =>
  existsSync(join(ROOT, 'generators', name, 'tests')),
);

// One process each, so that a failure shows only what concerns it.
test.each(tested)('spate test generators/%s', async (name) => {
  const program = runProgram(['test', join('generators', name)], { cwd: ROOT });
  const { code } = await program.exited;
  if (code !== 0) throw new Error(`ended with ${code}:\n${program.stdout()}${program.stderr()}`);
  expect(program.stdout()).toMatch(/ all ok\n$/);
});

test('there are generators with tests', () => expect(tested).toContain('ecs-web-auth'));
