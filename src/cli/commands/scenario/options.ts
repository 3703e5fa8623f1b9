import { textOption } from '../../arguments/option.js';

export const STORY_OPTIONS = {
  seed: textOption('SEED', {
    help: 'Seed of the entities and of all members: the same seed gives the same story (default: a new one per run).',
  }),
  start: textOption('TIME', { help: 'Beginning of the incident, ISO 8601 (default now).' }),
};
