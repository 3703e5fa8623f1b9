import type { Tool } from './tool.js';
import { configTools } from './tools/configs.js';
import { deadLetterTools } from './tools/deadLetters.js';
import { generatorTools } from './tools/generators.js';
import { incidentTools } from './tools/incidents.js';
import { libraryTools } from './tools/library.js';
import { previewTools } from './tools/previews.js';
import { runTools } from './tools/runs.js';
import { scenarioTools } from './tools/scenarios.js';
import { validateTools } from './tools/validate.js';

/** Every tool, in the order in which a model meets them. */
export const TOOLS: readonly Tool[] = [
  ...generatorTools,
  ...libraryTools,
  ...configTools,
  ...validateTools,
  ...previewTools,
  ...runTools,
  ...deadLetterTools,
  ...scenarioTools,
  ...incidentTools,
];

/** Whether a tool leaves the service as it was. */
export const isReading = ({ effect }: Pick<Tool, 'effect'>): boolean =>
  effect === 'reads' || effect === 'previews';
