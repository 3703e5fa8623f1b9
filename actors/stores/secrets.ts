import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result } from '../../src/domain/errors.js';
import type { SecretReference, SecretRequests } from '../../src/messages/instance.js';
import type { Request } from '../../src/messages/request.js';
import type { Keyring } from '../../src/ports/keyring.js';
import { storeLogic } from './store.js';

interface SecretsOptions {
  /** Logs each access. */
  readonly keyring: Pick<Keyring, 'list' | 'read' | 'set' | 'remove' | 'rename'>;
  /** Whether the API may show values. */
  readonly isReadable: () => boolean;
  readonly references: (name: string) => Promise<Result<readonly SecretReference[]>>;
}

const UNREADABLE = failure(
  'forbidden',
  'secrets cannot be read through the API: set server.secrets_readable to true and send SIGHUP, or use `spate keyring get`',
);

const done = (change: Result<unknown>): Result<null> => (E.isLeft(change) ? change : E.right(null));

type Rename = SecretRequests['secrets.rename']['payload'];

/** Files with the former name would not find their secret any more. */
const renamed = async (
  { keyring, references }: Pick<SecretsOptions, 'keyring' | 'references'>,
  { name, to, force }: Rename,
): Promise<Result<null>> => {
  const names = await keyring.list();
  if (E.isLeft(names)) return names;
  const isPossible = names.right.includes(name) && !names.right.includes(to);
  const users = isPossible && !force ? await references(name) : E.right([]);
  if (E.isLeft(users)) return users;
  if (users.right.length === 0) return done(await keyring.rename(name, to));
  const files = users.right.map(({ file }) => file).join(', ');
  const message = `secret '${name}' is used by ${files}. Write \${secrets.${to}} there first, or send force=true and change them afterwards.`;
  return E.left(failure('wrong_state', message));
};

/** Single writer of the keyring, for the API. */
export const secretsLogic = (options: SecretsOptions) => {
  const { keyring, isReadable, references } = options;
  return storeLogic<Request<SecretRequests>>(async (request) => {
    switch (request.type) {
      case 'secrets.list':
        return request.reply(await keyring.list());
      case 'secrets.read':
        // Refused before the lookup, so that the answer does not tell which names exist.
        return request.reply(isReadable() ? await keyring.read(request.payload.name) : E.left(UNREADABLE));
      case 'secrets.set':
        return request.reply(done(await keyring.set(request.payload.name, request.payload.value)));
      case 'secrets.remove':
        return request.reply(done(await keyring.remove(request.payload.name)));
      case 'secrets.rename':
        return request.reply(await renamed(options, request.payload));
      case 'secrets.references':
        return request.reply(await references(request.payload.name));
    }
  });
};
