import type { Command } from '../../arguments/command.js';
import { booleanOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/pluginOptions.js';
import { KEYRING_OPTION } from '../../files/keyring.js';
import { STORY_OPTIONS } from './options.js';

export const runOptions = {
  ...STORY_OPTIONS,
  'live-mode': booleanOption({
    help: 'Deliver each event at its timestamp (default true). false: as fast as possible.',
  }),
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
};

export const scenarioRun: Command<typeof runOptions> = {
  name: 'scenario run',
  summary: 'Runs an incident: its generators together, with phases, shared entities and ground truth.',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  options: runOptions,
  usesPlugins: true,
  notes: [
    'Each member writes to the outputs of its config. Paths in the file are relative to the file.',
    'SIGINT and SIGTERM stop all members: events in flight are delivered within ten seconds.',
    'Exit codes: 0 all events were delivered; 1 invalid file, or failed events; 2 wrong usage; 130 or 143 stopped by SIGINT or SIGTERM.',
  ],
  examples: [
    { title: 'Live, from now on', line: 'spate scenario run scenarios/data-theft.yml' },
    {
      title: 'The same bytes every time, as fast as possible',
      line: 'spate scenario run scenarios/data-theft.yml --live-mode false --seed 7 --start 2026-01-31T12:00:00Z',
    },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runScenario } = await import('./runScenario.js');
    return runScenario(given, context);
  },
};
