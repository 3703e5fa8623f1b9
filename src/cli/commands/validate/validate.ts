import type { Command } from '../../arguments/command.js';
import { flagOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/sharedOptions.js';

export const validateOptions = {
  'no-files': flagOption({ help: 'Check the files alone, not what they refer to.' }),
  ...PLUGIN_OPTIONS,
};

export const validate: Command<typeof validateOptions> = {
  name: 'validate',
  summary:
    'Checks generators, tests, library.yml, incidents, worlds, settings and startup files; lists all problems.',
  positionals: { usage: 'PATH...', min: 1, max: Number.POSITIVE_INFINITY },
  options: validateOptions,
  usesPlugins: true,
  notes: [
    'PATH is a file, or a folder to search for YAML files. The kind of a file is recognized by its content; a file in a folder `worlds` is a world.',
    'Also checks what generators refer to: templates as `spate template check` does, their errors only; samples and the columns ' +
      'that calls name; syntax and imports of scripts, and that they have `produce`; logs, patterns, schemas and certificates. ' +
      'Entries of a startup list: their configs and parameters, if the settings file beside the list names it. Incidents: ' +
      'configs, parameters and globals of their members. Files above 16 MiB are only opened. No script runs, and no host is ' +
      'asked; `spate check --connect` does that.',
    'Warns on standard error of six cron fields that may have their seconds last, in configs that come from Eventum: those ' +
      'with the line of `spate import eventum`, or with eventum.yml in their folder or one of the two above.',
    'Prints one problem per line: file:line:column: path in the document: problem. Fix. The line of the file follows a ' +
      'mistake in YAML.',
    'Exit codes: 0 all files are valid; 1 some are not; 2 wrong usage.',
  ],
  examples: [
    { title: 'Check all generators and settings', line: 'spate validate generators settings' },
    { title: 'Check one file', line: 'spate validate generators/access-log/generator.yml' },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runValidate } = await import('./runValidate.js');
    return runValidate(given, context);
  },
};
