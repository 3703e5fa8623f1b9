import type { CommandGroup } from '../../arguments/command.js';
import { templateCheck } from './check.js';

export const template: CommandGroup = {
  name: 'template',
  summary: 'Checks the templates of events and formatters.',
  commands: [templateCheck],
};
