import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { nodeFiles } from '../../adapters/files/files.js';
import { keyringFile } from '../../adapters/keyring/file.js';
import { failure, type Result } from '../../domain/errors.js';
import { knownSecrets, MAX_SECRET_BYTES, MIN_HIDDEN_LENGTH } from '../../domain/secrets.js';
import type { Keyring } from '../../ports/keyring.js';
import { type Command, type CommandGroup, NO_POSITIONALS, type OptionValues } from '../arguments/command.js';
import { textOption } from '../arguments/option.js';
import { keyringFor } from '../files/keyring.js';
import { reportError } from '../report.js';
import { EXIT, type Io } from '../terminal/io.js';
import { newPasswordOf, passwordOf } from '../terminal/password.js';

const PLACE = {
  file: textOption('FILE', {
    help: 'Keyring file (default: $SPATE_KEYRING_FILE, else ~/.config/spate/keyring.json).',
  }),
  settings: textOption('FILE', {
    short: 'c',
    help: 'Settings file of an instance, to use its keyring (path.keyring_cryptfile).',
  }),
};
const OPENED = {
  ...PLACE,
  'password-file': textOption('FILE', {
    help: 'File with the password of the keyring.',
  }),
};

const NAME = { usage: 'NAME', min: 1, max: 1 } as const;

interface OpenedKeyring {
  readonly file: string;
  readonly keyring: Keyring;
}

/** Resolves the keyring; the password is read on demand. */
const openKeyring = async (
  values: Partial<OptionValues<typeof OPENED>>,
  io: Io,
): Promise<Result<OpenedKeyring>> => {
  const { file, settings, 'password-file': passwordFile } = values;
  const path = await keyringFor({ file, settings }, io);
  if (E.isLeft(path)) return path;
  const isNew = (): Promise<boolean> =>
    stat(path.right).then(
      () => false,
      () => true,
    );
  const keyring = keyringFile({
    file: path.right,
    password: passwordOf(io, path.right, { file: passwordFile, isNew }),
    known: knownSecrets(),
    warn: (message) => io.stderr.write(`spate: ${message}\n`),
  });
  return E.right({ file: path.right, keyring });
};

const say = (io: Io, message: string): number => {
  io.stderr.write(`${message}\n`);
  return EXIT.ok;
};

const withKeyring = async <A>(
  values: Partial<OptionValues<typeof OPENED>>,
  io: Io,
  use: (opened: OpenedKeyring) => Promise<Result<A>>,
  done: (result: A, opened: OpenedKeyring) => number,
): Promise<number> => {
  const opened = await openKeyring(values, io);
  if (E.isLeft(opened)) return reportError(io, opened.left);
  const result = await use(opened.right);
  return E.isLeft(result) ? reportError(io, result.left) : done(result.right, opened.right);
};

const list: Command<typeof PLACE> = {
  name: 'keyring list',
  summary: 'Lists the names of the secrets. Needs no password.',
  positionals: NO_POSITIONALS,
  options: PLACE,
  examples: [{ title: 'See the secrets of an instance', line: 'spate keyring list -c settings/spate.yml' }],
  run: ({ options }, { io }) =>
    withKeyring(
      options,
      io,
      ({ keyring }) => keyring.list(),
      (names, { file }) => {
        if (names.length === 0) return say(io, `No secrets in ${file}`);
        io.stdout.write(names.map((name) => `${name}\n`).join(''));
        return EXIT.ok;
      },
    ),
};

const get: Command<typeof OPENED> = {
  name: 'keyring get',
  summary: 'Prints the value of a secret.',
  positionals: NAME,
  options: OPENED,
  notes: ['Prints a line feed after the value.'],
  examples: [
    { title: 'Print a secret of an instance', line: 'spate keyring get api_password -c settings/spate.yml' },
  ],
  run: ({ options, positionals: [name = ''] }, { io }) =>
    withKeyring(
      options,
      io,
      ({ keyring }) => keyring.read(name),
      (value) => {
        io.stdout.write(`${value}\n`);
        return EXIT.ok;
      },
    ),
};

const setOptions = {
  ...OPENED,
  'value-file': textOption('FILE', { help: 'File with the value; - reads standard input.' }),
};

/** Value from a file, the terminal or standard input, without one trailing line feed. */
const givenValue = async (name: string, file: string | undefined, io: Io): Promise<Result<string>> => {
  const room = MAX_SECRET_BYTES + 2;
  const isFile = file !== undefined && file !== '-';
  if (!isFile && io.stdin.isTerminal) {
    const typed = await io.askHidden(`Value of ${name}: `);
    if (typed !== null) return E.right(typed);
  }
  const text = isFile ? await nodeFiles.readText(resolve(io.cwd, file), room) : await io.stdin.read(room);
  return E.map((whole: string) => whole.replace(/\r?\n$/, ''))(text);
};

const ON_THE_COMMAND_LINE =
  'a value on the command line is visible to other users and stays in the shell history. Pass it on standard input or with --value-file.';

const set: Command<typeof setOptions> = {
  name: 'keyring set',
  summary: 'Stores or replaces a secret. The first one creates the keyring.',
  positionals: { usage: 'NAME', min: 1, max: Number.POSITIVE_INFINITY },
  options: setOptions,
  notes: [
    `The value comes from a file, from standard input, or from a hidden prompt: 1 to ${MAX_SECRET_BYTES} bytes of text, without a ` +
      'final line feed.',
    `Values of fewer than ${MIN_HIDDEN_LENGTH} characters are masked in logs only where they are the entire string.`,
  ],
  examples: [
    {
      title: 'Enter a secret at a hidden prompt',
      line: 'spate keyring set api_password -c settings/spate.yml',
    },
    {
      title: 'Store the content of a file',
      line: 'spate keyring set server_key --value-file server.key --file keyring.json',
    },
  ],
  run: async ({ options, positionals: [name = '', ...rest] }, { io }) => {
    if (rest.length > 0) return reportError(io, failure('invalid', ON_THE_COMMAND_LINE));
    return withKeyring(
      options,
      io,
      async ({ keyring }) => {
        // Reports a wrong password before asking for the value.
        const opened = await keyring.check();
        if (E.isLeft(opened) && opened.left.code !== 'not_found') return opened;
        const value = await givenValue(name, options['value-file'], io);
        if (E.isLeft(value)) return value;
        const done = await keyring.set(name, value.right);
        if (E.isRight(done) && value.right.length < MIN_HIDDEN_LENGTH) {
          say(io, 'spate: the value is too short to be masked within longer log lines');
        }
        return done;
      },
      (done, { file }) => say(io, `${done === 'created' ? 'Stored' : 'Replaced'} '${name}' in ${file}`),
    );
  },
};

const remove: Command<typeof OPENED> = {
  name: 'keyring remove',
  summary: 'Removes a secret.',
  positionals: NAME,
  options: OPENED,
  examples: [
    {
      title: 'Remove a secret of an instance',
      line: 'spate keyring remove api_password -c settings/spate.yml',
    },
  ],
  run: ({ options, positionals: [name = ''] }, { io }) =>
    withKeyring(
      options,
      io,
      ({ keyring }) => keyring.remove(name),
      (_, { file }) => say(io, `Removed '${name}' from ${file}`),
    ),
};

const rename: Command<typeof OPENED> = {
  name: 'keyring rename',
  summary: 'Renames a secret.',
  positionals: { usage: 'NAME NEW', min: 2, max: 2 },
  options: OPENED,
  notes: ['Files that use the former name stay as they are: change ${secrets.NAME} in them, too.'],
  examples: [
    {
      title: 'Rename a secret of an instance',
      line: 'spate keyring rename api_password siem_password -c settings/spate.yml',
    },
  ],
  run: ({ options, positionals: [name = '', to = ''] }, { io }) =>
    withKeyring(
      options,
      io,
      ({ keyring }) => keyring.rename(name, to),
      (_, { file }) => say(io, `Renamed '${name}' to '${to}' in ${file}`),
    ),
};

const rotateOptions = {
  ...OPENED,
  'new-password-file': textOption('FILE', { help: 'File with the new password.' }),
};

const rotate: Command<typeof rotateOptions> = {
  name: 'keyring rotate',
  summary: 'Changes the password of the keyring.',
  positionals: NO_POSITIONALS,
  options: rotateOptions,
  notes: [
    'The new password comes from --new-password-file, SPATE_KEYRING_NEW_PASSWORD or a prompt. The keyring file is replaced ' +
      'atomically. A running instance keeps running, but reads secrets again only once its password file or credential holds ' +
      'the new password, or after a restart with it.',
  ],
  examples: [
    {
      title: 'Change the password of the keyring of an instance',
      line: 'spate keyring rotate -c settings/spate.yml',
    },
  ],
  run: ({ options }, { io }) =>
    withKeyring(
      options,
      io,
      async ({ keyring, file }) => {
        // Reports a wrong password before asking for the new one.
        const opened = await keyring.check();
        if (E.isLeft(opened)) return opened;
        const password = await newPasswordOf(io, options['new-password-file']);
        return E.isLeft(password) ? password : E.map(() => file)(await keyring.rotate(password.right));
      },
      (file) => say(io, `Changed the password of ${file}`),
    ),
};

export const keyring: CommandGroup = {
  name: 'keyring',
  summary: 'Manages the encrypted secrets that configs use as ${secrets.NAME}.',
  notes: [
    'The password comes from the first of: --password-file, SPATE_KEYRING_PASSWORD, the file named by ' +
      'SPATE_KEYRING_PASSWORD_FILE, the systemd credential spate-keyring-password, a prompt.',
    'A running instance sees changes at once: the next generator that starts gets the new values.',
  ],
  commands: [list, get, set, remove, rename, rotate],
};
