import type { Command } from '../../arguments/command.js';
import { flagOption, integerOption, numberOption, textOption } from '../../arguments/option.js';
import { DEFAULT_LOG_MB, DEFAULT_TOLERANCE, MAX_LOG_MB } from '../limits.js';

export const learnOptions = {
  out: textOption('DIR', {
    help: 'Directory to create (default: the name of the log, in ./generators if that exists).',
  }),
  force: flagOption({ help: 'Replace a directory that spate learn made.' }),
  check: textOption('DIR', { help: 'Write nothing: compare the generator in DIR with the logs.' }),
  tolerance: numberOption('PERCENT', {
    help: `With --check: greatest difference of a field (default ${DEFAULT_TOLERANCE}).`,
  }),
  seed: textOption('SEED', {
    help: 'Key of the pseudonyms; the same logs and seed give the same directory (default: a new one). Keep it secret.',
  }),
  'keep-values': flagOption({ help: 'Keep private values: addresses, names, identifiers.' }),
  'allow-undated': flagOption({
    help: 'Exit with 0 although the time of some records was not found: generated events repeat it.',
  }),
  'max-mb': integerOption(
    'N',
    { help: `Megabytes to read from the start of each log (default ${DEFAULT_LOG_MB}).` },
    { min: 1, max: MAX_LOG_MB },
  ),
  json: flagOption({ help: 'Print the report as JSON.' }),
};

export const learnCommand: Command<typeof learnOptions> = {
  name: 'learn',
  summary:
    'Makes a generator from sample logs: format, fields, distributions, rate; private values replaced.',
  positionals: { usage: 'LOG...', min: 1, max: 100 },
  options: learnOptions,
  notes: [
    'Reads JSON lines, access logs of Apache and nginx, syslog, key=value, CEF, CSV with a header, and mines templates from other ' +
      'lines. A line that begins with a blank continues the record before.',
    'Addresses, MACs, UUIDs, e-mail addresses, domain names, names of users and machines, tokens and long numbers are replaced, each ' +
      'always by the same pseudonym. Prefixes that addresses share stay shared. Read samples/ before you share the directory: a ' +
      'private word in a sentence cannot be told from others.',
    'The report compares generated events with the log: shares of values, distributions of numbers, distinct values, rate.',
    'With --check, give the --seed of the first run to compare private values one by one; without it they are compared by rank.',
    'Exit codes: 0 written, or with --check close enough; 1 not close, no events in the log, the directory exists, or written ' +
      'but the time of some records was not found; 2 wrong usage.',
  ],
  examples: [
    { title: 'Make a generator', line: 'spate learn /var/log/nginx/access.log --out generators/my-web' },
    {
      title: 'Compare it with a newer log',
      line: 'spate learn --check generators/my-web /var/log/nginx/access.log.1',
    },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runLearn } = await import('./runLearn.js');
    return runLearn(given, context);
  },
};
