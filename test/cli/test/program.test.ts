import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';
import { folderWith } from '../support.js';

const TEST = `seed: 7
now: 2026-03-02T09:00:00Z
events: 500
checks:
  - distinct: {field: /order_id, min: 1}
`;

const run = async (folder: string, ...args: readonly string[]) => {
  const program = runProgram(['test', ...args], { cwd: folder });
  const { code } = await program.exited;
  return { code, out: program.stdout(), err: program.stderr() };
};

const scripted = (source: string) =>
  folderWith({
    'generator.yml': `
input: [{timer: {seconds: 1, count: 1}}]
event: {script: {path: produce.mjs}}
output: [{stdout: {}}]
`,
    'produce.mjs': source,
    'tests/a.yml': `${TEST.slice(0, TEST.indexOf('checks'))}checks: [{size: {min: 1}}]\n`,
  });

describe('the program', () => {
  test('tests generators with scripts in TypeScript', async () => {
    const folder = await folderWith({ 'tests/a.yml': TEST });
    await cp(join(import.meta.dirname, '../../../generators/shop-orders'), folder, { recursive: true });
    const { code, out } = await run(folder);
    expect(out).toContain('ok     tests/a.yml: events: 500 events, none failed');
    expect(code).toBe(0);
  });

  test.each([
    ['process.exit(0)', /a script or an error ended the program early/],
    ['setTimeout(() => { throw new Error("late"); }, 1), new Promise(() => {})', /late/],
  ])('does not pass when a script calls %s', async (call, message) => {
    const { code, err } = await run(await scripted(`export const produce = () => { return ${call}; };`));
    expect(err).toMatch(message);
    expect(code).toBe(70);
  });

  test('ends quietly when nothing reads its output', async () => {
    const folder = await scripted("export const produce = () => 'x';");
    const program = runProgram(['test'], { cwd: folder });
    program.child.stdout?.destroy();
    expect(await program.exited).toEqual({ code: 141, signal: null });
    expect(program.stderr()).toBe('');
  });

  test('ends at once by SIGTERM, also in a loop without end', async () => {
    const folder = await scripted(`import { writeSync } from 'node:fs';
export const produce = () => { writeSync(2, 'spinning'); for (;;) {} };`);
    const program = runProgram(['test'], { cwd: folder });
    await program.saw(/spinning/);
    program.child.kill('SIGTERM');
    expect(await program.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });
});
