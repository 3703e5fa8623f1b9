import * as E from 'fp-ts/lib/Either.js';
import type { Command, CommandGroup } from '../../arguments/command.js';
import { booleanOption, textOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/sharedOptions.js';
import { KEYRING_OPTION } from '../../files/keyring.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';

const SHARED_OPTIONS = {
  seed: textOption('SEED', {
    help: 'Seed of the entities and of all members: the same seed gives the same events (default: a new one per run).',
  }),
  start: textOption('TIME', { help: 'Beginning of the incident, ISO 8601 (default now).' }),
};

export const incidentRunOptions = {
  ...SHARED_OPTIONS,
  'live-mode': booleanOption({
    help: 'Deliver each event at its timestamp (default true). false: as fast as possible.',
  }),
  'keyring-cryptfile': KEYRING_OPTION,
  ...PLUGIN_OPTIONS,
};

const incidentRun: Command<typeof incidentRunOptions> = {
  name: 'incident run',
  summary: 'Runs an incident: its generators together, with phases, shared entities and ground truth.',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  options: incidentRunOptions,
  usesPlugins: true,
  notes: [
    'Each member writes to the outputs of its config. Paths in the file are relative to the file.',
    'SIGINT and SIGTERM stop all members: events in flight are delivered within ten seconds.',
    'Exit codes: 0 all events were delivered; 1 invalid file, or failed events; 2 wrong usage; 130 or 143 stopped by SIGINT or SIGTERM.',
  ],
  examples: [
    { title: 'Live, from now on', line: 'spate incident run incidents/data-theft.yml' },
    {
      title: 'The same bytes every time, as fast as possible',
      line: 'spate incident run incidents/data-theft.yml --live-mode false --seed 7 --start 2026-01-31T12:00:00Z',
    },
  ],
  run: async (given, context) => {
    // Lazy: other commands start faster without it.
    const { runIncident } = await import('./run.js');
    return runIncident(given, context);
  },
};

const incidentPreview: Command<typeof SHARED_OPTIONS> = {
  name: 'incident preview',
  summary: 'Shows the entities and the timeline of an incident without running it.',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  options: SHARED_OPTIONS,
  examples: [
    { title: 'See what a seed draws', line: 'spate incident preview incidents/data-theft.yml --seed 7' },
  ],
  run: async ({ options: { seed, start }, positionals: [path = ''] }, { io, services }) => {
    // Lazy: other commands start faster without it.
    const { incidentText, loadIncident } = await import('./run.js');
    const loaded = await loadIncident(path, { cwd: io.cwd, seed, start, now: services.clock.now() });
    if (E.isLeft(loaded)) return reportError(io, loaded.left);
    io.stdout.write(incidentText(loaded.right));
    return EXIT.ok;
  },
};

export const incident: CommandGroup = {
  name: 'incident',
  formerName: 'scenario',
  summary: 'Runs and shows incidents, such as an attack over several generators, with ground truth.',
  commands: [incidentRun, incidentPreview],
};
