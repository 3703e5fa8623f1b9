import * as E from 'fp-ts/lib/Either.js';
import type { Command, CommandGroup } from '../../arguments/command.js';
import { reportError } from '../../report.js';
import { EXIT } from '../../terminal/io.js';
import { STORY_OPTIONS } from './options.js';
import { scenarioRun } from './run.js';

const scenarioPreview: Command<typeof STORY_OPTIONS> = {
  name: 'scenario preview',
  summary: 'Shows the entities and the timeline of an incident without running it.',
  positionals: { usage: 'FILE', min: 1, max: 1 },
  options: STORY_OPTIONS,
  examples: [
    { title: 'See what a seed draws', line: 'spate scenario preview scenarios/data-theft.yml --seed 7' },
  ],
  run: async ({ options: { seed, start }, positionals: [path = ''] }, { io, services }) => {
    // Lazy: other commands start faster without them.
    const [{ loadIncident }, { storyText }] = await Promise.all([
      import('./incident.js'),
      import('./story.js'),
    ]);
    const loaded = await loadIncident(path, { cwd: io.cwd, seed, start, now: services.clock.now() });
    if (E.isLeft(loaded)) return reportError(io, loaded.left);
    io.stdout.write(storyText(loaded.right));
    return EXIT.ok;
  },
};

export const scenario: CommandGroup = {
  name: 'scenario',
  summary: 'Runs and shows incidents: stories over several generators, with ground truth.',
  commands: [scenarioRun, scenarioPreview],
};
