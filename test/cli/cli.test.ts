import { describe, expect, test } from '@jest/globals';
import * as E from 'fp-ts/lib/Either.js';
import { allCommands } from '../../src/cli/arguments/command.js';
import { parseArguments } from '../../src/cli/arguments/parse.js';
import { COMMANDS } from '../../src/cli/cli.js';
import { fakeIo, spate } from './support.js';

/** Arguments of an example as a shell reads them: single quotes keep blanks, a redirection ends them. */
const argumentsOf = (line: string): string[] =>
  [...(line.split(' > ')[0] ?? '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );

describe('help', () => {
  test.each(['--help', '-h', 'help'])('%s names every command and shows examples', async (line) => {
    const { code, out, err } = await spate(line);
    expect(code).toBe(0);
    expect(err).toBe('');
    for (const { name, summary } of COMMANDS) {
      expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
    }
    expect(out).toContain('spate run -c settings/spate.yml');
  });

  test.each(allCommands(COMMANDS).map((command) => [command.name, command] as const))(
    'of %s shows each option and examples that are read without complaint',
    async (name, command) => {
      const { code, out } = await spate(`${name} --help`);
      expect(code).toBe(0);
      expect(out).toContain(`usage: spate ${name}`);
      for (const option of Object.keys(command.options)) expect(out).toMatch(new RegExp(`--${option}\\b`));
      expect(command.examples.length).toBeGreaterThan(0);
      for (const { line } of command.examples) {
        expect(out).toContain(line);
        const words = argumentsOf(line);
        const called = ['spate', ...name.split(' ')];
        expect(words.slice(0, called.length)).toEqual(called);
        expect(parseArguments(command, words.slice(called.length))).toMatchObject({ _tag: 'Right' });
      }
      expect(Math.max(...out.split('\n').map((row) => row.length))).toBeLessThanOrEqual(105);
    },
  );

  test('usage, examples and hints call the program as the user does', async () => {
    const io = fakeIo({ program: 'npx spate' });
    const { out } = await spate('generate --help', io);
    expect(out).toMatch(/^usage: npx spate generate PATH/m);
    expect(out).not.toMatch(/^ +spate /m);
    expect((await spate('help', io)).out).toContain("'npx spate COMMAND --help'");
    expect((await spate('generate --nonsense', io)).err).toContain(
      "spate generate: unknown option '--nonsense'.\nTry 'npx spate generate --help'.",
    );
  });

  test('help wins over any other mistake', async () => {
    expect(await spate('generate --nonsense --help')).toMatchObject({ code: 0, err: '' });
    expect(await spate('help generate')).toEqual(await spate('generate -h'));
  });

  test('an argument after -- is no call for help', () => {
    const validate = allCommands(COMMANDS).find(({ name }) => name === 'validate');
    expect(validate).toBeDefined();
    if (validate === undefined) return;
    expect(E.isRight(parseArguments(validate, ['--', '--help']))).toBe(true);
  });
});

test.each(['--version', '-V', 'version'])('%s prints name and version', async (line) => {
  expect(await spate(line)).toEqual({ code: 0, out: 'spate 1.2.3\n', err: '' });
});

test('a former name of a command works and warns, and neither help nor hints name it', async () => {
  const former = await spate('scenario preview --help');
  expect(former).toEqual({
    ...(await spate('incident preview --help')),
    err: "spate: 'spate scenario' is now 'spate incident'. The next version no longer knows the former name.\n",
  });
  expect((await spate('help')).out).not.toMatch(/^ +scenario/m);
  expect((await spate('scenaria')).err).toMatch(/^spate: unknown command 'scenaria'\.\nTry/);
});

describe('wrong usage exits with 2 and suggests the intention on standard error', () => {
  test.each([
    ['', /^Spate generates[\s\S]*usage: spate COMMAND/],
    ['genrate', /^spate: unknown command 'genrate'\. Did you mean 'generate'\?\nTry 'spate --help'\.\n$/],
    ['help genrate', /unknown command 'genrate'\. Did you mean 'generate'\?/],
    ['xyzzy', /^spate: unknown command 'xyzzy'\.\nTry 'spate --help'\.\n$/],
    ['--versoin', /^spate: unknown option '--versoin'\. Did you mean '--version'\?/],
    ['toString', /^spate: unknown command 'toString'\./],
    [
      'generate --pth x',
      /^spate generate: unknown option '--pth'\. Did you mean '--path'\?\nTry 'spate generate --help'\.\n$/,
    ],
    ['run', /^spate run: --config is required: --config FILE\.\n/],
    ['run -c', /^spate run: -c needs a value: -c FILE\.\n/],
    ['validate', /^spate validate: PATH\.\.\. is missing\.\n/],
    ['preview', /^spate preview: PATH is missing\.\n/],
    ['init a b', /^spate init: unexpected argument 'b'\.\n/],
    ['init x --event perl', /^spate init: --event must be one of template, script, python, not "perl"\.\n/],
    [
      'schema --settings --startup',
      /^spate schema: give one of --settings, --startup, --cluster, --incident, --world and --tests\.\n/,
    ],
  ])('spate %s', async (line, message) => {
    const { code, out, err } = await spate(line);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });
});
