import type { CommandGroup } from '../../arguments/command.js';
import { deadletterList } from './list.js';
import { deadletterPurge } from './purge.js';
import { deadletterReplay } from './replay.js';
import { deadletterShow } from './show.js';

export const deadletter: CommandGroup = {
  name: 'deadletter',
  summary: 'Shows, sends again and removes events that an output could not deliver.',
  notes: [
    'The daemon (and spate generate --state) keeps such events in the state folder with the reason. The daemon may run while ' +
      'these commands are used; a replay and a purge of the same output exclude each other.',
  ],
  commands: [deadletterList, deadletterShow, deadletterReplay, deadletterPurge],
};
