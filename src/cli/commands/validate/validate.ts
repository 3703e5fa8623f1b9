import * as E from 'fp-ts/lib/Either.js';
import type { Command } from '../../arguments/command.js';
import { plural } from '../../arguments/numbers.js';
import { flagOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/pluginOptions.js';
import { filesAt, YAML_FILE } from '../../files/namedFiles.js';
import { problemLines } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { checkFile } from './checkFile.js';

const options = {
  'no-files': flagOption({ help: 'Check the files alone, not what they refer to.' }),
  ...PLUGIN_OPTIONS,
};

export const validate: Command<typeof options> = {
  name: 'validate',
  summary:
    'Checks generators, their tests, library.yml, incidents, settings and startup files; lists all problems.',
  positionals: { usage: 'PATH...', min: 1, max: Number.POSITIVE_INFINITY },
  options,
  usesPlugins: true,
  notes: [
    'PATH is a file, or a folder to search for YAML files. The kind of a file is recognized by its content.',
    'Also checks what generators refer to: templates as `spate template check` does, their errors only; samples and the columns ' +
      'that calls name; syntax and imports of scripts, and that they have `produce`; logs, patterns, schemas and certificates. ' +
      'Entries of a startup list: their configs and parameters, if the settings file beside the list names it. Incidents: ' +
      'configs, parameters and globals of their members. Files above 16 MiB are only opened. No script runs, and no host is ' +
      'asked; `spate check --connect` does that.',
    'Prints one problem per line: file:line:column: path in the document: problem. Fix. The line of the file follows a ' +
      'mistake in YAML.',
    'Exit codes: 0 all files are valid; 1 some are not; 2 wrong usage.',
  ],
  examples: [
    { title: 'Check all generators and settings', line: 'spate validate generators settings' },
    { title: 'Check one file', line: 'spate validate generators/access-log/generator.yml' },
  ],
  run: async ({ positionals, options: values }, { io, services }) => {
    const engine = values['no-files'] === true ? null : await services.sample();
    let [valid, others, problems] = [0, 0, 0];
    const broken = new Set<string>();
    const seen = new Set<string>();
    const complain = (shown: string, lines: readonly string[]): void => {
      broken.add(shown);
      problems += lines.length;
      io.stdout.write(lines.map((line) => `${line}\n`).join(''));
    };
    for (const path of positionals) {
      const files = await filesAt(path, io.cwd, YAML_FILE);
      if (E.isLeft(files)) complain(path, problemLines(files.left));
      for (const file of E.isRight(files) ? files.right : []) {
        if (seen.has(file.path)) continue;
        seen.add(file.path);
        const verdict = await checkFile(file, engine, (error) =>
          io.stderr.write(
            problemLines(error)
              .map((line) => `warning: ${line}\n`)
              .join(''),
          ),
        );
        if (verdict === null) others++;
        else if (verdict.length === 0) valid++;
        else complain(file.shown, verdict.flatMap(problemLines));
      }
    }
    const left = others === 0 ? '' : ` (${plural(others, 'other YAML file')} skipped)`;
    if (problems > 0) {
      io.stderr.write(`spate: ${plural(problems, 'problem')} in ${plural(broken.size, 'file')}${left}.\n`);
      return EXIT.failed;
    }
    if (valid === 0) {
      io.stderr.write(`spate: no file to check in ${positionals.join(', ')}${left}.\n`);
      return EXIT.failed;
    }
    io.stdout.write(`${valid === 1 ? '1 file is' : `${plural(valid, 'file')} are`} valid${left}\n`);
    return EXIT.ok;
  },
};
