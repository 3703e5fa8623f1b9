import type { CommandRow } from './arguments/command.js';
import { deadletter } from './commands/deadletter/deadletter.js';
import { generate } from './commands/generate.js';
import { init } from './commands/init.js';
import { keyring } from './commands/keyring.js';
import { plugins } from './commands/plugins.js';
import { preview } from './commands/preview.js';
import { run } from './commands/run.js';
import { schema } from './commands/schema.js';
import { service } from './commands/service/service.js';
import { template } from './commands/template/template.js';
import { validate } from './commands/validate.js';
import { verify } from './commands/verify.js';

export const COMMANDS: readonly CommandRow[] = [
  run,
  generate,
  validate,
  template,
  preview,
  init,
  deadletter,
  verify,
  keyring,
  service,
  plugins,
  schema,
];
