import { nodeFiles } from '../../adapters/files/files.js';
import { loadGenerator } from '../../config/generator/config.js';
import { keepSecrets } from '../../daemon/secrets.js';
import type { Result } from '../../domain/errors.js';
import type { GeneratorParams } from '../../domain/generator.js';
import { installed } from '../../plugins/installed.js';
import type { KeyringAccess } from '../../ports/keyring.js';
import type { Log } from '../../ports/log.js';
import { type ResendOptions, type Resent, resendDeadLetters } from '../../worker/deadLetters/resend.js';

export type { Resent } from '../../worker/deadLetters/resend.js';

export interface SingleResendOptions extends Omit<ResendOptions, 'load' | 'known' | 'log'> {
  /** Current parameters; the id may differ from that of the folder. */
  readonly params: GeneratorParams;
  readonly log: Log;
  readonly keyring: KeyringAccess;
}

/** Sends dead letters through the config file that the parameters name. */
export const resend = ({
  params,
  keyring,
  log: given,
  ...options
}: SingleResendOptions): Promise<Result<Resent>> => {
  const { keyring: secrets, known, log } = keepSecrets(keyring, given);
  const load = () =>
    loadGenerator({ files: nodeFiles, secrets, shape: installed().shapes.generator }, params, []);
  return resendDeadLetters({ ...options, load, known, log });
};
