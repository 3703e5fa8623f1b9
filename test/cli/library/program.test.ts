import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runProgram } from '../../support/instance.js';
import { TINY } from '../../support/library.js';
import { folderWith } from '../support.js';

const GENERATORS = join(import.meta.dirname, '..', '..', '..', 'generators');

/** Names in the category of their library.yml. */
const inLibrary = (): readonly string[] =>
  readdirSync(GENERATORS)
    .filter((name) => {
      const file = join(GENERATORS, name, 'library.yml');
      const [, category] = existsSync(file)
        ? (/^category: *(\w+)/m.exec(readFileSync(file, 'utf8')) ?? [])
        : [];
      return category !== undefined && name.startsWith(`${category}-`);
    })
    .sort();

const namesOf = (text: string): readonly string[] =>
  (JSON.parse(text) as readonly { readonly name: string }[]).map(({ name }) => name);

test('the library is that of the package, in every working directory', async () => {
  const cwd = await folderWith({ 'generators/web-mine/library.yml': 'summary: No.' });
  const program = runProgram(['library', '--json'], { cwd, env: { SPATE_LIBRARY: '' } });
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(namesOf(program.stdout())).toEqual(inLibrary());
});

test('SPATE_LIBRARY names another, relative to the working directory', async () => {
  const files = Object.entries(TINY).map(([path, text]): [string, string] => [`packs/${path}`, text]);
  const cwd = await folderWith(Object.fromEntries(files));
  const env = { SPATE_LIBRARY: 'packs' };
  const listed = runProgram(['library', '--json'], { cwd, env });
  await listed.exited;
  expect(namesOf(listed.stdout())).toEqual(['dns-queries', 'web-tiny']);
  const made = runProgram(['init', 'my-web', '--from', 'web-tiny'], { cwd, env });
  expect(await made.exited).toEqual({ code: 0, signal: null });
  const run = runProgram(['generate', '--path', 'my-web', '--live-mode', 'false', '--limit', '3'], {
    cwd,
    env,
  });
  expect(await run.exited).toEqual({ code: 0, signal: null });
  expect(run.stdout().trimEnd().split('\n')).toHaveLength(3);
});
