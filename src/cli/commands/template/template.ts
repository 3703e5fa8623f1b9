import type { CommandGroup } from '../../arguments/command.js';
import { templateCheck } from './check.js';

export const template: CommandGroup = {
  name: 'template',
  summary: 'Works with templates of events and formatters.',
  commands: [templateCheck],
};
