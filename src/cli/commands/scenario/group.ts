import type { CommandGroup } from '../../arguments/command.js';
import { scenarioPreview } from './preview.js';
import { scenarioRun } from './run.js';

export const scenario: CommandGroup = {
  name: 'scenario',
  summary: 'Runs and shows incidents: stories over several generators, with ground truth.',
  commands: [scenarioRun, scenarioPreview],
};
