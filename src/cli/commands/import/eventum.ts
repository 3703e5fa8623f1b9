import type { Command, CommandGroup } from '../../arguments/command.js';
import { textOption } from '../../arguments/option.js';

export const importOptions = {
  out: textOption('FOLDER', {
    help: 'Folder of the new instance; it must not exist, or be empty (default: the name of DIR with -spate behind it, here).',
  }),
};

const importEventum: Command<typeof importOptions> = {
  name: 'import eventum',
  summary: 'Makes an instance from an installation of Eventum, and lists what behaves differently.',
  positionals: { usage: 'DIR', min: 1, max: 1 },
  options: importOptions,
  notes: [
    'DIR has eventum.yml or another settings file, the startup list and the generators; or it is the settings file itself. ' +
      'Nothing in DIR is changed, and nothing outside of it is read. Links are not copied.',
    'Prints one difference per line on standard output: file:line:column: path in the document: what is different. Then ' +
      'checks the new instance as `spate validate` does.',
    'Exit codes: 0 the new instance is valid; 1 something in it has to be mended first, or nothing was imported; 2 wrong usage.',
  ],
  examples: [
    {
      title: 'Import, keep the list of differences',
      line: 'spate import eventum /etc/eventum --out soc > differences.txt',
    },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runImport } = await import('./runImport.js');
    return runImport(given, context);
  },
};

export const importGroup: CommandGroup = {
  name: 'import',
  summary: 'Instances from other programs.',
  commands: [importEventum],
};
