import * as E from 'fp-ts/lib/Either.js';
import { keyringFile } from '../adapters/keyring/file.js';
import { maskedLog } from '../adapters/logs/streamLog.js';
import { type KnownSecrets, knownSecrets } from '../domain/secrets.js';
import type { PipelineEvent, PipelineHost } from '../host/port.js';
import type { Keyring, KeyringAccess } from '../ports/keyring.js';
import type { Log } from '../ports/log.js';

export interface SecretKeeping {
  readonly keyring: Keyring;
  readonly known: KnownSecrets;
  /** Masks secrets. */
  readonly log: Log;
}

/** Logs each access: the name, never the value. */
const logged = (keyring: Keyring, log: Log): Keyring => {
  const note = <A>(what: string, secret: string, result: A): A => {
    log.write('info', what, { secret });
    return result;
  };
  return {
    ...keyring,
    read: async (name) => {
      const value = await keyring.read(name);
      return E.isRight(value) ? note('secret read', name, value) : value;
    },
    set: async (name, value) => {
      const done = await keyring.set(name, value);
      return E.isRight(done) ? note(`secret ${done.right}`, name, done) : done;
    },
    remove: async (name) => {
      const done = await keyring.remove(name);
      return E.isRight(done) ? note('secret removed', name, done) : done;
    },
    rename: async (name, to) => {
      const done = await keyring.rename(name, to);
      return E.isRight(done) ? note(`secret renamed to ${to}`, name, done) : done;
    },
  };
};

/** A keyring with the log and the mask for its secrets. */
export const keepSecrets = ({ file, password }: KeyringAccess, log: Log): SecretKeeping => {
  const known = knownSecrets();
  const masked = maskedLog(log, known);
  const warn = (message: string): void => masked.write('warning', message);
  const keyring = logged(keyringFile({ file, password, known, warn }), masked);
  return { keyring, known, log: masked };
};

/** Warns at start; otherwise only the first generator with a secret would tell. */
export const warnOfLockedKeyring = async ({ keyring, log }: SecretKeeping): Promise<void> => {
  const opened = await keyring.check();
  if (E.isRight(opened) || opened.left.code === 'not_found') return;
  log.write('warning', 'secrets are refused until the keyring can be opened', {
    reason: opened.left.message,
  });
};

/** Masks secrets in failures; the log of its threads is masked already. */
export const maskingHost = (host: PipelineHost, known: KnownSecrets): PipelineHost => ({
  start: (order, listener) =>
    host.start(order, (event: PipelineEvent) =>
      listener(event.type === 'failed' ? { ...event, error: known.hideError(event.error) } : event),
    ),
});
