import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { hasPrograms, needs, runFile } from '../support/programs.js';
import { folderWith, spate } from './support.js';

const whereBash = hasPrograms('bash') ? test : test.skip;

describe('spate completion', () => {
  const script = async (shell: string) => (await spate(['completion', shell])).out;

  /** What bash proposes for the last of these words. */
  const proposals = async (...words: readonly string[]): Promise<readonly string[]> => {
    const folder = await folderWith({ 'spate.bash': await script('bash') });
    const typed = ['spate', ...words].map((word) => `'${word}'`).join(' ');
    const program = `source "$1"; COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _spate; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await runFile('bash', ['--norc', '-c', program, 'bash', join(folder, 'spate.bash')]);
    return stdout.split('\n').filter((line) => line !== '');
  };

  whereBash(`in bash proposes commands, those of groups, options and values ${needs('bash')}`, async () => {
    expect(await proposals('ins')).toEqual(['inspect']);
    expect(await proposals('')).toEqual(
      expect.arrayContaining(['generate', 'deadletter', 'completion', 'help']),
    );
    expect(await proposals('--v')).toEqual(['--version']);
    expect(await proposals('deadletter', '')).toEqual(['list', 'show', 'resend', 'purge']);
    expect(await proposals('generate', '--max')).toEqual(['--max-concurrency']);
    expect(await proposals('deadletter', 'purge', '--older')).toEqual(['--older-than']);
    expect(await proposals('generate', 'x', '--log-level', 'w')).toEqual(['warning']);
    expect(await proposals('generate', 'x', '--log-level', '=', 'd')).toEqual(['debug']);
    expect(await proposals('generate', '--live-mode', '')).toEqual(['true', 'false']);
    expect(await proposals('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  whereBash(`in bash leaves arguments to the completion of files ${needs('bash')}`, async () => {
    expect(await proposals('validate', '')).toEqual([]);
    expect(await proposals('generate', '--path', '')).toEqual([]);
  });

  test.each([
    ['zsh', /^#compdef spate$/m, /'\*--log-level\[.*\]:value:\(critical error warning info debug\)'/],
    [
      'fish',
      /^complete -c spate -n '__spate_is' -f -a generate -d /m,
      /-n '__spate_in deadletter purge' -l older-than -r -d/,
    ],
  ])('in %s knows the same', async (shell, head, option) => {
    const text = await script(shell);
    expect(text).toMatch(head);
    expect(text).toMatch(option);
  });

  test('refuses other shells', async () => {
    expect(await spate('completion bsh')).toEqual({
      code: 2,
      out: '',
      err: "spate completion: there is no completion for 'bsh', only for bash, zsh, fish. Did you mean 'bash'?\nTry 'spate completion --help'.\n",
    });
  });
});
