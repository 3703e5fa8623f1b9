/** The command line of the runner, pure. */

export const USAGE = `usage: npm run bench [-- CASE... [options]]

Runs cases (default: all but the long ones) against the built program, prints a table, and fails on wrong results only.

  --pairs N           rounds of Spate and yardstick in turn, after one to warm up (default 5)
  --scale X           size of the inputs, 1 as documented; start-up weighs more in smaller ones
  --seconds N         duration of the live cases
  --yardstick 'COMMAND'
                      replaces the yardsticks of one case: any shell command; {input}, {output}, {config} and {folder}
                      stand for its files, {spate} for the built program
  --json FILE         the whole report as JSON
  --compare           prints the ratios beside those of test/bench/baseline.json
  --save-baseline     stores the ratios there
  --markdown          prints the table of docs/performance.md
  --profile           one more run of Spate: the functions that take most time, by thread
  --list              names the cases

Two builds against each other:
  npm run bench -- script-line --yardstick 'node OTHER/dist/src/cli/main.js generate --path {config} --live-mode false'

TMPDIR says where inputs and outputs go; SPATE_BENCH_DIST names another build (its folder dist/src).
`;

const NUMBERS = { '--pairs': 'pairs', '--scale': 'scale', '--seconds': 'seconds' };
const TEXTS = { '--yardstick': 'yardstick', '--json': 'json' };
const FLAGS = {
  '--compare': 'compare',
  '--save-baseline': 'save',
  '--profile': 'profile',
  '--markdown': 'markdown',
  '--list': 'list',
  '--help': 'help',
};

const DEFAULTS = {
  cases: [],
  pairs: 5,
  scale: 1,
  seconds: null,
  yardstick: null,
  json: null,
  compare: false,
  save: false,
  profile: false,
  markdown: false,
  list: false,
  help: false,
};

/** Options of arguments, or `{problem}`, a sentence. */
export const readOptions = (args) => {
  const options = { ...DEFAULTS, cases: [] };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (Object.hasOwn(FLAGS, arg)) {
      options[FLAGS[arg]] = true;
    } else if (Object.hasOwn(NUMBERS, arg) || Object.hasOwn(TEXTS, arg)) {
      const value = args[++at];
      if (value === undefined || value === '') return { problem: `${arg} needs a value` };
      if (Object.hasOwn(TEXTS, arg)) options[TEXTS[arg]] = value;
      else if (!(Number(value) > 0) || Number(value) === Number.POSITIVE_INFINITY)
        return { problem: `${arg} needs a number above 0, not ${value}` };
      else options[NUMBERS[arg]] = Number(value);
    } else if (arg.startsWith('-')) {
      return { problem: `no such option: ${arg}` };
    } else {
      options.cases.push(arg);
    }
  }
  if (!Number.isInteger(options.pairs)) return { problem: '--pairs needs a whole number' };
  if (options.yardstick !== null && options.cases.length !== 1)
    return { problem: '--yardstick needs exactly one case' };
  return options;
};

/** A value that a shell takes as one word. */
export const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Puts the quoted values of `{name}` into a shell command; other braces stay. */
export const filled = (command, values) =>
  command.replaceAll(/\{([a-z]+)\}/g, (whole, name) =>
    Object.hasOwn(values, name) ? quoted(values[name]) : whole,
  );
