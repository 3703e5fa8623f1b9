import type { Command } from './command.js';
import { generate } from './commands/generate.js';
import { init } from './commands/init.js';
import { plugins } from './commands/plugins.js';
import { preview } from './commands/preview.js';
import { run } from './commands/run.js';
import { schema } from './commands/schema.js';
import { validate } from './commands/validate.js';

/** Every command, in the order of the help text. */
export const COMMANDS: readonly Command[] = [run, generate, validate, preview, init, plugins, schema];
