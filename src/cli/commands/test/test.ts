import type { Command } from '../../arguments/command.js';
import { flagOption, textOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/sharedOptions.js';
import { KEYRING_OPTION } from '../../files/keyring.js';

export const testOptions = {
  filter: textOption('TEXT', { help: 'Run only tests with this text in their path.' }),
  'failed-only': flagOption({ help: 'Print only the checks that failed, and the summary.' }),
  update: flagOption({
    help: 'Write the measured fingerprint into each tests file with no other failed check.',
  }),
  junit: textOption('FILE', { help: 'Write the results as JUnit XML.' }),
  json: flagOption({ help: 'Print one JSON object instead of lines.' }),
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
  'allow-subprocess': flagOption({ help: 'Allow templates to run programs on this machine.' }),
};

export const test: Command<typeof testOptions> = {
  name: 'test',
  summary: 'Runs the tests of generators: checks of the events they make.',
  positionals: { usage: '[PATH...]', min: 0, max: Number.POSITIVE_INFINITY },
  options: testOptions,
  usesPlugins: true,
  notes: [
    'PATH is a generator folder, a folder of generators or one tests file (default: the working directory). Tests are YAML ' +
      'files in the folder tests beside a generator.yml; docs/testing-generators.md describes them.',
    'Runs generators in memory and opens no output. An event that fails always fails the test.',
    'Exit codes: 0 all checks are ok; 1 some failed, or there are no tests; 2 wrong usage.',
  ],
  examples: [
    { title: 'Test all generators', line: 'spate test generators' },
    { title: 'Accept the events as they are now', line: 'spate test generators/ecs-web-auth --update' },
    { title: 'Write a report for CI', line: 'spate test generators --junit results.xml' },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runTests } = await import('./runTests.js');
    return runTests(given, context);
  },
};
