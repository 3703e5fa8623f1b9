import { join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { passwordFrom } from '../../adapters/keyring/password.js';
import type { Settings } from '../../config/settings/settings.js';
import { failure, type Result } from '../../domain/errors.js';
import type { KeyringAccess } from '../../ports/keyring.js';
import { textOption } from '../arguments/option.js';
import type { Io } from '../terminal/io.js';
import { readSettingsFile } from './settings.js';

/** Default keyring of commands. */
const KEYRING_VARIABLE = 'SPATE_KEYRING_FILE';

/** Path of the user's keyring below the configuration folder. */
const OWN = join('spate', 'keyring.json');

/** Absolute path of the keyring: the option, else `SPATE_KEYRING_FILE`, else `~/.config/spate/keyring.json`. */
const keyringFileOf = (option: string | undefined, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string => {
  const named = option ?? env[KEYRING_VARIABLE] ?? '';
  if (named !== '') return resolve(cwd, named);
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  // The XDG specification requires ignoring a relative path.
  const folder = configured.startsWith('/') ? configured : join(env['HOME'] ?? cwd, '.config');
  return resolve(cwd, folder, OWN);
};

export const KEYRING_OPTION = textOption('FILE', {
  help: `Keyring file with the secrets of the config (default: $${KEYRING_VARIABLE}, else ~/.config/spate/keyring.json).`,
});

/** Never asks for the password. */
export const keyringAccessOf = (option: string | undefined, io: Pick<Io, 'env' | 'cwd'>): KeyringAccess => ({
  file: keyringFileOf(option, io),
  password: passwordFrom({ env: io.env }),
});

/** Keyring of `--file` or `--settings`. */
export const keyringFor = async (
  { file, settings }: { readonly file: string | undefined; readonly settings: string | undefined },
  io: Pick<Io, 'env' | 'cwd'>,
): Promise<Result<string>> => {
  if (settings === undefined) return E.right(keyringFileOf(file, io));
  if (file === undefined)
    return E.map(({ path }: Settings) => path.keyring_cryptfile)(
      await readSettingsFile(resolve(io.cwd, settings)),
    );
  return E.left(failure('invalid', 'give --file or --settings, not both'));
};
