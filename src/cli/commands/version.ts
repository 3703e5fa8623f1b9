import { type Command, NO_POSITIONALS } from '../arguments/command.js';
import { EXIT } from '../terminal/io.js';

export const versionCommand: Command<Record<never, never>> = {
  name: 'version',
  summary: 'Shows the version, as --version does.',
  positionals: NO_POSITIONALS,
  options: {},
  examples: [{ title: 'Show the version', line: 'spate version' }],
  run: async (_, { io, services }) => {
    io.stdout.write(`spate ${services.version}\n`);
    return EXIT.ok;
  },
};
