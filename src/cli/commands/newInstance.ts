import { mkdir, readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { errnoOf, ioError } from '../../adapters/files/ioError.js';
import { failure, type Result } from '../../domain/errors.js';
import { checkGeneratorId } from '../../domain/identifiers.js';
import { GENERATOR_FILE } from '../../domain/library.js';
import type { Command, CommandContext } from '../arguments/command.js';
import { choiceOption, integerOption, textOption } from '../arguments/option.js';
import { parseArguments } from '../arguments/parse.js';
import { reportError, usageError } from '../report.js';
import { EXIT } from '../terminal/io.js';
import { enteredPassword } from '../terminal/password.js';
import { copyOfLibrary, initFiles, SCHEMA_FILE } from './init.js';
import { schemaOf } from './schema.js';
import { serviceInstall } from './service/install.js';

export const SETTINGS_FILE = 'spate.yml';
const FIRST = 'first';
const DEFAULT_PORT = 9474;

interface Login {
  readonly user: string;
  /** The scrypt hash. */
  readonly password: string;
}

/** YAML of text: JSON is YAML. */
const quoted = (text: string): string => JSON.stringify(text);

const loginText = (login: Login | null): string =>
  login === null
    ? `  # Without credentials only clients on this machine are served. ${'`'}spate hash-password${'`'} makes the hash.
  # auth: {user: admin, password: 'scrypt$...'}
`
    : `  auth:
    user: ${quoted(login.user)}
    password: ${quoted(login.password)}
`;

const settingsText = (port: number, login: Login | null): string => `# Settings of an instance of Spate.
# What is not here has its default; docs/settings.md lists every option. SIGHUP applies changes.
server:
  host: 127.0.0.1 # 0.0.0.0 listens for other machines, too: set auth and ssl first
  port: ${port}
${loginText(login)}
# Defaults of all generators; an entry of the startup list overrides single values.
generation:
  timezone: UTC
  # After a restart or crash, each stream goes on with its next event.
  checkpoint: true

log:
  level: info

path:
  startup: startup.yml
  generators_dir: generators
  logs: logs
  state: state
  keyring_cryptfile: keyring.crypt
`;

const startupText = (
  name: string,
  isCopy: boolean,
): string => `# The generators that run. Paths start at the folder generators.
- id: ${name}
  path: ${name}/${GENERATOR_FILE}
${
  isCopy
    ? `  scenarios: [${name}] # its global 'anomaly' switches attacks on and off
`
    : ''
}`;

const FIRST_OUTPUT = `  - file:
      path: out/events.log
  # - stdout: {}
`;

/** The text of `.gitignore`. */
export const INSTANCE_IGNORES = `# What the instance writes.
/logs/
/state/
/generators/*/out/
`;

/** Makes the folder, or takes an empty one. */
export const emptyFolder = async (folder: string, shown: string): Promise<Result<void>> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    const names = await readdir(folder);
    if (names.length === 0) return E.right(undefined);
    return E.left(
      failure(
        'already_exists',
        `${shown} is not empty: it holds ${names[0]}. Choose a folder that does not exist or is empty.`,
      ),
    );
  } catch (thrown) {
    return E.left(
      errnoOf(thrown) === 'EEXIST' || errnoOf(thrown) === 'ENOTDIR'
        ? failure('already_exists', `${shown} is a file, or below one. Choose another folder.`)
        : ioError('unwritable', 'create the folder', folder, thrown),
    );
  }
};

interface NewInstance {
  readonly folder: string;
  /** The folder as the user can type it. */
  readonly shown: string;
  /** Generator of the library to copy. Null for a small one with comments. */
  readonly from: string | null;
  /** Name of the first generator. */
  readonly name: string;
  readonly port: number;
  readonly login: Login | null;
}

const write = async (
  { folder, shown, from, name, port, login }: NewInstance,
  { io, services }: CommandContext,
): Promise<Result<void>> => {
  const own = join('generators', name);
  const files: Record<string, string> = {
    'startup.yml': startupText(name, from !== null),
    '.gitignore': INSTANCE_IGNORES,
    [SETTINGS_FILE]: settingsText(port, login),
  };
  const parent = await nodeFiles.makeDirectory(join(folder, from === null ? own : 'generators'));
  if (E.isLeft(parent)) return parent;
  // Before the copy, which leads its editor to it.
  const schema = await nodeFiles.replaceText(
    join(folder, 'generators', SCHEMA_FILE),
    `${JSON.stringify(schemaOf('generator'))}\n`,
  );
  if (E.isLeft(schema)) return schema;
  if (from !== null) {
    const copied = await copyOfLibrary(
      { from, folder: join(folder, own), shown: join(shown, own) },
      services,
    );
    if (E.isLeft(copied)) return copied;
  } else {
    const generator = {
      name,
      event: 'template',
      output: FIRST_OUTPUT,
      program: io.program,
      hasSchema: true,
    } as const;
    for (const [file, text] of Object.entries(initFiles({ ...generator, shown: join(shown, own) })))
      files[join(own, file)] = text;
  }
  for (const [path, text] of Object.entries(files)) {
    const written = await nodeFiles.replaceText(join(folder, path), text);
    if (E.isLeft(written)) return written;
  }
  return E.right(undefined);
};

const options = {
  from: textOption('LIBRARY_NAME', {
    help: 'Begin with a copy of this generator of the library instead of a small one; see spate library.',
  }),
  port: integerOption(
    'PORT',
    { short: 'p', help: `TCP port of the API and the web UI (default ${DEFAULT_PORT}).` },
    { min: 1, max: 65_535 },
  ),
  auth: textOption('USER', {
    help: 'Ask for a password of this user; its hash goes into the settings. From standard input where that is no terminal.',
  }),
  service: choiceOption(['system', 'user'], {
    help: 'Then install a systemd service of it, as spate service install does (system needs root).',
  }),
};

const loginOf = async (user: string | undefined, { io }: CommandContext): Promise<Result<Login | null>> => {
  if (user === undefined) return E.right(null);
  const password = await enteredPassword(io);
  if (E.isLeft(password)) return password;
  // Lazy: other commands start faster without it.
  const { newPasswordHash } = await import('../../daemon/newPasswordHash.js');
  return E.right({ user, password: await newPasswordHash(password.right) });
};

const nextSteps = ({ shown, name, port }: NewInstance, program: string): string => `Created ${shown}:
  ${join(shown, SETTINGS_FILE)}          settings
  ${join(shown, 'startup.yml')}        which generators run
  ${join(shown, 'generators', name)}
Next:
  ${program} run -c ${join(shown, SETTINGS_FILE)}
  open http://127.0.0.1:${port}
`;

export const newCommand: Command<typeof options> = {
  name: 'new',
  summary: 'Creates an instance: settings, startup list and a first generator that runs.',
  positionals: { usage: 'DIR', min: 1, max: 1 },
  options,
  notes: ['DIR must not exist, or be empty. The instance needs no other folder, and can be moved.'],
  examples: [
    { title: 'An instance with a small generator', line: 'spate new my-traffic' },
    {
      title: 'With one of the library, and a password',
      line: 'spate new soc --from windows-security --auth ann',
    },
  ],
  run: async ({ positionals: [directory = ''], options: { from, port, auth, service } }, context) => {
    const { io, services } = context;
    if (directory === '') return usageError(io, 'new', 'DIR must not be empty');
    if (auth === '') return usageError(io, 'new', '--auth needs a name');
    const folder = resolve(io.cwd, directory);
    const shown = relative(io.cwd, folder) || '.';
    if (from !== undefined) {
      const flaw = checkGeneratorId(from);
      if (flaw !== null) return reportError(io, failure('invalid', `--from ${flaw.message}.`));
      const { openLibrary } = await import('../../daemon/library.js');
      const known = await openLibrary(services.library).read(from);
      if (E.isLeft(known)) return reportError(io, known.left);
    }
    const login = await loginOf(auth, context);
    if (E.isLeft(login)) return reportError(io, login.left);
    const instance = {
      folder,
      shown,
      from: from ?? null,
      name: from ?? FIRST,
      port: port ?? DEFAULT_PORT,
      login: login.right,
    };
    const empty = await emptyFolder(folder, shown);
    const written = E.isLeft(empty) ? empty : await write(instance, context);
    if (E.isLeft(written)) return reportError(io, written.left);
    io.stdout.write(nextSteps(instance, io.program));
    if (service === undefined) return EXIT.ok;
    const user = service === 'user' ? ['--user'] : [];
    const given = parseArguments(serviceInstall, ['--settings', join(folder, SETTINGS_FILE), ...user]);
    return E.isLeft(given)
      ? usageError(io, 'new', given.left.message)
      : serviceInstall.run(given.right, context);
  },
};
