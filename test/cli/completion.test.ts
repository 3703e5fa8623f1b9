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

  /** What fish proposes for the last word of a line. */
  const fishProposals = async (line: string): Promise<readonly string[]> => {
    const folder = await folderWith({ 'spate.fish': await script('fish') });
    const program = 'source $argv[1]; complete -C $argv[2]';
    const { stdout, stderr } = await runFile(
      'fish',
      ['--no-config', '-c', program, join(folder, 'spate.fish'), line],
      { env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder } },
    );
    expect(stderr).toBe('');
    return stdout
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => row.split('\t')[0] ?? '');
  };

  (hasPrograms('fish') ? test : test.skip)(`in fish proposes the same ${needs('fish')}`, async () => {
    expect(await fishProposals('spate ins')).toEqual(['inspect']);
    expect(await fishProposals('spate deadletter ')).toEqual(['list', 'purge', 'resend', 'show']);
    expect(await fishProposals('spate generate --max')).toEqual(['--max-concurrency']);
    expect(await fishProposals('spate deadletter purge --older')).toEqual(['--older-than']);
    expect(await fishProposals('spate generate x --log-level w')).toEqual(['warning']);
    expect(await fishProposals('spate completion ')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
  });

  /** A zsh at a terminal: types each line, presses Tab, and prints what the line is then. */
  const ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source \${(q)1}; bindkey '^I' complete-word"
zpty -w shell "show() { print -r -- \\"<\\$BUFFER>\\"; BUFFER= }; zle -N show; bindkey '^X' show; print RE''ADY"
zpty -r -m shell out '*READY*'
shift
for line in "$@"; do
  zpty -w -n shell "$line"$'\t\x18'
  zpty -r -m shell out '*<*>*'
  print -r -- "\${\${out##*<}%%>*}"
done
zpty -d shell
`;

  (hasPrograms('zsh') ? test : test.skip)(`in zsh completes the same ${needs('zsh')}`, async () => {
    const folder = await folderWith({ 'spate.zsh': await script('zsh'), 'type.zsh': ZSH });
    const lines = {
      'spate insp': 'spate inspect ',
      'spate deadletter li': 'spate deadletter list ',
      'spate generate --max-c': 'spate generate --max-concurrency ',
      'spate generate x --log-level wa': 'spate generate x --log-level warning ',
      'spate completion zs': 'spate completion zsh ',
    };
    const typed = [join(folder, 'type.zsh'), join(folder, 'spate.zsh'), ...Object.keys(lines)];
    const { stdout } = await runFile('zsh', ['-f', ...typed], { env: { ...process.env, HOME: folder } });
    expect(stdout.split('\n').slice(0, -1)).toEqual(Object.values(lines));
  });

  test('refuses other shells', async () => {
    expect(await spate('completion bsh')).toEqual({
      code: 2,
      out: '',
      err: "spate completion: there is no completion for 'bsh', only for bash, zsh, fish. Did you mean 'bash'?\nTry 'spate completion --help'.\n",
    });
  });
});
