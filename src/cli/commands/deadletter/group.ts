import type { CommandGroup } from '../../arguments/command.js';
import { deadletterList } from './list.js';
import { deadletterPurge } from './purge.js';
import { deadletterReplay } from './replay.js';
import { deadletterShow } from './show.js';

export const deadletter: CommandGroup = {
  name: 'deadletter',
  summary: 'Shows, replays and removes dead letters: events that an output could not deliver.',
  notes: [
    'The daemon and spate generate --state store dead letters with the reason in the state folder. All commands are safe ' +
      'while the daemon runs; a replay and a purge of the same output exclude each other.',
  ],
  commands: [deadletterList, deadletterShow, deadletterReplay, deadletterPurge],
};
