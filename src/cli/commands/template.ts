import type { CommandGroup } from '../command.js';
import { templateCheck } from './templateCheck.js';

export const template: CommandGroup = {
  name: 'template',
  summary: 'Works with templates of events and formatters.',
  commands: [templateCheck],
};
