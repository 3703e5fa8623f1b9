import { type Command, type CommandRow, isGroup, optionsOf, wordOf } from '../arguments/command.js';
import { hintOf } from '../arguments/parse.js';
import { usageError } from '../report.js';
import { EXIT } from '../terminal/io.js';

/** An option that a shell can complete. */
interface CompletedOption {
  readonly name: string;
  readonly short: string | null;
  readonly help: string;
  readonly takesValue: boolean;
  /** Values to choose from; empty when any other value may follow. */
  readonly choices: readonly string[];
}

interface CompletedCommand {
  /** All words after `spate`. */
  readonly name: string;
  readonly options: readonly CompletedOption[];
  /** Arguments to choose from; empty for files and names. */
  readonly choices: readonly string[];
}

interface CompletedWord {
  readonly word: string;
  readonly help: string;
}

/** The table of commands as the scripts of all shells need it. */
interface Completions {
  readonly words: readonly CompletedWord[];
  readonly groups: readonly { readonly name: string; readonly words: readonly CompletedWord[] }[];
  readonly commands: readonly CompletedCommand[];
}

/** `true|false` and the like; a placeholder in capitals stands for any value. */
const choicesIn = (placeholder: string): readonly string[] => {
  const text = placeholder.replace(/^\[(.*)\]$/, '$1');
  return /^[a-z]+(\|[a-z]+)+$/.test(text) ? text.split('|') : [];
};

const completedOf = (command: Command): CompletedCommand => ({
  name: command.name,
  choices: choicesIn(command.positionals.usage),
  options: [
    ...Object.entries(optionsOf(command)).map(
      ([name, { short = null, help, takes, placeholder }]): CompletedOption => ({
        name,
        short,
        help,
        takesValue: takes === 'value',
        choices: choicesIn(placeholder),
      }),
    ),
    { name: 'help', short: 'h', help: 'Show this help.', takesValue: false, choices: [] },
  ],
});

const completedWord = ({ name, summary }: CommandRow): CompletedWord => ({
  word: wordOf({ name }),
  help: summary,
});

const completionsOf = (rows: readonly CommandRow[]): Completions => ({
  words: rows.map(completedWord),
  groups: rows.filter(isGroup).map(({ name, commands }) => ({ name, words: commands.map(completedWord) })),
  commands: rows.flatMap((row) => (isGroup(row) ? row.commands : [row])).map(completedOf),
});

/** A text in single quotes, as bash and zsh read it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const wordsOf = (words: readonly CompletedWord[]): string => words.map(({ word }) => word).join(' ');

const flagsOf = ({ options }: CompletedCommand): string =>
  options.flatMap(({ name, short }) => [`--${name}`, ...(short === null ? [] : [`-${short}`])]).join(' ');

/** Works with the bash 3.2 of macOS too. */
const bashScript = ({ words, groups, commands }: Completions): string => `# bash completion for spate
_spate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= words= options=
  # The equal sign of --option=value is a word of its own.
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  [ "$COMP_CWORD" -gt 1 ] && command=\${COMP_WORDS[1]}
  case $command in
    ${groups.map(({ name }) => name).join('|')}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case "$command $prev" in
${commands
  .flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        (option) => `    ${quoted(`${name} --${option.name}`)}) words=${quoted(option.choices.join(' '))} ;;`,
      ),
  )
  .join('\n')}
  esac
  if [ -z "$words" ]; then
    case "$command" in
      '') words=${quoted(`${wordsOf(words)} help`)} options='--help --version' ;;
${groups.map(({ name, words: own }) => `      ${quoted(name)}) words=${quoted(wordsOf(own))} options='--help' ;;`).join('\n')}
${commands
  .map(
    (command) =>
      `      ${quoted(command.name)}) words=${quoted(command.choices.join(' '))} options=${quoted(flagsOf(command))} ;;`,
  )
  .join('\n')}
    esac
  fi
  case $cur in -*) words=$options ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
# Where nothing is proposed, names of files are.
complete -o default -F _spate spate
`;

/** A text within the brackets of `_arguments` and before the colon of `_describe`. */
const zshHelp = (help: string): string => help.replace(/[[\]:\\]/g, '\\$&');

const zshOption = ({ name, short, help, takesValue, choices }: CompletedOption): readonly string[] => {
  const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : '';
  // A boolean option may stand alone.
  const ending = takesValue || value === '' ? value : `:${value}`;
  return [`--${name}`, ...(short === null ? [] : [`-${short}`])].map((flag) =>
    quoted(`*${flag}[${zshHelp(help)}]${ending}`),
  );
};

const zshWords = (words: readonly CompletedWord[]): string =>
  words.map(({ word, help }) => quoted(`${word}:${zshHelp(help)}`)).join(' ');

const zshScript = ({ words, groups, commands }: Completions): string => `#compdef spate
_spate() {
  local -a rows
  local command=$words[2]
  if (( CURRENT == 2 )); then
    rows=(${zshWords(words)})
    _describe command rows
    return
  fi
  case $command in
${groups
  .map(
    ({ name, words: own }) => `    ${name})
      if (( CURRENT == 3 )); then
        rows=(${zshWords(own)})
        _describe command rows
        return
      fi
      command="$command $words[3]"
      shift words; (( CURRENT-- )) ;;`,
  )
  .join('\n')}
  esac
  shift words; (( CURRENT-- ))
  case $command in
${commands
  .map(({ name, options, choices }) => {
    const rest = choices.length > 0 ? `*:argument:(${choices.join(' ')})` : '*:argument:_files';
    return `    ${quoted(name)}) _arguments ${[...options.flatMap(zshOption), quoted(rest)].join(' ')} ;;`;
  })
  .join('\n')}
  esac
}
if [[ $funcstack[1] == _spate ]]; then _spate "$@"; else compdef _spate spate; fi
`;

/** In single quotes of fish only the backslash and the quote are special. */
const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const fishWords = (at: string, words: readonly CompletedWord[]): string =>
  words
    .map(
      ({ word, help }) =>
        `complete -c spate -n ${fishQuoted(`__spate_is${at}`)} -f -a ${word} -d ${fishQuoted(help)}`,
    )
    .join('\n');

const fishOption =
  (command: string) =>
  ({ name, short, help, takesValue, choices }: CompletedOption): string =>
    [
      `complete -c spate -n ${fishQuoted(`__spate_in ${command}`)} -l ${name}`,
      ...(short === null ? [] : [`-s ${short}`]),
      ...(takesValue ? ['-r'] : []),
      ...(choices.length > 0 ? [`-f -a ${fishQuoted(choices.join(' '))}`] : []),
      `-d ${fishQuoted(help)}`,
    ].join(' ');

const fishScript = ({ words, groups, commands }: Completions): string => `# fish completion for spate
function __spate_is
    set -l words (commandline -opc)
    test "$words[2..-1]" = "$argv"
end
function __spate_in
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end
${fishWords('', words)}
${groups.map(({ name, words: own }) => fishWords(` ${name}`, own)).join('\n')}
${commands
  .flatMap(({ name, options, choices }) => [
    ...options.map(fishOption(name)),
    ...(choices.length > 0
      ? [`complete -c spate -n ${fishQuoted(`__spate_in ${name}`)} -f -a ${fishQuoted(choices.join(' '))}`]
      : []),
  ])
  .join('\n')}
`;

const SHELLS: Readonly<Record<string, (completions: Completions) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The command that prints what a shell needs to complete the commands and options of `rows`. */
export const completion = (rows: () => readonly CommandRow[]): Command<Record<never, never>> => ({
  name: 'completion',
  summary: 'Prints a script with which a shell completes commands, options and values.',
  positionals: { usage: 'bash|zsh|fish', min: 1, max: 1 },
  options: {},
  notes: [
    'bash: add eval "$(spate completion bash)" to ~/.bashrc. zsh: the same with zsh, after compinit, in ~/.zshrc. ' +
      'fish: write the script to ~/.config/fish/completions/spate.fish. The scripts complete the word spate; in a clone add alias spate="npx spate".',
  ],
  examples: [
    { title: 'Complete in this bash', line: 'spate completion bash > spate.bash' },
    { title: 'Install it for fish', line: 'spate completion fish > ~/.config/fish/completions/spate.fish' },
  ],
  run: async ({ positionals: [shell = ''] }, { io }) => {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
    if (script === undefined) {
      const known = Object.keys(SHELLS);
      const hint = hintOf(shell, known);
      return usageError(
        io,
        'completion',
        `there is no completion for '${shell}', only for ${known.join(', ')}${hint}`,
      );
    }
    io.stdout.write(script(completionsOf(rows())));
    return EXIT.ok;
  },
});
