import type { CommandRow } from './arguments/command.js';
import { check } from './commands/check.js';
import { cluster } from './commands/cluster/group.js';
import { completion } from './commands/completion.js';
import { deadletter } from './commands/deadletter/group.js';
import { generate } from './commands/generate.js';
import { hashPasswordCommand } from './commands/hashPassword.js';
import { init } from './commands/init/init.js';
import { inspect } from './commands/inspect/inspect.js';
import { keyring } from './commands/keyring.js';
import { learn } from './commands/learn/learn.js';
import { library } from './commands/library/library.js';
import { mcp } from './commands/mcp/mcp.js';
import { plugins } from './commands/plugins/plugins.js';
import { preview } from './commands/preview.js';
import { run } from './commands/run/run.js';
import { scenario } from './commands/scenario/group.js';
import { schema } from './commands/schema.js';
import { service } from './commands/service/group.js';
import { status } from './commands/status.js';
import { template } from './commands/template/group.js';
import { test } from './commands/test/test.js';
import { validate } from './commands/validate/validate.js';
import { verify } from './commands/verify/verify.js';
import { versionCommand } from './commands/version.js';

export const COMMANDS: readonly CommandRow[] = [
  run,
  generate,
  validate,
  check,
  template,
  preview,
  inspect,
  test,
  init,
  learn,
  library,
  status,
  deadletter,
  verify,
  scenario,
  keyring,
  hashPasswordCommand,
  mcp,
  service,
  cluster,
  plugins,
  schema,
  completion(() => COMMANDS),
  versionCommand,
];
