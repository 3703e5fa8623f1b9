import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { allCommands } from '../../../src/cli/arguments/command.js';
import { parseArguments } from '../../../src/cli/arguments/parse.js';
import { COMMANDS } from '../../../src/cli/cli.js';
import { generate, generateOptions } from '../../../src/cli/commands/generate.js';

const command = {
  name: 'test',
  summary: 'Tests.',
  positionals: { usage: '[PATH...]', min: 0, max: 3 },
  options: generateOptions,
  examples: [],
  run: async () => 0,
};

const parse = (...args: string[]) => parseArguments(command, args);

const optionsOf = (...args: string[]) => {
  const result = parse(...args);
  if (E.isLeft(result)) throw new Error(result.left.message);
  return result.right.options;
};

const complaintOf = (...args: string[]): string => {
  const result = parse(...args);
  if (E.isRight(result)) throw new Error('nothing was wrong');
  return result.left.message;
};

describe('boolean options', () => {
  test.each([
    [['--live-mode'], true],
    [['--live-mode', 'false'], false],
    [['--live-mode', 'TRUE'], true],
    [['--live-mode=false'], false],
    [['--live-mode=no'], false],
    [['--live-mode=1'], true],
    [['--live-mode', '--skip-past'], true],
    [['--live-mode', 'false', '--live-mode'], true],
  ])('%j means %j', (args, expected) => {
    expect(optionsOf(...args)['live-mode']).toBe(expected);
  });

  test('an option that is not given has no value', () => {
    expect(optionsOf()['live-mode']).toBeUndefined();
  });

  test('a word that is no boolean stays an argument of its own', () => {
    const result = parse('--live-mode', 'generator.yml');
    expect(E.isRight(result) && result.right.positionals).toEqual(['generator.yml']);
    expect(E.isRight(result) && result.right.options['live-mode']).toBe(true);
  });

  test('a value that is no boolean is refused', () => {
    expect(complaintOf('--live-mode=maybe')).toBe('--live-mode must be true or false, not "maybe"');
  });
});

describe('options with values', () => {
  test.each([
    ['--batch.size 10', 'batch.size', 10],
    ['--batch.size=10', 'batch.size', 10],
    ['--batch.delay 0.5', 'batch.delay', 0.5],
    ['--batch.delay -1', 'batch.delay', -1],
    ['--queue.max-timestamp-batches 3', 'queue.max-timestamp-batches', 3],
    ['--seed 42', 'seed', '42'],
    ['--limit 5 --limit 7', 'limit', 7],
    ['--id -', 'id', '-'],
  ] as const)('%s', (line, name, expected) => {
    expect(optionsOf(...line.split(' '))[name]).toBe(expected);
  });

  test.each([
    [['--path'], '--path needs a value: --path PATH'],
    [['--path', '--id', 'x'], '--path needs a value: --path PATH'],
    [['--batch.size', 'many'], '--batch.size must be an integer, not "many"'],
    [['--limit', '0'], '--limit must be an integer >= 1, not "0"'],
    [['--params', '{'], `--params must be a JSON object such as '{"name": "value"}'`],
    [['--params', '[1]'], `--params must be a JSON object such as '{"name": "value"}'`],
    [['--id='], '--id must not be empty'],
    [['--verbose=3'], '--verbose takes no value'],
    [['-vvvvvv'], '--verbose may be given at most 5 times, not 6'],
  ])('%j is refused', (args, message) => {
    expect(complaintOf(...args)).toBe(message);
  });

  test('parameters are a JSON object, nested values too', () => {
    expect(optionsOf('--params', '{"a": {"b": [1, null]}}').params).toEqual({ a: { b: [1, null] } });
  });

  test('--param gives one of them, as JSON where it is some, and may be repeated', () => {
    const args = ['--param', 'anomaly=scan', '--param', 'rate=5', '--param', 'url=a=b', '--param', 'id="5"'];
    expect(optionsOf(...args).param).toEqual({ anomaly: 'scan', rate: 5, url: 'a=b', id: '5' });
    expect(complaintOf('--param', 'scan')).toBe('--param must be NAME=VALUE, such as host=web-1, not "scan"');
  });

  test('every letter of -vvv counts, apart or together', () => {
    expect(optionsOf('-vvv').verbose).toBe(3);
    expect(optionsOf('-v', '--verbose', '-vv').verbose).toBe(4);
  });
});

describe('unknown options', () => {
  test.each([
    ['--live-mod', "unknown option '--live-mod'. Did you mean '--live-mode'?"],
    ['--live_mode', "unknown option '--live_mode'. Did you mean '--live-mode'?"],
    ['--batch.sze=3', "unknown option '--batch.sze'. Did you mean '--batch.size'?"],
    ['--something-else', "unknown option '--something-else'"],
    ['-x', "unknown option '-x'"],
    ['--__proto__', "unknown option '--__proto__'"],
  ])('%s', (arg, message) => {
    expect(complaintOf(arg)).toBe(message);
  });
});

test('a path is an argument or --path, never both', () => {
  for (const args of [['generators/a'], ['--path', 'generators/a'], ['--path=generators/a']]) {
    const result = parseArguments(generate, args);
    expect(E.isRight(result) && result.right.positionals).toEqual(['generators/a']);
  }
  const both = parseArguments(generate, ['a', '--path', 'b']);
  expect(E.isLeft(both) && both.left.message).toBe("unexpected argument 'b'");
  for (const command of allCommands(COMMANDS)) {
    if (!/\bPATH\b/.test(command.positionals.usage)) continue;
    const given = parseArguments(command, ['--path', 'generators/a']);
    expect(E.isRight(given) && given.right.positionals).toEqual(['generators/a']);
  }
});

test('arguments without a name are counted, and what follows -- is one', () => {
  const result = parse('a', '--', '--limit', 'b');
  expect(E.isRight(result) && result.right.positionals).toEqual(['a', '--limit', 'b']);
  expect(complaintOf('a', 'b', 'c', 'd')).toBe("unexpected argument 'd'");
});

test('any command line is either read or refused with a sentence, never thrown at', () => {
  const words = [
    '--',
    '-',
    '-v',
    '--live-mode',
    '--path',
    '--batch.size',
    '3',
    'false',
    '=',
    '--params',
    '{}',
  ];
  const arg = fc.oneof(fc.string(), fc.constantFrom(...words));
  fc.assert(
    fc.property(fc.array(arg, { maxLength: 8 }), (args) => {
      const result = parse(...args);
      expect(E.isRight(result) || result.left.message.length > 0).toBe(true);
    }),
  );
});
