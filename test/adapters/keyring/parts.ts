import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { newKdf } from '../../../src/adapters/keyring/cipher.js';
import { keyringFile } from '../../../src/adapters/keyring/file.js';
import { type KnownSecrets, knownSecrets } from '../../../src/domain/secrets.js';
import type { Keyring, PasswordSource } from '../../../src/ports/keyring.js';
import { inFolder } from '../directories/support.js';

export const PASSWORD = 'correct horse';

export interface KeyringRig {
  readonly folder: string;
  readonly file: string;
  readonly keyring: Keyring;
  readonly known: KnownSecrets;
  readonly warnings: readonly string[];
  /** Another keyring of the same file, as another process has it. */
  readonly other: (password?: string | null | PasswordSource) => Keyring;
}

/** Runs a test with a keyring that does not exist yet, in a new folder. */
export const withKeyring = (run: (rig: KeyringRig) => Promise<void>): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, 'keyring.json');
    const known = knownSecrets();
    const warnings: string[] = [];
    const other: KeyringRig['other'] = (password = PASSWORD) =>
      keyringFile({
        file,
        password: typeof password === 'function' ? password : async () => E.right(password),
        known,
        warn: (message) => void warnings.push(message),
        kdf: () => ({ ...newKdf(), N: 1_024 }),
      });
    await run({ folder, file, keyring: other(), known, warnings, other });
  });
