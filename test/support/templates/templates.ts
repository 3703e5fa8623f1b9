import { DEFAULT_TEMPLATE_LIMITS } from '../../../src/domain/generator.js';
import type { TemplateSurroundings } from '../../../src/plugins/kit.js';

/** Default surroundings of templates. */
export const PLAIN_TEMPLATES: TemplateSurroundings = {
  limits: DEFAULT_TEMPLATE_LIMITS,
  runCommand: null,
  isTraced: false,
};
